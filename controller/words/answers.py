"""Yes and no, as they are typed: in English, and in the language that is spoken."""

from hexboard.words import message, say


def letters() -> tuple[str, str]:
    """What is typed for yes and for no."""
    yes, no = (word[:1] for word in _words())
    return (yes, no) if yes != no else ("y", "n")


def agreed(said: str) -> bool | None:
    """Whether a word is yes; None where it is neither yes nor no."""
    yes, no = letters()
    words = {"y": True, "yes": True, "n": False, "no": False}
    ours = dict(zip((*_words(), yes, no), (True, False) * 2, strict=True))
    return (words | ours).get(said.strip().lower())


def _words() -> tuple[str, str]:
    return say(message("table.yes")).lower(), say(message("table.no")).lower()
