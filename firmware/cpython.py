"""What the compiler of MicroPython knows and CPython lacks, for the twin and the tests.

`const` makes a name stand for its number. `@micropython.viper` compiles a function to machine code,
in which a `ptr8` or `ptr16` is an array of bytes or of 16-bit numbers.
"""

import traceback


class micropython:  # noqa: N801
    @staticmethod
    def viper(function):
        return function


def const(value):
    return value


def ptr8(array):
    return array


ptr16 = ptr32 = ptr8


def print_exception(error, file):
    """MicroPython's is in `sys`."""
    traceback.print_exception(error, file=file)
