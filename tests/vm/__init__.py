"""A Pi's kernel without a Pi: Debian's own in QEMU, with simulated pins, a USB gadget and `vivid`,
a webcam without glass; Debian's systemd is its first process.

`python -m tests.vm` builds it (once), boots it and runs tests/vm/guest there with this Python. The
guest sees the host's files read-only, so it tests the same checkout and the same packages.
"""
