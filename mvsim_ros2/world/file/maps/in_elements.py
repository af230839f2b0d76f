# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements with what is in the files that they name: maps and pictures of the sky."""

from dataclasses import replace
from pathlib import Path

from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.maps import read_map
from mvsim_ros2.world.spec import OccupancyGridSpec, SkyboxSpec
from mvsim_ros2.world.spec.element import FindFile

_FACES = ('Front', 'Back', 'Down', 'Up', 'Left', 'Right')


def with_map(grid: OccupancyGridSpec, find: FindFile) -> OccupancyGridSpec:
    """
    Return an occupancy grid with the map of its file.

    :raises WorldFileError: where it names none.
    :raises ResourceError: where the file is no map.
    """
    if grid.file is None or grid.file.path is None:
        raise WorldFileError(f'{grid.source}: the occupancy grid has an empty <file>')
    try:
        occupancy = read_map(Path(grid.file.path), grid.resolution,
                             (grid.centerpixel_x, grid.centerpixel_y))
    except ResourceError as error:
        raise ResourceError(f'{grid.source}: {error}') from error
    return replace(grid, occupancy=occupancy)


def with_faces(sky: SkyboxSpec, find: FindFile) -> SkyboxSpec:
    """Return a sky box with the files of its six images."""
    uris = [sky.textures.replace('%s', face) for face in _FACES]
    return replace(sky, faces=tuple(
        find(uri, sky.source, '<textures>', 'a plain sky') for uri in uris))
