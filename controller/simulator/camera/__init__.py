"""The simulated camera: it draws boards as a lens would see them."""
