# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps of MRPT: `.gridmap` and `.gridmap.gz`."""

from collections.abc import Callable
import gzip
from pathlib import Path
import struct
from typing import BinaryIO
import zlib

import numpy as np

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.maps.image import MAX_CELLS
from mvsim_ros2.world.spec.grid import OccupancyMap

_SIGNATURE = b'\x93COccupancyGridMap2D'
_HEADER = struct.Struct('<bBII5f')  # version, bits, nx, ny, xmin xmax ymin ymax resolution
_LOG_ODDS_PER_UNIT = 16  # steps of a cell per unit of natural log odds


def read_gridmap(path: Path) -> OccupancyMap:
    """
    Return the map in a serialised MRPT occupancy grid.

    Layout, little-endian: the byte 0x93, the class name, int8 version, uint8 bits of a cell,
    uint32 columns and rows, float32 xmin xmax ymin ymax resolution, then int8 log odds row by
    row from ymin. Positive is free, negative occupied, -1 to 1 unknown.

    :raises ResourceError: where the file has another form.
    """
    opener: Callable[[Path], BinaryIO] = (
        _open_packed if path.name.lower().endswith('.gz') else _open_plain)
    try:
        with opener(path) as file:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                raise ResourceError(f'{path}: this is no MRPT occupancy grid')
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                raise ResourceError(f'{path}: the grid map breaks off in its header')
            version, bits, columns, rows, x_min, _, y_min, _, resolution = _HEADER.unpack(header)
            if bits != 8:
                raise ResourceError(f'{path}: cells have {bits} bits, only 8 are read')
            if not 0 < columns * rows <= MAX_CELLS:
                raise ResourceError(
                    f'{path}: the grid has {columns} x {rows} cells: 1 to {MAX_CELLS} are '
                    'possible')
            if not (np.isfinite([x_min, y_min, resolution]).all() and resolution > 0):
                raise ResourceError(f'{path}: the grid has no valid extent (version {version})')
            cells = file.read(columns * rows)
    except (OSError, EOFError, zlib.error) as error:
        raise ResourceError(f'{path}: this grid map cannot be read: {error}') from error
    if len(cells) < columns * rows:
        raise ResourceError(f'{path}: the grid map breaks off after {len(cells)} cells')
    odds = np.frombuffer(cells, np.int8).reshape(rows, columns)
    by_odds = _percent(np.arange(-128, 128))
    # float32 in the file: 0.07999999821 means 0.08
    return OccupancyMap(by_odds[odds.astype(np.int16) + 128], float(f'{resolution:.7g}'),
                        float(f'{x_min:.7g}'), float(f'{y_min:.7g}'))


def _percent(odds: np.ndarray[tuple[int], np.dtype[np.int64]]
             ) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    occupied = np.rint(100 / (1 + np.exp(odds / _LOG_ODDS_PER_UNIT)))
    occupied = np.where(odds < 0, np.maximum(occupied, 51), occupied)
    return np.where(np.abs(odds) <= 1, -1, occupied).astype(np.int8)


def _open_packed(path: Path) -> BinaryIO:
    return gzip.open(path)  # type: ignore[return-value]


def _open_plain(path: Path) -> BinaryIO:
    return open(path, 'rb')
