# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The pictures of the pages are those that the command of docs/figures draws today.

All of them, in minutes: `MVSIM_PICTURES=1`.
"""

import os
from pathlib import Path
import re
import sys

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from processes import python, ROOT
import pytest

sys.path.insert(0, str(ROOT / 'docs' / 'figures'))
import pictures  # noqa: E402, I100

QUICK = 'outdoor', 'demo', 'corridor'
ALL = pictures.NAMES if os.environ.get('MVSIM_PICTURES') else QUICK
# by docs/figures/window.py, which needs a browser, and scenes.py, which needs the history
BY_OTHERS = 'viewer_', 'window', 'scenes'
CELLS = 44, 31  # a picture is compared by the mean colours of so many parts
MEAN, LARGEST = 3.0, 30.0  # levels of 255 by which renderers may differ


def parts(path: Path) -> NDArray[np.float64]:
    """Return the mean colours of the parts of a picture."""
    with Image.open(path) as picture:
        small = picture.convert('RGB').resize(CELLS, Image.Resampling.BOX)
    return np.asarray(small, float)


def check_alike(drawn: Path, kept: Path) -> None:
    """Raise where two pictures differ by more than renderers do."""
    with Image.open(drawn) as one, Image.open(kept) as other:
        assert abs(one.width - other.width) <= 4 and abs(one.height - other.height) <= 4
    difference = abs(parts(drawn) - parts(kept))
    assert difference.mean() < MEAN and difference.max() < LARGEST, (
        f'{kept.name} is stale (parts differ by {difference.mean():.1f}, at most '
        f'{difference.max():.0f}): python docs/figures/pictures.py')


@pytest.mark.parametrize('name', ALL)
def test_pictures_are_those_of_today(name: str, tmp_path: Path) -> None:
    if name == 'slam':
        pytest.importorskip('kiss_icp', reason='the packages of the extra slam are not installed')
    pictures.draw(name, tmp_path)
    drawn = sorted(tmp_path.rglob('*.*g'))
    assert drawn
    for path in drawn if name != pictures.TOUR else ():  # that depends on the load of the machine
        check_alike(path, ROOT / 'docs' / path.relative_to(tmp_path))


def test_a_changed_picture_is_found(tmp_path: Path) -> None:
    kept = ROOT / 'docs/pictures/demo.jpg'
    with Image.open(kept) as picture:
        changed = picture.convert('RGB')
    changed.paste((200, 30, 30), (400, 200, 460, 260))
    changed.save(tmp_path / 'demo.png')
    with pytest.raises(AssertionError, match='stale'):
        check_alike(tmp_path / 'demo.png', kept)


def test_the_command_knows_each_picture() -> None:
    """Each picture of the documents is shown on a page, and drawn by the command."""
    pages = ''.join(page.read_text() for page in [ROOT / 'README.md',
                                                  *(ROOT / 'docs').glob('*.md')])
    for folder in 'pictures', 'images':
        for path in sorted((ROOT / 'docs' / folder).glob('*.*[gp]')):
            assert f'{folder}/{path.name}' in pages, path.name
            assert path.name.startswith(BY_OTHERS) or any(
                re.match(rf'{name}\b|{name}_', path.name) for name in pictures.NAMES), path.name


def test_the_first_picture_of_the_readme_moves() -> None:
    first = re.search(r'!\[[^\]]+\]\(([^)]+)\)', (ROOT / 'README.md').read_text())
    assert first is not None
    path = ROOT / first[1]
    assert path.stat().st_size < 3e6
    with Image.open(path) as picture:
        assert picture.format == 'WEBP' and picture.n_frames >= 20 and picture.width >= 640


def test_an_unknown_picture_is_one_line() -> None:
    done = python(ROOT / 'docs/figures/pictures.py', 'nothing', code=2)
    assert "no pictures 'nothing'" in done.stderr
