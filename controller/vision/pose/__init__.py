"""Where the board is: the lens, its markers and lights."""
