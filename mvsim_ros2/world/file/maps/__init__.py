# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps from files: images, ROS map-server maps, MRPT grid maps."""

from pathlib import Path

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.maps.gridmap import read_gridmap
from mvsim_ros2.world.file.maps.image import read_image
from mvsim_ros2.world.file.maps.map_server import read_map_server
from mvsim_ros2.world.spec.grid import COARSEST, FINEST, OccupancyMap

__all__ = ['read_gridmap', 'read_image', 'read_map', 'read_map_server']


def read_map(path: Path, resolution: float, centre: tuple[float, float]) -> OccupancyMap:
    """
    Return the map in a file, whose kind is given by its extension.

    :param resolution: size of a pixel [m], for images only.
    :param centre: pixel of the world origin, column from the left and row from the bottom,
        for images only.
    :raises ResourceError: where the file is not a valid map.
    """
    name = path.name.lower()
    if name.endswith(('.yaml', '.yml')):
        found = read_map_server(path)
    elif name.endswith(('.gridmap', '.gridmap.gz')):
        found = read_gridmap(path)
    else:
        found = read_image(path, resolution, centre)
    if not FINEST <= found.resolution <= COARSEST:
        raise ResourceError(f'{path}: a cell has {found.resolution:g} m: it must have from '
                            f'{FINEST:g} to {COARSEST:g} m')
    return found
