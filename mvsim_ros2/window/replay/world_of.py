# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world of a recording."""

from collections.abc import Mapping

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import MvsimError, WindowError
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.world import WorldSpec


def world_of(path: object, named: str | None, told: str | None,
             variables: Mapping[str, str]) -> WorldSpec:
    """
    Return the world of a recording: the one that is named, or else the one that it names.

    :param path: of the recording.
    :param named: file or name of a world, None for none.
    :param told: what the recording says.
    :raises WindowError: where neither is there.
    :raises MvsimError: where it cannot be loaded.
    """
    if not (named or told):
        raise WindowError(f'{path} does not say in which world it was recorded: give --world')
    try:
        return load_world(world_path(named or told or ''), variables)
    except MvsimError as error:
        if named:
            raise
        raise WindowError(f'{path} was recorded in {told}, which cannot be loaded here ({error}): '
                          'give that world with --world') from error


def name_in(world: WorldSpec, name: str, path: object, alone: bool) -> str:
    """
    Return the name of a vehicle in a world.

    :param alone: True where it is the only one of a recording: then it is the only one of the
        world too, whatever its name.
    :raises WindowError: where there is none.
    """
    names = [vehicle.name for vehicle in world.vehicles]
    if name in names:
        return name
    if alone and len(names) == 1:
        return names[0]
    raise WindowError(f'{path}: there is no vehicle {name!r} in {world.path}, only '
                      f'{", ".join(names) or "none"}: give the world it was recorded in with '
                      '--world')
