# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where pictures are taken from."""

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.pictures.sight import hidden_sides, Sight
from mvsim_ros2.pictures.viewpoint import automatic_view, camera, projected
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.scene_builder import Parts
from mvsim_ros2.scene.shapes.geometry_meshes import unit_box
from mvsim_ros2.world.spec.common import LABELS


def test_camera_is_upright():
    view = camera((0, -10, 5), (0, 0, 0), 400, 300)
    np.testing.assert_allclose(view.pose[:3, :3].T @ view.pose[:3, :3], np.eye(3), atol=1e-12)
    assert np.linalg.det(view.pose[:3, :3]) == pytest.approx(1)
    pixels, depth = projected(view, [(0, 0, 0), (1, 0, 0), (0, 0, 1), (0, -20, 0)])
    np.testing.assert_allclose(pixels[0], (199.5, 149.5), atol=1e-9)
    assert pixels[1, 0] > pixels[0, 0] and pixels[1, 1] == pytest.approx(pixels[0, 1])
    assert pixels[2, 1] < pixels[0, 1]  # what is higher is above
    assert depth[0] == pytest.approx(np.sqrt(125)) and depth[3] < 0


@pytest.mark.parametrize('eye, top', [
    pytest.param((0, 0, 10), (0, 1, 0), id='down'),
    pytest.param((0, 0, -10), (0, -1, 0), id='up')])
def test_camera_along_the_vertical(eye, top):
    view = camera(eye, (0, 0, 0), 400, 300)
    pixels, _ = projected(view, [(0, 0, 0), top])
    assert pixels[1, 1] < pixels[0, 1]


def test_camera_needs_a_direction():
    with pytest.raises(RecordingError, match='two different places'):
        camera((1, 2, 3), (1, 2, 3), 400, 300)


def shipped(name):
    """Return the simulation of a shipped world, without sensors."""
    return Simulation.from_file(name, sensors=False)


@pytest.mark.parametrize('name', ['demo', 'robots', 'empty', 'occupancy_map'])
@pytest.mark.parametrize('size', [
    pytest.param((640, 360), id='wide'), pytest.param((300, 500), id='tall')])
def test_automatic_view_sees_the_robots(name, size):
    simulation = shipped(name)
    view = automatic_view(simulation, *size)
    places = [vehicle.pose.position for vehicle in simulation.vehicles.values()]
    pixels, depth = projected(view, places)
    assert (depth > 0).all() and (pixels > 0).all() and (pixels < size).all()


@pytest.mark.parametrize('name', [
    'demo', 'office', 'corridor', 'warehouse', 'camera', 'outdoor', 'forest', 'orchard', 'empty',
    'occupancy_map', 'lidar3d', 'sensors'])
def test_a_robot_is_a_tenth_of_the_height_of_an_automatic_view(name):
    simulation = shipped(name)
    (robot,) = simulation.vehicles.values()
    frame = simulation.render(automatic_view(simulation, 640, 360), ('ids',))
    rows = np.flatnonzero((frame.label == LABELS.index('vehicle')).any(axis=1))
    assert np.ptp(rows) >= 36, robot.name


@pytest.mark.parametrize('name', ['two_robots', 'yard', 'robots', 'many_robots'])
def test_of_several_robots_the_largest_is_a_tenth_of_the_height(name):
    simulation = shipped(name)
    view, heights = automatic_view(simulation, 640, 360), []
    for robot in simulation.vehicles.values():
        corners = np.array([(x, y, z, 1.0) for x, y in robot.footprint.polygon
                            for z in (0.0, robot.footprint.zmax)])
        pixels, _ = projected(view, (corners @ robot.pose.matrix.T)[:, :3])
        heights.append(np.ptp(pixels[:, 1]))
    assert max(heights) >= 36


@pytest.mark.parametrize('name', ['demo', 'office', 'corridor', 'warehouse', 'camera'])
def test_walls_do_not_hide_the_robots(name):
    simulation = shipped(name)
    view = automatic_view(simulation, 640, 360)
    sight = Sight(simulation.scene(), hidden_sides(simulation.world))
    places = np.array([vehicle.pose.position + (0.0, 0.0, vehicle.footprint.zmax + 0.02)
                       for vehicle in simulation.vehicles.values()])
    assert sight.clear(view.pose[:3, 3], places, np.zeros(len(places), np.int64)).all()


def test_robot_is_seen_most_of_the_time_while_it_drives():
    simulation = shipped('demo')
    view = automatic_view(simulation, 640, 360)
    (robot,) = simulation.vehicles.values()
    robot.set_twist(0.4, 0.1)
    sight = Sight(simulation.scene(), hidden_sides(simulation.world))
    thing = np.array([simulation.scene().thing_names.index(robot.name)])
    seen = []
    for _ in range(20):  # as in the film of the README
        simulation.run(1.0)
        place = robot.pose.position + (0.0, 0.0, robot.footprint.zmax)
        seen.append(sight.clear(view.pose[:3, 3], place[None], thing).all())
    assert np.mean(seen) >= 0.8


def test_sight_ends_at_walls_but_not_at_the_hidden_side_of_one():
    wall = Parts()
    wall.add(wall.thing('element wall', 'wall'), unit_box(), np.diag([0.1, 2.0, 2.0, 1.0]))
    scene = wall.scene(Lighting())
    eye, targets = np.array([-3.0, 1.0, 1.0]), np.array([(3.0, 1.0, 1.0), (3.0, 9.0, 1.0)])
    nobody = np.zeros(2, np.int64)
    assert Sight(scene, {}).clear(eye, targets, nobody).tolist() == [False, True]
    side = {'element wall': np.array([-1.0, 0.0, 0.0])}
    assert Sight(scene, side).clear(eye, targets, nobody).all()
    assert not Sight(scene, side).clear(targets[0], eye[None], nobody[:1]).any()


def test_chosen_place_and_direction():
    simulation = shipped('empty')
    view = automatic_view(simulation, 100, 100, eye=(1, 2, 3))
    np.testing.assert_allclose(view.pose[:3, 3], (1, 2, 3))
    view = automatic_view(simulation, 100, 100, at=(5, 6, 0))
    np.testing.assert_allclose(projected(view, [(5, 6, 0)])[0], [(49.5, 49.5)], atol=1e-6)
