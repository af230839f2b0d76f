# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scene and motion to measurements; one file per sensor."""

from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.scene.camera_view import CameraFrame
    from mvsim_ros2.scene.camera_view import CameraView
    from mvsim_ros2.sensors.base import Sensor
    from mvsim_ros2.sensors.base import SensorFrame
    from mvsim_ros2.sensors.observations import CameraInfo
    from mvsim_ros2.sensors.observations import ContactSample
    from mvsim_ros2.sensors.observations import DepthImage
    from mvsim_ros2.sensors.observations import EncoderSample
    from mvsim_ros2.sensors.observations import Events
    from mvsim_ros2.sensors.observations import FixType
    from mvsim_ros2.sensors.observations import GnssFix
    from mvsim_ros2.sensors.observations import Image
    from mvsim_ros2.sensors.observations import ImuSample
    from mvsim_ros2.sensors.observations import LabelImage
    from mvsim_ros2.sensors.observations import LaserScan2D
    from mvsim_ros2.sensors.observations import MagneticSample
    from mvsim_ros2.sensors.observations import Observation
    from mvsim_ros2.sensors.observations import PointCloud
    from mvsim_ros2.sensors.observations import PressureSample
    from mvsim_ros2.sensors.observations import RadarDetections
    from mvsim_ros2.sensors.observations import RangeSample
    from mvsim_ros2.sensors.observations import RgbdImages
    from mvsim_ros2.sensors.observations import StereoImages
    from mvsim_ros2.sensors.observations import ThermalImage
    from mvsim_ros2.sensors.observations import UwbRanges
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'CameraFrame', 'CameraInfo', 'CameraView', 'ContactSample', 'DepthImage', 'EncoderSample',
    'Events', 'FixType', 'GnssFix', 'Image', 'ImuSample', 'LabelImage', 'LaserScan2D',
    'MagneticSample', 'Observation', 'PointCloud', 'PressureSample', 'RadarDetections',
    'RangeSample', 'RgbdImages', 'Sensor', 'SensorFrame', 'StereoImages', 'ThermalImage',
    'UwbRanges',
]
