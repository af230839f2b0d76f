# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Hashes of the text files of a recording while it grows, for runs whose process is killed.

A line for each file that has grown: SHA-256 of its beginning, size of that [byte], simulated time
[ns], name. A line without a name ends a piece: it is the hash of all lines before it.
"""

from collections import defaultdict
from collections.abc import Iterable
import hashlib
from pathlib import Path

from mvsim_ros2.base.files import open_file, read_text
from mvsim_ros2.recording.manifest import MANIFEST, PIECES
from mvsim_ros2.recording.trajectory_files import TextFile

PIECE_NS = 2_000_000_000  # simulated time of a piece

Beginning = tuple[str, int, int]  # hash, size [byte], time [ns]


class PieceFile(TextFile):
    """The file of the hashes, which is removed when the recording has its manifest."""

    def __init__(self, folder: Path) -> None:
        """Create the file; raise `OSError` where it cannot be created."""
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
            found[name] = f'it is not as it was written behind {1e-9 * whole_ns:.3f} s'
    return found | {'.': 'the run was broken off: ground truth and commands after '
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
                                       f'behind {1e-9 * end_ns:.3f} s'}
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
