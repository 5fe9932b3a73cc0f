"""Every parser, fed with what nobody would send: `python -m tests.fuzz`."""
