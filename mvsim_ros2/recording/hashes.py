# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
SHA-256 of a world as plain data, and of the files of a recording.

A complete recording has a manifest, which ``sha256sum -c`` reads too. For runs whose process is
killed, there are hashes of the text files while these grow. A line has the SHA-256 of the
beginning of a file, its size [byte], the simulated time [ns] and the name. A line without a name
ends a piece: it is the hash of all lines before it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
import hashlib
import json
import math
from pathlib import Path
import re
from typing import Any

import numpy as np

from mvsim_ros2.base.files import open_file, read_text
from mvsim_ros2.base.progress import tell
from mvsim_ros2.recording.text_files import TextFile
from mvsim_ros2.world.spec import Resource, Source, WorldSpec

MANIFEST = 'manifest.sha256'
PIECES = 'pieces.sha256'  # hashes of a recording that is not finished
_LINE = re.compile('^([0-9a-f]{64})  (.+)$', re.MULTILINE)
PIECE_NS = 2_000_000_000  # simulated time of a piece

Beginning = tuple[str, int, int]  # hash, size [byte], time [ns]


def write_manifest(folder: Path, reserved: Path) -> None:
    """Write the manifest of a folder; raise `OSError` where a file cannot be read or written."""
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
                found[name] = 'its content has changed'
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


class PieceFile(TextFile):
    """The file of the hashes, which is removed when the recording has its manifest."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / PIECES)
        self._sizes: dict[Path, int] = {}

    def add(self, time_ns: int, files: Iterable[TextFile]) -> None:
        """End a piece of files whose rows are written; raise `OSError` where that fails."""
        for file in files:
            if self._sizes.get(file.path) != file.size:
                self._sizes[file.path] = file.size
                name = file.path.relative_to(self.path.parent).as_posix()
                self.write(f'{file.digest.hexdigest()} {file.size} {time_ns} {name}\n')
        self.flush()
        self.write(f'{self.digest.hexdigest()} {self.size} {time_ns}\n')
        self.flush()

    def remove(self) -> None:
        """Remove the file, where there is a manifest in its place."""
        self.close()
        if (self.path.parent / MANIFEST).exists():
            self.path.unlink()


def altered(folder: Path) -> dict[str, str]:
    """Return what is wrong with files of a killed run in their pieces; none without `PIECES`."""
    try:
        beginnings, end_ns, found = _beginnings(read_text(folder / PIECES))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        return {PIECES: 'the hashes of the ground truth cannot be read'}
    for name, each in beginnings.items():
        try:
            whole_ns = _whole_until(folder / name, each)
        except OSError as error:
            found[name] = f'it cannot be read: {error.strerror}'
            continue
        if whole_ns < each[-1][2]:
            found[name] = f'its content has changed after {1e-9 * whole_ns:.3f} s'
    return found | {'.': 'the run was interrupted: ground truth and commands after '
                    f'{1e-9 * end_ns:.3f} s have no hashes'}


def _beginnings(text: str) -> tuple[dict[str, list[Beginning]], int, dict[str, str]]:
    """Return the hashes of whole pieces by file, when the last ends, and what is damaged."""
    found: defaultdict[str, list[Beginning]] = defaultdict(list)
    piece: list[tuple[str, Beginning]] = []
    digest, end_ns = hashlib.sha256(), 0
    for line in text.splitlines(keepends=True):
        words = line.split(maxsplit=3)
        if len(words) == 3 and line.endswith('\n'):
            if words[0] != digest.hexdigest():
                return found, end_ns, {PIECES: 'the hashes of the ground truth are damaged '
                                       f'after {1e-9 * end_ns:.3f} s'}
            for name, beginning in piece:
                found[name].append(beginning)
            piece, end_ns = [], int(words[2])
        elif len(words) == 4:
            piece.append((words[3].rstrip('\n'), (words[0], int(words[1]), int(words[2]))))
        digest.update(line.encode())
    return found, end_ns, {}


def _whole_until(path: Path, beginnings: list[Beginning]) -> int:
    """Return until when a file is as it was written [ns]."""
    digest, place, whole_ns = hashlib.sha256(), 0, 0
    with open_file(path) as file:
        for expected, size, time_ns in beginnings:
            digest.update(file.read(size - place))
            place = size
            if digest.hexdigest() != expected:
                break
            whole_ns = time_ns
    return whole_ns


# fields of a world with paths, and the seed: numbers that were drawn with it are in the others
_PLACES = {'path', 'warnings', 'seed'}


def effective_world(world: WorldSpec) -> dict[str, Any]:
    """Return a loaded world as data for JSON."""
    return {item.name: plain(getattr(world, item.name)) for item in fields(world)
            if item.name not in _PLACES and not isinstance(getattr(world, item.name), Source)}


def plain(value: Any) -> Any:
    """
    Return a part of a spec as data for JSON.

    Arrays and referenced files are replaced by hashes; source lines are left out.
    """
    if isinstance(value, Resource):
        content = None if value.path is None else _digest(Path(value.path).read_bytes())
        return {'uri': value.uri, 'sha256': content}
    if isinstance(value, np.ndarray):
        return {'dtype': value.dtype.str, 'shape': list(value.shape),
                'sha256': _digest(np.ascontiguousarray(value).tobytes())}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such numbers
    if is_dataclass(value):
        parts = {item.name: plain(getattr(value, item.name)) for item in fields(value)
                 if not isinstance(getattr(value, item.name), Source)}
        return {'class': getattr(value, 'XML_CLASS', type(value).__name__), **parts}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    return value


def fingerprint(data: Any) -> str:
    """Return the SHA-256 of a result of `plain` or `effective_world`."""
    return _digest(json.dumps(data, sort_keys=True).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
