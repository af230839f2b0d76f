# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The topics of each kind of sensor, and the conversion of its observations to messages.

A new kind of sensor is an entry in `CHANNELS`.
"""

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
from functools import reduce
from types import MappingProxyType
from typing import Any

from mvsim_ros2.messages import sensor_messages as messages
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.spec.sensors.air_and_field import BarometerSpec
from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec
from mvsim_ros2.spec.sensors.base import SensorSpec
from mvsim_ros2.spec.sensors.camera import CameraSpec
from mvsim_ros2.spec.sensors.camera import RgbdCameraSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import BumperSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import WheelEncodersSpec
from mvsim_ros2.spec.sensors.lidar import LaserSpec
from mvsim_ros2.spec.sensors.lidar import Lidar3dSpec
from mvsim_ros2.spec.sensors.navigation import GnssSpec
from mvsim_ros2.spec.sensors.navigation import ImuSpec
from mvsim_ros2.spec.sensors.range_finder import InfraredSpec
from mvsim_ros2.spec.sensors.range_finder import SonarSpec


@dataclass(frozen=True)
class Channel:
    """One topic of a sensor."""

    ending: str  # of the topic, after the prefix of the sensor
    message_type: str  # name, without its package
    # classes of messages, a part of the observation, and its frame -> message or None
    convert: Callable[[MessageTypes, Any, str], Any]
    part: tuple[str, ...] = ()  # path of that part: attributes of the observation


def _camera(spec: Any) -> tuple[Channel, ...]:
    cameras = ((('/left', ('left',)), ('/right', ('right',))) if spec.stereo_baseline
               else (('', ()),))
    return tuple(channel for name, part in cameras
                 for channel in _colour(name, part, spec.labels))


def _rgbd(spec: Any) -> tuple[Channel, ...]:
    channels: tuple[Channel, ...] = ()
    if spec.sense_rgb:
        channels += _colour('_rgb', ('colour',), spec.labels)
    if spec.sense_depth and spec.publish_ros_depth_image:
        channels += (Channel('_depth/image_raw', 'Image', messages.depth_image, ('depth',)),
                     Channel('_depth/camera_info', 'CameraInfo', messages.camera_info,
                             ('depth', 'info')))
    if spec.sense_depth and spec.publish_ros_colored_pointcloud:
        channels += (Channel('_points', 'PointCloud2', messages.point_cloud, ('cloud',)),)
    return channels


def _colour(name: str, part: tuple[str, ...], labels: bool) -> tuple[Channel, ...]:
    """Return the channels of a colour image, one part of an observation."""
    channels: tuple[Channel, ...] = (
        Channel(f'{name}/image_raw', 'Image', messages.colour_image, part),
        Channel(f'{name}/camera_info', 'CameraInfo', messages.camera_info, (*part, 'info')))
    if labels:
        channels += (
            Channel(f'{name}/labels', 'Image', messages.label_image, (*part, 'labels')),
            Channel(f'{name}/instances', 'Image', messages.instance_image, (*part, 'labels')))
    return channels


def _always(*channels: Channel) -> Callable[[Any], tuple[Channel, ...]]:
    return lambda spec: channels


_RANGE = _always(Channel('', 'Range', messages.range_reading))

# class of the spec -> function that returns the channels of one sensor
CHANNELS: Mapping[type[SensorSpec], Callable[[Any], tuple[Channel, ...]]] = MappingProxyType({
    LaserSpec: _always(Channel('', 'LaserScan', messages.laser_scan)),
    Lidar3dSpec: _always(Channel('_points', 'PointCloud2', messages.point_cloud)),
    CameraSpec: _camera,
    RgbdCameraSpec: _rgbd,
    ImuSpec: _always(Channel('', 'Imu', messages.imu)),
    GnssSpec: _always(
        Channel('', 'NavSatFix', messages.nav_sat_fix),
        Channel('/velocity', 'TwistWithCovarianceStamped', messages.gnss_velocity)),
    WheelEncodersSpec: _always(Channel('', 'JointState', messages.joint_state)),
    BumperSpec: _always(Channel('', 'Bool', messages.contact)),
    SonarSpec: _RANGE,
    InfraredSpec: _RANGE,
    MagnetometerSpec: _always(Channel('', 'MagneticField', messages.magnetic_field)),
    BarometerSpec: _always(Channel('', 'FluidPressure', messages.fluid_pressure)),
})


def message_of(channel: Channel, types: MessageTypes, observation: Observation,
               frame_prefix: str) -> Any:
    """
    Return the message of one topic of a sensor, None where it has no data.

    :param types: classes of messages.
    :param frame_prefix: of the frames of the observation.
    """
    part: Any = reduce(_attribute, channel.part, observation)
    return None if part is None else channel.convert(types, part, frame_prefix + part.frame_id)


def _attribute(thing: Any, name: str) -> Any:
    return None if thing is None else getattr(thing, name)


def channels_of(spec: SensorSpec) -> tuple[Channel, ...]:
    """Return the channels of a sensor; a single one has exactly the topic of the world file."""
    channels = CHANNELS[type(spec)](spec)
    if spec.topic and len(channels) == 1:
        return (replace(channels[0], ending=''),)
    return channels
