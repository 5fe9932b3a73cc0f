"""A second world: whole evenings on a powered Hextraction board, from physics, hands and wires.

It shares no code, no odds and no weights with the referee or its own simulator: only the board's
geometry, the tiles' files and the types of facts. What is true stands beside what was heard.
"""

from tests.worlds.evening import evening
from tests.worlds.knobs import CLEAN, Knobs, turned
from tests.worlds.truth import Evening, Part, Roll

__all__ = ["CLEAN", "Evening", "Knobs", "Part", "Roll", "evening", "turned"]
