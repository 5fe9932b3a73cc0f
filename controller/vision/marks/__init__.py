"""What is printed: markers, sheets and labels, as data and as paper."""
