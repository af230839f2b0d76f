# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
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
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.engine.body_access import BodyView
from mvsim_ros2.physics.engine.box2d_world import turn_wheels
from mvsim_ros2.physics.engine.far_places import keep
from mvsim_ros2.physics.engine.far_places import PLACE
from mvsim_ros2.physics.engine.far_places import recall
from mvsim_ros2.physics.state.alike import Records
from mvsim_ros2.physics.state.growing import appended
from mvsim_ros2.physics.state.record_layout import MOTION
from mvsim_ros2.physics.state.record_layout import NOISE_STEPS
from mvsim_ros2.physics.state.record_layout import ODOMETER
from mvsim_ros2.physics.state.record_layout import PID
from mvsim_ros2.physics.state.record_layout import PIDS
from mvsim_ros2.physics.state.record_layout import VEHICLE
from mvsim_ros2.physics.state.record_layout import WHEEL
from mvsim_ros2.physics.state.vehicle_records import vehicle_record
from mvsim_ros2.physics.state.vehicle_records import wheel_records
from mvsim_ros2.physics.vehicle.brakes import brake_torques
from mvsim_ros2.physics.vehicle.commands import command_initially
from mvsim_ros2.physics.vehicle.commands import command_joints
from mvsim_ros2.physics.vehicle.commands import command_steering
from mvsim_ros2.physics.vehicle.commands import command_torques
from mvsim_ros2.physics.vehicle.commands import command_twist
from mvsim_ros2.physics.vehicle.commands import is_kept
from mvsim_ros2.physics.vehicle.commands import require
from mvsim_ros2.physics.vehicle.commands import taken
from mvsim_ros2.physics.vehicle.commands import torques_taken
from mvsim_ros2.physics.vehicle.commands import wheel_angles
from mvsim_ros2.physics.vehicle.odometry import Odometry
from mvsim_ros2.physics.vehicle.odometry import reading
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec

Array = NDArray[np.float64]


@dataclass
class VehicleArrays:
    """State of all vehicles, one row each."""

    records: Any  # parameters and commands, structured `VEHICLE`
    pids: Array  # (V, PIDS, PID)
    pose: Array  # (V, 6) x y z yaw pitch roll of the reference point, world frame
    twist_body: Array  # (V, 3) vx vy wz of the reference point, body frame
    acceleration_body: Array  # (V, 3) of the reference point over the last step, body axes
    velocity: Array  # (V, 3) vx vy of the reference point in the world frame, wz
    odometers: Array  # (V, ODOMETER)
    before: Array  # (V, 3) x y yaw when the odometers last moved
    noise: Array  # (V, 2, NOISE_STEPS)
    motion: Array  # (V, MOTION) of the bodies
    places: Array  # (V, PLACE) of those far from the origin: see `far_places`
    wrench: Array  # (V, 3) on the bodies
    collided: NDArray[np.bool_]  # (V,) since last taken


def _empty(count: int = 0) -> VehicleArrays:
    return VehicleArrays(
        np.zeros(count, VEHICLE), np.zeros((count, PIDS, PID)), np.zeros((count, 6)),
        np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)),
        np.zeros((count, ODOMETER)), np.zeros((count, 3)), np.zeros((count, 2, NOISE_STEPS)),
        np.zeros((count, MOTION)), np.zeros((count, PLACE)),
        np.zeros((count, 3)), np.zeros(count, bool))


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
        self._numbers: dict[str, int] = {}  # by name
        self.specs: list[VehicleSpec] = []
        self.bodies: list[Any] = []
        self._turned: list[tuple[float, ...]] = []  # steering angles of the wheel boxes
        self.arrays = _empty()
        self._room = _empty()  # memory of which the arrays are the beginning
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

    def __contains__(self, name: str) -> bool:
        """Return whether there is a vehicle of this name."""
        return name in self._numbers

    def index(self, name: str) -> int:
        """
        Return the row of a vehicle.

        :raises PhysicsError: where there is none of this name.
        """
        try:
            return self._numbers[name]
        except KeyError:
            raise PhysicsError(f'there is no vehicle {name!r}, only '
                               f'{", ".join(self.names) or "none"}') from None

    def take_collided(self, i: int) -> bool:
        """Return whether vehicle `i` came near another body since this was last asked."""
        collided = bool(self.arrays.collided[i])
        self.arrays.collided[i] = False
        return collided

    def accepts_twist(self, i: int) -> bool:
        """Return whether the controller of vehicle `i` takes a twist."""
        return Command.TWIST in taken(self.specs[i])

    def keeps_twist(self, i: int) -> bool:
        """Return whether a twist of vehicle `i` is kept in its record, and turns no wheel."""
        return self.accepts_twist(i) and is_kept(self.specs[i], self.arrays.records[i])

    def set_twist(self, i: int, vx: float, wz: float, vy: float = 0.0) -> None:
        """
        Command a velocity [m/s] and a yaw rate [rad/s], body frame.

        :param vy: sideways velocity, which only wheels with rollers, a steered rear axle and
            the ideal controller follow.
        :raises ControllerError: where the controller takes no twist, or the numbers are not
            finite.
        """
        require(self.specs[i], Command.TWIST)
        self._check_finite(i, (vx, wz, vy))
        command_twist(self.specs[i], self.arrays.records[i], self._own(i), vx, wz, vy)
        self._turn_wheels(i)

    def drive_along(self, i: int, v: float, w: float) -> None:
        """Give vehicle `i`, which takes no commands, velocity [m/s] and yaw rate [rad/s]."""
        command_twist(self.specs[i], self.arrays.records[i], self._own(i), v, w)
        self._turn_wheels(i)

    def _own(self, i: int) -> Any:
        """Return the records of the wheels of vehicle `i`."""
        return self.wheels[self.wheel_start[i]:self.wheel_start[i + 1]]

    def set_torques(self, i: int, torques: Any, steering: float = 0.0,
                    rear: float | None = None) -> None:
        """
        Command the torques of the motors [N m], forward positive.

        :param torques: left and right wheels; front left and front right wheel of an
            Ackermann vehicle; one number for a drivetrain or a single-track vehicle; one for
            each wheel with rollers.
        :param steering: steering angle, left positive [rad]; 0 for vehicles without.
        :param rear: that of a steered rear axle; None follows the front one by its ratio.
        :raises ControllerError: where the controller is not raw, or takes other numbers.
        """
        require(self.specs[i], Command.TORQUES)
        values = tuple(np.asarray(torques, float).ravel().tolist())
        expected = torques_taken(self.specs[i])
        if len(values) != expected:
            which = ', left and right,' if expected == 2 else ''
            raise ControllerError(f'vehicle {self.names[i]!r} takes {expected} torque'
                                  f'{"s" * (expected > 1)}{which} not {len(values)}')
        self._check_finite(i, (*values, steering))
        record = self.arrays.records[i]
        if steering and not record['steered']:
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no steering: leave out the angle {steering}')
        self._check_rear(i, rear)
        command_torques(self.specs[i], record, self._own(i), values, steering, rear)
        self._turn_wheels(i)

    def set_joints(self, i: int, values: Any, angles: Any = ()) -> None:
        """
        Command speeds [rad/s] or torques [N m] of the driven wheels.

        :param angles: of the steered wheels [rad]; none keeps them.
        :raises ControllerError: where the controller takes none, or other numbers of them.
        """
        require(self.specs[i], Command.JOINTS)
        dynamics = self.specs[i].dynamics
        given = [tuple(np.asarray(each, float).ravel().tolist()) for each in (values, angles)]
        for what, numbers, wheels in (('driven', given[0], dynamics.driven_wheels),
                                      ('steered', given[1], dynamics.steered_wheels)):
            if len(numbers) != len(wheels) and (numbers or what == 'driven'):
                raise ControllerError(f'vehicle {self.names[i]!r} has {len(wheels)} {what} '
                                      f'wheels: give as many numbers, not {len(numbers)}')
        self._check_finite(i, given[0] + given[1])
        command_joints(self.specs[i], self.arrays.records[i], self._own(i), *given)
        self._turn_wheels(i)

    def set_steering(self, i: int, v: float, angle: float, rear: float | None = None) -> None:
        """
        Command a velocity [m/s] and a steering angle, left positive [rad].

        :param rear: that of a steered rear axle; None follows the front one by its ratio.
        :raises ControllerError: where the controller takes no such command, or the numbers
            are not finite.
        """
        require(self.specs[i], Command.STEERING)
        self._check_finite(i, (v, angle))
        self._check_rear(i, rear)
        command_steering(
            self.specs[i], self.arrays.records[i], self._own(i), v, angle, rear)
        self._turn_wheels(i)

    def _check_rear(self, i: int, rear: float | None) -> None:
        if rear is None:
            return
        self._check_finite(i, (rear,))
        if rear and not self.arrays.records[i]['max_rear_steer']:
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no steered rear axle: leave out the angle {rear}')

    def set_brake(self, i: int, pressed: float) -> None:
        """
        Press the service brake: 0 releases it, 1 is all of its torque.

        :raises ControllerError: where there is none, or the number is not from 0 to 1.
        """
        if not 0.0 <= pressed <= 1.0:
            raise ControllerError(
                f'the brake of vehicle {self.names[i]!r} cannot be pressed to {pressed}: give a '
                'number from 0 to 1')
        self._require_brake(i, 'serves', 'torque', 'brake')
        self.arrays.records[i]['pressed'] = pressed
        self._brake(i)

    def set_parking_brake(self, i: int, parked: float) -> None:
        """
        Set or release the parking brake: 0 releases it, 1 or True is all of its torque.

        :raises ControllerError: where there is none, or the number is not from 0 to 1.
        """
        if not 0.0 <= parked <= 1.0:
            raise ControllerError(
                f'the parking brake of vehicle {self.names[i]!r} cannot be set to {parked}: give '
                'a number from 0 to 1')
        self._require_brake(i, 'parking_torque', 'parking_torque', 'parking brake')
        self.arrays.records[i]['parked'] = parked
        self._brake(i)

    def _require_brake(self, i: int, has: str, attribute: str, what: str) -> None:
        dynamics = self.specs[i].dynamics
        if not getattr(dynamics.brakes, has, 0.0):
            raise ControllerError(f'vehicle {self.names[i]!r} has no {what}: give its <dynamics> '
                                  f'({dynamics.source}) a <brakes {attribute}="...">')

    def _brake(self, i: int) -> None:
        record = self.arrays.records[i]
        self._own(i)['brake'] = brake_torques(
            self.specs[i].dynamics, float(record['pressed']), float(record['parked']))

    def _turn_wheels(self, i: int) -> None:
        """Let the boxes of the wheels of vehicle `i` follow its commanded steering angles."""
        record = self.arrays.records[i]
        if record['steered']:
            angles = wheel_angles(record, self._own(i))
            if angles != self._turned[i]:
                dynamics = self.specs[i].dynamics
                turn_wheels(self.bodies[i], dynamics.wheels,
                            dict(zip(dynamics.steered_wheels, angles, strict=True)))
                self._turned[i] = angles

    def _check_finite(self, i: int, values: tuple[float, ...]) -> None:
        try:
            finite = all(math.isfinite(value) for value in values)
        except TypeError:
            raise ControllerError(f'command {values} of vehicle {self.names[i]!r}: give '
                                  'numbers') from None
        if not finite:
            raise ControllerError(f'command {values} of vehicle {self.names[i]!r} is not finite')

    def odometry(self, i: int) -> Odometry:
        """Return what the odometer of vehicle `i` says."""
        record = self.arrays.records[i]
        return reading(self.arrays.odometers[i], (
            float(record['walk_distance']), float(record['walk_turn']),
            float(record['walk_drift'])))

    def add(self, spec: VehicleSpec, body: Any, dt: float, gravity: float, pose: Pose,
            like: Records | None = None) -> None:
        """
        Append a vehicle that stands at `pose`, with what Box2D made of it.

        :param like: records to copy, None to make them.
        """
        self._lengthen()
        record = self.arrays.records[-1]
        if like is None:
            self.arrays.records[-1] = vehicle_record(spec, body, dt, gravity)
            wheels = wheel_records(spec, gravity)
            command_initially(spec, record, wheels)
        else:
            self.arrays.records[-1], wheels = like.vehicle, like.wheels
        self.arrays.pose[-1] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self.wheels = appended(self.wheels, wheels)
        self.wheel_start = appended(self.wheel_start, [self.wheel_start[-1] + len(wheels)])
        self._numbers[spec.name] = len(self.names)
        self.names.append(spec.name)
        self.specs.append(spec)
        self.bodies.append(body)
        self._turned.append((0.0,) * len(spec.dynamics.steered_wheels))
        self._turn_wheels(len(self) - 1)

    def newest(self) -> tuple[Any, Any]:
        """Return the records of the newest vehicle and of its wheels."""
        return self.arrays.records[-1], self._own(len(self) - 1)

    def _lengthen(self) -> None:
        """Give all arrays another row of 0, which mostly is there already."""
        count = len(self)
        if self.arrays.pose.base is not self._room.pose or len(self._room.pose) <= count:
            self._room = _empty(max(8, 2 * count + 2))
            for name, value in vars(self._room).items():
                value[:count] = getattr(self.arrays, name)
        for name, value in vars(self._room).items():
            setattr(self.arrays, name, value[:count + 1])

    def remove(self, i: int) -> Any:
        """Take vehicle `i` out and return its body."""
        first, last = self.wheel_start[i], self.wheel_start[i + 1]
        self.wheels = np.delete(self.wheels, slice(first, last))
        self.wheel_start = np.delete(self.wheel_start, i + 1)
        self.wheel_start[i + 1:] -= last - first
        for name, value in vars(self.arrays).items():
            setattr(self.arrays, name, np.delete(value, i, axis=0))
        del self.names[i], self.specs[i], self._turned[i]
        self._numbers = {name: row for row, name in enumerate(self.names)}
        return self.bodies.pop(i)

    def start_rolling(self, i: int, twist: tuple[float, float, float]) -> None:
        """Forget what the controller of vehicle `i` remembers, let its wheels roll along."""
        self.arrays.pids[i] = 0.0
        vx, vy, w = twist
        wheels = self._own(i)
        direction = wheels['toe'] + wheels['steer'] + wheels['roller']
        wheels['omega'] = (np.cos(direction) * (vx - w * wheels['y'])
                           + np.sin(direction) * (vy + w * wheels['x'])) / wheels['radius']
        wheels['slip_x'] = wheels['slip_y'] = 0.0
        for name in ('pull_along', 'pull_across', 'stands', 'loose', 'tipped', 'derived'):
            self.arrays.records[name][i] = 0.0

    def put(self, i: int, pose: Pose) -> None:
        """Take note of where the body of vehicle `i` was put."""
        centre, local = self.bodies[i].worldCenter, self.bodies[i].localCenter
        keep(self.arrays.places[i], pose, np.array(local), (centre.x, centre.y))

    def read_motion(self, seen: BodyView) -> None:
        """Read the motion of the bodies, with the places that are kept beside the engine."""
        a = self.arrays
        seen.read(a.motion)
        recall(np.column_stack([a.records['com_x'], a.records['com_y']]), a.motion, a.places)

    def show(self, name: str, pose: Pose) -> None:
        """Take over where an animated vehicle is."""
        self.arrays.pose[self.index(name)] = (
            pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll)

    def snapshot(self) -> dict[str, Any]:
        """Return a copy of all state."""
        return {'wheels': self.wheels.copy(),
                **{name: value.copy() for name, value in vars(self.arrays).items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back the state of a `snapshot` of the same vehicles."""
        self.wheels[:] = state['wheels']
        for name, value in vars(self.arrays).items():
            value[:] = state[name]
        for i in range(len(self)):
            self._turn_wheels(i)
