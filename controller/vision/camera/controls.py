"""Controls: exposure, gain, white balance and focus, held where a camera's own judgement put them.

A camera that goes on judging brightens the picture when a dark card comes, shifts colours under a
coloured lamp, and focuses on a hand. After a calibration it is held still; what a camera cannot
hold is said.
"""

import re

from msgspec import Struct


class Controls(Struct, frozen=True, forbid_unknown_fields=True):
    """What is held. None, or no numbers: left to the camera."""

    exposure: float | None = None
    """µs."""
    gain: float | None = None
    """A factor on a Pi's camera; on others whatever the driver counts in."""
    white: tuple[float, ...] = ()
    """The gains of red and blue on a Pi's camera; on others one number, K."""
    focus: float | None = None
    """Of a lens that a Pi's camera moves, dioptres (one over metres); None where it moves none."""

    @property
    def names(self) -> tuple[str, ...]:
        """What there is to hold, in words."""
        held = {"exposure": self.exposure, "gain": self.gain, "white balance": self.white or None}
        held["focus"] = self.focus
        return tuple(name for name, value in held.items() if value is not None)


FREE = Controls()


def options(controls: Controls) -> list[str]:
    """The arguments that make `rpicam-vid` hold them."""
    out = []
    if controls.exposure is not None:
        out += ["--shutter", str(round(controls.exposure))]
    if controls.gain is not None:
        out += ["--gain", f"{controls.gain:.3f}"]
    if len(controls.white) == 2:
        out += ["--awbgains", ",".join(f"{gain:.3f}" for gain in controls.white)]
    if controls.focus is not None:
        out += ["--autofocus-mode", "manual", "--lens-position", f"{controls.focus:.3f}"]
    return out


_NUMBER = r"[\s:\[]+(-?[\d.]+)\s*[,}\]]"


def of_text(text: str) -> Controls:
    """What `rpicam-vid` has settled on, by the last frame in the file that its `--metadata` writes:
    it grows while it is read, so that no JSON in it need be whole."""
    exposure = re.findall(f'"ExposureTime"{_NUMBER}', text)
    gain = re.findall(f'"AnalogueGain"{_NUMBER}', text)
    white = re.findall(rf'"ColourGains"{_NUMBER}\s*(-?[\d.]+)\s*\]', text)
    focus = re.findall(f'"LensPosition"{_NUMBER}', text)
    return Controls(
        float(exposure[-1]) if exposure else None,
        float(gain[-1]) if gain else None,
        tuple(map(float, white[-1])) if white else (),
        float(focus[-1]) if focus else None,
    )
