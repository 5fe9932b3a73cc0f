"""A board without hardware: balls that roll, hands that move tiles, and the real firmware."""
