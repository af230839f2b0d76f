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
"""Commands of vehicles: which controller takes which, and what the kernels read of them."""

import math
from typing import Any

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.steering import ackermann_angles
from mvsim_ros2.physics.steering import angle_for_ideal_twist
from mvsim_ros2.physics.steering import angle_for_twist
from mvsim_ros2.physics.tyres.impulse import clamp
from mvsim_ros2.world.spec.controller import FrontSteerPidController
from mvsim_ros2.world.spec.controller import RawController
from mvsim_ros2.world.spec.controller import TwistPidController
from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.world.spec.dynamics import AckermannSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec


def command_name(vehicle: VehicleSpec) -> str:
    """Return the name of the function that commands a vehicle."""
    controller = vehicle.dynamics.controller
    if isinstance(controller, RawController):
        return 'set_torques'
    return 'set_steering' if isinstance(controller, FrontSteerPidController) else 'set_twist'


def require(vehicle: VehicleSpec, function: str) -> None:
    """
    Make sure that a vehicle is commanded by this function.

    :raises ControllerError: where it is not; says what to use.
    """
    known = command_name(vehicle)
    if known != function:
        what = {'set_twist': 'a twist', 'set_torques': 'torques',
                'set_steering': 'a steering angle'}[function]
        controller = vehicle.dynamics.controller
        raise ControllerError(
            f'vehicle {vehicle.name!r} does not take {what}: its controller is '
            f'{controller.XML_CLASS} ({controller.source}); use {known}, or another controller '
            'in the world file')


def command_initially(vehicle: VehicleSpec, record: Any) -> None:
    """
    Write the command of the world file into the record of a vehicle.

    The torques of the file are negative for forward, as in the original.
    """
    dynamics = vehicle.dynamics
    controller = dynamics.controller
    if isinstance(controller, TwistPidController):
        command_twist(record, controller.V, controller.W, 0.0)
    elif isinstance(controller, FrontSteerPidController):
        command_steering(record, controller.V, controller.STEER_ANG)
    elif isinstance(controller, RawController) and isinstance(dynamics, AckermannSpec):
        torques = (-controller.fl_torque, -controller.fr_torque)
        if isinstance(dynamics, AckermannDrivetrainSpec):
            torques = -controller.torque, 0.0
        command_torques(record, torques, controller.steer_ang)


def command_twist(record: Any, v: float, w: float, sideways: float) -> None:
    """Write velocities [m/s] and yaw rate [rad/s] into the record of a vehicle."""
    record['command_v'], record['command_w'], record['command_vy'] = v, w, sideways
    if record['steered']:
        wheelbase = record['wheelbase']
        if record['controller'] == TWIST_IDEAL:
            _steer(record, angle_for_ideal_twist(wheelbase, v, w, record['max_steer']))
        else:
            _steer(record, angle_for_twist(wheelbase, v, w))


def command_steering(record: Any, v: float, angle: float) -> None:
    """Write velocity [m/s] and steering angle [rad] into the record of a vehicle."""
    record['command_v'] = v
    record['command_w'] = v * math.tan(angle) / record['wheelbase']
    _steer(record, angle)


def command_torques(record: Any, torques: tuple[float, float], angle: float) -> None:
    """Write torques [N m] and steering angle [rad] into the record of a vehicle."""
    record['torque_left'], record['torque_right'] = torques
    if record['steered']:
        _steer(record, angle)


def _steer(record: Any, angle: float) -> None:
    record['steer_left'], record['steer_right'] = ackermann_angles(
        record['wheelbase'], record['front_track'], clamp(angle, record['max_steer']))
