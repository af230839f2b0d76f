# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags of other programs are shown without a world: odometry, frames, scans, clouds, images."""

from io import BytesIO
import math

import numpy as np
from PIL import Image as Picture
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import get_typestore, Stores

from mvsim_ros2.cli import main
from mvsim_ros2.errors import WindowError
from mvsim_ros2.sensors.observations import Image, LaserScan2D, PointCloud
from mvsim_ros2.window.replay.foreign import read_foreign
from mvsim_ros2.window.replay.playback import Playback

STORE = get_typestore(Stores.ROS2_JAZZY)
START = 1_700_000_000  # s
SECONDS = 4


def a(kind, /, **values):
    """Return a message."""
    return STORE.types[kind](**values)


def header(time, frame):
    stamp = a('builtin_interfaces/msg/Time', sec=START + int(time), nanosec=round(time % 1 * 1e9))
    return a('std_msgs/msg/Header', stamp=stamp, frame_id=frame)


def vector(x=0.0, y=0.0, z=0.0, kind='Vector3'):
    return a(f'geometry_msgs/msg/{kind}', x=x, y=y, z=z)


def turn(yaw):
    return a('geometry_msgs/msg/Quaternion', x=0.0, y=0.0, z=math.sin(0.5 * yaw),
             w=math.cos(0.5 * yaw))


def tf(time, parent, child, x, y, z, yaw):
    move = a('geometry_msgs/msg/Transform', translation=vector(x, y, z), rotation=turn(yaw))
    return a('tf2_msgs/msg/TFMessage', transforms=[a(
        'geometry_msgs/msg/TransformStamped', header=header(time, parent), child_frame_id=child,
        transform=move)])


def odometry(time):
    pose = a('geometry_msgs/msg/Pose', position=vector(time, 0.0, 0.0, 'Point'),
             orientation=turn(0.0))
    twist = a('geometry_msgs/msg/Twist', linear=vector(1.0), angular=vector())
    return a('nav_msgs/msg/Odometry', header=header(time, 'odom'), child_frame_id='base_link',
             pose=a('geometry_msgs/msg/PoseWithCovariance', pose=pose, covariance=np.zeros(36)),
             twist=a('geometry_msgs/msg/TwistWithCovariance', twist=twist,
                     covariance=np.zeros(36)))


def scan(time):
    return a('sensor_msgs/msg/LaserScan', header=header(time, 'laser'), angle_min=-1.0,
             angle_max=1.0, angle_increment=1.0, time_increment=0.0, scan_time=0.1, range_min=0.1,
             range_max=9.0, ranges=np.array([2, 3, 4], np.float32),
             intensities=np.zeros(0, np.float32))


def cloud(time):
    fields = [a('sensor_msgs/msg/PointField', name=name, offset=4 * k, datatype=7, count=1)
              for k, name in enumerate('xyz')]
    points = np.arange(12, dtype=np.float32).reshape(4, 3)
    return a('sensor_msgs/msg/PointCloud2', header=header(time, 'laser'), height=1, width=4,
             fields=fields, is_bigendian=False, point_step=12, row_step=48,
             data=np.frombuffer(points.tobytes(), np.uint8), is_dense=True)


def image(time):
    return a('sensor_msgs/msg/Image', header=header(time, 'eye'), height=2, width=960,
             encoding='bgr8', is_bigendian=0, step=2880,
             data=np.tile(np.array([255, 0, 0], np.uint8), 1920))


def compressed(time):
    data = BytesIO()
    Picture.new('RGB', (4, 2), (0, 255, 0)).save(data, 'png')
    return a('sensor_msgs/msg/CompressedImage', header=header(time, 'eye'), format='png',
             data=np.frombuffer(data.getvalue(), np.uint8))


ALL = {'/odom': odometry, '/scan': scan, '/points': cloud, '/eye/image_raw': image,
       '/eye/compressed': compressed}
MAPPED = {  # as localization has it: map, odom, base_link
    '/tf': lambda time: tf(time, 'odom', 'base_link', time, 0.0, 0.0, 0.0),
    '/tf_static': lambda time: tf(0.0, 'base_link', 'laser', 0.5, 0.0, 0.2, math.pi)}
LOCATED = MAPPED | {'/tf/of_map': lambda time: tf(time, 'map', 'odom', 0.0, 10.0, 0.0, math.pi)}


def write(folder, makers):
    """Write a bag with a message of each topic every 0.1 s."""
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        topics = {}
        for step in range(10 * SECONDS + 1):
            for name, make in makers.items():
                message = make(0.1 * step)
                kind = message.__msgtype__
                if name not in topics:
                    topics[name] = writer.add_connection(name, kind, typestore=STORE)
                writer.write(topics[name], START * 10 ** 9 + step * 10 ** 8,
                             bytes(STORE.serialize_cdr(message, kind)))
    return str(folder)


@pytest.mark.parametrize(('makers', 'end', 'laser'), [
    pytest.param({}, (4.0, 0.0), (0.0, 0.0), id='odometry'),
    pytest.param(MAPPED, (4.0, 0.0), (4.5, 0.0), id='frames'),
    pytest.param(LOCATED, (-4.0, 10.0), (-4.5, 10.0), id='map')])
def test_a_bag_moves_and_measures(tmp_path, makers, end, laser):
    recording = read_foreign(write(tmp_path / 'b', ALL | makers))
    assert (recording.start, recording.end) == pytest.approx((0.0, SECONDS))
    (track,) = recording.tracks.values()
    assert track.poses[-1, :2] == pytest.approx(end, abs=1e-6)
    last = {each.observation.sensor: each for each in recording.last_seen(SECONDS)}
    assert list(last) == [f'base_link/{name}' for name in (
        'scan', 'points', 'eye_image_raw', 'eye_compressed')]
    scans, clouds, images, packed = (each.observation for each in last.values())
    assert isinstance(scans, LaserScan2D) and scans.ranges.tolist() == [2, 3, 4]
    assert isinstance(clouds, PointCloud) and clouds.points['z'].tolist() == [2, 5, 8, 11]
    assert isinstance(images, Image) and images.rgb.shape == (1, 480, 3)
    assert images.rgb[0, 0].tolist() == [0, 0, 255] and isinstance(packed, Image)
    assert packed.rgb[0, 0].tolist() == [0, 255, 0]
    place = last['base_link/scan'].carrier
    assert (place.x, place.y) == pytest.approx(laser, abs=1e-6)
    frame = Playback([recording]).frame(2.0, with_scene=True)
    assert frame.vehicles['base_link'].pose.x == pytest.approx(0.5 * end[0])


def test_what_cannot_be_shown_is_said(tmp_path, caplog):
    strange = dict(ALL, **{'/eye/image_raw': lambda time: a(
        'sensor_msgs/msg/Image', header=header(time, 'eye'), height=1, width=1,
        encoding='yuv422', is_bigendian=0, step=2, data=np.zeros(2, np.uint8))})
    recording = read_foreign(write(tmp_path / 'b', strange))
    assert 'base_link/eye_image_raw' not in recording.seen
    assert "/eye/image_raw is not shown: images of encoding 'yuv422'" in caplog.text
    assert 'without its world' in caplog.text
    empty = write(tmp_path / 'c', {'/note': lambda time: a('std_msgs/msg/String', data='x')})
    with pytest.raises(WindowError, match='there is nothing to show'):
        read_foreign(empty)


def test_the_window_plays_it_and_writes_a_page(tmp_path, capsys):
    bag = write(tmp_path / 'b', ALL | MAPPED)
    assert main(['view', bag, '--no-browser', '--duration', '0.3', '--speed', '5']) == 0
    page = tmp_path / 'page.html'
    assert main(['view', bag, '--export', str(page)]) == 0
    assert page.stat().st_size > 10_000
    assert 'frames' in capsys.readouterr().out
