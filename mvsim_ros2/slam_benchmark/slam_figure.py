# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A figure of what SLAM packages made of a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mvsim_ros2.slam_benchmark.slam import Result
from mvsim_ros2.spec.world import WorldSpec
from mvsim_ros2.viewer.matplotlib_figures import COLOURS
from mvsim_ros2.viewer.matplotlib_figures import legend
from mvsim_ros2.viewer.matplotlib_figures import new_figure
from mvsim_ros2.viewer.matplotlib_figures import panel
from mvsim_ros2.viewer.plan_symbols import solid_polygons


def slam_figure(world: WorldSpec, results: Sequence[Result]) -> Any:
    """
    Return a figure: the trajectories over the map, and the errors over time.

    :param results: of one seed.
    :raises RecordingError: where matplotlib is missing.
    """
    figure, panels = new_figure(1, 2, f'SLAM in world {results[0].world}, seed {results[0].seed}')
    figure.set_size_inches(13.0, 5.6)
    plan, errors = panels[0]
    panel(plan, 'Trajectories, aligned to the true one', 'x [m]', 'y [m]')
    panel(errors, 'Absolute error', 'time [s]', 'error [m]')
    poses = {block.name: block.init_pose for block in world.blocks}
    for polygon in solid_polygons(world, poses):
        plan.fill(*np.array(polygon).T, color='0.8', linewidth=0)
    for k, result in enumerate(results):
        colour = COLOURS[k % len(COLOURS)]
        plan.plot(*result.score.aligned[:, :2].T, color=colour, linewidth=1.0)
        errors.plot(result.score.times, result.score.errors, color=colour, linewidth=1.0,
                    label=f'{result.client}: {result.score.ape:.3f} m')
    plan.set_aspect('equal')
    errors.set_yscale('log')
    legend(errors)
    return figure
