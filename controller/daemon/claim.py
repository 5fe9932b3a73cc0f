"""A claim: which of several boards tells a broker by a name that all of them have.

Who comes asks for the name, on a topic that all of them hear; who has it already says so, and the
one that asked tells nothing. Of two that ask at once the one whose id sorts first has it. Nobody
needs a clock that another one has, and nothing is retained. docs/open.md, "MQTT".
"""

import secrets
import threading

ASK_S = 1.0
"""So long an answer is waited for."""
AGAIN_S = 30.0
"""So often a board that another one keeps silent asks again."""


class NameClaim:
    """This board's claim to its name; times are monotonic s. A message is `asked ID` or
    `held ID`."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(4)
        self._lock = threading.Lock()  # who listens to the broker is another thread
        self.held = False
        """The name is ours: nobody else has said that it is theirs."""
        self.other = False
        """Another board has it."""
        self.until = 0.0
        """While it is not ours: when it is, or is asked for again."""

    def ask(self, now: float) -> str:
        """What is said to ask for it."""
        with self._lock:
            self.held, self.other, self.until = False, False, now + ASK_S
        return f"asked {self.id}"

    def heard(self, text: str, now: float) -> str:
        """Somebody, maybe we ourselves, has said something; the answer, "" for none."""
        said, _, id = text.partition(" ")
        asked = said == "asked"
        with self._lock:
            if not (asked or said == "held") or not id or id == self.id or self.other:
                return ""
            first = self.id < id  # of two that ask, or of two that both have it
            if (asked and self.held) or (first and (asked or self.held)):
                return f"held {self.id}"
            self.held, self.other, self.until = False, True, now + AGAIN_S
        return ""

    def turn(self, now: float) -> bool:
        """Time has passed: the name is ours where nobody has answered; whether it is to be asked
        for again."""
        with self._lock:
            if self.held or now < self.until:
                return False
            self.held = not self.other
            return self.other
