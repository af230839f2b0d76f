# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays with a row for each vehicle: state, commands, motion; and their constant parts."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
import hashlib
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.physics.engine.far_places import PLACE
from mvsim_ros2.physics.state.record_layout import (
    MOTION, NOISE_STEPS, ODOMETER, PID, PIDS, VEHICLE)
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

LARGEST = 2 ** 16  # bytes of a state that is compared with others
_OWN = {'name', 'init_pose', 'sensors', 'source'}  # fields of a spec that no record depends on


@dataclass
class VehicleArrays:
    """State of all vehicles, one row each."""

    records: Any  # parameters and commands, structured `VEHICLE`
    pids: Any  # (V, PIDS), structured `PID`
    pose: Array  # (V, 6) x y z yaw pitch roll of the reference point, world frame
    twist_body: Array  # (V, 3) vx vy wz of the reference point, body frame
    acceleration_body: Array  # (V, 3) of the reference point over the last step, body axes
    velocity: Array  # (V, 3) vx vy of the reference point in the world frame, wz
    odometers: Any  # (V,), structured `ODOMETER`
    before: Array  # (V, 3) x y yaw when the odometers last moved
    noise: Array  # (V, 2, NOISE_STEPS)
    motion: Array  # (V, MOTION) of the bodies
    places: Array  # (V, PLACE) of those far from the origin: see `far_places`
    wrench: Array  # (V, 3) on the bodies
    collided: NDArray[np.bool_]  # (V,) since last taken


def empty(count: int = 0) -> VehicleArrays:
    """Return arrays of 0 for a number of vehicles."""
    return VehicleArrays(
        np.zeros(count, VEHICLE), np.zeros((count, PIDS), PID), np.zeros((count, 6)),
        np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)),
        np.zeros(count, ODOMETER), np.zeros((count, 3)), np.zeros((count, 2, NOISE_STEPS)),
        np.zeros((count, MOTION)), np.zeros((count, PLACE)),
        np.zeros((count, 3)), np.zeros(count, bool))


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
