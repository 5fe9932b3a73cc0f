"""Calibration: what a board's own sensors, cameras and lights are like, measured on the spot."""
