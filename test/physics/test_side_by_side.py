# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that go side by side in a step do what each of them does alone, to the last bit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics import stepper
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.physical.side_sorts import one_by_one
from mvsim_ros2.random_streams import RandomStreams
from mvsim_ros2.spec.tyres.coulomb import DefaultTyre
from mvsim_ros2.spec.tyres.slip import MagicFormulaTyre
from mvsim_ros2.spec.tyres.soil import ClayTyre
from mvsim_ros2.spec.vehicle.brakes import BrakesSpec
from mvsim_ros2.spec.vehicle.controllers import RawController
from mvsim_ros2.spec.vehicle.controllers import TwistFrontSteerPidController
from mvsim_ros2.spec.vehicle.controllers import TwistPidController
from mvsim_ros2.spec.vehicle.dynamics import AckermannSpec
from mvsim_ros2.spec.vehicle.dynamics import Differential3Spec
from mvsim_ros2.spec.vehicle.dynamics import Differential4Spec
from mvsim_ros2.spec.vehicle.dynamics import DifferentialSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.spec.world import WorldSpec
