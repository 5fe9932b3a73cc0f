"""The shell of a page: what a browser shows until our script has come, and what that reads."""

import html

from hexboard.web import reach
from hexboard.web.spoken import mostly, page_words_json
from hexboard.words import languages, message, say


def shell(frame: str, script: str, language: str, port: int) -> str:
    """The page that a script of ours makes, of a board that is served at a port, in a `frame` of
    HTML."""
    return frame.format(
        script=script,
        name=html.escape(reach.name()),
        colour=reach.colour(port),
        language=language,
        mostly=mostly(language),
        languages=" ".join(languages()),
        words=page_words_json(language),
        boot=say(message("page.boot"), language),
        noscript=say(message("page.noscript"), language),
    )
