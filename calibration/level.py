"""Level: how people are told whether their board leans to a side (`perception/leaning.py`)."""

from hexboard.perception.leaning import Lean
from hexboard.words import Message, message
from hexboard.words.numbers import decimal


def told(lean: Lean) -> Message:
    """What balls show of it, how sure that is, and what to do."""
    low, high, balls = lean.at_least, lean.at_most, lean.balls
    if not lean.sure:
        least, most = decimal(low, 1), decimal(high, 1)
        return message("health.level", least=least, most=most, balls=balls)
    least, most = (decimal(it, 1) for it in sorted((abs(low), abs(high))))
    degrees = decimal(abs(lean.degrees), 1)
    key = "health.leans_right" if lean.degrees > 0 else "health.leans_left"
    return message(key, degrees=degrees, least=least, most=most, balls=balls)
