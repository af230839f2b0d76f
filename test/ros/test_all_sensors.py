# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""One of each sensor on the ROS graph: the real node, a real client."""

from collections.abc import Callable, Iterator
from typing import Any

from geometry_msgs.msg import TwistWithCovarianceStamped
import numpy as np
import pytest
from rclpy.qos import qos_profile_sensor_data
from ros_client import Client, running, WORLDS
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import (
    CameraInfo, FluidPressure, Image, Imu, JointState, LaserScan, MagneticField, NavSatFix,
    PointCloud2, Range)
from std_msgs.msg import Bool
from tf2_msgs.msg import TFMessage

from mvsim_ros2.sensors.navigation.air_and_field import standard_pressure

TOPICS = {
    '/scan': LaserScan, '/top_points': PointCloud2, '/eye/image_raw': Image,
    '/eye/camera_info': CameraInfo, '/eye/labels': Image, '/eye/instances': Image,
    '/depth_rgb/image_raw': Image, '/depth_rgb/camera_info': CameraInfo,
    '/depth_depth/image_raw': Image, '/depth_depth/camera_info': CameraInfo,
    '/depth_points': PointCloud2, '/imu': Imu, '/gnss': NavSatFix,
    '/gnss/velocity': TwistWithCovarianceStamped, '/wheels': JointState,
    '/joint_states': JointState, '/bumper': Bool, '/sonar': Range, '/infrared': Range,
    '/compass': MagneticField, '/barometer': FluidPressure, '/post_points': PointCloud2}
OPTICAL = (-0.5, 0.5, -0.5, 0.5)  # quaternion of z forward, x right, y down


@pytest.fixture(scope='module')
def graph(domain: int) -> Iterator[Client]:
    with running(domain, f'world:={WORLDS}/all_sensors.world.xml') as client:
        client.listen(Clock, '/clock')
        client.wait('the clock', lambda: client.heard['/clock'])
        client.listen(TFMessage, '/tf_static')
        for topic, kind in TOPICS.items():
            client.listen(kind, topic, qos_profile_sensor_data)
        for topic in ('/tf_static', *TOPICS):
            client.wait(topic, lambda topic=topic: client.heard[topic])
        yield client


def last(graph: Client, topic: str) -> Any:
    return graph.heard[topic][-1]


def points(message: PointCloud2) -> Any:
    columns = []
    for name in ('x', 'y', 'z'):
        field = next(each for each in message.fields if each.name == name)
        words = np.frombuffer(bytes(message.data), np.uint8).reshape(-1, message.point_step)
        columns.append(words[:, field.offset:field.offset + 4].copy().view(np.float32)[:, 0])
    return np.stack(columns, axis=1)


def pixels(message: Image, dtype: type[np.generic]) -> Any:
    return np.frombuffer(bytes(message.data), dtype).reshape(message.height, message.width, -1)


def test_all_topics_are_there(graph: Client) -> None:
    there = dict(graph.node.get_topic_names_and_types())
    for topic, kind in TOPICS.items():
        package, name = kind.__module__.split('.')[0], kind.__name__
        assert there[topic] == [f'{package}/msg/{name}']


def test_frames_of_all_sensors(graph: Client) -> None:
    fixed = {each.child_frame_id: each for message in graph.heard['/tf_static']
             for each in message.transforms}
    parents = {name: each.header.frame_id for name, each in fixed.items()}
    assert parents == {
        'base_link': 'base_footprint', 'laser': 'base_link', 'top': 'base_link',
        'eye': 'base_link', 'eye_optical_frame': 'eye', 'depth': 'base_link',
        'depth_color_optical_frame': 'depth', 'depth_depth_optical_frame': 'depth',
        'box': 'base_link', 'gnss': 'base_link', 'wheels': 'base_link', 'bumper': 'base_link',
        'sonar': 'base_link', 'infrared': 'base_link', 'compass': 'base_link',
        'barometer': 'base_link', 'post': 'map', 'enu': 'map', 'l_wheel_steering': 'base_link',
        'r_wheel_steering': 'base_link'}
    for name in ('eye_optical_frame', 'depth_color_optical_frame', 'depth_depth_optical_frame'):
        q = fixed[name].transform.rotation
        assert abs(np.dot((q.x, q.y, q.z, q.w), OPTICAL)) == pytest.approx(1.0)
    for topic in TOPICS.keys() - {'/bumper'}:
        assert last(graph, topic).header.frame_id in parents


def test_points_lie_on_the_wall(graph: Client) -> None:
    """
    Points of a LiDAR on the ROS graph lie on the wall within 0.1 mm.

    :reference: the wall in the world
    """
    cloud = points(last(graph, '/top_points'))
    ahead = cloud[(np.abs(cloud[:, 1]) < 1.0) & (cloud[:, 0] > 3.0) & (cloud[:, 2] > 0.0)]
    assert len(ahead) > 20
    assert ahead[:, 0] == pytest.approx(4.0, abs=1e-4)
    names = [field.name for field in last(graph, '/top_points').fields]
    assert names[:3] == ['x', 'y', 'z'] and 'intensity' in names and 'ring' in names


def test_points_of_a_sensor_in_the_world(graph: Client) -> None:
    cloud = points(last(graph, '/post_points'))
    ahead = cloud[(np.abs(cloud[:, 1]) < 1.0) & (cloud[:, 0] > 3.5) & (cloud[:, 2] > -0.5)]
    assert ahead[:, 0] == pytest.approx(7.0, abs=1e-4)


def test_images_show_the_wall(graph: Client) -> None:
    image = pixels(last(graph, '/eye/image_raw'), np.uint8)
    assert last(graph, '/eye/image_raw').encoding == 'rgb8' and image.shape == (48, 64, 3)
    red, green, _ = image[20, 32]
    assert red > 60 and green < red / 2
    info = last(graph, '/eye/camera_info')
    assert (info.k[0], info.k[2], info.p[0], info.r[0]) == (50.0, 31.5, 50.0, 1.0)
    labels = pixels(last(graph, '/eye/labels'), np.uint16)
    assert last(graph, '/eye/labels').encoding == 'mono16'
    assert labels[20, 32] != labels[47, 32]  # the wall, and the floor in front of it


def test_depth_of_the_wall(graph: Client) -> None:
    message = last(graph, '/depth_depth/image_raw')
    assert message.encoding in ('16UC1', '32FC1')
    unit, dtype = (1e-3, np.uint16) if message.encoding == '16UC1' else (1.0, np.float32)
    assert pixels(message, dtype)[20, 32, 0] * unit == pytest.approx(3.9, abs=1e-3)
    cloud = points(last(graph, '/depth_points')).reshape(48, 64, 3)
    assert cloud[20, 32, 2] == pytest.approx(3.9, abs=1e-3)  # optical: z is forward
    assert last(graph, '/depth_points').header.frame_id == 'depth_depth_optical_frame'


def test_stamps_of_a_camera_agree(graph: Client) -> None:
    stamps = [{(m.header.stamp.sec, m.header.stamp.nanosec) for m in graph.heard[topic]}
              for topic in ('/eye/image_raw', '/eye/camera_info', '/eye/labels')]
    assert set.intersection(*stamps)


def test_small_sensors(graph: Client) -> None:
    fix = last(graph, '/gnss')
    assert (fix.latitude, fix.longitude) == pytest.approx((48.137154, 11.576124), abs=1e-6)
    assert (fix.status.status, fix.status.service) == (2, 1)
    assert fix.position_covariance[0] == pytest.approx(1e-4)
    assert last(graph, '/gnss/velocity').twist.covariance[0] > 0.0
    assert set(last(graph, '/wheels').name) <= set(last(graph, '/joint_states').name)
    assert last(graph, '/wheels').name == ['l_wheel_joint', 'r_wheel_joint']
    assert not last(graph, '/bumper').data
    assert last(graph, '/sonar').range == pytest.approx(3.8, abs=2e-3)
    assert last(graph, '/infrared').range == np.inf
    field = last(graph, '/compass').magnetic_field
    assert field.y > 1e-5 and field.z < -3e-5  # north and down, in Munich
    assert last(graph, '/barometer').fluid_pressure == pytest.approx(standard_pressure(519.0))
    assert last(graph, '/imu').linear_acceleration.z == pytest.approx(9.81, abs=0.2)


@pytest.mark.parametrize('topic, reading', [
    pytest.param('/imu', lambda m: (m.angular_velocity, m.linear_acceleration), id='imu'),
    pytest.param('/gnss', lambda m: (m.latitude, m.longitude, m.altitude), id='gnss'),
    pytest.param('/compass', lambda m: m.magnetic_field, id='compass')])
def test_noise_can_be_switched_at_run_time(
        graph: Client, topic: str, reading: Callable[[Any], Any]) -> None:
    def repeats() -> bool:
        return bool(reading(graph.fresh(topic)) == reading(graph.fresh(topic)))

    assert not graph.put(sensor_noise=False)
    graph.wait('readings that repeat', repeats)
    assert not graph.put(sensor_noise=True)
    graph.wait('readings that do not', lambda: not repeats())
