"""Writes down which functions a program calls, for `mutants.py`.

The process of the tests writes them, and so do all programs that it starts.
"""

import os
import sys
import threading
from contextlib import suppress
from types import FrameType

# Names in the environment: the file that calls are added to, and the folder of what is called.
CALLS, FOLDER = "CALLS_OF_TESTS", "FOLDER_OF_CALLED"


def write_calls() -> None:
    """Write path and first line of each function of the folder when it is first called.

    The line of a module itself is 0. Forks go on in the same file.
    """
    if CALLS not in os.environ:
        return
    folder, known = os.environ[FOLDER], {}
    descriptor = os.open(os.environ[CALLS], os.O_WRONLY | os.O_APPEND)

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if id(code) not in known:
            if code.co_filename.startswith(folder):
                line = 0 if code.co_name == "<module>" else code.co_firstlineno
                with suppress(OSError):  # in a test in which the disk is full
                    os.write(descriptor, f"{code.co_filename}:{line}\n".encode())
            known[id(code)] = code  # kept, so that no other one gets its number

    threading.settrace(note)
    sys.settrace(note)
