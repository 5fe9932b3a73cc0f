"""The wizards and what they fit, on simulated boards with faults that we know."""
