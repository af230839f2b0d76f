# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Files that others gave, and files that are written: whole, or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
import errno
import os
from pathlib import Path
import secrets
import stat
import sys
from typing import BinaryIO

TEXT_BYTES = 20_000_000  # most bytes of a plan, a class or another file written by hand
DATA_BYTES = 2_000_000_000  # most bytes of a log or a trajectory


def open_file(path: str | os.PathLike[str], most: int = DATA_BYTES) -> BinaryIO:
    """
    Open a file to read it; a pipe or a device could keep the reader waiting for ever.

    :param most: its largest size [bytes].
    :raises OSError: where it cannot be read, is no regular file, or is larger.
    """
    file = open(path, 'rb', opener=lambda name, flags: os.open(
        name, flags | getattr(os, 'O_NONBLOCK', 0)))
    about = os.fstat(file.fileno())
    if stat.S_ISREG(about.st_mode) and about.st_size <= most:
        return file
    file.close()
    if stat.S_ISREG(about.st_mode):
        raise OSError(errno.EFBIG, f'it has {1e-6 * about.st_size:.0f} MB, at most '
                      f'{1e-6 * most:.0f} MB are read', os.fspath(path))
    raise OSError(errno.EINVAL, 'it is no regular file', os.fspath(path))


def read_bytes(path: str | os.PathLike[str], most: int = DATA_BYTES) -> bytes:
    """Return the content of a file, as `open_file` opens it."""
    with open_file(path, most) as file:
        return file.read()


def read_text(path: str | os.PathLike[str], most: int = DATA_BYTES) -> str:
    """Return the text of a file in UTF-8, as `open_file` opens it; raise ValueError for none."""
    return read_bytes(path, most).decode()


def check_files(folder: Path) -> None:
    """Raise `OSError` where something in a folder is no regular file, and would not end."""
    for path in folder.rglob('*'):
        if not path.is_dir():
            open_file(path, sys.maxsize).close()


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[Path]:
    """
    Provide the path of a new file that replaces another one at the end, and not after an error.

    :raises OSError: where it cannot be, or something else than a file is there.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, 'it is no regular file', os.fspath(path))
    new = target.with_name(f'.{secrets.token_hex(8)}{target.suffix}')
    try:
        yield new
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
