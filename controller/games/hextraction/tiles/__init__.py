"""Tiles as data: their channels, effects and files, and which ones there are."""
