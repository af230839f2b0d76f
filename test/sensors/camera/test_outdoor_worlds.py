# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Outdoor worlds have ground that visual odometry can follow, and crowns with gaps."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures.viewpoint import camera

Grey = NDArray[np.float64]
WORLDS = 'outdoor', 'forest', 'orchard'
# places on a circle around a pixel, in their order (E. Rosten and T. Drummond, FAST, 2006)
CIRCLE = ((-3, 0), (-3, 1), (-2, 2), (-1, 3), (0, 3), (1, 3), (2, 2), (3, 1), (3, 0), (3, -1),
          (2, -2), (1, -3), (0, -3), (-1, -3), (-2, -2), (-3, -1))


def corners(grey: Grey, threshold: float = 20.0) -> int:
    """Return the number of corners of FAST-9, as ORB looks for: one in 5 x 5 pixels at most."""
    rows, columns = grey.shape
    middle = grey[3:-3, 3:-3]
    around = np.stack([grey[3 + v:rows - 3 + v, 3 + u:columns - 3 + u] for v, u in CIRCLE])
    found = np.zeros(middle.shape, bool)
    for apart in (around > middle + threshold, around < middle - threshold):
        twice = np.concatenate([apart, apart[:8]])
        for start in range(16):
            found |= twice[start:start + 9].all(axis=0)
    places = np.argwhere(found) // 5
    return len(np.unique(places, axis=0))


def pictures(project: Path, name: str) -> Iterator[NDArray[np.uint8]]:
    """Yield what is seen ahead, to the left and back from where a robot starts."""
    simulation = Simulation.from_file(project / 'worlds' / f'{name}.world.xml', sensors=False)
    (robot,) = simulation.vehicles.values()
    x, y, z = robot.pose.position
    for yaw in np.radians([0.0, 90.0, 215.0]):
        ahead = np.array([np.cos(yaw), np.sin(yaw), -0.06])
        eye = np.array([x, y, z + 0.6]) + 1.5 * ahead
        colour = simulation.render(
            camera(tuple(eye), tuple(eye + ahead), 640, 480), ('colour',)).colour
        assert colour is not None
        yield colour


@pytest.mark.parametrize('name', WORLDS)
def test_ground_near_a_camera_has_at_least_300_corners(project: Path, name: str) -> None:
    for picture in pictures(project, name):
        assert corners(picture[240:].mean(axis=2)) >= 300


@pytest.mark.parametrize('name', WORLDS)
def test_300_of_1000_orb_features_are_in_the_lower_half(project: Path, name: str) -> None:
    """Count with OpenCV, which is in the extra `slam`."""
    opencv = pytest.importorskip('cv2')
    for picture in pictures(project, name):
        found = opencv.ORB_create(1000).detect(opencv.cvtColor(picture, opencv.COLOR_RGB2GRAY))
        assert sum(point.pt[1] >= 240 for point in found) >= 300


@pytest.mark.parametrize('name', WORLDS)
def test_light_and_rays_pass_through_crowns(project: Path, name: str) -> None:
    simulation = Simulation.from_file(project / 'worlds' / f'{name}.world.xml', sensors=False)
    scene = simulation.scene()
    trees = [each for each, block in simulation.blocks.items() if 'tree' in block.spec.class_name]
    row = np.flatnonzero(scene.thing == scene.thing_names.index(trees[0]))[0]
    x, y, z = scene.transform[row, :3, 3]
    points = scene.meshes[scene.mesh[row]].vertices
    top = points[:, 2].max()
    crown = points[points[:, 2] > 0.5 * top]
    width = float(np.hypot(*crown[:, :2].T).max())
    view = camera((x - 8.0, y, z + 0.7 * top), (x, y, z + 0.7 * top), 300, 300)
    frame = simulation.render(view, ('depth', 'ids'))
    tree = frame.thing == simulation.scene().thing_names.index(trees[0])
    rows, columns = np.nonzero(tree)
    gaps = 0
    for v in np.unique(rows):  # what is seen between the outermost leaves of a row
        line = tree[v, columns[rows == v].min():columns[rows == v].max()]
        gaps += int((~line).sum())
    assert width > 0.4 and 0.03 < gaps / tree.sum() < 2.0
