"""The rules of Hextraction: what is so (`state`), what may be done, and what follows from it."""
