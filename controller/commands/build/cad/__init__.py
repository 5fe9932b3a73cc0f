"""The parts of a board that are printed: what shape each is (pure), and how it becomes a file."""
