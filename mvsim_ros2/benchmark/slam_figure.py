# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""A figure of what SLAM packages made of a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mvsim_ros2.benchmark.slam import Result
from mvsim_ros2.viewer.figures import COLOURS
from mvsim_ros2.viewer.figures import legend
from mvsim_ros2.viewer.figures import new_figure
from mvsim_ros2.viewer.figures import panel
from mvsim_ros2.viewer.things import solid_polygons
from mvsim_ros2.world.spec.world import WorldSpec


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
