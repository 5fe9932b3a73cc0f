"""The circuit board of one slot, the same for every slot of a board: circuit, places, tracks."""
