"""What a TCRT5000 sees of a tile over it, and of a room over an empty slot. Lengths in mm, currents
in mA, light in mW/cm².

Its data sheet (Vishay 83760, revision 1.7) tells the current of a mirror 12 mm over the circuit
board, and how that of a card falls with its distance (figure 9). Here LED and phototransistor are
two points under their lenses, 3.6 mm apart, alike in how they shine and see; their angle, lean and
depth are those that draw figure 9 again. So the mirror's current says what a card's is.
"""

import math

import numpy as np
import numpy.typing as npt

CURVE = (
    (2.3, 1.0),
    (4.0, 0.88),
    (6.0, 0.66),
    (8.0, 0.48),
    (10.0, 0.36),
    (12.0, 0.27),
    (14.0, 0.215),
)
"""Figure 9, as read from it: distance, and the share of the highest current."""
MIRROR_MA = (0.5, 1.0, 2.1)
"""At 10 mA and D = 12: the dimmest that is sold, the usual one, the brightest."""
HIGH = 7.0
"""From the circuit board to what the distance in figure 9 is measured from; so that mirror is 5 mm
away."""
LED_MW_SR = 3.5
"""21 at 60 mA, and in proportion."""
APART, DEEP, LEAN, POWER = 3.63, 3.07, 0.1, 13.1
"""Between the lenses, as the drawing has them; and, by figure 9, how far under the top the two
points lie, by how much they lean towards each other (radians), and the power of the cosine by which
they shine and see: half at 18 degrees."""

Floats = npt.NDArray[np.float64]
_STEP = 0.25
_LINE = np.arange(-20.0, 20.01, _STEP)
_X, _Y = np.meshgrid(_LINE, _LINE)


def _towards(x: float, high: float) -> Floats:
    """How much light goes from a point at `x` to each place of a plane so high over it."""
    dx = _X - x
    far = np.sqrt(dx**2 + _Y**2 + high**2)
    along = (dx * -np.sign(x) * math.sin(LEAN) + high * math.cos(LEAN)) / far
    found: Floats = np.clip(along, 0.0, None) ** POWER * high / far**3
    return found


def card(away: float) -> float:
    """What a white card throws back that throws all back, evenly: cm⁻², for 1 mW/sr."""
    high = away + DEEP
    both = _towards(-APART / 2, high) * _towards(APART / 2, high)
    return 100 * float(both.sum()) * _STEP**2 / math.pi


def mirror(away: float) -> float:
    """The same of a mirror."""
    high = 2 * (away + DEEP)
    far, angle = math.hypot(high, APART), math.atan2(APART, high)
    return float(100 * math.cos(angle - LEAN) ** (2 * POWER) / far**2)


def current(away: float, share: float, of_mirror: float) -> float:
    """What flows where a surface so far away throws this share of the light back, mA; `of_mirror`
    is what flows with the data sheet's mirror, which throws 0.9 back."""
    return of_mirror * share * card(away) / (0.9 * mirror(12.0 - HIGH))


def sees(of_mirror: float) -> float:
    """What flows at 1 mW/cm² from straight ahead, mA."""
    return of_mirror / (0.9 * LED_MW_SR * mirror(12.0 - HIGH))


def share_of_sky() -> float:
    """Of light that comes from everywhere above as much as is seen."""
    return 2 / (POWER + 2)


def of_lamp(kelvin: float, lux: float) -> float:
    """Of the light of a body that hot what lies from 850 to 1050 nm, where the phototransistor sees
    behind its filter, at so much light for the eye: mW/cm². The sun is one of 5800 K, an
    incandescent or halogen lamp one of 2856 K; an LED lamp has nothing there."""
    waves = np.arange(380.0, 1051.0, 1.0)
    shone = waves**-5 / np.expm1(1.4388e7 / (waves * kelvin))
    eye = 1.019 * np.exp(-285.4 * (waves / 1000 - 0.559) ** 2)
    return float(0.1 * lux * shone[waves >= 850].sum() / (683 * (shone * eye).sum()))
