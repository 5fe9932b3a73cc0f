"""What is kept of an evening: recording (*why*), journal (*what stands*), and replay."""
