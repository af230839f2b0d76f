# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All vehicles of a world: their state in arrays, how they come and go, their odometry."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
import hashlib
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.bulk import appended, copy_records
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.controllers.record import Command, Setting
from mvsim_ros2.physics.engine.bodies import addresses, Body, read_motion
from mvsim_ros2.physics.engine.far_places import keep, recall
from mvsim_ros2.physics.state import Named
from mvsim_ros2.physics.state.record_layout import (
    empty, FIRST, FROM_MOTION, FROM_WHEELS, NUMBER, OWN, VEHICLE, WHEEL, write)
from mvsim_ros2.physics.tyres.law import LAWS, Mounting
from mvsim_ros2.physics.vehicle.commands import command_initially, VehicleCommands
from mvsim_ros2.physics.vehicle.drivetrain import brake_torques
from mvsim_ros2.physics.vehicle.odometry import Odometry, reading
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of, kernel_numbers
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


LARGEST = 2 ** 16  # bytes of a state that is compared with others
_OWN = {'name', 'init_pose', 'sensors', 'source'}  # fields of a spec that no record depends on


class InitialRecords(NamedTuple):
    """Records of a vehicle and of its wheels as they are at the start."""

    vehicle: Any
    wheels: Any


class RecordCache:
    """The records of vehicles that differ in name, pose and sensors only, made once."""

    def __init__(self) -> None:
        """Know none yet."""
        self._known: dict[tuple[Any, ...], InitialRecords] = {}

    def find(self, spec: VehicleSpec, footprint: Footprint) -> InitialRecords | None:
        """Return the records of a vehicle like this one, None where there was none."""
        try:
            return self._known.get(_kind(spec, footprint))
        except TypeError:  # a list or an array in it, which may change
            return None

    def keep(self, spec: VehicleSpec, footprint: Footprint, vehicle: Any, wheels: Any) -> None:
        """Copy the records of a new vehicle."""
        with suppress(TypeError):  # as in `find`
            self._known[_kind(spec, footprint)] = InitialRecords(vehicle.copy(), wheels.copy())


def _kind(spec: VehicleSpec, footprint: Footprint) -> tuple[Any, ...]:
    """Return what is equal for vehicles that have the same records."""
    return footprint, *(value for name, value in vars(spec).items() if name not in _OWN)


class Vehicles(Named, VehicleCommands):
    """
    All vehicles, in the order of the world file.

    The arrays are replaced when a vehicle is added or removed: read them from here each time.
    """

    KIND = 'vehicle'

    def clear(self) -> None:
        super().clear()
        self.specs = []
        self.footprints: list[Footprint] = []  # of their chassis
        self.bodies: list[Body] = []
        self._turned = []
        self.arrays = empty()
        self.wheels = np.zeros(0, WHEEL)
        self.wheel_start = np.zeros(1, np.int64)

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

    def take_collided(self, i: int) -> bool:
        """Return whether vehicle `i` came near another body since the last call."""
        collided = bool(self.arrays.collided[i])
        self.arrays.collided[i] = False
        return collided

    def odometry(self, i: int) -> Odometry:
        """Return what the odometer of vehicle `i` says."""
        record = self.arrays.records[i]
        return reading(self.arrays.odometers[i], (
            float(record['walk_distance']), float(record['walk_turn']),
            float(record['walk_drift'])))

    def add(self, spec: VehicleSpec, body: Body, footprint: Footprint, dt: float, gravity: float,
            pose: Pose, like: InitialRecords | None = None) -> None:
        """
        Append a vehicle that stands at `pose`, with what Box2D made of it.

        :param like: records to copy, None to make them.
        """
        for name, value in vars(empty(1)).items():
            setattr(self.arrays, name, appended(getattr(self.arrays, name), value))
        record = self.arrays.records[-1]
        if like is None:
            self.arrays.records[-1] = vehicle_record(spec, body, dt, gravity)
            wheels = wheel_records(spec, gravity)
            command_initially(spec, record, wheels)
        else:
            copy_records(like.vehicle, self.arrays.records[-1:])
            wheels = like.wheels
        self.arrays.pose[-1] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self.wheels = appended(self.wheels, wheels)
        self.wheel_start = appended(self.wheel_start, [self.wheel_start[-1] + len(wheels)])
        self._append_name(spec.name)
        self.footprints.append(footprint)
        self.specs.append(spec)
        self.bodies.append(body)
        self._turned.append((0.0,) * len(spec.dynamics.steered_wheels))
        self._turn_wheels(len(self) - 1)

    def newest(self) -> tuple[Any, Any]:
        """Return the records of the newest vehicle, shape (1,), and of its wheels."""
        return self.arrays.records[-1:], self.wheels_of(len(self) - 1)

    def remove(self, i: int) -> Body:
        """Take vehicle `i` out and return its body."""
        first, last = self.wheel_start[i], self.wheel_start[i + 1]
        self.wheels = np.delete(self.wheels, slice(first, last))
        self.wheel_start = np.delete(self.wheel_start, i + 1)
        self.wheel_start[i + 1:] -= last - first
        for name, value in vars(self.arrays).items():
            setattr(self.arrays, name, np.delete(value, i, axis=0))
        self._remove_name(i)
        del self.specs[i], self.footprints[i], self._turned[i]
        return self.bodies.pop(i)

    def start_rolling(self, i: int, twist: tuple[float, float, float]) -> None:
        """Forget what the controller of vehicle `i` remembers, let its wheels roll along."""
        self.arrays.pids[i] = 0.0
        vx, vy, w = twist
        wheels = self.wheels_of(i)
        direction = wheels['toe'] + wheels['steer'] + wheels['roller']
        wheels['omega'] = (np.cos(direction) * (vx - w * wheels['y'])
                           + np.sin(direction) * (vy + w * wheels['x'])) / wheels['radius']
        wheels['slip_x'] = wheels['slip_y'] = wheels['taken'] = 0.0
        wheels['travel'] = wheels['travel_rate'] = wheels['on_edge'] = 0.0
        wheels['touches'] = 1.0
        for name in ('pull_along', 'pull_across', 'spatial', 'level', 'tipped',
                     'lies', 'derived', 'tow_x', 'tow_y', 'tow_turn', 'tow_pull_x', 'tow_pull_y',
                     'shoved', 'shove_x', 'shove_y', 'shove_turn', 'shoved_x', 'shoved_y',
                     'shoved_turn', 'tilts', 'climb', 'steps'):
            self.arrays.records[name][i] = 0.0

    def put(self, i: int, pose: Pose) -> None:
        """Take note of where the body of vehicle `i` was put."""
        body = self.bodies[i]
        keep(self.arrays.places[i], pose, np.array(body.constants[2:4]), body.centre)

    @property
    def addresses(self) -> NDArray[np.int64]:
        """Return the bodies as the engine takes them, shape (V,)."""
        return addresses(self.bodies)

    def read_motion(self) -> None:
        """Read the motion of the bodies, with positions that are kept in double precision."""
        a = self.arrays
        read_motion(self.addresses, a.motion)
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
        copy_records(state['wheels'], self.wheels)
        for name, value in vars(self.arrays).items():
            copy_records(state[name], value)
        for i in range(len(self)):
            self._turn_wheels(i)


def wheel_records(vehicle: VehicleSpec, gravity: float) -> Any:
    """
    Return the records of the wheels of a vehicle, at rest.

    :raises PhysicsError: where wheels with rollers cannot make every motion.
    """
    dynamics = vehicle.dynamics
    kind = class_of(dynamics)
    wheels = np.zeros(len(dynamics.wheels), WHEEL)
    share = dynamics.chassis.mass / len(wheels)
    for record, wheel, (side, part) in zip(
            wheels, dynamics.wheels, kind.drives(dynamics), strict=True):
        record['x'], record['y'], record['toe'] = wheel.pos
        record['side'], record['drive'] = side, part
        record['mass'], record['radius'], record['inertia'] = (
            wheel.mass, wheel.radius, wheel.spin_inertia)
        record['carried'] = share + wheel.mass
        record['normal_load'] = record['carried'] * gravity
    if not kind.form.torques and controller_of(dynamics).command == Command.TORQUES:
        wheels['side'] = OWN
    kind.complete(vehicle, wheels)
    for record, wheel, tyre in zip(wheels, dynamics.wheels, vehicle.tyres, strict=True):
        law, number = LAWS[type(tyre)], LAWS.number(type(tyre))
        record['mu'] = getattr(tyre, 'mu', 0.0)  # the ellipse has none
        record['damping'], record['rolling'] = tyre.C_damping, tyre.C_rr
        record['contacts'][0, NUMBER] = number
        record['contacts'][0, FIRST:] = law.values(tyre, Mounting(
            float(record['radius']), wheel.width, float(record['normal_load'])))
    if dynamics.brakes is not None:
        wheels['brake'] = brake_torques(dynamics, 0.0, dynamics.brakes.parked)
    return wheels


def vehicle_record(vehicle: VehicleSpec, body: Body, dt: float, gravity: float) -> Any:
    """
    Return parameters of a vehicle, without a command.

    :param body: what the engine made of it.
    """
    dynamics, odometry, constants = vehicle.dynamics, vehicle.odometry, body.constants
    kind, controller = class_of(dynamics), controller_of(dynamics)
    left, right = dynamics.wheels[:2]
    record = np.zeros(1, VEHICLE)[0]
    values: dict[str, float] = {
        **kernel_numbers(dynamics), 'tied': dynamics.tied,
        'is_ideal': controller.is_ideal, 'has_pid': controller.has_pid,
        'by_speed': kind.form in controller.by_speed,
        'own_torques': kind.form.torques == 0 or controller.each_wheel,
        'parked': dynamics.brakes is not None and dynamics.brakes.parked,
        'odometry': FROM_WHEELS if odometry.source_kind == 'wheels' else FROM_MOTION,
        'com_x': constants.com_x, 'com_y': constants.com_y,
        # in mode mvsim the reference point of an ideal vehicle is that, as in the original
        'pivot_x': 0.0 if controller.is_ideal else dynamics.pivot_x,
        'track': left.pos[1] - right.pos[1], 'x_factor': odometry.x_multiplier,
        'y_factor': odometry.y_multiplier, 'yaw_factor': odometry.yaw_multiplier,
        'walk_distance': odometry.linear_std_noise, 'walk_turn': odometry.yaw_std_noise,
        'walk_drift': odometry.yaw_drift_std_noise, **kind.parameters(dynamics, dt)}
    if dynamics.motor is not None:
        motor = dynamics.motor
        values |= {'motor_torque': motor.max_torque, 'motor_speed': motor.no_load_speed or 0.0,
                   'motor_power': motor.max_power or 0.0, 'steps_a_second': 1.0 / dt}
    write(record, **values)
    controller.set_up(record, dynamics.controller, Setting(
        dynamics, kind.form, dt, gravity, dynamics.chassis.mass,
        sum(wheel.radius for wheel in dynamics.wheels) / len(dynamics.wheels),
        1.0 if kind.form.torques == 1 else 2.0, False))
    return record


@dataclass(frozen=True, eq=False)
class FirstState:
    """Arrays that do not change; worlds of one learning environment share them."""

    vehicles: dict[str, NDArray[Any]]  # of `Vehicles.snapshot`
    blocks: tuple[NDArray[Any], ...]  # of `Blocks.snapshot`
    people: NDArray[np.void]  # see `people.crowd`
    bodies: Sequence[NDArray[np.float32]]  # what `bodies.save` returned


def kept_once(state: FirstState) -> FirstState:
    """Return a state, or one with the same numbers that is there already."""
    arrays = [*state.vehicles.values(), *state.blocks, state.people, *state.bodies]
    if sum(each.nbytes for each in arrays) > LARGEST:
        return state
    digest = hashlib.sha256(repr((*state.vehicles, len(state.bodies))).encode())
    for each in arrays:
        digest.update(f'{each.dtype.itemsize} {each.shape}'.encode())
        digest.update(np.ascontiguousarray(each).tobytes())
    return _KNOWN.setdefault(digest.digest(), state)


_KNOWN: WeakValueDictionary[bytes, FirstState] = WeakValueDictionary()
