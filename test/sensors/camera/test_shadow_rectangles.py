# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What of a shadow map is drawn again."""

import numpy as np

from mvsim_ros2.render.shadow import rectangles_around

SIZE = 256


def test_rectangles_hold_all_spheres_and_none_holds_another() -> None:
    random = np.random.default_rng(1)
    for count in (0, 1, 40):
        centre = random.uniform(-1.1, 1.1, (count, 3)).repeat(3, axis=0)
        radius = random.uniform(0.01, 0.3, 3 * count)
        found = rectangles_around(centre, radius, SIZE)
        assert ((found >= 0) & (found <= SIZE)).all()
        assert (found[:, 2:] > found[:, :2]).all()
        ends = 0.5 * SIZE * (1.0 + np.hstack([centre[:, :2], centre[:, :2]]) + np.outer(
            radius, (-1.0, -1.0, 1.0, 1.0)))
        ends = np.clip(ends, 0.0, SIZE)
        ends = ends[(ends[:, 2:] > ends[:, :2]).all(axis=1)]
        inside = ((found[:, None, :2] <= ends[:, :2]) & (found[:, None, 2:] >= ends[:, 2:])).all(
            axis=2)
        assert inside.any(axis=0).all()
        nested = ((found[:, None, :2] <= found[:, :2]) & (
            found[:, None, 2:] >= found[:, 2:])).all(axis=2)
        assert nested.sum() == len(found) <= len(ends)
