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
"""All vehicles of a world: their state in arrays, their commands and odometry."""

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.layout import FROM_MOTION
from mvsim_ros2.physics.layout import FROM_WHEELS
from mvsim_ros2.physics.layout import LEFT
from mvsim_ros2.physics.layout import MOTION
from mvsim_ros2.physics.layout import NOISE_STEPS
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.layout import ODOMETER
from mvsim_ros2.physics.layout import PID
from mvsim_ros2.physics.layout import RAW
from mvsim_ros2.physics.layout import RIGHT
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.layout import TWIST_PID
from mvsim_ros2.physics.layout import VEHICLE
from mvsim_ros2.physics.layout import WHEEL
from mvsim_ros2.physics.odometry import Odometry
from mvsim_ros2.physics.odometry import reading
from mvsim_ros2.world.spec.controller import RawController
from mvsim_ros2.world.spec.controller import TwistIdealController
from mvsim_ros2.world.spec.controller import TwistPidController
from mvsim_ros2.world.spec.dynamics import Differential3Spec
from mvsim_ros2.world.spec.dynamics import Differential4Spec
from mvsim_ros2.world.spec.dynamics import DifferentialSpec
from mvsim_ros2.world.spec.tyre import DefaultTyre
from mvsim_ros2.world.spec.vehicle import VehicleSpec

Array = NDArray[np.float64]

# which torque drives each wheel
_SIDES: dict[type, tuple[int, ...]] = {
    DifferentialSpec: (LEFT, RIGHT),
    Differential3Spec: (LEFT, RIGHT, NONE),
    Differential4Spec: (LEFT, RIGHT, LEFT, RIGHT),
}
_CONTROLLERS: dict[type, int] = {
    RawController: RAW, TwistPidController: TWIST_PID, TwistIdealController: TWIST_IDEAL}


@dataclass
class VehicleArrays:
    """State of all vehicles, one row each."""

    records: Any  # parameters and commands, structured `VEHICLE`
    pids: Array  # (V, 2, PID)
    pose: Array  # (V, 6) x y z yaw pitch roll of the reference point, world frame
    twist_body: Array  # (V, 3) vx vy wz of the reference point, body frame
    acceleration_body: Array  # (V, 3) of the reference point over the last step, body axes
    velocity: Array  # (V, 3) vx vy of the reference point in the world frame, wz
    odometers: Array  # (V, ODOMETER)
    before: Array  # (V, 3) x y yaw when the odometers last moved
    noise: Array  # (V, 2, NOISE_STEPS)
    motion: Array  # (V, MOTION) of the bodies
    wrench: Array  # (V, 3) on the bodies
    collided: NDArray[np.bool_]  # (V,) since last taken


def _empty() -> VehicleArrays:
    return VehicleArrays(
        np.zeros(0, VEHICLE), np.zeros((0, 2, PID)), np.zeros((0, 6)), np.zeros((0, 3)),
        np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, ODOMETER)), np.zeros((0, 3)),
        np.zeros((0, 2, NOISE_STEPS)), np.zeros((0, MOTION)), np.zeros((0, 3)),
        np.zeros(0, bool))


class Vehicles:
    """
    All vehicles, in the order of the world file.

    The arrays are replaced when a vehicle is added or removed: read them from here each time.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all vehicles."""
        self.names: list[str] = []
        self.specs: list[VehicleSpec] = []
        self.bodies: list[Any] = []
        self.arrays = _empty()
        self.wheels: Any = np.zeros(0, WHEEL)
        self.wheel_start: NDArray[np.int64] = np.zeros(1, np.int64)

    def __len__(self) -> int:
        """Return the number of vehicles."""
        return len(self.names)

    @property
    def pose(self) -> Array:
        """Pose x y z yaw pitch roll of the reference points in the world, shape (V, 6)."""
        return self.arrays.pose

    @property
    def twist_body(self) -> Array:
        """Velocity vx vy wz of the reference points in the body frames, shape (V, 3)."""
        return self.arrays.twist_body

    @property
    def acceleration_body(self) -> Array:
        """
        Change of the velocity over the last step, shape (V, 3) [m/s^2, rad/s^2].

        World velocity of the reference point, expressed in body axes, and yaw rate.
        """
        return self.arrays.acceleration_body

    @property
    def collided(self) -> NDArray[np.bool_]:
        """Whether each vehicle came near another body since this was last taken."""
        return self.arrays.collided

    def index(self, name: str) -> int:
        """
        Return the row of a vehicle.

        :raises PhysicsError: where there is none of this name.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise PhysicsError(f'there is no vehicle {name!r}, only '
                               f'{", ".join(self.names) or "none"}') from None

    def take_collided(self, i: int) -> bool:
        """Return whether vehicle `i` came near another body since this was last asked."""
        collided = bool(self.arrays.collided[i])
        self.arrays.collided[i] = False
        return collided

    def accepts_twist(self, i: int) -> bool:
        """Return whether the controller of vehicle `i` takes a twist."""
        return bool(self.arrays.records['controller'][i] != RAW)

    def set_twist(self, i: int, vx: float, wz: float, vy: float = 0.0) -> None:
        """
        Command a velocity [m/s] and a yaw rate [rad/s], body frame.

        :param vy: sideways velocity, which only the ideal controller follows.
        :raises ControllerError: where the controller takes no twist, or the numbers are not
            finite.
        """
        if not self.accepts_twist(i):
            raise ControllerError(self._refusal(i, 'a twist', 'set_torques'))
        self._check_finite(i, (vx, wz, vy))
        record = self.arrays.records[i]
        record['command_v'], record['command_w'], record['command_vy'] = vx, wz, vy

    def set_torques(self, i: int, torques: Any) -> None:
        """
        Command the torques of the left and of the right wheels [N m], forward positive.

        :param torques: two numbers, left and right.
        :raises ControllerError: where the controller is not raw, or these are not two finite
            numbers.
        """
        if self.accepts_twist(i):
            raise ControllerError(self._refusal(i, 'torques', 'set_twist'))
        values = np.asarray(torques, float).ravel()
        if len(values) != 2:
            raise ControllerError(f'vehicle {self.names[i]!r} takes 2 torques, left and right, '
                                  f'not {len(values)}')
        self._check_finite(i, tuple(values))
        record = self.arrays.records[i]
        record['torque_left'], record['torque_right'] = values

    def set_steering(self, i: int, v: float, angle: float) -> None:
        """
        Command a velocity [m/s] and a steering angle [rad].

        :raises ControllerError: always: no vehicle class of this mode is steered.
        """
        known = 'set_twist' if self.accepts_twist(i) else 'set_torques'
        raise ControllerError(self._refusal(i, f'a steering angle ({v} m/s, {angle} rad)', known))

    def _refusal(self, i: int, what: str, instead: str) -> str:
        controller = self.specs[i].dynamics.controller
        return (f'vehicle {self.names[i]!r} does not take {what}: its controller is '
                f'{controller.XML_CLASS} ({controller.source}); use {instead}, or another '
                'controller in the world file')

    def _check_finite(self, i: int, values: tuple[float, ...]) -> None:
        if not all(math.isfinite(value) for value in values):
            raise ControllerError(f'command {values} of vehicle {self.names[i]!r} is not finite')

    def odometry(self, i: int) -> Odometry:
        """Return what the odometer of vehicle `i` says."""
        record = self.arrays.records[i]
        return reading(self.arrays.odometers[i], (
            float(record['walk_distance']), float(record['walk_turn']),
            float(record['walk_drift'])))

    def add(self, spec: VehicleSpec, body: Any, dt: float, gravity: float, pose: Pose) -> None:
        """Append a vehicle that stands at `pose`, with what Box2D made of it."""
        new = _empty()
        for name, value in vars(new).items():
            setattr(new, name, np.zeros((1, *value.shape[1:]), value.dtype))
        new.records[0] = tuple(_record(spec, body, dt, gravity).values())
        new.pose[0] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        for name, value in vars(self.arrays).items():
            setattr(self.arrays, name, np.concatenate([value, getattr(new, name)]))
        wheels = _wheels(spec, gravity)
        self.wheels = np.concatenate([self.wheels, wheels])
        self.wheel_start = np.append(self.wheel_start, self.wheel_start[-1] + len(wheels))
        self.names.append(spec.name)
        self.specs.append(spec)
        self.bodies.append(body)

    def remove(self, i: int) -> Any:
        """Take vehicle `i` out and return its body."""
        first, last = self.wheel_start[i], self.wheel_start[i + 1]
        self.wheels = np.delete(self.wheels, slice(first, last))
        self.wheel_start = np.delete(self.wheel_start, i + 1)
        self.wheel_start[i + 1:] -= last - first
        for name, value in vars(self.arrays).items():
            setattr(self.arrays, name, np.delete(value, i, axis=0))
        del self.names[i], self.specs[i]
        return self.bodies.pop(i)

    def start_rolling(self, i: int, twist: tuple[float, float, float]) -> None:
        """Forget what the controller of vehicle `i` remembers, let its wheels roll along."""
        self.arrays.pids[i] = 0.0
        vx, vy, w = twist
        wheels = self.wheels[self.wheel_start[i]:self.wheel_start[i + 1]]
        wheels['omega'] = (np.cos(wheels['toe']) * (vx - w * wheels['y'])
                           + np.sin(wheels['toe']) * (vy + w * wheels['x'])) / wheels['radius']

    def snapshot(self) -> dict[str, Any]:
        """Return a copy of all state."""
        return {'wheels': self.wheels.copy(),
                **{name: value.copy() for name, value in vars(self.arrays).items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back the state of a `snapshot` of the same vehicles."""
        self.wheels[:] = state['wheels']
        for name, value in vars(self.arrays).items():
            value[:] = state[name]


def check(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle is of a kind that is built here.

    :raises PhysicsError: where it is not; says where and what there is.
    """
    dynamics = vehicle.dynamics
    for what, part, known in (
            ('vehicle class', dynamics, _SIDES), ('controller', dynamics.controller, _CONTROLLERS),
            ('friction model', vehicle.friction, {DefaultTyre: 0})):
        if type(part) not in known:
            raise PhysicsError(
                f'{part.source}: vehicle {vehicle.name!r} has the {what} {part.XML_CLASS!r}, '
                'which is not built yet; use '
                f'{" or ".join(repr(getattr(kind, "XML_CLASS")) for kind in known)}')
    left, right = dynamics.wheels[:2]
    if left.pos[1] <= right.pos[1]:
        raise PhysicsError(
            f'{left.source}: the left wheel of vehicle {vehicle.name!r} is at y = {left.pos[1]}, '
            f'not to the left of the right wheel at y = {right.pos[1]}: exchange them')


def _wheels(vehicle: VehicleSpec, gravity: float) -> Any:
    """Return the records of the wheels of a vehicle, at rest."""
    dynamics, tyre = vehicle.dynamics, vehicle.friction
    assert isinstance(tyre, DefaultTyre)  # see `check`
    wheels = np.zeros(len(dynamics.wheels), WHEEL)
    share = dynamics.chassis.mass / len(wheels)
    for record, wheel, side in zip(wheels, dynamics.wheels, _SIDES[type(dynamics)], strict=True):
        record['x'], record['y'], record['toe'] = wheel.pos
        record['side'] = side
        record['mass'], record['radius'], record['inertia'] = (
            wheel.mass, wheel.radius, wheel.spin_inertia)
        record['carried'] = share + wheel.mass
        record['normal_load'] = record['carried'] * gravity
        record['mu'], record['damping'], record['rolling'] = tyre.mu, tyre.C_damping, tyre.C_rr
    return wheels


def _record(vehicle: VehicleSpec, body: Any, dt: float, gravity: float) -> dict[str, float]:
    """Return parameters and initial command of a vehicle."""
    dynamics, odometry = vehicle.dynamics, vehicle.odometry
    controller = dynamics.controller
    left, right = dynamics.wheels[:2]
    values = dict.fromkeys(VEHICLE.names or (), 0.0)
    values.update(
        controller=_CONTROLLERS[type(controller)],
        odometry=FROM_WHEELS if odometry.source_kind == 'wheels' else FROM_MOTION,
        com_x=body.localCenter.x, com_y=body.localCenter.y, track=left.pos[1] - right.pos[1],
        x_factor=odometry.x_multiplier, y_factor=odometry.y_multiplier,
        yaw_factor=odometry.yaw_multiplier, walk_distance=odometry.linear_std_noise,
        walk_turn=odometry.yaw_std_noise, walk_drift=odometry.yaw_drift_std_noise)
    if isinstance(controller, TwistPidController):
        radius = sum(wheel.radius for wheel in dynamics.wheels) / len(dynamics.wheels)
        values.update(
            command_v=controller.V, command_w=controller.W, kp=controller.KP, ki=controller.KI,
            kd=controller.KD, derivative_filter=controller.N, max_torque=controller.max_torque,
            antiwindup=controller.enable_antiwindup,
            filter_order=controller.reference_filter_order)
        if controller.enable_feedforward:
            values['slope_torque'] = (
                controller.feedforward_gain * dynamics.chassis.mass * gravity * radius / 2)
        if controller.enable_reference_filter:
            values['filter_keep'] = math.exp(-dt / controller.reference_filter_tau)
    return values
