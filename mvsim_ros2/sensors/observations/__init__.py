# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measurements of sensors, as plain data.

Every observation carries the name of its sensor (``'r1/laser1'``), the name of the
sensor's frame and the simulated time of the measured state in nanoseconds (for a LiDAR
the start of the scan). Frames follow REP-103, units are SI.

The tables of the classes say for each field its shape and dtype (a Python type where there is no
shape), its unit, and the frame it is in: that of the sensor (x forward), its optical frame (z
forward, x right), that of the vehicle, or east-north-up (ENU).
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
