# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Points and areas drawn into pictures."""

import numpy as np
import pytest

from mvsim_ros2.pictures.overlays import colours_of, OccludedDrawing
from mvsim_ros2.pictures.viewpoint import camera, projected
from mvsim_ros2.scene.camera_view import CameraFrame

RED = (255, 0, 0)


@pytest.fixture
def drawing():
    """Return a black picture of something 10 m away, from 5 m above the origin downwards."""
    view = camera((0, 0, 5), (0, 0, 0), 100, 80)
    return OccludedDrawing(view, CameraFrame(np.zeros((80, 100, 3), np.uint8),
                           np.full((80, 100), 10.0, np.float32)))


def reds(drawing):
    return {(int(x), int(y)) for y, x in np.argwhere(drawing.pixels[..., 0] > 0)}


def test_dot_is_where_its_point_is(drawing):
    drawing.dots([(0.5, 0.3, 0.0)], RED, 0)
    (place,), _ = projected(drawing.view, [(0.5, 0.3, 0.0)])
    assert reds(drawing) == {tuple(np.rint(place).astype(int).tolist())}


@pytest.mark.parametrize('point', [
    pytest.param((0, 0, -6), id='behind a surface'), pytest.param((0, 0, 6), id='behind the eye'),
    pytest.param((100, 0, 0), id='beside the picture')])
def test_points_that_are_not_seen(drawing, point):
    drawing.dots([point], RED, 3)
    assert not reds(drawing)


def test_dots_are_cut_off_at_the_border(drawing):
    drawing.dots([(-2.3, 0, 0)], RED, 4)
    assert 0 < len(reds(drawing)) < 49


def test_nearest_dot_is_on_top(drawing):
    drawing.dots([(0, 0, 1), (0, 0, -1)], [(0, 255, 0), RED], 2)
    assert (drawing.pixels[40, 50] == (0, 255, 0)).all() or (
        drawing.pixels[39, 49] == (0, 255, 0)).all()
    assert not reds(drawing)


def test_fan_tints_what_the_scan_went_through(drawing):
    drawing.strength = 0.5
    drawing.fan((0, 0, 0), [(1, -1, 0), (1, 1, 0)], RED)
    inside, outside, beyond = np.rint(
        projected(drawing.view, [(0.8, 0, 0), (-0.3, 0, 0), (1.2, 0, 0)])[0]).astype(int)
    assert tuple(drawing.pixels[inside[1], inside[0]]) == (128, 0, 0)
    assert not drawing.pixels[outside[1], outside[0]].any()
    assert not drawing.pixels[beyond[1], beyond[0]].any()


def test_fan_is_hidden_by_what_is_nearer(drawing):
    drawing.depth[:] = 4.0
    drawing.fan((0, 0, 0), [(1, -1, 0), (1, 1, 0)], RED)
    assert not reds(drawing)


def test_fan_that_reaches_behind_the_camera(drawing):
    drawing.fan((0, 0, 0), [(1, 0, 20), (-1, 0, 20)], RED)
    drawing.fan((0, 0, 20), [(1, 0, 30), (-1, 0, 30)], RED)
    assert len(reds(drawing)) < 8000


def test_colours_of_numbers():
    colours = colours_of([[0.0, 5.0, 10.0, np.nan, np.inf]])
    assert colours.shape == (1, 5, 3) and colours.dtype == np.uint8
    assert colours[0, 0, 2] > colours[0, 0, 0] and colours[0, 2, 0] > colours[0, 2, 2]
    assert (colours[0, 3:] == 110).all()
    assert colours_of(np.full((2, 2), np.nan)).shape == (2, 2, 3)
