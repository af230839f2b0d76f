# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measurements of sensors, as plain data.

Every observation has the name of its sensor (``'r1/laser1'``), the name of its frame and the
simulated time of the measured state in nanoseconds. For a LiDAR this is the start of the scan.
Frames follow REP-103, units are SI.

The tables of the classes give shape and dtype of each field (a Python type without a shape), its
unit and its frame. This is the frame of the sensor (x forward), its optical frame (z forward, x
right), the frame of the vehicle, or east-north-up (ENU).
"""

from mvsim_ros2.sensors.observations.base import Observation
from mvsim_ros2.sensors.observations.body import (
    BatterySample, JointSample, LineSample, RfidReadings, WrenchSample)
from mvsim_ros2.sensors.observations.camera import (
    CameraInfo, DepthImage, Events, Image, LabelImage, RgbdImages, StereoImages, ThermalImage)
from mvsim_ros2.sensors.observations.lidar import (
    LaserScan2D, PointCloud, RadarDetections, RangeSample)
from mvsim_ros2.sensors.observations.navigation import (
    ContactSample, EncoderSample, FixType, GnssFix, ImuSample, MagneticSample, PressureSample,
    UwbRanges)

__all__ = [
    'BatterySample', 'CameraInfo', 'ContactSample', 'DepthImage', 'EncoderSample', 'Events',
    'FixType', 'GnssFix', 'Image', 'ImuSample', 'JointSample', 'LabelImage', 'LaserScan2D',
    'LineSample', 'MagneticSample', 'Observation', 'PointCloud', 'PressureSample',
    'RadarDetections', 'RangeSample', 'RfidReadings', 'RgbdImages', 'StereoImages', 'ThermalImage',
    'UwbRanges', 'WrenchSample',
]
