"""Evenings that play themselves: a player for the simulated board, with or without a clock."""
