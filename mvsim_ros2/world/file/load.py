# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Load a world file."""

from collections.abc import Iterable, Mapping, Set
from os import PathLike

from mvsim_ros2.base.arguments import check_type
from mvsim_ros2.base.bulk import without_collection
from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.base.random_streams import checked_seed
from mvsim_ros2.world.file.binding.bind_world import bind_world
from mvsim_ros2.world.file.document.expand import expand_text, expand_world, UNUSED
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec.world import WorldSpec


def load_world(path: str | PathLike[str], variables: Mapping[str, str] | None = None,
               strict: bool = False, *, seed: int = 0, allow_shell: bool = False,
               allow_xacro: bool = False, offline: bool = False) -> WorldSpec:
    """
    Return the world of a file.

    :param path: world file, the name of a world of this package, such as 'demo', or SDF.
    :param variables: values for `${NAME}`, as if the file began with `<variable>` for each.
    :param strict: unknown tags, missing files and whatever else is a warning are errors; all of
        them are logged, the first is raised.
    :param seed: seed of the random numbers in formulas, from 0 to 2**63 - 1.
    :param allow_shell: run the commands in `$(...)`, but those for places of packages, such as
        `$(ros2 pkg prefix NAME)`, which need no shell.
    :param allow_xacro: evaluate robot descriptions in xacro, which are programs, in a process
        without rights; this package's need no permission.
    :param offline: do not use the network; missing meshes and textures are replaced.
    :raises WorldFileError: where the file is not valid; names file, line, rule and remedy.
    :raises ResourceError: where there is no such file, or a map is not available.
    :raises ArgumentError: where path, variables or seed are none.

    >>> from mvsim_ros2 import load_world
    >>> world = load_world('many_robots', {'ROWS': '1', 'COLUMNS': '2'}, strict=True)
    >>> [vehicle.name for vehicle in world.vehicles], world.timestep, world.warnings
    (['robot_0_0', 'robot_1_0'], 0.005, ())
    """
    check_type('path', path, str | PathLike, "give the path of a world file, or 'demo'")
    check_type('variables', variables or {}, Mapping, "give a dict such as {'NAME': '1'}")
    seed = checked_seed(seed)
    with Report(strict) as report, without_collection():
        expanded = expand_world(world_path(path), variables=variables or {}, seed=seed,
                                allow_shell=allow_shell, allow_xacro=allow_xacro,
                                warn=report.warn, idle=report.has_no_effect)
        return bind_world(expanded, report, Resources(offline), seed)


def unused_variable(world: WorldSpec, variables: Iterable[str]) -> str:
    """Return the warning of the first variable given that a world does not use, '' if none."""
    starts = tuple(UNUSED.format(name) for name in variables)
    return next((each.message for each in world.warnings if each.message.startswith(starts)), '')


def load_world_text(text: str, file: str, variables: Mapping[str, str] | None = None,
                    strict: bool = False, *, seed: int = 0, allow_shell: bool = False,
                    allow_xacro: bool = False, offline: bool = False,
                    optional: Set[str] = frozenset()) -> WorldSpec:
    """
    Return the world of a text, as `load_world` does of a file.

    The text may also be the content of `<mvsim_world>` alone, a robot description (URDF), or
    SDF: its models without wheels become blocks.

    :param file: a path for messages; relative paths in the text begin at its folder.
    :param optional: fields that things may lack although they are mandatory, 'init_pose'.
    :raises WorldFileError: where the text is not valid; names file, line, rule and remedy.
    :raises ResourceError: where a map is not available.

    >>> from mvsim_ros2.world.file.load import load_world_text
    >>> box = '<block name="box"> <mass>2</mass> <init_pose>1 0 90</init_pose> </block>'
    >>> [block.name for block in load_world_text(box, 'a string').blocks]
    ['box']
    """
    with Report(strict) as report, without_collection():
        expanded = expand_text(text, file, variables=variables or {}, seed=seed,
                               allow_shell=allow_shell, allow_xacro=allow_xacro,
                               warn=report.warn, idle=report.has_no_effect, bare=True)
        return bind_world(expanded, report, Resources(offline), seed, optional)
