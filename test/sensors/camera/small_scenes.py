# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small scenes, and views of them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene

Array = NDArray[np.float64]
Drawer = Callable[[Scene], Callable[..., CameraFrame]]
Drawers = Callable[[Scene], tuple[Callable[..., CameraFrame], ...]]


def box(material: Material | None = None) -> Mesh:
    """Return a box with sides of 1 m around the origin."""
    vertices, faces, normals = [], [], []
    for axis in range(3):
        for side in (-1, 1):
            u, v, out = (np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3],
                         side * np.eye(3)[axis])
            first = len(vertices)
            vertices += [out - u - v, out + u - v, out + u + v, out - u + v]
            normals += [out] * 4
            order = (0, 1, 2, 0, 2, 3) if side > 0 else (0, 2, 1, 0, 3, 2)
            faces += [[first + i for i in order[:3]], [first + i for i in order[3:]]]
    return Mesh(0.5 * np.array(vertices), np.array(faces, np.int32), np.array(normals),
                np.zeros((24, 2), np.float32), np.zeros(12, np.int32),
                (material or Material((0.8, 0.8, 0.8, 1.0)),))


def sheet(half: float, material: Material | None = None) -> Mesh:
    """Return a square in the plane z = 0, u along x and v along y."""
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    return Mesh(np.hstack([half * corners, np.zeros((4, 1))]),
                np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.tile([0.0, 0.0, 1.0], (4, 1)),
                (0.5 + 0.5 * corners).astype(np.float32), np.zeros(2, np.int32),
                (material or Material((0.6, 0.6, 0.6, 1.0)),))


def place(position: ArrayLike, size: ArrayLike = 1.0, yaw: float = 0.0, pitch: float = 0.0,
          roll: float = 0.0) -> Array:
    """Return the matrix (4, 4) of something at a position."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(yaw, pitch, roll) * np.broadcast_to(size, 3)
    matrix[:3, 3] = position
    return matrix


def scene_of(things: list[tuple[Mesh, Array]], labels: tuple[int, ...] = (),
             moving: tuple[int, ...] = (), owner: tuple[int, ...] = (),
             sensor: tuple[str, ...] = (), lighting: Lighting | None = None) -> Scene:
    """Return a scene of things, numbered from 1; the label is 3 where nothing is said."""
    count = len(things)
    meshes = tuple({id(mesh): mesh for mesh, _ in things}.values())
    number = {id(mesh): i for i, mesh in enumerate(meshes)}
    return Scene(
        meshes, np.array([number[id(mesh)] for mesh, _ in things], np.int32),
        np.array([matrix for _, matrix in things]).reshape(-1, 4, 4),
        np.ones((count, 4), np.float32), np.array(labels or [3] * count, np.uint16),
        np.arange(1, count + 1, dtype=np.uint16),
        ('', *(f'thing{i}' for i in range(1, count + 1))),
        np.array(owner or [-1] * count, np.int32), sensor or ('',) * count,
        np.isin(np.arange(count), moving), lighting or Lighting())


def view_from(eye: ArrayLike, yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0,
              **changes: object) -> CameraView:
    """Return a view along x, turned; 320 x 240 pixels."""
    pose = np.eye(4)
    optical = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    pose[:3, :3] = rotation_matrix(yaw, pitch, roll) @ optical
    pose[:3, 3] = eye
    settings = {'width': 320, 'height': 240, 'fx': 250.0, 'fy': 240.0, 'cx': 160.3,
                'cy': 118.6} | changes
    return CameraView(pose, **settings)  # type: ignore[arg-type]


def in_camera(view: CameraView, points: ArrayLike) -> Array:
    """Return points of the world in the optical frame."""
    shifted = np.asarray(points, float) - view.pose[:3, 3]
    result: Array = shifted @ view.pose[:3, :3]
    return result


def pixels_of(view: CameraView, points: ArrayLike) -> Array:
    """Return where points of the world lie in the image, shape (n, 2)."""
    x, y, z = in_camera(view, points).T
    return np.stack([view.fx * x / z + view.cx, view.fy * y / z + view.cy], axis=1)


def looks_of(view: CameraView) -> Array:
    """Return the directions of all pixels in the world, at depth 1: (height, width, 3)."""
    u, v = np.meshgrid(np.arange(view.width), np.arange(view.height))
    looks = np.stack([(u - view.cx) / view.fx, (v - view.cy) / view.fy, np.ones(u.shape)], -1)
    result: Array = looks @ view.pose[:3, :3].T
    return result
