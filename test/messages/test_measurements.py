# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors and states are made by pure functions: no node has to run."""

from io import BytesIO
import math
from pathlib import Path

import numpy as np
from PIL import Image as Picture
import pytest
from sensor_msgs.msg import Image, NavSatFix, PointField, Range

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import MvsimError, PluginError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.sensor_channels import Channel, channels_of, message_of
from mvsim_ros2.ros.messages.sensors import camera, navigation, ranging
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.sensors import observations as seen
from mvsim_ros2.sensors.observations import FixType
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec
from mvsim_ros2.world.spec.world import WorldSpec

STAMP_NS = 3_020_000_001
HEAD = ('r1/eye', 'eye', STAMP_NS)
K = np.array([[500.0, 0, 320], [0, 501, 240], [0, 0, 1]])
INFO = seen.CameraInfo(*HEAD, 640, 480, 'plumb_bob', np.array([0.1, 0.2, 0.3, 0.4, 0.5]), K,
                       np.eye(3), np.hstack([K, np.zeros((3, 1))]), 'eye')


def check_header(message):
    stamp = message.header.stamp
    assert (stamp.sec, stamp.nanosec, message.header.frame_id) == (3, 20_000_001, 'frame')


@pytest.mark.parametrize('shape', [
    pytest.param((6,), id='list'), pytest.param((2, 3), id='rows and columns'),
    pytest.param((0,), id='empty')])
def test_point_cloud(shape):
    dtype = np.dtype({'names': ['x', 'y', 'z', 'ring', 'time'],
                      'formats': ['<f4', '<f4', '<f4', '<u2', '<f4'],
                      'offsets': [0, 4, 8, 16, 20], 'itemsize': 24})
    points = np.zeros(shape, dtype)
    points['x'], points['ring'], points['time'] = 1.5, 7, 0.25
    message = ranging.point_cloud(TYPES, seen.PointCloud(*HEAD, points, True), 'frame')
    check_header(message)
    assert [(f.name, f.offset, f.datatype, f.count) for f in message.fields] == [
        ('x', 0, PointField.FLOAT32, 1), ('y', 4, PointField.FLOAT32, 1),
        ('z', 8, PointField.FLOAT32, 1), ('ring', 16, PointField.UINT16, 1),
        ('time', 20, PointField.FLOAT32, 1)]
    assert (message.height, message.width) == ((1, *shape) if len(shape) == 1 else shape)
    assert (message.point_step, message.row_step) == (24, 24 * message.width)
    back = np.frombuffer(message.data, dtype).reshape(shape)
    assert np.array_equal(back['x'], points['x']) and np.array_equal(back['ring'], points['ring'])
    assert message.is_dense and not message.is_bigendian


def test_colours_of_points_are_called_a_float():
    points = np.zeros(1, [('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('rgb', '<u4')])
    message = ranging.point_cloud(TYPES, seen.PointCloud(*HEAD, points, False), 'frame')
    assert (message.fields[3].name, message.fields[3].datatype) == ('rgb', PointField.FLOAT32)


def test_colour_image():
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    message = camera.colour_image(TYPES, seen.Image(*HEAD, pixels, INFO), 'frame')
    check_header(message)
    assert (message.height, message.width, message.step) == (2, 4, 12)
    assert message.encoding == 'rgb8'
    assert bytes(message.data) == pixels.tobytes()


def depths(unit=0.0) -> Image:
    depth = np.array([[1.0, np.nan], [0.0015, 70.0]], np.float32)
    return camera.depth_image(TYPES, seen.DepthImage(*HEAD, depth, INFO, unit), 'frame')


def test_depth_in_metres():
    message = depths()
    assert (message.encoding, message.step) == ('32FC1', 8)
    values = np.frombuffer(message.data, np.float32)
    assert values[0] == 1.0 and np.isnan(values[1])


def test_depth_in_millimetres():
    message = depths(0.001)
    assert (message.encoding, message.step) == ('16UC1', 4)
    assert np.frombuffer(message.data, np.uint16).tolist() == [1000, 0, 2, 0]


def test_labels():
    label, thing = np.array([[1, 2], [3, 300]], np.uint16), np.array([[0, 9], [8, 7]], np.uint16)
    image = seen.LabelImage(*HEAD, label, thing, ('', 'wall'), np.zeros(0), INFO)
    channels = {each.ending: each for each in channels_of(CameraSpec(name='c', labels=True))}
    for ending, values in (('/labels', label), ('/instances', thing)):
        message = channels[ending].convert(TYPES, image, 'frame')
        check_header(message)
        assert (message.encoding, message.step) == ('mono16', 4)
        assert np.array_equal(np.frombuffer(message.data, np.uint16).reshape(2, 2), values)


def test_camera_info():
    message = camera.camera_info(TYPES, INFO, 'frame')
    check_header(message)
    assert (message.width, message.height, message.distortion_model) == (640, 480, 'plumb_bob')
    assert list(message.d) == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert message.k.tolist() == K.ravel().tolist()
    assert message.r.tolist() == np.eye(3).ravel().tolist()
    assert (message.p[0], message.p[2], message.p[6]) == (500.0, 320.0, 240.0)


def fix(kind):
    return seen.GnssFix(*HEAD, kind, 48.1, 11.5, 520.0, np.diag([4.0, 4.0, 16.0]),
                        np.array([1.0, 2.0, 3.0]), 0.01 * np.eye(3))


def test_position():
    message = navigation.nav_sat_fix(TYPES, fix(FixType.RTK), 'frame')
    check_header(message)
    assert (message.latitude, message.longitude, message.altitude) == (48.1, 11.5, 520.0)
    assert (message.status.status, message.status.service) == (2, 1)
    assert message.position_covariance.tolist() == [4.0, 0, 0, 0, 4.0, 0, 0, 0, 16.0]
    assert message.position_covariance_type == NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN
    velocity = navigation.gnss_velocity(TYPES, fix(FixType.RTK), 'frame')
    assert velocity.header.frame_id == 'enu'
    assert velocity.twist.twist.linear.z == 3.0
    assert velocity.twist.covariance[7] == 0.01 and velocity.twist.covariance[21] == -1.0


def test_no_position():
    message = navigation.nav_sat_fix(TYPES, fix(FixType.NONE), 'frame')
    assert message.status.status == -1
    assert message.position_covariance_type == NavSatFix.COVARIANCE_TYPE_UNKNOWN
    assert navigation.gnss_velocity(TYPES, fix(FixType.NONE), 'frame') is None


@pytest.mark.parametrize('distance', [
    pytest.param(1.5, id='something'), pytest.param(math.inf, id='nothing'),
    pytest.param(-math.inf, id='too close')])
def test_range(distance):
    message = ranging.range_reading(
        TYPES, seen.RangeSample(*HEAD, True, 0.5, 0.1, 4.0, distance), 'frame')
    check_header(message)
    assert (message.radiation_type, message.range) == (Range.INFRARED, distance)
    assert (message.min_range, message.max_range) == pytest.approx((0.1, 4.0))


def test_field_and_pressure():
    sample = seen.MagneticSample(*HEAD, np.array([1e-5, 2e-5, -4e-5]), 1e-14 * np.eye(3))
    field = navigation.magnetic_field(TYPES, sample, 'frame')
    check_header(field)
    assert field.magnetic_field.z == -4e-5 and field.magnetic_field_covariance[8] == 1e-14
    pressure = navigation.fluid_pressure(
        TYPES, seen.PressureSample(*HEAD, 101325.0, 25.0), 'frame')
    check_header(pressure)
    assert (pressure.fluid_pressure, pressure.variance) == (101325.0, 25.0)


def test_encoders_and_bumper():
    sample = seen.EncoderSample(*HEAD, ('left', 'right'), np.array([3, -4]),
                                np.array([0.3, -0.4]), np.array([1.0, -2.0]))
    message = navigation.joint_state(TYPES, sample, 'frame')
    check_header(message)
    assert message.name == ['left', 'right']
    assert (list(message.position), list(message.velocity)) == ([0.3, -0.4], [1.0, -2.0])
    contact = seen.ContactSample(*HEAD, True, np.zeros((1, 2)))
    assert navigation.contact(TYPES, contact, 'frame').data is True


@pytest.mark.parametrize('name', [
    pytest.param('Temperature', id='without package'),
    pytest.param('sensor_msgs/msg/Temperature', id='as on the graph'),
    pytest.param('sensor_msgs/temperature', id='small letter')])
def test_types_are_called_with_their_packages(name):
    with pytest.raises(PluginError, match=f"'{name}' is no type of a message.*sensor_msgs/Imu"):
        Channel('', name, navigation.fluid_pressure)


def test_types_that_are_not_there_are_named():
    with pytest.raises(MvsimError, match='no messages of the type no_msgs/msg/Heat: install the '
                                         'ROS package no_msgs'):
        TYPES.named('no_msgs/Heat')


@pytest.mark.parametrize('spec, endings', [
    pytest.param(CameraSpec(name='c'), ['/image_raw', '/camera_info'], id='camera'),
    pytest.param(CameraSpec(name='c', labels=True),
                 ['/image_raw', '/camera_info', '/labels', '/instances', '/label_info'],
                 id='labels'),
    pytest.param(CameraSpec(name='c', stereo_baseline=0.1),
                 ['/left/image_raw', '/left/camera_info', '/right/image_raw',
                  '/right/camera_info'], id='stereo'),
    pytest.param(RgbdCameraSpec(name='c', publish_ros_colored_pointcloud=True),
                 ['_rgb/image_raw', '_rgb/camera_info', '_depth/image_raw',
                  '_depth/camera_info', '_points'], id='rgbd'),
    pytest.param(RgbdCameraSpec(name='c', sense_rgb=False),
                 ['_depth/image_raw', '_depth/camera_info'], id='depth alone')])
def test_topics_of_cameras(spec, endings):
    assert [channel.ending for channel in channels_of(spec)] == endings


def test_bulk_data_is_one_block_of_memory():
    """A strided image comes out in its rows; a contiguous one is copied once, not by element."""
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)[::2]
    message = camera.colour_image(TYPES, seen.Image(*HEAD, pixels, INFO), 'frame')
    assert bytes(message.data) == pixels.tobytes()
    assert message.data.typecode == 'B'


@pytest.mark.parametrize(('kind', 'encoding', 'text'), [
    ('png', 'rgb8', 'rgb8; png compressed bgr8'), ('jpeg', 'rgb8', 'rgb8; jpeg compressed bgr8'),
    ('png', 'mono8', 'mono8; png compressed mono8'),
    ('png', 'bayer_rggb8', 'bayer_rggb8; png compressed bgr8')])
def test_images_are_compressed_beside_the_raw_ones(
        kind: str, encoding: str, text: str) -> None:
    spec = CameraSpec(name='c', ncols=64, nrows=48, renderer='cpu', compressed=kind,
                      encoding=encoding)
    simulation = Simulation(WorldSpec(sensors=(spec,)))
    image = simulation.measure('c')
    channels = {channel.ending: channel for channel in channels_of(spec)}
    channel = channels['/image_raw/compressed']
    assert channel.message_type == 'sensor_msgs/CompressedImage'
    message = message_of(channel, TYPES, image, 'pre_')
    assert message.format == text and message.header.frame_id == f'pre_{image.frame_id}'
    picture = Picture.open(BytesIO(bytes(message.data)))
    wanted = image.pixels if encoding == 'mono8' else image.rgb
    assert picture.format == kind.upper()
    assert np.abs(np.asarray(picture).astype(int) - wanted).mean() <= (0 if kind == 'png' else 2)


def test_nothing_is_compressed_unless_asked_for() -> None:
    assert all('compressed' not in channel.ending for channel in channels_of(
        CameraSpec(name='c')))


STAMP_NS = 3_020_000_001


def test_a_strided_array_is_packed_in_its_order() -> None:
    values = np.arange(10, dtype=np.float32)[::3]
    assert list(state_messages.packed(TYPES, values, np.float32)) == [0, 3, 6, 9]


@pytest.mark.parametrize('pose', [
    pytest.param(Pose(1.0, 2.0, 0.0, 0.7), id='planar'),
    pytest.param(Pose(1.0, 2.0, 3.0, -2.0, 0.4, -0.3), id='in space')])
def test_transform(pose: Pose) -> None:
    message = state_messages.transform(TYPES, STAMP_NS, 'odom', 'base_link', pose)
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'base_link')
    t, q = message.transform.translation, message.transform.rotation
    assert (t.x, t.y, t.z) == (pose.x, pose.y, pose.z)
    assert (q.x, q.y, q.z, q.w) == pytest.approx(pose.quaternion)


def test_occupancy_grid() -> None:
    values = np.array([[0, 100, -1], [100, 0, 0]], np.int8)
    message = state_messages.occupancy_grid(
        TYPES, OccupancyMap(values, 0.05, -1.0, -2.0), STAMP_NS, 'map')
    assert (message.info.width, message.info.height) == (3, 2)
    assert message.info.resolution == pytest.approx(0.05)
    assert (message.info.origin.position.x, message.info.origin.position.y) == (-1.0, -2.0)
    assert message.info.origin.orientation.w == 1.0
    assert list(message.data) == [0, 100, -1, 100, 0, 0]


def test_cells_on_map_are_free_occupied_or_unknown(tmp_path: Path) -> None:
    Picture.fromarray(np.array([[0, 60, 126, 129, 200, 255]], np.uint8)).save(tmp_path / 'map.png')
    (tmp_path / 'map.world.xml').write_text(
        '<mvsim_world><element class="occupancy_grid"><file>map.png</file></element>'
        '</mvsim_world>')
    world = load_world(tmp_path / 'map.world.xml')
    (solid,) = [element.occupancy.solid[0].tolist() for element in world.elements]
    cells = {topic: np.asarray(messages[0].data).tolist()
             for topic, kind, _, messages in state_messages.map_messages(
                 TYPES, world, 'map', 1, True)
             if kind == 'nav_msgs/OccupancyGrid'}
    # amcl and the static layer of Nav2 take 100 alone as a wall, and 0 alone as free
    assert cells['map'] == [100, 100, 100, -1, 0, 0]
    assert [cell == 100 for cell in cells['map']] == solid
    assert cells['simul_map'] == [99, 76, 51, 49, 22, 1]
