"""What is kept: the recording (every fact, the *why*), the journal (the match, *what stands*), replay."""
