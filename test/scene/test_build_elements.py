# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements of a world, its light and sky in the scene."""

from looks import bounds
import numpy as np
from PIL import Image
import pytest

from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.limbs import limb, TRUNK
from mvsim_ros2.scene.scene import Lighting, MoverStates, Scene


def test_elements(world_of, tmp_path):
    (tmp_path / 'points.txt').write_text('0 0 0\n1 2 3\n')
    scene = build_scene(world_of(
        '<element class="horizontal_plane" name="floor"><x_min>-2</x_min><x_max>4</x_max>'
        '<y_min>-1</y_min><y_max>3</y_max><z>0.25</z><color>#00ff00</color></element>'
        '<element class="vertical_plane" name="wall"><init_pose>10 0 90</init_pose><x0>0</x0>'
        '<y0>0</y0><x1>2</x1><y1>0</y1><z>0.5</z><height>2</height><thickness>0.2</thickness>'
        '</element>'
        '<element class="elevation_map" name="hill"><resolution>2</resolution>'
        '<corner_min_x>5</corner_min_x><corner_min_y>-3</corner_min_y>'
        '<elevation_data_matrix>[0 1 2; 3 4 5]</elevation_data_matrix></element>'
        '<element class="pointcloud" name="dots"><file_txt_3d>points.txt</file_txt_3d>'
        '<pose_3d>1 1 1 90 0 0</pose_3d></element>'
        '<walls><wallThickness>0.1</wallThickness><wallHeight>1.5</wallHeight><shape>'
        '<pt>0 0</pt><pt>0 4</pt></shape></walls>'))
    np.testing.assert_allclose(bounds(scene, 'element floor'), [[-2, -1, 0.25], [4, 3, 0.25]])
    np.testing.assert_allclose(bounds(scene, 'element wall'), [[9.9, 0, 0.5], [10.1, 2, 2.5]],
                               atol=1e-9)
    np.testing.assert_allclose(bounds(scene, 'element hill'), [[5, -3, 0], [7, 1, 5]])
    np.testing.assert_allclose(bounds(scene, 'wall_0001'), [[-0.05, 0, 0], [0.05, 4, 1.5]],
                               atol=1e-9)
    np.testing.assert_allclose(bounds(scene, 'element dots'), [[-1, 1, 1], [1, 2, 4]], atol=0.03)
    labels = {name: Scene.LABELS[scene.label[i]] for i, name in enumerate(scene.thing_names[1:])}
    assert labels == {'element floor': 'ground', 'element wall': 'wall',
                      'element hill': 'terrain', 'element dots': 'points', 'wall_0001': 'wall'}
    assert (scene.owner == -1).all() and not scene.moving.any()


def test_terrain_is_cut_as_physics_cuts_it(world_of):
    scene = build_scene(world_of(
        '<element class="elevation_map" name="hill"><corner_min_x>0</corner_min_x>'
        '<corner_min_y>0</corner_min_y>'
        '<elevation_data_matrix>[0 1; 0 0]</elevation_data_matrix></element>'))
    mesh = scene.meshes[0]
    faces = {tuple(sorted(map(tuple, mesh.vertices[face].tolist()))) for face in mesh.faces}
    assert faces == {((0, 0, 0), (1, 0, 0), (1, 1, 0)), ((0, 0, 0), (0, 1, 1), (1, 1, 0))}
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()


def test_terrain_has_the_colours_of_its_points(world_of, tmp_path):
    (tmp_path / 'dem.txt').write_text(
        '0 0 0 255 0 0\n0 1 0 0 255 0\n1 0 0 0 0 255\n1 1 0 255 255 255\n')
    scene = build_scene(world_of(
        '<element class="elevation_map"><dem_xyzrgb_file>dem.txt</dem_xyzrgb_file></element>'))
    (mesh,) = scene.meshes
    pixels = mesh.materials[0].texture.pixels
    shown = {}
    for (x, y, _), (u, v) in zip(mesh.vertices.tolist(), mesh.uv.tolist()):
        shown[x, y] = tuple(pixels[int((1 - v) * len(pixels)), int(u * len(pixels[0])), :3])
    assert shown == {(0, 0): (255, 0, 0), (0, 1): (0, 255, 0), (1, 0): (0, 0, 255),
                     (1, 1): (255, 255, 255)}
    np.testing.assert_array_equal(scene.colour, 1)


@pytest.mark.parametrize('ground, labels', [
    pytest.param('', {'wall', 'ground'}, id='alone'),
    pytest.param('<element class="elevation_map"><elevation_data_matrix>[0 0; 0 0]'
                 '</elevation_data_matrix></element>', {'wall', 'terrain'}, id='on terrain')])
def test_occupancy_map_lies_on_the_ground(world_of, project, ground, labels):
    scene = build_scene(world_of(
        f'<element class="occupancy_grid" name="m"><file>{project}/worlds/maps/apartment.yaml'
        f'</file></element>{ground}'))
    assert {Scene.LABELS[label] for label in scene.label} == labels
    if 'ground' in labels:
        np.testing.assert_allclose(bounds(scene, 'element m sheet')[:, 2], 0)
        assert bounds(scene, 'element m')[1, 2] == 2.0


def test_planes_with_keyframes_move(world_of):
    keys = ('<animation type="keyframes"><time_pose3d>0 0 0 1 0 0 0</time_pose3d>'
            '<time_pose3d>5 0 0 2 0 0 0</time_pose3d></animation>')
    world = world_of(
        '<actor name="p"><init_pose>1 2 0</init_pose></actor>'
        f'<element class="horizontal_plane" name="lift"><x_min>0</x_min>{keys}</element>'
        f'<element class="vertical_plane" name="gate">{keys}</element>')
    scene = build_scene(world)
    figures = np.arange(18.0).reshape(3, 6) * [1, 1, 1, 0, 0, 0]
    scene.update(MoverStates(np.zeros((0, 6)), np.zeros(0), np.zeros(0), np.zeros((0, 6)),
                             figures))
    first = [scene.thing.tolist().index(i) for i in range(1, 4)]
    places = {name: scene.transform[i, :3, 3].tolist()
              for i, name in zip(first, scene.thing_names[1:])}
    places['p'][2] -= 1.75 * limb(TRUNK, 0.0, 0.0)[1]  # where the trunk begins
    # figures: actor, wall, floor; the corner of the floor is at 0 -10, the wall starts at -10 -10
    assert places == {'p': pytest.approx([0, 1, 2]), 'element gate': [-4, -3, 8],
                      'element lift': [12, 3, 14]}
    assert scene.moving.all()


def test_light_direction_is_that_of_the_world(world_of):
    lighting = build_scene(world_of(
        '<lights><light_azimuth_deg>90</light_azimuth_deg><light_elevation_deg>30'
        '</light_elevation_deg><enable_shadows>false</enable_shadows></lights>')).lighting
    assert lighting.towards_light == pytest.approx((0, np.sqrt(0.75), 0.5))
    assert not lighting.shadows


@pytest.fixture
def sky_box(world_of, tmp_path):
    """Return what makes a sky box of its faces, as sizes and colours."""
    def make(*faces):
        for name, face in zip(('Front', 'Back', 'Down', 'Up', 'Left', 'Right'), faces):
            Image.new('RGB', *face).save(tmp_path / f'sky{name}.png')
        return build_scene(world_of(f'<element class="skybox"><textures>{tmp_path}/sky%s.png'
                                    '</textures></element>')).lighting
    return make


def test_sky_has_the_mean_colour_of_its_box(sky_box):
    lighting = sky_box(*(((2, 2), (60 * (i % 2), 100, 200)) for i in range(6)))
    assert lighting.sky_colour == pytest.approx((30 / 255, 100 / 255, 200 / 255))
    assert lighting.sky is not None and lighting.sky.shape == (6, 2, 2, 3)
    assert lighting.sky[:, 0, 0, 0].tolist() == [0, 60, 0, 60, 0, 60]


def test_a_sky_box_that_lacks_a_face_is_plain(sky_box):
    lighting = sky_box(((2, 2), (60, 100, 200)))
    assert lighting.sky is None
    assert lighting.sky_colour == Lighting().sky_colour


def test_faces_of_a_sky_box_may_have_several_sizes(sky_box):
    sky = sky_box(*(((2 + i, 3), (40 * i, 0, 0)) for i in range(6))).sky
    assert sky is not None and sky.shape == (6, 7, 7, 3)
    assert (sky == 40 * np.arange(6)[:, None, None, None] * [1, 0, 0]).all()


@pytest.mark.parametrize('turn, place', [
    # where the top left of the picture comes to lie, of a map of 4 m x 2 m
    pytest.param(0, (0, 0), id='not turned'), pytest.param(90, (4, 0), id='left'),
    pytest.param(180, (4, 2), id='half'), pytest.param(-90, (0, 2), id='right')])
def test_texture_of_terrain(world_of, tmp_path, turn, place):
    Image.new('RGB', (4, 4)).save(tmp_path / 'ground.png')
    scene = build_scene(world_of(
        '<element class="elevation_map"><resolution>2</resolution><corner_min_x>0</corner_min_x>'
        '<corner_min_y>0</corner_min_y><elevation_data_matrix>[0 0; 0 0; 0 0]'
        '</elevation_data_matrix><texture_image>ground.png</texture_image>'
        f'<texture_image_rotate>{turn}</texture_image_rotate></element>'))
    (mesh,) = scene.meshes
    (vertex,) = np.flatnonzero(np.all(np.isclose(mesh.uv, (0, 1)), axis=1))
    assert tuple(mesh.vertices[vertex, :2]) == place
    assert mesh.materials[0].texture is not None


def test_columns_of_a_terrain_texture_run_along_y(world_of, tmp_path):
    """Rows along x, from (x_min, y_min) on, as MVSim's ElevationMap reads its own images."""
    Image.fromarray(np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [9, 9, 9]]], np.uint8)
                    ).save(tmp_path / 'ground.png')
    (mesh,) = build_scene(world_of(
        '<element class="elevation_map"><resolution>1</resolution><corner_min_x>3</corner_min_x>'
        '<corner_min_y>5</corner_min_y><elevation_data_matrix>[0 0 0; 0 0 0; 0 0 0]'
        '</elevation_data_matrix><texture_image>ground.png</texture_image></element>')).meshes
    pixels = mesh.materials[0].texture.pixels
    for place, colour in (((0, 0), (255, 0, 0)), ((0, 2), (0, 255, 0)), ((2, 0), (0, 0, 255))):
        (vertex,) = np.flatnonzero(np.all(mesh.vertices[:, :2] == place, axis=1))
        u, v = mesh.uv[vertex]
        assert tuple(pixels[round(1 - v), round(u), :3]) == colour
