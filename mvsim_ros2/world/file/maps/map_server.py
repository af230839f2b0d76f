# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps of the ROS map server: a yaml file and an image."""

from pathlib import Path
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.maps.image import read_cells
from mvsim_ros2.world.spec.grid import OccupancyMap

_MODES = ('trinary', 'scale', 'raw')


def read_map_server(path: Path) -> OccupancyMap:
    """
    Return the map of a yaml file of the ROS map server.

    Keys: image, resolution, origin, negate, occupied_thresh, free_thresh, mode (trinary, scale,
    raw), with the meaning and defaults of nav2_map_server.

    :raises ResourceError: names file and key where a value is not valid.
    """
    try:
        import yaml
    except ImportError:
        raise ResourceError(f'{path}: yaml files need PyYAML: install it with '
                            '`pip install pyyaml`') from None
    try:
        data = yaml.safe_load(path.read_bytes())
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        raise ResourceError(f'{path}: this yaml file cannot be read: {error}') from error
    if not isinstance(data, dict):
        raise ResourceError(f'{path}: a map needs the keys image, resolution and origin')
    image = data.get('image')
    if not isinstance(image, str) or not image or '\0' in image:
        raise ResourceError(f'{path}: the key image must name the image file')
    resolution = _number(path, data, 'resolution', None)
    if resolution <= 0:
        raise ResourceError(f'{path}: resolution is {resolution:g}: it must be above 0')
    origin = data.get('origin')
    if not isinstance(origin, list) or len(origin) != 3:
        raise ResourceError(f'{path}: the key origin must be a list [x, y, yaw]')
    x, y, yaw = (_finite(path, 'origin', value) for value in origin)
    if abs(yaw) > 1e-6:
        raise ResourceError(
            f'{path}: origin has the yaw {yaw:g}: rotated maps are not supported; rotate the '
            'image and give the yaw 0')
    mode = data.get('mode', 'trinary')
    if mode not in _MODES:
        raise ResourceError(f'{path}: mode is {mode!r}: possible are {", ".join(_MODES)}')
    occupied = _number(path, data, 'occupied_thresh', 0.65)
    free = _number(path, data, 'free_thresh', 0.25)
    if not 0 <= free < occupied <= 1:
        raise ResourceError(
            f'{path}: free_thresh is {free:g} and occupied_thresh is {occupied:g}: '
            'they must grow, from 0 to 1')
    negate = bool(_number(path, data, 'negate', 0))

    def cells_of(grey: NDArray[np.float64]) -> NDArray[np.float64]:
        if mode == 'raw':
            levels = np.rint(255 * grey)
            return np.where(levels <= 100, levels, -1)
        return _from_shade(grey if negate else 1 - grey, free, occupied, mode)
    return OccupancyMap(read_cells(path.parent / image, cells_of), resolution, x, y)


def _from_shade(shade: NDArray[np.float64], free: float, occupied: float,
                mode: str) -> NDArray[np.float64]:
    if mode == 'scale':
        between = np.rint(1 + 98 * (shade - free) / (occupied - free))
    else:
        between = np.full(shade.shape, -1.0)
    return np.where(shade >= occupied, 100.0, np.where(shade <= free, 0.0, between))


def _number(path: Path, data: dict[str, Any], key: str, default: float | None) -> float:
    return _finite(path, key, data.get(key, default))


def _finite(path: Path, key: str, value: Any) -> float:
    if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ResourceError(f'{path}: {key} is {value!r}: a number is needed')
    return float(value)
