# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Vehicles with steered wheels: two in front, with or without a drivetrain, or axles in line."""

import math

from mvsim_ros2.physics.forms import DRIVETRAIN
from mvsim_ros2.physics.forms import FRONT_PAIR
from mvsim_ros2.physics.forms import IN_LINE
from mvsim_ros2.physics.layout import ALL_WHEELS
from mvsim_ros2.physics.layout import FRONT_WHEELS
from mvsim_ros2.physics.layout import LEFT
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.layout import REAR_WHEELS
from mvsim_ros2.physics.layout import RIGHT
from mvsim_ros2.physics.vehicle_classes.record import Drive
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.world.spec.dynamics import AckermannSpec
from mvsim_ros2.world.spec.dynamics import SteeredSpec
from mvsim_ros2.world.spec.single_track import SingleTrackSpec

_DRIVEN = {'front': FRONT_WHEELS, 'rear': REAR_WHEELS, '4wd': ALL_WHEELS}
_DRIVEN_AXLES = {'front': (1.0, 0.0), 'rear': (0.0, 1.0), 'all': (0.5, 0.5)}


def steering(dynamics: SteeredSpec, dt: float) -> dict[str, float]:
    """
    Return the parameters of the actuator of a steering.

    :param dt: step [s].
    """
    values = {'steered': 1.0, 'first_steered': float(dynamics.steered_wheels[0]),
              'max_steer': dynamics.max_steer_ang}
    if dynamics.steer_rate is not None or dynamics.steer_lag > 0.0:
        values |= {'steer_takes_time': 1.0, 'steer_change': (dynamics.steer_rate or 0.0) * dt}
        if dynamics.steer_lag > 0.0:
            values['steer_keep'] = math.exp(-dt / dynamics.steer_lag)
    return values


def _ackermann(dynamics: AckermannSpec, dt: float) -> dict[str, float]:
    return steering(dynamics, dt) | {
        'wheelbase': dynamics.f_wheels_x - dynamics.rl_wheel.pos[0],
        'front_track': dynamics.f_wheels_d}


def _drivetrain(dynamics: AckermannDrivetrainSpec, dt: float) -> dict[str, float]:
    drivetrain = dynamics.drivetrain
    kind, driven = drivetrain.kind.split('_')
    return _ackermann(dynamics, dt) | {
        'drivetrain': _DRIVEN[driven], 'locks': float(kind == 'torsen'),
        'torsen_tbr': drivetrain.torsen_tbr or 0.0,
        'front_rear_split': drivetrain.front_rear_split,
        'front_rear_bias': drivetrain.front_rear_bias,
        'front_split': drivetrain.front_left_right_split,
        'front_bias': drivetrain.front_left_right_bias,
        'rear_split': drivetrain.rear_left_right_split,
        'rear_bias': drivetrain.rear_left_right_bias}


def _in_line(dynamics: SingleTrackSpec, dt: float) -> dict[str, float]:
    values = steering(dynamics, dt) | {
        'wheelbase': dynamics.f_wheel.pos[0] - dynamics.r_wheel.pos[0],
        'rear_x': dynamics.r_wheel.pos[0], 'max_rear_steer': dynamics.max_rear_steer_ang}
    if dynamics.max_rear_steer_ang > 0.0:
        values['rear_ratio'] = dynamics.rear_steer_ratio
    return values


def _front(dynamics: AckermannSpec) -> list[Drive]:
    return [(NONE, 0.0), (NONE, 0.0), (LEFT, 1.0), (RIGHT, 1.0)]


def _none(dynamics: AckermannDrivetrainSpec) -> list[Drive]:
    return [(NONE, 0.0)] * len(dynamics.wheels)


def _axles(dynamics: SingleTrackSpec) -> list[Drive]:
    return [(LEFT if share else NONE, share) for share in _DRIVEN_AXLES[dynamics.driven]]


CLASSES = (
    VehicleClass(AckermannSpec, FRONT_PAIR, _front, _ackermann),
    VehicleClass(AckermannDrivetrainSpec, DRIVETRAIN, _none, _drivetrain),
    VehicleClass(SingleTrackSpec, IN_LINE, _axles, _in_line),
)
