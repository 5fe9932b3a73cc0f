"""Collected in the guest only."""
