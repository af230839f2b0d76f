# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps from greyscale images as in the original, ROS map-server maps, MRPT grid maps."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
import gzip
from io import BytesIO
import math
from pathlib import Path
import struct
import sys
from typing import Any, TYPE_CHECKING
import zlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_bytes, TEXT_BYTES
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.spec import OccupancyGridSpec, OccupancyMap, SkyboxSpec
from mvsim_ros2.world.spec.element import FindFile
from mvsim_ros2.world.spec.grid import COARSEST, FINEST

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

Levels = NDArray[np.uint8 | np.uint16]
Grey = NDArray[np.float64]

MAX_CELLS = 10 ** 8
LEVELS_16 = 65535
STRIP = 64  # rows that are read at a time


def read_grey(path: Path) -> Grey:
    """Return the grey values 0..1 of an image, shape (rows, columns), row 0 at the bottom."""
    with _opened(path) as image:
        return _grey_of(image)[_levels_of(image)[::-1]]


def read_cells(path: Path, cells_of: Callable[['Image'], NDArray[np.int8]]) -> NDArray[np.int8]:
    """
    Return a value for each pixel of an image, shape (rows, columns), row 0 at the bottom.

    It takes no more memory than the image and its cells.

    :param cells_of: returns the values of the pixels of a part of the image, row 0 at the top.
    """
    with _opened(path) as image:
        width, height = image.size
        cells = np.empty((height, width), np.int8)
        for first in range(0, height, STRIP):
            last = min(first + STRIP, height)
            part = image.crop((0, height - last, width, height - first))
            cells[first:last] = cells_of(part)[::-1]
        return cells


@contextmanager
def _opened(path: Path) -> Iterator['ImageFile']:
    """Open an image, and say what is wrong where it cannot be read."""
    try:
        from PIL import Image
    except ImportError:
        raise ResourceError(f'{path}: images need Pillow: install it with '
                            '`pip install pillow`') from None
    try:
        # from memory, a chunk that claims to be larger than the file takes no memory
        with Image.open(BytesIO(read_bytes(path))) as image:
            if image.width * image.height > MAX_CELLS:
                raise ResourceError(
                    f'{path}: the image has {image.width} x {image.height} pixels, '
                    f'{MAX_CELLS} are allowed')
            if not image.width * image.height:
                raise ResourceError(f'{path}: the image is empty')
            yield image
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:
        reason = str(error).partition(' <_io')[0]  # without the name of an object in memory
        raise ResourceError(f'{path}: this image cannot be read: {reason}') from error


def _levels_of(image: 'Image') -> Levels:
    """Return the levels of an image or of a part of it, row 0 at the top."""
    if image.mode.startswith('I'):  # 16 bit
        return np.asarray(image).clip(0, LEVELS_16).astype(np.uint16)
    return np.asarray(image if image.mode == 'L' else image.convert('L'))


def _grey_of(image: 'Image') -> Grey:
    """Return the grey value 0..1 of each level."""
    most = LEVELS_16 if image.mode.startswith('I') else 255
    return np.arange(most + 1) / most


def read_image(path: Path, resolution: float, centre: tuple[float, float]) -> OccupancyMap:
    """
    Return the map of an image whose grey values are the probabilities of free cells.

    Black is occupied; a cell is solid where the probability is below 0.5. Probabilities are
    clipped to 0.01 .. 0.99.

    :param resolution: size of a pixel [m].
    :param centre: pixel of the world origin, column from the left and row from the bottom.
        The default of the original, -1 -1, is the pixel below and left of the image.
    """
    return OccupancyMap(
        read_cells(path, lambda part: _percent_of(_grey_of(part))[_levels_of(part)]), resolution,
        -centre[0] * resolution, -centre[1] * resolution)


def _percent_of(grey: Grey) -> NDArray[np.int8]:
    """Return how surely cells are occupied, by their grey values [%]."""
    free = np.clip(grey, 0.01, 0.99)
    percent = np.rint(100 * (1 - free))
    # rounding must not cross the threshold
    return np.where(free < 0.5, np.maximum(percent, 51), np.minimum(percent, 50)).astype(np.int8)


_SIGNATURE = b'\x93COccupancyGridMap2D'
_HEADER = struct.Struct('<bBII5f')  # version, bits, nx, ny, xmin xmax ymin ymax resolution
_LOG_ODDS_PER_UNIT = 16  # steps of a cell per unit of natural log odds


def read_gridmap(path: Path) -> OccupancyMap:
    """
    Return the map in a serialised MRPT occupancy grid.

    Layout, little-endian: the byte 0x93, the class name, int8 version, uint8 bits of a cell,
    uint32 columns and rows, float32 xmin xmax ymin ymax resolution. Then int8 log odds follow, row
    by row from ymin. Positive is free, negative occupied, -1 to 1 unknown.
    """
    try:
        with (gzip.open if path.name.lower().endswith('.gz') else open)(path, 'rb') as file:
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
    steps = np.arange(-128, 128)
    occupied = np.rint(100 / (1 + np.exp(steps / _LOG_ODDS_PER_UNIT)))
    occupied = np.where(steps < 0, np.maximum(occupied, 51), occupied)
    by_odds = np.where(np.abs(steps) <= 1, -1, occupied).astype(np.int8)
    # float32 in the file: 0.07999999821 means 0.08
    return OccupancyMap(by_odds[odds.astype(np.int16) + 128], float(f'{resolution:.7g}'),
                        float(f'{x_min:.7g}'), float(f'{y_min:.7g}'))


FREE, OCCUPIED, UNKNOWN = 0, 100, -1  # values of cells
_MODES = ('trinary', 'scale', 'raw')


def read_map_server(path: Path) -> OccupancyMap:
    """
    Return the map of a yaml file of the ROS map server.

    Keys: image, resolution, origin, negate, occupied_thresh, free_thresh, mode (trinary, scale,
    raw), with the meaning of nav2_map_server (`map_io.cpp` of 2026), cell by cell. A map whose
    origin is turned is sampled along x and y, exactly for quarter turns.
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
    if isinstance(value, str):  # such as 5e-2, which is not a number for YAML 1.1
        with suppress(ValueError):
            value = float(value)
    if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ResourceError(f'{path}: {key} is {value!r}: a number is needed')
    return float(value)


def read_map(path: Path, resolution: float, centre: tuple[float, float]) -> OccupancyMap:
    """
    Return the map in a file, whose kind is given by its extension.

    :param resolution: size of a pixel [m], for images only.
    :param centre: pixel of the world origin, column from the left and row from the bottom,
        for images only.
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


_FACES = ('Front', 'Back', 'Down', 'Up', 'Left', 'Right')


def with_map(grid: OccupancyGridSpec, find: FindFile) -> OccupancyGridSpec:
    """Return an occupancy grid with the map of its file."""
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
