# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The SHA-256 of all files of a recording, in a file that ``sha256sum -c`` reads too."""

import hashlib
from pathlib import Path
import re

from mvsim_ros2.base.progress import tell

MANIFEST = 'manifest.sha256'
PIECES = 'pieces.sha256'  # hashes of a recording that is not finished
_LINE = re.compile('^([0-9a-f]{64})  (.+)$', re.MULTILINE)


def write_manifest(folder: Path, reserved: Path) -> None:
    """
    Write the manifest of a folder.

    :param reserved: file that is replaced by it, whose size is set aside on the disk.
    :raises OSError: where a file cannot be read or written.
    """
    text = _text_of({name: _hash(folder / name) for name in _files_of(folder)})
    with reserved.open('r+' if reserved.exists() else 'w', encoding='utf-8') as file:
        file.write(text)
        file.truncate()
    reserved.replace(folder / MANIFEST)


def differences(folder: Path) -> dict[str, str]:
    """Return what is wrong with each file of a folder that is not as its manifest says."""
    try:
        text = (folder / MANIFEST).read_text(encoding='utf-8')
    except (OSError, ValueError):
        return {MANIFEST: 'the hashes of the files are missing or damaged'}
    listed = {name: digest for digest, name in _LINE.findall(text)}
    there = _files_of(folder)
    found = {} if _text_of(listed) == text else {MANIFEST: 'the hashes of the files are damaged'}
    for number, (name, expected) in enumerate(listed.items()):
        tell(number, len(listed), 'files')
        if name not in there:
            found[name] = 'it is missing'
            continue
        try:
            if _hash(folder / name) != expected:
                found[name] = 'it is not as it was written'
        except OSError as error:
            found[name] = f'it cannot be read: {error.strerror}'
    return found | {name: 'it was added' for name in there if name not in listed}


def _files_of(folder: Path) -> list[str]:
    """Return the names of the files that a manifest has."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob('*')
                  if path.is_file() and path.suffix != '.tmp'
                  and path.name not in (MANIFEST, PIECES))


def _text_of(digests: dict[str, str]) -> str:
    return ''.join(f'{digest}  {name}\n' for name, digest in digests.items())


def _hash(path: Path) -> str:
    with path.open('rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()
