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
"""Load a world file."""

from collections.abc import Mapping
from os import PathLike

from mvsim_ros2.world.bind_world import bind_world
from mvsim_ros2.world.expand import expand_world
from mvsim_ros2.world.report import Report
from mvsim_ros2.world.resources import Resources
from mvsim_ros2.world.spec.world import WorldSpec


def load_world(path: str | PathLike[str], variables: Mapping[str, str] | None = None,
               strict: bool = False, *, seed: int = 0, allow_shell: bool = False,
               offline: bool = False) -> WorldSpec:
    """
    Return the world that a file describes.

    :param path: world file; what it includes is relative to it.
    :param variables: values for `${NAME}`, as if the file began with `<variable>` for each.
    :param strict: unknown tags and other faults that are passed over are errors; all of
        them are logged, the first is raised.
    :param seed: seed of the random numbers in formulas.
    :param allow_shell: run the commands in `$(...)`.
    :param offline: do not use the network; missing meshes and textures are replaced.
    :raises WorldFileError: says file, line, rule and remedy.
    :raises ResourceError: where a map cannot be had.

    >>> from mvsim_ros2 import load_world, world_path
    >>> world = load_world(world_path('many_robots'), {'ROWS': '1', 'COLUMNS': '2'}, strict=True)
    >>> [vehicle.name for vehicle in world.vehicles], world.timestep, world.warnings
    (['robot_0_0', 'robot_1_0'], 0.005, ())
    """
    report = Report(strict)
    expanded = expand_world(path, variables=variables or {}, seed=seed, allow_shell=allow_shell,
                            warn=report.fault)
    world = bind_world(expanded, report, Resources(offline), seed)
    report.end()
    return world
