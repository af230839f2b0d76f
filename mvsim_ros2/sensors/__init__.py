# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scene and motion to measurements; a file for each sensor or two that share one."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.scene.camera_view import CameraFrame, CameraView
    from mvsim_ros2.sensors.base import Mount, Sensor, SensorFrame
    from mvsim_ros2.sensors.body_state import BodyState
    from mvsim_ros2.sensors.model import SensorModel
    from mvsim_ros2.sensors.observations import (
        BatterySample, CameraInfo, ContactSample, DepthImage, EncoderSample, Events, FixType,
        GnssFix, Image, ImuSample, JointSample, LabelImage, LaserScan2D, LineSample,
        MagneticSample, Observation, PointCloud, PressureSample, RadarDetections, RangeSample,
        RfidReadings, RgbdImages, StereoImages, ThermalImage, UwbRanges, WrenchSample)
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'BatterySample', 'BodyState', 'CameraFrame', 'CameraInfo', 'CameraView', 'ContactSample',
    'DepthImage', 'EncoderSample', 'Events', 'FixType', 'GnssFix', 'Image', 'ImuSample',
    'JointSample', 'LabelImage', 'LaserScan2D', 'LineSample', 'MagneticSample', 'Mount',
    'Observation', 'PointCloud', 'PressureSample', 'RadarDetections', 'RangeSample',
    'RfidReadings', 'RgbdImages', 'Sensor', 'SensorFrame', 'SensorModel', 'StereoImages',
    'ThermalImage', 'UwbRanges', 'WrenchSample',
]
