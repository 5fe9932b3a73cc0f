"""Figures: what a survey has seen of each sensor so far, as people look at it."""

from msgspec import Struct

from hexboard.calibration.sensors import SensorSurvey
from hexboard.facts import MS

SHOWN = 40
"""The newest contacts that are shown."""


class SensorFigures(Struct, frozen=True):
    """One sensor: how many touches it `felt` of those that were `touched` (0 where nobody counted),
    and how long the newest contacts were, ms."""

    state: str
    felt: int
    touched: int
    lengths_ms: tuple[float, ...]


def figures(survey: SensorSurvey) -> dict[str, SensorFigures]:
    """Of every sensor that is surveyed."""
    samples = survey.learner.samples
    return {
        sensor: SensorFigures(
            survey.state(sensor),
            *survey.touched(sensor),
            tuple(round(it / MS, 1) for it in list(samples[sensor].contacts)[-SHOWN:]),
        )
        for sensor in survey.sensors
    }
