"""What was, and what stands: recordings with every fact, the journal, and replay."""
