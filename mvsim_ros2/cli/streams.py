# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Input and output of a command as it gets them: closed, full, or of another encoding."""

from contextlib import suppress
import os
import sys
from typing import TextIO

from mvsim_ros2.errors import MvsimError


def open_streams() -> None:
    """
    Open to nowhere what was closed, and write characters that cannot be encoded as escapes.

    Without this the next file would get the number of a closed stream, and with it the output of C
    libraries.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name, mode in (('stdin', 'r'), ('stdout', 'w'), ('stderr', 'w')):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding='utf-8'))
        elif mode == 'w' and (stream.errors == 'strict' or stream.encoding.lower() != 'utf-8'):
            stream.reconfigure(errors='backslashreplace')  # type: ignore[attr-defined]


def flush_output() -> None:
    """Write what has been printed."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_output()
        raise MvsimError(f'the output cannot be written: {error.strerror}') from error


def drop_output() -> None:
    """Lead the rest of the output to nowhere, so that Python's own end does not write it."""
    with suppress(OSError):
        sys.stdout.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
