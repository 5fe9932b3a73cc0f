"""Balls that roll through tiles, and somebody who plays."""
