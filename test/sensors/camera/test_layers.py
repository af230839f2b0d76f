# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normals, optical flow and boxes in space, against closed forms."""

import math

import numpy as np
import pytest
from small_scenes import box, Drawer, place, scene_of, sheet, view_from

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec
from mvsim_ros2.world.spec.world import WorldSpec

SIZE = {'ncols': 160, 'nrows': 120, 'cx': 79.5, 'cy': 59.5, 'fx': 130.0, 'fy': 130.0}


def test_normals_are_those_of_the_faces_towards_the_camera(drawer: Drawer) -> None:
    turned = place((4, 0, 0), 2.0, 0.4, 0.2, 0.3)
    view = view_from((0, 0, 0.5), 0.05, 0.1)
    frame = drawer(scene_of([(box(), turned), (sheet(30.0), place((0, 0, -2)))]))(
        view, ('normals', 'ids'))
    assert frame.normals is not None
    seen = frame.thing > 0
    np.testing.assert_allclose(np.linalg.norm(frame.normals[seen], axis=-1), 1.0, atol=1e-5)
    assert (frame.normals[~seen] == 0.0).all()
    floor = frame.normals[frame.thing == 2]
    np.testing.assert_allclose(floor, np.broadcast_to(view.pose[2, :3], floor.shape), atol=2e-3)
    axes = rotation_matrix(0.4, 0.2, 0.3).T @ view.pose[:3, :3]
    cosines = np.abs(frame.normals[frame.thing == 1] @ axes.T).max(axis=1)
    assert (cosines > 0.9999).mean() > 0.99


def moving(**tags: object) -> Simulation:
    """Return a world with a block that a camera looks at from 4 m."""
    camera = CameraSpec(name='c', renderer='cpu', sensor_period=0.1, optical_flow=True,
                        labels=True, boxes_3d=True, normals=True, **SIZE, **tags)
    block = BlockSpec(name='b', init_pose=Pose(4.0, 0.0), zmax=1.0, static=False)
    return Simulation(WorldSpec(sensors=(camera,), blocks=(block,)))


def test_flow_follows_what_moves_and_leaves_the_rest() -> None:
    simulation = moving()
    assert np.nanmax(np.abs(simulation.measure('c').flow)) == 0.0  # nothing before
    simulation.set_pose('b', Pose(4.0, 0.2))
    image = simulation.measure('c')
    on = image.labels.thing == image.labels.thing_names.index('b')
    # the near face is 3.5 m away: 0.2 m to the left
    np.testing.assert_allclose(image.flow[on][:, 0], -0.2 * 130.0 / 3.5, rtol=1e-4)
    np.testing.assert_allclose(image.flow[on][:, 1], 0.0, atol=1e-4)
    assert np.isnan(image.flow[~on]).all() and on.any()


def test_flow_of_a_turn_is_that_of_the_points() -> None:
    """
    Optical flow of a turning box matches the motion of its points, within 0.001 pixel.

    :reference: true positions of points on its near face
    """
    simulation = moving()
    simulation.measure('c')
    simulation.set_pose('b', Pose(4.0, 0.0, yaw=0.1))
    image = simulation.measure('c')
    on = image.labels.thing == image.labels.thing_names.index('b')
    v, u = np.nonzero(on)  # no other face is seen
    assert len(v) > 500
    # the points of the turned near face on these rays, and where they were
    rays = np.stack([np.ones(len(u)), -(u - 79.5) / 130.0, -(v - 59.5) / 130.0], axis=1)
    turn, place_of_it = rotation_matrix(0.1, 0.0, 0.0), np.array([4.0, 0.0, 0.0])
    points = rays * ((place_of_it @ turn[:, 0] - 0.5) / (rays @ turn[:, 0]))[:, None]
    was = (points - place_of_it) @ turn + place_of_it
    before = np.array([79.5, 59.5]) - 130.0 * was[:, 1:] / was[:, :1]
    np.testing.assert_allclose(image.flow[on], np.stack([u, v], axis=1) - before, atol=1e-3)


@pytest.mark.parametrize('model, distortion', [
    ('equidistant', (0.02, 0.01, 0.0, 0.0)), ('plumb_bob', (-0.25, 0.06, 0.0, 0.0, 0.0))])
def test_flow_behind_a_lens_is_that_of_the_points(
        model: str, distortion: tuple[float, ...]) -> None:
    """
    Optical flow through lenses up to a 200 degree fisheye matches the points, within 0.001 pixel.

    :reference: true positions of points on the ground, projected by the formula of the lens
    """
    size = {'ncols': 240, 'nrows': 160, 'cx': 119.5, 'cy': 79.5, 'fx': 66.0, 'fy': 66.0}
    if model == 'plumb_bob':
        size.update(fx=150.0, fy=150.0)
    camera = CameraSpec(name='c', renderer='cpu', optical_flow=True, distortion_model=model,
                        distortion=distortion, **size)
    world = WorldSpec(sensors=(camera,), blocks=(BlockSpec(
        name='b', init_pose=Pose(), zmin=-1.0, zmax=-0.5, static=False,
        intangible=True, shape=((-30.0, -30.0), (30.0, -30.0), (30.0, 30.0), (-30.0, 30.0))),))
    simulation = Simulation(world)
    simulation.measure('c')
    simulation.set_pose('b', Pose(0.3, 0.1, yaw=0.05))
    flow = simulation.measure('c').flow
    v, u = np.nonzero(np.isfinite(flow[..., 0]))
    assert len(v) > 10_000
    lens = Lens(240, 160, size['fx'], size['fy'], 119.5, 79.5, model, distortion)
    optical = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    rays = rays_of(lens)[v, u] @ optical.T
    if model == 'equidistant':
        assert (rays[:, 0] < -0.01).sum() > 100  # beside and behind
    points = -1.0 / rays[:, 2:] * rays  # the top is 1 m below the camera
    turn = rotation_matrix(0.05, 0.0, 0.0)
    was = (points - (0.3, 0.1, 0.0)) @ turn
    expected = np.stack([u, v], axis=1) - lens.project(was @ optical)
    near = np.linalg.norm(points, axis=1) < 20.0
    np.testing.assert_allclose(flow[v, u][near], expected[near], atol=1e-3)


def test_boxes_in_space_are_those_of_the_bodies() -> None:
    simulation = moving()
    simulation.set_pose('b', Pose(4.0, 1.0, yaw=0.3))
    labels = simulation.measure('c').labels
    found, = labels.boxes_3d
    assert labels.thing_names[found['thing']] == 'b'
    np.testing.assert_allclose(found['size'], (1.0, 1.0, 1.0), atol=1e-6)
    # the camera is half a metre up: the middle of the block 4 m ahead, 1 m to the left
    np.testing.assert_allclose(found['pose'][:3, 3], (-1.0, 0.0, 4.0), atol=1e-6)


def test_layers_have_topics() -> None:
    simulation = moving()
    image, spec = simulation.measure('c'), simulation.sensors['c'].spec
    channels = {channel.ending: channel for channel in channels_of(spec)}
    flow = message_of(channels['/optical_flow'], TYPES, image, '')
    assert (flow.encoding, flow.step) == ('32FC2', 8 * 160)
    normals = message_of(channels['/normals'], TYPES, image, '')
    assert (normals.encoding, normals.step) == ('32FC3', 12 * 160)
    _, marker = message_of(channels['/boxes'], TYPES, image, '').markers
    assert (marker.ns, marker.text, marker.type) == ('boxes', 'b', 1)
    assert marker.pose.position.z == pytest.approx(4.0) and marker.scale.y == pytest.approx(1.0)


@pytest.mark.parametrize('registered', [False, True])
def test_depth_cameras_have_the_layers_of_colour_cameras(
        registered: bool, renderer: str) -> None:
    size = {f'{kind}_{name}': value for kind in ('rgb', 'depth') for name, value in SIZE.items()}
    layers = {'labels': True, 'boxes_3d': True, 'normals': True, 'optical_flow': True}
    aside = Pose(0.0, -0.05, 0.0, -math.pi / 2, 0.0, -math.pi / 2)  # the colours see from there
    spec = RgbdCameraSpec(
        name='d', pose=Pose(0.0, 0.0, 0.5), renderer=renderer, registered=registered,
        relative_pose=aside, **size, **layers)
    plain = CameraSpec(
        name='c', pose=Pose(0.0, -0.05, 0.5, -math.pi / 2, 0.0, -math.pi / 2),
        renderer=renderer, **SIZE, **layers)
    block = BlockSpec(name='b', init_pose=Pose(4.0, 0.0), zmax=1.0, static=False)
    simulation = Simulation(WorldSpec(sensors=(spec, plain), blocks=(block,)))
    for way in (0.0, 0.2):
        simulation.set_pose('b', Pose(4.0, way, yaw=way))
        colour, image = simulation.measure('d').colour, simulation.measure('c')
    on = image.labels.thing == 1
    assert np.nanmin(image.flow[on][:, 0]) < -4.0 and on.sum() > 500
    for one, other in ((colour.normals, image.normals), (colour.flow, image.flow),
                       (colour.labels.boxes_3d['pose'], image.labels.boxes_3d['pose'])):
        np.testing.assert_allclose(one, other, atol=1e-4)
    endings = {channel.ending for channel in channels_of(spec)}
    assert {'_rgb/normals', '_rgb/optical_flow', '_rgb/boxes', '_rgb/detections'} <= endings


def test_layers_are_those_of_colours() -> None:
    spec = RgbdCameraSpec(name='d', sense_rgb=False, normals=True)
    assert any('sense_rgb' in each for each in spec.problems())
