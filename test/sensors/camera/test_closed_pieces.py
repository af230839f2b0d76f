# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What OpenGL draws of meshes: closed pieces, plane faces with one light, rough ones far away."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, Drawer, Drawers, place, scene_of, sheet, view_from

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene, Texture
from mvsim_ros2.scene.shapes.geometry_meshes import (
    cylinder, joined, sphere, unit_box, unit_wheel, wheel)
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.culling import reaches
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.world.spec import BlockSpec, GeometrySpec, RgbdCameraSpec, WorldSpec


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
        kind: str, eye: tuple[float, float, float], yaw: float, drawers: Drawers) -> None:
    scene = scene_of([(MESHES[kind][0], place((0, 0, 0), roll=0.1)),
                      (sheet(9.0), place((0, 0, -1)))], lighting=Lighting(shadows=False))
    view = view_from(eye, yaw=yaw, pitch=0.1)
    one, other = (draw(view) for draw in drawers(scene))
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


# with the axes about which they are round, and distances from where they are rough
SOLIDS = {
    'wheel': (wheel(0.3, 0.2), (0, 2), (7.0, 16.0, 20.0)),
    'cylinder': (
        cylinder(GeometrySpec(kind='cylinder', radius=0.3, length=0.5), 1.0), (0, 1),
        (7.0, 16.0, 33.0)),
    'sphere': (sphere(GeometrySpec(kind='sphere', radius=0.3), 1.0), (0, 1, 2), (4.0, 9.0, 16.0))}
RADIUS = 0.3
AFAR = view_from((0, 0, 0.8), pitch=0.1, rough=True)


def row_of(solid: str, away: float) -> Scene:
    """Return three of a kind beside each other on the ground."""
    (mesh, size), _, _ = SOLIDS[solid]
    return scene_of([(mesh, place((away, side, 0.3), yaw=side) @ size)
                     for side in (-1.0, 0.2, 1.3)] + [(sheet(30.0), place((0, 0, 0)))])


@pytest.mark.parametrize('solid', SOLIDS)
def test_outlines_deviate_as_much_as_they_say(solid: str) -> None:
    (mesh, _), axes, _ = SOLIDS[solid]
    faces = len(mesh.faces)
    assert len(mesh.rough) == 3
    for off, each in mesh.rough:
        corners = each.vertices[each.faces]
        sides = np.stack([corners, np.roll(corners, 1, axis=1)])[..., axes].mean(axis=0)
        out = np.linalg.norm(corners[..., axes], axis=-1).max()
        within = np.linalg.norm(sides, axis=-1)
        assert out == pytest.approx(1.0 + off)
        assert within[within > 0.9].min() > 1.0 - 1.01 * off
        assert off * RADIUS < 0.008 and len(each.faces) <= 0.63 * faces
        faces = len(each.faces)


@pytest.mark.parametrize('solid', SOLIDS)
def test_no_outline_is_off_by_more_than_a_tenth_of_a_pixel(solid: str) -> None:
    (mesh, _), _, _ = SOLIDS[solid]
    deviation = np.array([0.0, *(RADIUS * off for off, _ in mesh.rough)])
    seen = set()
    for away in np.geomspace(0.5, 100.0, 40):
        scene = row_of(solid, away)
        rough = RoughMeshes(scene)
        levels = rough.levels(AFAR)
        seen |= set(levels.tolist())
        to_surface = np.linalg.norm(
            scene.transform[:3, :3, 3] - AFAR.pose[:3, 3], axis=1) - RADIUS
        assert (deviation[levels[:3]] * AFAR.fx <= 0.1 * to_surface).all()
        assert not rough.levels(replace(AFAR, rough=False)).any() and levels[3] == 0
    assert seen == {0, 1, 2, 3}


@pytest.mark.parametrize('level', [1, 2, 3])
@pytest.mark.parametrize('solid', SOLIDS)
def test_images_are_those_of_all_faces(solid: str, level: int, gl: None) -> None:
    away = SOLIDS[solid][2][level - 1]
    scene = row_of(solid, away)
    renderer, view = GlRenderer(scene), replace(AFAR, antialiasing=True)
    assert (RoughMeshes(scene).levels(view)[:3] == level).all()
    rough, fine = (np.asarray(renderer.render(each, ('colour',)).colour, int)
                   for each in (view, replace(view, rough=False)))
    off = np.abs(rough - fine).max(axis=-1)
    seen = np.isin(renderer.render(AFAR, ('ids',)).thing, (1, 2, 3)).sum()
    print(f'{(off > 0).sum()} of {seen} pixels differ, by up to {off.max()}')
    share = 0.3 if level < 3 else 0.45  # of pixels on outlines, more of what is smaller
    assert 0 < (off > 0).sum() < share * seen and off.max() < 40


def test_depths_are_those_of_all_faces(gl: None) -> None:
    """Colours that are measured along with depths are drawn as these are."""
    ball = BlockSpec(name='ball', init_pose=Pose(9.0, 0.2), static=True, geometry=GeometrySpec(
        kind='sphere', radius=0.3))
    camera = RgbdCameraSpec(name='camera', pose=Pose(0.0, 0.0, 0.3), depth_noise_sigma=0.0,
                            publish_ros_colored_pointcloud=False, renderer='gl')
    depths = [Simulation(WorldSpec(blocks=(ball,), sensors=(each,))).measure(
        'camera').depth.depth for each in (camera, replace(camera, renderer='cpu'))]
    seen = np.isfinite(depths).all(axis=0)
    assert seen.sum() > 100 and np.abs(depths[0] - depths[1])[seen].max() < 1e-4
