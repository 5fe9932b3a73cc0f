"""Taking pictures in: a camera's drivers and streams."""
