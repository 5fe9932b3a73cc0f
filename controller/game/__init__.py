"""What every game is to the rest of hexboard: positions, matches, and how a game is found."""
