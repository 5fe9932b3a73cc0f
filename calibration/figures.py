"""Figures: what a survey has seen of each sensor so far, as people look at it."""

from msgspec import Struct

from hexboard.calibration.result import spread
from hexboard.calibration.sensors import SensorSurvey
from hexboard.calibration.wizard import told
from hexboard.facts import MS
from hexboard.words import say

SHOWN = 40
"""The newest contacts that are shown."""


class SensorFigures(Struct, frozen=True):
    """One sensor: how many touches it `felt` of those that were `touched` (0 where nobody counted),
    how long the newest contacts were, ms, and how they are spread; in `why` what is wrong."""

    state: str
    felt: int
    touched: int
    lengths_ms: tuple[float, ...]
    spread: tuple[int, ...]
    why: str = ""


def figures(survey: SensorSurvey) -> dict[str, SensorFigures]:
    """Of every sensor that is surveyed."""
    samples = survey.learner.samples
    why = {finding.sensor: say(told(finding)) for finding in survey.findings()}
    return {
        sensor: SensorFigures(
            survey.state(sensor),
            *survey.touched(sensor),
            tuple(round(it / MS, 1) for it in list(samples[sensor].contacts)[-SHOWN:]),
            spread(samples[sensor].contacts),
            why.get(sensor, ""),
        )
        for sensor in survey.sensors
    }
