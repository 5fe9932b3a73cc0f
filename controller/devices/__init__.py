"""Devices: the only code that touches hardware. Each posts `Report`s and is otherwise silent."""
