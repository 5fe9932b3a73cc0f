"""`hexboard calibrate`: sensors, wires, cameras, colours and lights, measured on the spot."""

from hexboard.commands.calibrate.sensors import calibrate

__all__ = ["calibrate"]
