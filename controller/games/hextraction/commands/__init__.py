"""What Hextraction adds to the command line."""
