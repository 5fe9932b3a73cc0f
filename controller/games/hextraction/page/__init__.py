"""Hextraction's part of the page."""
