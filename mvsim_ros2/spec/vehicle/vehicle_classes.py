# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All classes of vehicles: what `<dynamics class="...">` can be."""

from mvsim_ros2.spec.vehicle.by_course import FourWheelSteeringSpec
from mvsim_ros2.spec.vehicle.by_course import TricycleSpec
from mvsim_ros2.spec.vehicle.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.spec.vehicle.dynamics import AckermannSpec
from mvsim_ros2.spec.vehicle.dynamics import Differential3Spec
from mvsim_ros2.spec.vehicle.dynamics import Differential4Spec
from mvsim_ros2.spec.vehicle.dynamics import DifferentialSpec
from mvsim_ros2.spec.vehicle.omni import MecanumSpec
from mvsim_ros2.spec.vehicle.omni import OmniSpec
from mvsim_ros2.spec.vehicle.single_track import SingleTrackSpec
from mvsim_ros2.spec.vehicle.skid_steer import SkidSteerSpec
from mvsim_ros2.spec.vehicle.skid_steer import TrackedSpec

DYNAMICS = (DifferentialSpec, Differential3Spec, Differential4Spec,
            AckermannSpec, AckermannDrivetrainSpec, SingleTrackSpec, SkidSteerSpec, TrackedSpec,
            OmniSpec, MecanumSpec, FourWheelSteeringSpec, TricycleSpec)
