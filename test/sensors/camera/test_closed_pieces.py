# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenGL draws the outer faces alone of what is closed, piece by piece of a mesh."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2.scene.scene import Lighting, Mesh
from mvsim_ros2.scene.shapes.geometry_meshes import joined
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.culling import reaches
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene


def moved(mesh: Mesh, *offset: float) -> Mesh:
    """Return a mesh somewhere else."""
    return replace(mesh, vertices=mesh.vertices + offset)


def turned(mesh: Mesh) -> Mesh:
    """Return a mesh inside out."""
    return replace(mesh, faces=mesh.faces[:, ::-1])


MESHES = {
    'a box': (box(), 12),
    'a box and a sheet': (joined(box(), moved(sheet(0.8), 0.0, 0.0, 1.0)), 12),
    'two boxes': (joined(box(), moved(box(), 1.5, 0.0, 0.0)), 24),
    'boxes that touch': (joined(box(), moved(box(), 1.0, 1.0, 0.0)), 24),
    'a box without a face': (replace(box(), faces=box().faces[1:],
                                     face_material=box().face_material[1:]), 0),
    'such a box and a whole one': (joined(replace(
        box(), faces=box().faces[:-2], face_material=box().face_material[:-2]),
        moved(box(), 0.0, 1.5, 0.0)), 12),
    'one of two boxes inside out': (joined(box(), moved(turned(box()), 1.5, 0.0, 0.0)), 12)}


@pytest.mark.parametrize('kind', MESHES)
def test_closed_pieces_are_found(kind: str, gl: None) -> None:
    mesh, count = MESHES[kind]
    buffers = gl_thread().run(MeshBuffers, gl_thread().context, scene_of([(mesh, np.eye(4))]))
    triangles = buffers.commands[buffers.part, 0] // 3
    assert triangles.sum() == len(mesh.faces)
    assert triangles[buffers.closed].sum() == count


@pytest.mark.parametrize('eye, yaw', [
    ((-3.0, 0.4, 0.6), 0.0), ((4.5, 0.6, 0.3), np.pi), ((0.0, 0.0, 0.0), 0.5),
    ((-0.4, 0.0, 0.56), 0.0)], ids=['before', 'behind', 'within', 'close above'])
@pytest.mark.parametrize('kind', MESHES)
def test_all_is_seen_that_rays_see(
        kind: str, eye: tuple[float, float, float], yaw: float, gl: None) -> None:
    scene = scene_of([(MESHES[kind][0], place((0, 0, 0), roll=0.1)),
                      (sheet(9.0), place((0, 0, -1)))], lighting=Lighting(shadows=False))
    view = view_from(eye, yaw=yaw, pitch=0.1)
    one, other = (renderer.render(view) for renderer in (
        GlRenderer(scene), RayRenderer(RayScene(scene))))
    assert one.depth is not None and other.depth is not None
    assert (one.thing != other.thing).mean() < 0.002
    seen = np.isfinite(one.depth) & np.isfinite(other.depth)
    off = np.abs(one.depth[seen] / other.depth[seen] - 1.0)
    assert seen.mean() > 0.3 and (off > 1e-3).mean() < 0.004


def test_who_is_near_a_box_but_not_in_it_is_not_taken_to_be_inside() -> None:
    random = np.random.default_rng(2)
    for _ in range(300):
        linear, centre = random.normal(size=(3, 3)), random.normal(size=3)
        half, reach = random.uniform(0.1, 1.0, 3), random.uniform(0.0, 0.5)
        inside = centre + linear @ (random.uniform(-1.0, 1.0, 3) * half)
        way = random.normal(size=3)
        assert reaches(inside + 0.999 * reach * way / np.linalg.norm(way), centre, linear, half,
                       reach)
        axis, side = random.integers(3), random.choice([-1.0, 1.0])
        corner = random.uniform(-1.0, 1.0, 3) * half
        corner[axis] = side * half[axis]
        out = side * np.linalg.inv(linear)[axis]
        out /= np.linalg.norm(out)
        face = centre + linear @ corner
        assert reaches(face + 0.999 * reach * out, centre, linear, half, reach)
        assert not reaches(face + (1.001 * reach + 1e-6) * out, centre, linear, half, reach)
