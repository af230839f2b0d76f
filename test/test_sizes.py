# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rooms and files keep to the sizes that docs/architecture.md gives them."""

from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / 'mvsim_ros2'
LIMITS = {name: (int(lines), int(files)) for name, lines, files in re.findall(
    r'^\| `(\w+)` \| (\d+) \| (\d+) \|$', (ROOT / 'docs/architecture.md').read_text(),
    re.MULTILINE)}
LONGEST = 400  # lines of a file


def lengths(folder: Path) -> list[int]:
    """Return the lines of each Python file below a folder."""
    return [len(path.read_text().splitlines()) for path in folder.rglob('*.py')]


@pytest.mark.linter
def test_every_room_has_a_limit() -> None:
    assert LIMITS.keys() == {path.name for path in PACKAGE.iterdir() if any(path.rglob('*.py'))}


@pytest.mark.linter
@pytest.mark.parametrize('room', LIMITS)
def test_a_room_keeps_to_its_size(room: str) -> None:
    found = lengths(PACKAGE / room)
    assert sum(found) <= LIMITS[room][0] and len(found) <= LIMITS[room][1], (
        f'{room} has {sum(found)} lines in {len(found)} files, its limit is {LIMITS[room]}: take '
        'something away, or say in the commit why it grows')
    assert max(found) <= LONGEST
