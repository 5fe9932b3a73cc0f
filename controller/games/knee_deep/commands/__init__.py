"""What Knee Deep in Hexes adds to the command line."""
