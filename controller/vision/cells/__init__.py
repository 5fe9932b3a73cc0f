"""What lies in the cells."""
