# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Terrain in a top view: its colours, shaded by its slopes.

The light comes from the upper left, 45 degrees high, as maps have it; level ground keeps its
colour. See B. K. P. Horn, *Hill shading and the reflectance map*, Proc. IEEE 69 (1981) 14.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.pictures.canvas import Bounds, Canvas
from mvsim_ros2.scene.shapes.ground import terrain_mesh
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.world import WorldSpec

_LIGHT = np.array([-0.5, 0.5, np.sqrt(0.5)])  # towards it
_FINEST = 8  # parts of a cell that are drawn by themselves
_STRENGTH = 0.9  # of the shading: 0 none, 1 as Lambert's law has it


def terrain_bounds(world: WorldSpec) -> list[Bounds]:
    """Return the bounds of the elevation maps of a world."""
    result = []
    for spec in _terrain(world):
        assert spec.heights is not None
        grid = spec.heights
        rows, columns = np.array(grid.values.shape) - 1
        result.append((grid.x_min, grid.y_min, grid.x_min + grid.resolution * rows,
                       grid.y_min + grid.resolution * columns))
    return result


def draw_terrain(canvas: Canvas, world: WorldSpec) -> None:
    """Draw the elevation maps of a world, the lowest first."""
    for spec in sorted(_terrain(world), key=_mean_height):
        assert spec.heights is not None
        grid = spec.heights
        shape = grid.values.shape
        mesh = terrain_mesh(spec)
        times = max(1, min(_FINEST, round(grid.resolution * canvas.scale / 2.0)))
        light = (mesh.normals @ _LIGHT).clip(0.0) / _LIGHT[2]
        light = 1.0 + _STRENGTH * (_finer(light.reshape(*shape, 1), times) - 1.0)
        pixels = np.full((*light.shape[:2], 4), 255.0)
        colours = _colours(spec, _finer(mesh.uv.reshape(*shape, 2), times))
        pixels[..., :3] = (colours * light).clip(0.0, 255.0)
        cell = grid.resolution / times
        canvas.cells(np.rint(pixels).astype(np.uint8).swapaxes(0, 1),
                     grid.x_min - 0.5 * cell, grid.y_min - 0.5 * cell, cell)


def _finer(values: NDArray[np.floating[Any]], times: int) -> NDArray[np.float64]:
    """Return values of nodes, shape (rows, columns, n), with linear ones between them."""
    for axis in 0, 1:
        count = values.shape[axis]
        at = np.arange((count - 1) * times + 1) / times
        low = np.minimum(at.astype(int), max(count - 2, 0))
        share = np.expand_dims(at - low, tuple({0, 1, 2} - {axis}))
        after = np.minimum(low + 1, count - 1)
        values = (1.0 - share) * values.take(low, axis) + share * values.take(after, axis)
    return np.asarray(values, float)


def _terrain(world: WorldSpec) -> Iterator[ElevationMapSpec]:
    for element in world.elements:
        if isinstance(element, ElevationMapSpec) and element.heights is not None:
            yield element


def _mean_height(spec: ElevationMapSpec) -> float:
    assert spec.heights is not None
    return float(np.mean(spec.heights.values))


def _colours(spec: ElevationMapSpec, uv: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of the nodes, 0 to 255, shape (rows, columns, 3)."""
    texture = terrain_mesh(spec).materials[0].texture
    if texture is None:
        return np.broadcast_to(255.0 * np.array(spec.mesh_color[:3]), (*uv.shape[:2], 3))
    height, width = texture.pixels.shape[:2]
    column = (uv[..., 0] * width).astype(int) % width
    row = ((1.0 - uv[..., 1]) * height).astype(int) % height
    return texture.pixels[row, column, :3].astype(float)
