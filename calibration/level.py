"""Level: how people are told whether their board leans to a side (`perception/leaning.py`)."""

from hexboard.perception.leaning import Lean
from hexboard.words import Message, message


def told(lean: Lean) -> Message:
    """What balls show of it, how sure that is, and what to do."""
    least, most, balls = f"{lean.at_least:.1f}", f"{lean.at_most:.1f}", lean.balls
    if not lean.sure:
        return message("health.level", least=least, most=most, balls=balls)
    least, most = sorted((least.lstrip("-"), most.lstrip("-")), key=float)
    degrees = f"{abs(lean.degrees):.1f}"
    key = "health.leans_right" if lean.degrees > 0 else "health.leans_left"
    return message(key, degrees=degrees, least=least, most=most, balls=balls)
