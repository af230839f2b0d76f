# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All classes of sensors."""

from mvsim_ros2.spec.sensors.air_and_field import BarometerSpec
from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec
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

SENSORS = (LaserSpec, Lidar3dSpec, CameraSpec, RgbdCameraSpec, ImuSpec, GnssSpec,
           WheelEncodersSpec, BumperSpec, SonarSpec, InfraredSpec, MagnetometerSpec,
           BarometerSpec)
