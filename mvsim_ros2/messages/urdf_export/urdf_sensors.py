# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Export of sensors as Gazebo tags, which `world_file.urdf_import` reads back."""

from collections.abc import Callable
from collections.abc import Mapping
import math
from typing import Any
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import SubElement

from mvsim_ros2.spec.sensors.air_and_field import BarometerSpec
from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec
from mvsim_ros2.spec.sensors.base import SensorSpec
from mvsim_ros2.spec.sensors.camera import CameraSpec
from mvsim_ros2.spec.sensors.camera import RgbdCameraSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import BumperSpec
from mvsim_ros2.spec.sensors.lidar import LaserSpec
from mvsim_ros2.spec.sensors.lidar import Lidar3dSpec
from mvsim_ros2.spec.sensors.navigation import GnssSpec
from mvsim_ros2.spec.sensors.navigation import ImuSpec
from mvsim_ros2.spec.sensors.range_finder import SonarSpec

Tags = Mapping[str, Any]  # tag -> text, number or child tags


def add_gazebo_tags(robot: Element, sensor: SensorSpec, link: str) -> None:
    """
    Add the Gazebo tag of a sensor, where Gazebo has one of its kind.

    :param link: of the sensor; for a camera the one with the optical axis along x.
    """
    writer = _WRITERS.get(type(sensor))
    if writer is None:
        return
    kind, tags = writer(sensor)
    node = SubElement(SubElement(robot, 'gazebo', reference=link), 'sensor', name=sensor.name,
                      type=kind)
    common = {'always_on': 'true', 'update_rate': 1.0 / sensor.sensor_period}
    _fill(node, common | ({'topic': sensor.topic} if sensor.topic else {}) | dict(tags))


def _fill(parent: Element, tags: Tags) -> None:
    for tag, content in tags.items():
        child = SubElement(parent, tag)
        if isinstance(content, Mapping):
            _fill(child, content)
        else:
            child.text = content if isinstance(content, str) else f'{content:.9g}'


def _noise(deviation: float) -> Tags:
    return {'noise': {'type': 'gaussian', 'mean': 0, 'stddev': deviation}}


def _rays(samples: int, low: float, high: float) -> Tags:
    return {'samples': samples, 'resolution': 1, 'min_angle': low, 'max_angle': high}


def _laser(sensor: LaserSpec) -> tuple[str, Tags]:
    return 'gpu_lidar', {'lidar': {
        'scan': {'horizontal': _rays(sensor.nrays, -0.5 * sensor.fov, 0.5 * sensor.fov)},
        'range': {'min': sensor.min_range, 'max': sensor.max_range},
        **_noise(sensor.range_std_noise)}}


def _lidar3d(sensor: Lidar3dSpec) -> tuple[str, Tags]:
    rings = sensor.vertical_ray_angles or (-0.5 * sensor.vert_fov, 0.5 * sensor.vert_fov)
    return 'gpu_lidar', {'lidar': {
        'scan': {
            'horizontal': _rays(sensor.horz_nrays, sensor.azimuth_min, sensor.azimuth_max),
            'vertical': _rays(sensor.vert_nrays, min(rings), max(rings))},
        'range': {'min': sensor.min_range, 'max': sensor.max_range},
        **_noise(sensor.range_std_noise)}}


def _picture(width: int, height: int, focal: float, near: float, far: float) -> Tags:
    return {'horizontal_fov': 2.0 * math.atan(0.5 * width / focal),
            'image': {'width': width, 'height': height}, 'clip': {'near': near, 'far': far}}


def _camera(sensor: CameraSpec) -> tuple[str, Tags]:
    names = ('k1', 'k2', 'p1', 'p2', 'k3')
    bent = {'distortion': dict(zip(names, sensor.distortion, strict=False))}
    return 'camera', {'camera': {
        **_picture(sensor.ncols, sensor.nrows, sensor.fx, sensor.clip_min, sensor.clip_max),
        **_noise(sensor.image_noise / 255.0), **(bent if sensor.distortion else {})}}


def _rgbd(sensor: RgbdCameraSpec) -> tuple[str, Tags]:
    return 'rgbd_camera' if sensor.sense_rgb else 'depth_camera', {'camera': {
        **_picture(sensor.depth_ncols, sensor.depth_nrows, sensor.depth_fx,
                   sensor.depth_clip_min, sensor.depth_clip_max),
        **_noise(sensor.depth_noise_sigma)}}


def _imu(sensor: ImuSpec) -> tuple[str, Tags]:
    quantities = (
        ('angular_velocity', sensor.angular_velocity_white_noise, sensor.angular_velocity_bias,
         sensor.angular_velocity_bias_noise),
        ('linear_acceleration', sensor.linear_acceleration_white_noise,
         sensor.linear_acceleration_bias, sensor.linear_acceleration_bias_noise))
    return 'imu', {'imu': {
        'enable_orientation': 'true' if sensor.measure_orientation else 'false',
        **{quantity: {axis: {'noise': {
            'type': 'gaussian', 'mean': 0, 'stddev': deviation, 'bias_mean': mean,
            'bias_stddev': spread}} for axis, mean in zip('xyz', bias, strict=True)}
           for quantity, deviation, bias, spread in quantities}}}


def _gnss(sensor: GnssSpec) -> tuple[str, Tags]:
    return 'navsat', {'navsat': {
        'position_sensing': {'horizontal': _noise(sensor.horizontal_std_noise),
                             'vertical': _noise(sensor.vertical_std_noise)},
        'velocity_sensing': {'horizontal': _noise(sensor.velocity_std_noise),
                             'vertical': _noise(sensor.velocity_std_noise)}}}


def _sonar(sensor: SonarSpec) -> tuple[str, Tags]:
    return 'sonar', {'sonar': {
        'min': sensor.min_range, 'max': sensor.max_range,
        'radius': sensor.max_range * math.tan(min(0.5 * sensor.fov, 1.5))}}


def _bumper(sensor: BumperSpec) -> tuple[str, Tags]:
    return 'contact', {}


def _magnetometer(sensor: MagnetometerSpec) -> tuple[str, Tags]:
    return 'magnetometer', {'magnetometer': {axis: _noise(sensor.std_noise) for axis in 'xyz'}}


def _barometer(sensor: BarometerSpec) -> tuple[str, Tags]:
    return 'air_pressure', {'air_pressure': {'pressure': _noise(sensor.std_noise)}}


_WRITERS: Mapping[type[SensorSpec], Callable[[Any], tuple[str, Tags]]] = {
    BarometerSpec: _barometer, BumperSpec: _bumper, CameraSpec: _camera, GnssSpec: _gnss,
    ImuSpec: _imu, LaserSpec: _laser, Lidar3dSpec: _lidar3d, MagnetometerSpec: _magnetometer,
    RgbdCameraSpec: _rgbd, SonarSpec: _sonar,
}
