# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images are cut into bands for the threads that draw them."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, place, scene_of, view_from

from mvsim_ros2.sensors.opengl import image_reader
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image import bands
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands


@pytest.mark.parametrize('total, least, most', [(20, 1, 20), (20, 21, 1), (20, 10, 2), (0, 5, 1)])
def test_bands_are_not_smaller_than_pays(total: int, least: int, most: int) -> None:
    bands: list[tuple[int, int, int]] = []
    in_bands(total, lambda number, first, last: bands.append((number, first, last)), least)
    bands.sort()
    assert [number for number, _, _ in bands] == list(range(min(most, band_count())))
    assert len(bands) == 1 or min(last - first for _, first, last in bands) >= least
    assert [row for _, first, last in bands for row in range(first, last)] == list(range(total))


def test_images_do_not_depend_on_the_threads_that_read_them(
        gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an odd size, so that bands differ."""
    renderer = GlRenderer(scene_of([(box(), place((4, 0.6, 0), yaw=0.4))]))
    view = replace(
        view_from((0, 0, 0)), width=101, height=75, fx=60.0, fy=60.0, cx=50.0, cy=37.0)
    monkeypatch.setattr(image_reader, '_LEAST', 1)
    found = []
    for count in (1, 2, 3, 7):
        monkeypatch.setattr(bands, 'band_count', lambda: count)
        frame = renderer.render(view, ('colour', 'depth'))
        assert frame.colour is not None and frame.depth is not None
        found.append((frame.colour.tobytes(), frame.depth.tobytes()))
    assert len(set(found)) == 1
    assert len(np.unique(frame.colour)) > 3 and np.isfinite(frame.depth).any()
