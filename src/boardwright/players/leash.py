"""Runs a program that must not outlive whoever wanted it: `python leash.py FD PROGRAM ARGUMENT...`.

FD is the reading end of a pipe to which nobody writes. When its other end closes, because our owner closed it or was
killed, everything in this process group ends: the program, what it has started, and this process. A process of its own
waits for that: a program may end by itself, at the end of its input, before what it has started. It imports nothing of
ours, so that it starts at once.
"""

from __future__ import annotations

import os
import signal
import sys

NOT_STARTED = 127  # exit code, as a shell has it
BY_SIGNAL = 128  # exit code of a program that a signal ended, plus the signal's number


def end_with_owner(leash: int) -> None:
    """Wait until the other end is gone, then end them all."""
    while os.read(leash, 1):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)


def leave_streams() -> None:
    """They are the program's: when it closes them, they are closed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def main() -> None:
    leash, command = int(sys.argv[1]), sys.argv[2:]
    child = os.fork()
    if child == 0:
        os.close(leash)
        try:
            os.execvp(command[0], command)  # noqa: S606 - a program that the owner named is what this is for
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(NOT_STARTED)
    leave_streams()
    if os.fork() == 0:
        end_with_owner(leash)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(code if code >= 0 else BY_SIGNAL - code)


if __name__ == "__main__":
    main()
