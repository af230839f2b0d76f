# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Simulations of texts; scenes of polygons and of meshes, for ray casting and sensors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.scene.planar import PlanarScene, polygon_segments, StaticGeometry
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene
from mvsim_ros2.world.file.load import load_world_text


def simulate(text: str, seed: int = 0, **options: Any) -> Simulation:
    """Return a simulation of the text of a world file, or of the content of its root."""
    return Simulation(load_world_text(text, 'test.world.xml'), seed, **options)


def make_scene(static: Sequence[ArrayLike] = (), grids: Sequence[ArrayLike] = (),
               movers: Sequence[ArrayLike] = ()) -> PlanarScene:
    """Return a planar scene of static polygons, grids and movers."""
    bodies, cells, outlines = ([polygon_segments(polygon) for polygon in polygons]
                               for polygons in (static, grids, movers))
    segments = np.concatenate([np.empty((0, 4)), *bodies, *cells])
    geometry = StaticGeometry.of_segments(
        segments, np.arange(len(segments)) >= sum(map(len, bodies)))
    return PlanarScene.of_segments(
        geometry, tuple(f'mover{i}' for i in range(len(outlines))),
        np.concatenate([np.empty((0, 4)), *outlines]), np.cumsum([0, *map(len, outlines)]))


def square(half: float, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
    """Return a square of a given half size around a point."""
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half),
            (x - half, y + half)]


def mesh_of(corners: ArrayLike, faces: ArrayLike, reflectivity: float = 0.5) -> Mesh:
    """Return a mesh of one material."""
    vertices, triangles = np.asarray(corners, float), np.asarray(faces, np.int32)
    return Mesh(vertices, triangles, np.zeros_like(vertices),
                np.zeros((len(vertices), 2), np.float32), np.zeros(len(triangles), np.int32),
                (Material(reflectivity=reflectivity),))


_SIDES = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
CUBE = mesh_of([(x, y, z) for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)],  # of 1 m
               [half for a, b, c, d in _SIDES for half in ((a, b, c), (a, c, d))])


def mesh_scene(*things: tuple[Mesh, ArrayLike], owner: Sequence[int] = (),
               sensor: Sequence[str] = ()) -> Scene:
    """Return a scene of meshes with a place and an owner each."""
    count = len(things)
    places = np.array([np.asarray(place, float) for _, place in things]).reshape(-1, 4, 4)
    return Scene(
        tuple(mesh for mesh, _ in things), np.arange(count, dtype=np.int32), places,
        np.ones((count, 4), np.float32), np.arange(count).astype(np.uint16) + 3,
        np.arange(1, count + 1).astype(np.uint16), ('',) * (count + 1),
        np.array(owner or [-1] * count, np.int32), tuple(sensor) or ('',) * count,
        np.ones(count, bool), Lighting())


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, size: ArrayLike = 1.0,
       angles: Sequence[float] = (0.0, 0.0, 0.0)) -> NDArray[np.float64]:
    """Return the place of a thing: position, size, yaw, pitch, roll."""
    place = np.eye(4)
    place[:3, :3] = rotation_matrix(*angles) * np.asarray(size)
    place[:3, 3] = x, y, z
    return place
