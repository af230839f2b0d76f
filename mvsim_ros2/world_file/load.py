# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Load a world file."""

from collections.abc import Mapping
from os import PathLike

from mvsim_ros2.spec.world import WorldSpec
from mvsim_ros2.world_file.binding.bind_world import bind_world
from mvsim_ros2.world_file.document.expand import expand_world
from mvsim_ros2.world_file.report import Report
from mvsim_ros2.world_file.resources.resources import Resources


def load_world(path: str | PathLike[str], variables: Mapping[str, str] | None = None,
               strict: bool = False, *, seed: int = 0, allow_shell: bool = False,
               offline: bool = False) -> WorldSpec:
    """
    Return the world of a file.

    :param path: world file; its includes are relative to it.
    :param variables: values for `${NAME}`, as if the file began with `<variable>` for each.
    :param strict: unknown tags and other recoverable faults are errors; all of them are
        logged, the first is raised.
    :param seed: seed of the random numbers in formulas.
    :param allow_shell: run the commands in `$(...)`.
    :param offline: do not use the network; missing meshes and textures are replaced.
    :raises WorldFileError: where the file is not valid; names file, line, rule and remedy.
    :raises ResourceError: where a map is not available.

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
