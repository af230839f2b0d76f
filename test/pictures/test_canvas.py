# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The canvas puts things where they are, in their colours."""

import subprocess
import sys

import numpy as np
import pytest

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.pictures.canvas import Canvas, dashes, rgba, shade

WHITE, RED = rgba('#ffffff'), rgba('#ff0000')


def test_a_polygon_covers_its_area_and_no_more() -> None:
    canvas = Canvas((-1.0, 0.0, 3.0, 2.0), 10.0, WHITE)
    canvas.polygon([(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5)], RED)
    pixels = np.asarray(canvas.finish())
    assert pixels.shape == (20, 40, 3)
    red = (pixels == RED[:3]).all(axis=2)
    rows, columns = np.nonzero(red)
    # x 0..1 are columns 10..20, y 0..0.5 the lowest five rows; edges may be blended
    assert columns.min() in (10, 11) and columns.max() in (19, 20)
    assert rows.min() in (15, 16) and rows.max() == 19
    assert (pixels[:14] == 255).all()


def test_a_translucent_polygon_shows_what_is_below() -> None:
    canvas = Canvas((0.0, 0.0, 1.0, 1.0), 10.0, WHITE)
    canvas.polygon([(-1, -1), (2, -1), (2, 2), (-1, 2)], rgba('#000000', 0.5))
    assert np.asarray(canvas.finish())[5, 5] == pytest.approx([127, 127, 127], abs=2)


def test_cells_are_drawn_with_the_first_row_at_the_bottom() -> None:
    canvas = Canvas((0.0, 0.0, 2.0, 2.0), 10.0, WHITE)
    cells = np.zeros((2, 2, 4), np.uint8)
    cells[0, 1] = RED
    canvas.cells(cells, 0.0, 0.0, 1.0)
    pixels = np.asarray(canvas.finish())
    assert tuple(pixels[15, 15]) == RED[:3]
    assert tuple(pixels[5, 15]) == tuple(pixels[15, 5]) == WHITE[:3]


def test_dashes_follow_a_corner_and_keep_their_length() -> None:
    pieces = dashes([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], 0.6, 0.2)
    lengths = [np.hypot(*np.diff(piece, axis=0).T).sum() for piece in pieces]
    assert lengths == pytest.approx([0.6, 0.6, 0.4])
    assert pieces[1].tolist() == [[0.8, 0.0], [1.0, 0.0], [1.0, pytest.approx(0.4)]]
    assert dashes([(0.0, 0.0)], 1.0, 1.0) == []


@pytest.mark.parametrize('colour, expected', [
    pytest.param('#102030', (16, 32, 48, 255), id='hexadecimal'),
    pytest.param((1.0, 0.5, 0.0, 1.0), (255, 128, 0, 255), id='shares'),
    pytest.param((2.0, -1.0, 0.0, 1.0), (255, 0, 0, 255), id='out of range'),
])
def test_colours(colour: str | tuple[float, ...], expected: tuple[int, ...]) -> None:
    assert rgba(colour) == expected


def test_shades() -> None:
    assert shade((100, 200, 50, 7), 0.5) == (50, 100, 25, 7)
    assert shade((155, 255, 55, 7), 2.0) == (205, 255, 155, 7)


def test_a_picture_that_is_too_large_is_refused() -> None:
    with pytest.raises(RecordingError, match='less than 1000 pixels per metre'):
        Canvas((0.0, 0.0, 100.0, 100.0), 1000.0, WHITE)


def test_without_pillow_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'PIL', None)
    with pytest.raises(RecordingError, match='pip install'):
        Canvas((0.0, 0.0, 1.0, 1.0), 10.0, WHITE)


def test_pictures_that_cannot_be_written_leave_no_part(tmp_path):
    """The size of files is limited, as a full disk limits it."""
    script = f"""
import resource, signal
from PIL import Image
import numpy as np
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.pictures.figures import new_figure, save_figure
from mvsim_ros2.pictures.top_view import save_picture
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
figure, _ = new_figure(1, 1, 'title')
picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (300, 300, 3), np.uint8))
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
for save, what, end in ((save_figure, figure, 'svg'), (save_picture, picture, 'png')):
    try:
        save(what, {str(tmp_path / 'part.')!r} + end)
    except RecordingError as error:
        print('cannot be written' in str(error))
"""
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True)
    assert done.stdout == 'True\nTrue\n', done.stderr
    assert not list(tmp_path.iterdir())
