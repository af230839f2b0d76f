# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What OpenGL draws in a quicker way: plane faces, lit by their corners, and bare depths."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene, Texture
from mvsim_ros2.scene.shapes.geometry_meshes import unit_box, unit_wheel
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer

Drawer = Callable[[Scene], Callable[..., CameraFrame]]

CHECKS = np.full((8, 8, 4), 255, np.uint8)
CHECKS[::2, ::2, :3] = CHECKS[1::2, 1::2, :3] = 60


def leaned(mesh: Mesh) -> Mesh:
    """Return a mesh whose normals are off by 1 mrad, so that it is shaded pixel by pixel."""
    return replace(mesh, normals=mesh.normals + 1e-3 * np.roll(mesh.normals, 1, axis=1))


@pytest.mark.parametrize('texture', [None, Texture(CHECKS)], ids=['bare', 'textured'])
@pytest.mark.parametrize('shadows', [False, True], ids=['no_shadows', 'shadows'])
@pytest.mark.parametrize('antialiasing', [False, True], ids=['rough', 'smooth'])
def test_plane_faces_look_as_if_shaded_pixel_by_pixel(
        texture: Texture | None, shadows: bool, antialiasing: bool, gl: None) -> None:
    material = Material((0.9, 0.6, 0.3, 1.0), texture)
    view = replace(view_from((-3, 0.5, 1.4), pitch=0.3), antialiasing=antialiasing)
    images = []
    for change in (lambda mesh: mesh, leaned):
        block, floor = change(box(material)), change(sheet(20.0, material))
        scene = scene_of(
            [(block, place((0, 0, 0), 1.0, 0.4)), (block, place((1, 2, 0), (1, 2, 1), 1.0, 0.3)),
             (floor, place((0, 0, -0.5)))], lighting=Lighting(shadows=shadows))
        images.append(GlRenderer(scene).render(view, ('colour',)).colour)
    assert len(np.unique(images[0].reshape(-1, 3), axis=0)) > 3
    error = np.abs(images[0].astype(int) - images[1]).max(axis=-1)
    assert (error > 2).mean() < 1e-3 and np.median(error) <= 1


def test_faces_are_drawn_whole_where_the_sun_may_shine_on_one_of_their_corners(gl: None) -> None:
    """Normals of the corners differ in their last bits, about right angles to the sun."""
    images = []
    for tilt in (0.0, 1e-7):
        mesh = box()
        normals = mesh.normals.copy()
        normals[:, 2] += np.where(mesh.normals[:, 2] == 0.0, tilt * np.tile([1, -1], 12), 0.0)
        scene = scene_of([(replace(mesh, normals=normals), place((0, 0, 0))),
                          (sheet(20.0), place((0, 0, -0.5)))],
                         lighting=Lighting(towards_light=(0.0, 0.0, 1.0)))
        images.append(GlRenderer(scene).render(view_from((-3, 2, 1.4), yaw=-0.6, pitch=0.3),
                                               ('colour',)).colour)
    np.testing.assert_array_equal(images[0], images[1])


def test_depths_are_exact_from_the_nearest_to_the_farthest(drawer: Drawer) -> None:
    view = view_from((0, 0, 0), near=0.01, far=1e4)
    for depth in (0.011, 0.5, 7.0, 300.0, 9900.0):
        wall = sheet(2.0 * depth), place((depth, 0, 0), pitch=-np.pi / 2)
        seen = drawer(scene_of([wall]))(view, ('depth',)).depth
        np.testing.assert_allclose(seen, depth, rtol=1e-6)
    for depth in (0.009, 1.01e4):
        wall = sheet(2.0 * depth), place((depth, 0, 0), pitch=-np.pi / 2)
        assert np.isinf(drawer(scene_of([wall]))(view, ('depth',)).depth).all()


def test_depths_are_the_same_alone_and_beside_other_layers(drawer: Drawer) -> None:
    draw = drawer(scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                            (sheet(9.0), place((0, 0, -1)))]))
    view = view_from((0, 0, 0))
    np.testing.assert_array_equal(draw(view, ('depth',)).depth, draw(view).depth)


def test_corners_that_are_the_same_are_one(gl: None) -> None:
    scene = scene_of([(unit_box(), place((0, 0, 0))), (unit_wheel(12), place((0, 0, 3)))])
    buffers = gl_thread().run(MeshBuffers, gl_thread().context, scene)
    corners, fan, ring = 8, 13, 12
    assert len(unit_box().vertices) == 36 and len(unit_wheel(12).vertices) == 78
    assert buffers.vertices.size // 36 == 3 * corners + 2 * (fan + ring)
    assert buffers.points.size // 12 == corners + 2 * fan
    assert buffers.commands[:, 0].tolist() == [36, 3 * 4 * 12]
