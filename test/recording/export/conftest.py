# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A bag whose every number is known, written by another hand than that of the recorder."""

from collections.abc import Callable
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

MakeBag = Callable[..., Path]

SPEED, TURN = 1.0, 0.5  # m/s, rad/s: the robot drives a circle from the origin
LIDAR = 0.2, 0.0, 0.8  # on the base [m], axes as those of the base
CAMERA = 0.3, 0.1, 0.5  # on the base [m], looks along x
BASELINE = 0.12  # m, to the right camera
IMU = 0.0, 0.0, 0.3, 90.0  # on the base [m, degrees of yaw]
FOCAL, WIDTH, HEIGHT = 100.0, 32, 24
PLACES = np.array([[5.0, 1.0, 0.3], [4.0, -2.0, 1.0], [-3.0, 2.0, 0.5], [0.5, 6.0, 2.0]])


def base_at(time: float) -> np.ndarray:
    """Return the pose of the base, a homogeneous matrix."""
    yaw, radius = TURN * time, SPEED / TURN
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0, radius * s], [s, c, 0, radius * (1 - c)],
                     [0, 0, 1, 0], [0, 0, 0, 1.0]])


def at_place(x: float, y: float, z: float) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


class Writer:
    """Writes the messages of one robot."""

    def __init__(self, path: Path, prefix: str, skip: tuple[str, ...],
                 lens: tuple[float, ...]) -> None:
        from rosbags.rosbag2 import StoragePlugin, Writer as BagWriter
        from rosbags.typesys import get_typestore, Stores

        self.store = get_typestore(Stores.ROS2_JAZZY)
        self.types = {name.rpartition('/')[2]: kind for name, kind in self.store.types.items()
                      if name.split('/')[0] in ('builtin_interfaces', 'geometry_msgs', 'nav_msgs',
                                                'sensor_msgs', 'std_msgs', 'tf2_msgs')}
        self.bag = BagWriter(path, version=9, storage_plugin=StoragePlugin.MCAP)
        self.prefix, self.skip, self.lens = prefix, skip, lens
        self.one_frame = True  # messages of the right camera are in the frame of the left one
        self.connections: dict[str, Any] = {}

    def write(self, topic: str, time: float, message: Any) -> None:
        if topic in self.skip:
            return
        if topic not in self.connections:
            self.connections[topic] = self.bag.add_connection(
                f'/{self.prefix}{topic}', message.__msgtype__, typestore=self.store)
        self.bag.write(self.connections[topic], round(time * 1e9),
                       self.store.serialize_cdr(message, message.__msgtype__))

    def header(self, time: float, frame: str) -> Any:
        ns = round(time * 1e9)
        return self.types['Header'](
            self.types['Time'](ns // 1_000_000_000, ns % 1_000_000_000), frame)

    def odometry(self, time: float) -> None:
        t = self.types
        pose, half = base_at(time), 0.5 * TURN * time
        self.write('base_pose_ground_truth', time, t['Odometry'](
            self.header(time, 'map'), 'base_link', t['PoseWithCovariance'](
                t['Pose'](t['Point'](*pose[:3, 3]), t['Quaternion'](
                    0.0, 0.0, math.sin(half), math.cos(half))), np.zeros(36)),
            t['TwistWithCovariance'](t['Twist'](t['Vector3'](SPEED, 0.0, 0.0), t['Vector3'](
                0.0, 0.0, TURN)), np.zeros(36))))

    def fixed(self) -> None:
        """Write where the sensors are."""
        t = self.types
        x, y, z = CAMERA
        yaw = math.radians(IMU[3])
        frames = [
            ('lidar', LIDAR, (0.0, 0.0, 0.0, 1.0)),
            ('imu', IMU[:3], (0.0, 0.0, math.sin(0.5 * yaw), math.cos(0.5 * yaw))),
            ('left_optical', CAMERA, (-0.5, 0.5, -0.5, 0.5)),
            ('right_optical', (x, y - BASELINE, z), (-0.5, 0.5, -0.5, 0.5))]
        self.write('tf_static', 0.0, t['TFMessage']([t['TransformStamped'](
            self.header(0.0, 'base_link'), child, t['Transform'](
                t['Vector3'](*place), t['Quaternion'](*turn))) for child, place, turn in frames]))

    def scan(self, start: float) -> None:
        """Write a scan of the places, each seen 20 ms after the one before, and of nothing."""
        t = self.types
        kind = np.dtype([('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('intensity', '<f4'),
                         ('ring', '<u2'), ('time', '<f4')])
        points = np.zeros(len(PLACES) + 1, kind)
        for k, place in enumerate(PLACES):
            seen = np.linalg.inv(base_at(start + 0.02 * k) @ at_place(*LIDAR)) @ [*place, 1.0]
            points[k] = (*seen[:3], 7.0 + k, k, 0.02 * k)
        points[-1] = (np.nan, np.nan, np.nan, 0.0, 0, 0.09)
        numbers = {'<f4': 7, '<u2': 4}
        fields = [t['PointField'](name, kind.fields[name][1], numbers[kind[name].str], 1)
                  for name in kind.names]
        self.write('lidar_points', start + 0.1, t['PointCloud2'](
            self.header(start, 'lidar'), 1, len(points), fields, False, kind.itemsize,
            points.nbytes, np.frombuffer(points.tobytes(), np.uint8), False))

    def image(self, camera: str, kind: str, time: float, frame: str, pixels: np.ndarray,
              encoding: str) -> None:
        self.write(f'{camera}/{kind}', time, self.types['Image'](
            self.header(time, frame), pixels.shape[0], pixels.shape[1], encoding, 0,
            pixels.strides[0], np.frombuffer(pixels.tobytes(), np.uint8)))

    def camera(self, side: str, time: float) -> None:
        """Write an image, its calibration, and its labels: one block before a wall."""
        own = 'left' if self.one_frame else side
        t, frame, name = self.types, f'{own}_optical', f'stereo/{side}'
        pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        pixels[..., 0] = round(time * 100)
        labels, things = np.full((2, HEIGHT, WIDTH), 2, '<u2')  # a wall
        labels[5:9, 10:13], things[5:9, 10:13] = 3, 9
        self.image(name, 'image_raw', time, frame, pixels, 'rgb8')
        self.image(name, 'labels', time, frame, labels, 'mono16')
        self.image(name, 'instances', time, frame, things, 'mono16')
        k = np.array([FOCAL, 0, 15.5, 0, FOCAL, 11.5, 0, 0, 1.0])
        p = np.insert(k, [3, 6, 9], 0.0)
        p[3] = -FOCAL * BASELINE if side == 'right' else 0.0
        self.write(f'{name}/camera_info', time, t['CameraInfo'](
            self.header(time, frame), HEIGHT, WIDTH, 'plumb_bob', np.array(self.lens), k,
            np.eye(3).ravel(), p, 0, 0, t['RegionOfInterest'](0, 0, 0, 0, False)))

    def imu(self, time: float) -> None:
        t = self.types
        self.write('imu', time, t['Imu'](
            self.header(time, 'imu'), t['Quaternion'](0.0, 0.0, 0.0, 1.0), np.zeros(9),
            t['Vector3'](0.0, 0.0, TURN), 0.002 ** 2 * np.eye(3).ravel(),
            t['Vector3'](SPEED * TURN, 0.0, 9.81), 0.02 ** 2 * np.eye(3).ravel()))

    def run(self) -> None:
        """Write 1.3 s, in the order of time."""
        self.fixed()
        for k in range(1, 261):
            time = 0.005 * k
            self.imu(time)
            self.odometry(time)
            if k % 20 == 0 and k <= 240:
                for side in ('left', 'right'):
                    self.camera(side, time + 0.01)
                self.scan(time)


@pytest.fixture
def bag(tmp_path: Path) -> MakeBag:
    """Return a maker of bags, of one robot or several."""
    pytest.importorskip('rosbags', reason='rosbags is not installed')

    def make(prefixes: tuple[str, ...] = ('',), skip: tuple[str, ...] = (),
             lens: tuple[float, ...] = (0.1, 0.0, 0.0, 0.0, 0.0), one_frame: bool = True) -> Path:
        path = tmp_path / 'bag'
        writer = Writer(path, prefixes[0], skip, lens)
        writer.one_frame = one_frame
        with writer.bag:
            for prefix in prefixes:
                writer.prefix, writer.connections = prefix, {}
                writer.run()
        return path

    return make
