# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps of the ROS map server: a yaml file and an image."""

from contextlib import suppress
import math
from pathlib import Path
import sys
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_bytes, TEXT_BYTES
from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.maps.image import MAX_CELLS, read_cells
from mvsim_ros2.world.spec.grid import OccupancyMap

if TYPE_CHECKING:
    from PIL.Image import Image

FREE, OCCUPIED, UNKNOWN = 0, 100, -1  # values of cells
_MODES = ('trinary', 'scale', 'raw')


def read_map_server(path: Path) -> OccupancyMap:
    """
    Return the map of a yaml file of the ROS map server.

    Keys: image, resolution, origin, negate, occupied_thresh, free_thresh, mode (trinary, scale,
    raw), with the meaning of nav2_map_server (`map_io.cpp` of 2026), cell by cell. A map whose
    origin is turned is sampled along x and y, exactly for quarter turns.

    :raises ResourceError: names file and key where a value is not valid.
    """
    try:
        import yaml
    except ImportError:
        raise ResourceError(f'{path}: yaml files need PyYAML: install it with '
                            '`pip install pyyaml`') from None
    try:
        data = yaml.safe_load(read_bytes(path, TEXT_BYTES))
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
    mode = str(data.get('mode', 'trinary')).lower()
    if mode not in _MODES:
        raise ResourceError(f'{path}: mode is {mode!r}: possible are {", ".join(_MODES)}')
    occupied = np.float32(_number(path, data, 'occupied_thresh', 0.65))
    free = np.float32(_number(path, data, 'free_thresh', 0.25))
    negate = bool(_number(path, data, 'negate', 0))

    def cells_of(part: 'Image') -> NDArray[np.int8]:
        grey, seen_through = _grey_and_transparent(part)
        if mode == 'raw':
            return np.where(grey <= OCCUPIED, grey, UNKNOWN).astype(np.int8)
        shade = grey.astype(np.float32) / np.float32(255)
        cells = _from_shade(shade if negate else np.float32(1) - shade, free, occupied, mode)
        cells[seen_through] = UNKNOWN
        return cells
    cells = OccupancyMap(read_cells(path.parent / image, cells_of), resolution, x, y)
    return cells if yaw % (2.0 * math.pi) == 0.0 else _turned(path, cells, yaw)


def _grey_and_transparent(part: 'Image') -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the grey levels of pixels, by Rec. 709, and where they are not opaque."""
    if part.mode.startswith('I'):  # 16 bit
        levels = np.asarray(part).clip(0, 65535)
        grey = np.floor(levels / 257.0 + 0.5).astype(np.uint8)
        return grey, np.zeros(grey.shape, bool)
    if part.mode in ('1', 'L') and 'transparency' not in part.info:
        grey = np.asarray(part.convert('L'))
        return grey, np.zeros(grey.shape, bool)
    rgba = np.asarray(part.convert('RGBA'))
    luma = np.rint(rgba[..., :3] @ np.array((0.212656, 0.715158, 0.072186)))
    return luma.astype(np.uint8), rgba[..., 3] < 255


def _from_shade(shade: NDArray[np.float32], free: np.float32, occupied: np.float32,
                mode: str) -> NDArray[np.int8]:
    cells = np.full(shade.shape, UNKNOWN, np.int8)
    cells[shade >= occupied] = OCCUPIED
    cells[shade <= free] = FREE
    if mode == 'scale':
        between = (shade > free) & (shade < occupied)
        scaled = (shade[between] - free) / (occupied - free) * np.float32(100)
        cells[between] = np.floor(scaled + np.float32(0.5)).astype(np.int8)
    return cells


def _turned(path: Path, cells: OccupancyMap, yaw: float) -> OccupancyMap:
    """
    Return a map turned about its corner, along x and y again.

    Quarter turns keep the cells; else each cell, of half the size, takes the one at its middle.

    :raises ResourceError: where it would be too large.
    """
    rows, columns = cells.values.shape
    quarters = round(yaw / (0.5 * math.pi))
    exact = abs(yaw - quarters * 0.5 * math.pi) < 1e-6
    sine, cosine = math.sin(yaw), math.cos(yaw)
    turn = np.array(((cosine, -sine), (sine, cosine)))
    size = cells.resolution * np.array((columns, rows))
    corners = np.array(((0, 0), (1, 0), (0, 1), (1, 1))) * size @ turn.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    x_min, y_min = float(cells.x_min + low[0]), float(cells.y_min + low[1])
    if exact:
        # row 0 is the lowest: what is counter-clockwise in the map is clockwise in the array
        return OccupancyMap(np.ascontiguousarray(np.rot90(cells.values, -quarters)),
                            cells.resolution, x_min, y_min)
    step = 0.5 * cells.resolution
    wide, tall = (int(each) for each in np.ceil((high - low) / step))
    if wide * tall > MAX_CELLS:
        raise ResourceError(f'{path}: turned by {yaw:g} rad the map has {wide} x {tall} cells, '
                            f'{MAX_CELLS} are allowed: turn the image and give the yaw 0')
    x, y = low[0] + step * (np.arange(wide) + 0.5), low[1] + step * (np.arange(tall) + 0.5)
    column = np.floor((x * cosine + y[:, None] * sine) / cells.resolution).astype(int)
    row = np.floor((y[:, None] * cosine - x * sine) / cells.resolution).astype(int)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    values = np.full((tall, wide), UNKNOWN, np.int8)
    values[inside] = cells.values[row[inside], column[inside]]
    return OccupancyMap(values, step, x_min, y_min)


def _number(path: Path, data: dict[str, Any], key: str, default: float | None) -> float:
    return _finite(path, key, data.get(key, default))


def _finite(path: Path, key: str, value: Any) -> float:
    if isinstance(value, str):  # such as 5e-2, which is no number for YAML 1.1
        with suppress(ValueError):
            value = float(value)
    if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ResourceError(f'{path}: {key} is {value!r}: a number is needed')
    return float(value)
