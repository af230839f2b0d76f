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
"""What the classes of vehicles can have: controllers, and which torque drives which wheel."""

import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.layout import FRONT_PAIR
from mvsim_ros2.physics.layout import FRONT_STEER_PID
from mvsim_ros2.physics.layout import IN_LINE
from mvsim_ros2.physics.layout import LEFT
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.layout import OWN
from mvsim_ros2.physics.layout import PIDS
from mvsim_ros2.physics.layout import RAW
from mvsim_ros2.physics.layout import RIGHT
from mvsim_ros2.physics.layout import ROLLER_PID
from mvsim_ros2.physics.layout import ROLLERS
from mvsim_ros2.physics.layout import SIDES
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.layout import TWIST_PID
from mvsim_ros2.physics.tyres.law import LAWS
from mvsim_ros2.world.spec.controller import FrontSteerPidController
from mvsim_ros2.world.spec.controller import RawController
from mvsim_ros2.world.spec.controller import TwistFrontSteerPidController
from mvsim_ros2.world.spec.controller import TwistIdealController
from mvsim_ros2.world.spec.controller import TwistPidController
from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.world.spec.dynamics import AckermannSpec
from mvsim_ros2.world.spec.dynamics import Differential3Spec
from mvsim_ros2.world.spec.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.dynamics import SteeredSpec
from mvsim_ros2.world.spec.omni import MecanumSpec
from mvsim_ros2.world.spec.omni import OmniSpec
from mvsim_ros2.world.spec.single_track import SingleTrackSpec
from mvsim_ros2.world.spec.skid_steer import SkidSteerSpec
from mvsim_ros2.world.spec.skid_steer import TrackedSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec
from mvsim_ros2.world.spec.vehicle_classes import DYNAMICS

_ON_SIDES: dict[type, int] = {
    RawController: RAW, TwistPidController: TWIST_PID, TwistIdealController: TWIST_IDEAL}
_ON_ROLLERS = _ON_SIDES | {TwistPidController: ROLLER_PID}
_ON_DRIVETRAIN: dict[type, int] = {
    RawController: RAW, TwistFrontSteerPidController: FRONT_STEER_PID,
    FrontSteerPidController: FRONT_STEER_PID}
_ON_STEERED = _ON_DRIVETRAIN | {TwistIdealController: TWIST_IDEAL}

_DRIVEN_AXLES = {'front': (1.0, 0.0), 'rear': (0.0, 1.0), 'all': (0.5, 0.5)}


def form(dynamics: DynamicsSpec) -> int:
    """Return the number of the form of a vehicle: see `layout`."""
    if isinstance(dynamics, SingleTrackSpec):
        return IN_LINE
    if isinstance(dynamics, OmniSpec | MecanumSpec):
        return ROLLERS
    return FRONT_PAIR if isinstance(dynamics, AckermannSpec) else SIDES


def controllers(dynamics: DynamicsSpec) -> dict[type, int]:
    """Return the number of each controller that a vehicle can have."""
    if isinstance(dynamics, AckermannDrivetrainSpec):
        return _ON_DRIVETRAIN
    if isinstance(dynamics, SteeredSpec):
        return _ON_STEERED
    return _ON_ROLLERS if form(dynamics) == ROLLERS else _ON_SIDES


def drives(dynamics: DynamicsSpec) -> list[tuple[int, float]]:
    """
    Return for each wheel which torque drives it, and its share of that.

    A drivetrain shares one among all of them by its own rules.
    """
    count = len(dynamics.wheels)
    if isinstance(dynamics, AckermannDrivetrainSpec):
        return [(NONE, 0.0)] * count
    if isinstance(dynamics, AckermannSpec):
        return [(NONE, 0.0), (NONE, 0.0), (LEFT, 1.0), (RIGHT, 1.0)]
    if isinstance(dynamics, Differential3Spec):
        return [(LEFT, 1.0), (RIGHT, 1.0), (NONE, 0.0)]
    if isinstance(dynamics, SingleTrackSpec):
        return [(LEFT if share else NONE, share) for share in _DRIVEN_AXLES[dynamics.driven]]
    if isinstance(dynamics, OmniSpec | MecanumSpec):
        raw = isinstance(dynamics.controller, RawController)
        return [(OWN if raw else NONE, 1.0)] * count
    if isinstance(dynamics, SkidSteerSpec | TrackedSpec):
        sides = [LEFT if wheel.pos[1] > 0.0 else RIGHT for wheel in dynamics.wheels]
        return [(side, 1.0 / sides.count(side) if dynamics.tied else 1.0) for side in sides]
    return [(LEFT if k % 2 == 0 else RIGHT, 1.0) for k in range(count)]


def torques_taken(dynamics: DynamicsSpec) -> int:
    """Return how many torques command a vehicle with the controller `raw`."""
    if isinstance(dynamics, AckermannDrivetrainSpec | SingleTrackSpec):
        return 1
    return len(dynamics.wheels) if form(dynamics) == ROLLERS else 2


def check(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle is possible and of a kind that is built here.

    :raises PhysicsError: where it is not; says where and what there is.
    """
    dynamics = vehicle.dynamics
    _check_kind(vehicle, 'vehicle class', dynamics, dict.fromkeys(DYNAMICS))
    _check_kind(vehicle, 'controller', dynamics.controller, controllers(dynamics))
    _check_kind(vehicle, 'friction model', vehicle.friction, {law.spec: law for law in LAWS})
    if isinstance(dynamics, SteeredSpec):
        _check_steering(vehicle, dynamics)
    if form(dynamics) == ROLLERS:
        _check_rollers(vehicle)
        return
    if isinstance(dynamics, SkidSteerSpec) and not (dynamics.l_wheels and dynamics.r_wheels):
        raise PhysicsError(
            f'{dynamics.source}: vehicle {vehicle.name!r} of class {dynamics.XML_CLASS!r} needs '
            'wheels on both sides: give it at least one <l_wheel> and one <r_wheel>')
    left, right = dynamics.wheels[:2]
    if isinstance(dynamics, SingleTrackSpec):
        if left.pos[0] <= right.pos[0]:
            raise PhysicsError(
                f'{left.source}: the front axle of vehicle {vehicle.name!r} is at x = '
                f'{left.pos[0]}, not before the rear axle at x = {right.pos[0]}: exchange them')
    elif isinstance(dynamics, AckermannSpec):
        if left.pos[1] == right.pos[1]:  # exchanged ones do no harm
            raise PhysicsError(
                f'{left.source}: both rear wheels of vehicle {vehicle.name!r} are at y = '
                f'{left.pos[1]}: put them on both sides')
        if dynamics.f_wheels_x <= left.pos[0]:
            raise PhysicsError(
                f'{dynamics.source}: the front wheels of vehicle {vehicle.name!r} are at x = '
                f'{dynamics.f_wheels_x}, not before the rear left wheel at x = {left.pos[0]}: '
                'make f_wheels_x larger')
    elif left.pos[1] <= right.pos[1]:
        raise PhysicsError(
            f'{left.source}: the left wheel of vehicle {vehicle.name!r} is at y = {left.pos[1]}, '
            f'not to the left of the right wheel at y = {right.pos[1]}: exchange them')
    if isinstance(dynamics, SkidSteerSpec):
        for side, wheels in ((1.0, dynamics.l_wheels), (-1.0, dynamics.r_wheels)):
            for wheel in wheels:
                if wheel.pos[1] * side <= 0.0:
                    raise PhysicsError(
                        f'{wheel.source}: a wheel of vehicle {vehicle.name!r} is at y = '
                        f'{wheel.pos[1]}, on the wrong side: y is positive for <l_wheel>, '
                        'negative for <r_wheel>')
        if dynamics.common_speed:
            for wheels in (dynamics.l_wheels, dynamics.r_wheels):
                if len({(wheel.diameter, *wheel.pos[1:]) for wheel in wheels}) > 1:
                    raise PhysicsError(
                        f'{dynamics.source}: the wheels of a side of vehicle {vehicle.name!r} '
                        'turn at one speed: give them one diameter, one y and one yaw')


def _check_steering(vehicle: VehicleSpec, dynamics: SteeredSpec) -> None:
    angles = [('max_steer_ang_deg', dynamics.max_steer_ang)]
    if isinstance(dynamics, SingleTrackSpec):
        angles.append(('max_rear_steer_ang_deg', dynamics.max_rear_steer_ang))
    for name, angle in angles:
        if not angle < 0.5 * math.pi - 0.01:
            raise PhysicsError(
                f'{dynamics.source}: {name} of vehicle {vehicle.name!r} is '
                f'{math.degrees(angle):g}: give an angle below 89 degrees')


def _check_rollers(vehicle: VehicleSpec) -> None:
    dynamics = vehicle.dynamics
    count = len(dynamics.wheels)
    if not 3 <= count <= PIDS:
        raise PhysicsError(
            f'{dynamics.source}: vehicle {vehicle.name!r} of class {dynamics.XML_CLASS!r} has '
            f'{count} wheels: give it from 3 to {PIDS}')
    controller = dynamics.controller
    if isinstance(controller, TwistPidController) and controller.enable_feedforward:
        raise PhysicsError(
            f'{controller.source}: vehicle {vehicle.name!r} of class {dynamics.XML_CLASS!r} has '
            'no feed-forward: leave out enable_feedforward')


def _check_kind(vehicle: VehicleSpec, what: str, part: Any, known: dict[type, Any]) -> None:
    if type(part) not in known:
        raise PhysicsError(
            f'{part.source}: vehicle {vehicle.name!r} of class '
            f'{vehicle.dynamics.XML_CLASS!r} has the {what} {part.XML_CLASS!r}, which it cannot '
            f'have; use {" or ".join(repr(getattr(kind, "XML_CLASS")) for kind in known)}')
