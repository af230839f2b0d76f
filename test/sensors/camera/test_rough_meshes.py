# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Round things far away are drawn with fewer faces, which look the same there."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import place, scene_of, sheet, view_from

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.scene.shapes.geometry_meshes import cylinder, sphere, wheel
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.world.spec import BlockSpec, GeometrySpec, RgbdCameraSpec, WorldSpec

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
