"""What programs do in tests of them: functions that they can import."""

import os
import sys
import time
import warnings


def square(number):
    return number**2


def process(number):
    return os.getpid()


def printed(number):
    """Print where results go, and where nothing should."""
    print("x" * 100_000, flush=True)
    os.write(1, b"x" * 100)
    sys.stderr.write("y" * 1000)
    return number


def large(number):
    return bytes([number]) * 300_000


def killed(number):
    os.kill(os.getpid(), 9)


def gone(number):
    os._exit(0)


def error(number):
    raise ArithmeticError(number)


def no_memory(number):
    raise MemoryError


def ended(number):
    sys.exit(0)


def not_pickled(number):
    return lambda: number


def warned(number):
    warnings.warn("of a program", UserWarning, stacklevel=1)


def asleep(number):
    time.sleep(1000)


def main_module(number):
    """What the main module of the program is called, and has."""
    return sys.modules["__main__"].__dict__.get("__file__")
