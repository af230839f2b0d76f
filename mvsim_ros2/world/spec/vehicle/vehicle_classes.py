# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All classes of vehicles: what `<dynamics class="...">` can be."""

from mvsim_ros2.world.spec.vehicle.by_course import (
    FourWheelSteeringSpec, SingleTrackSpec, TricycleSpec)
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, Differential3Spec, Differential4Spec, DifferentialSpec)
from mvsim_ros2.world.spec.vehicle.omni import MecanumSpec, OmniSpec
from mvsim_ros2.world.spec.vehicle.skid_steer import SkidSteerSpec, TrackedSpec

DYNAMICS = (DifferentialSpec, Differential3Spec, Differential4Spec,
            AckermannSpec, AckermannDrivetrainSpec, SingleTrackSpec, SkidSteerSpec, TrackedSpec,
            OmniSpec, MecanumSpec, FourWheelSteeringSpec, TricycleSpec)
