"""Deterministic simulation: the shell's own code in one thread, under a scheduler with a seed.

`python -m tests.simulation --seed N` plays an evening, or plays it again. docs/simulation.md says
what is real in it and what is not.
"""
