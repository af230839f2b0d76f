# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers of eight vehicles lie that go side by side: see `side_by_side`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lane_memory import beside
from mvsim_ros2.jit.lanes import LANES, WORD
from mvsim_ros2.jit.memory import carray, pointer, read_word
from mvsim_ros2.physics.state.record_layout import (
    CURVE, FIRST, FRICTION, NUMBER, PID, PIDS, VEHICLE, WHEEL)
from mvsim_ros2.physics.state.step_columns import KNOWN, ROOM, VALUES

Records = NDArray[np.void]


def _bytes_before(record: np.dtype[Any], name: str) -> int:
    assert record.fields is not None
    return record.fields[name][1]


MOST_WHEELS = 4  # of a vehicle that goes side by side with others
# rows of the table of addresses, shape (PLACES, LANES): of records, wheels, and rows of arrays
VEHICLES, WHEELS, PIDS_AT, POSES, MOTIONS, WRENCHES = range(6)
PLACES = 6
# states of the PIDs: before the step, as the controller leaves them, and those that are kept
PID_BEFORE, PID_AFTER, PID_KEPT = range(3)
SIDES = 2  # PIDs of a vehicle
# kinds of controllers: whose torques stay the same in a step, or PIDs for both sides by wheels 0
# and 1, or for both front wheels by wheels 2 and 3, or for the one torque of a drivetrain
CONSTANT, BY_SIDES, BY_FRONT_PAIR, BY_DRIVETRAIN = 1, 2, 3, 4
KINDS = 8  # the sort of a vehicle is its wheels times this, and the kind; 0 where it goes alone
# bytes before what is known of the contact of a wheel where nothing is said of the ground
LAW_AT, FRICTION_AT, CURVE_AT, TYRE_AT = (
    _bytes_before(WHEEL, 'contacts') + WORD * column
    for column in (NUMBER, FRICTION, CURVE, FIRST))

# bytes of the memory before each kind
VEHICLE_BYTES, WHEEL_BYTES = VEHICLE.itemsize, WHEEL.itemsize
_KNOWN_BYTES = LANES * KNOWN.itemsize
_PID_BYTES = LANES * WORD * PID
_VALUES = LANES * _bytes_before(KNOWN, VALUES)
_INVERSE = _bytes_before(VEHICLE, 'torque_inverse')
_CHANGE = _bytes_before(VEHICLE, 'torque_change')
_WHEELS_FROM = LANES * VEHICLE_BYTES
_KNOWN_FROM = _WHEELS_FROM + MOST_WHEELS * LANES * WHEEL_BYTES
_KEPT_FROM = _KNOWN_FROM + MOST_WHEELS * _KNOWN_BYTES
_PIDS_FROM = _KEPT_FROM + MOST_WHEELS * _KNOWN_BYTES
_ROOM_FROM = _PIDS_FROM + 3 * SIDES * _PID_BYTES
NUMBERS = (_ROOM_FROM + LANES * ROOM.itemsize) // WORD  # of the memory

vehicles_beside, wheels_beside, known_beside, room_beside = map(
    beside, (VEHICLE, WHEEL, KNOWN, ROOM))
rows_beside = beside(np.dtype(np.float64))


class Eight(NamedTuple):
    """Eight vehicles that go side by side; fewer are filled up by the first one of them."""

    vehicles: int  # how many
    wheels: int  # of each
    kind: int  # of the controllers of all of them
    at: int  # address of the table of addresses
    memory: int  # address of their numbers side by side, see `NUMBERS`


AN_EIGHT = Eight(1, 1, 0, 0, 0)  # an example


@compiled(inlined=True)
def vehicle_of(eight: Eight) -> Any:
    """Return the records of the vehicles, side by side as the others here."""
    return vehicles_beside(eight.memory)


@compiled(inlined=True)
def wheel_of(eight: Eight, k: int) -> Any:
    """Return wheel `k` of each vehicle."""
    return wheels_beside(wheel_place(eight, k))


@compiled(inlined=True)
def wheel_place(eight: Eight, k: int) -> int:
    """Return the address of that."""
    return eight.memory + _WHEELS_FROM + k * LANES * WHEEL_BYTES


@compiled(inlined=True)
def known_of(eight: Eight, k: int) -> Any:
    """Return what is known of wheel `k` of each."""
    return known_beside(eight.memory + _KNOWN_FROM + k * _KNOWN_BYTES)


@compiled(inlined=True)
def values_place(eight: Eight, k: int) -> int:
    """Return the address of the numbers of the tyre laws of wheel `k` of each."""
    return eight.memory + _KNOWN_FROM + k * _KNOWN_BYTES + _VALUES


@compiled(inlined=True)
def kept_of(eight: Eight, k: int) -> Any:
    """Return what is kept of that."""
    return known_beside(eight.memory + _KEPT_FROM + k * _KNOWN_BYTES)


@compiled(inlined=True)
def pid_of(eight: Eight, state: int, side: int) -> Any:
    """Return the state of the PID of a side of each vehicle: `PID_BEFORE` and so on."""
    return rows_beside(pid_place(eight, state, side))


@compiled(inlined=True)
def pid_place(eight: Eight, state: int, side: int) -> int:
    """Return the address of that."""
    return eight.memory + _PIDS_FROM + (SIDES * state + side) * _PID_BYTES


@compiled(inlined=True)
def inverse_place(eight: Eight) -> int:
    """Return the address of their `torque_inverse`."""
    return eight.memory + LANES * _INVERSE


@compiled(inlined=True)
def change_place(eight: Eight) -> int:
    """Return the address of their `torque_change`."""
    return eight.memory + LANES * _CHANGE


@compiled(inlined=True)
def room_of(eight: Eight) -> Any:
    """Return what else their solve needs."""
    return room_beside(eight.memory + _ROOM_FROM)


@compiled(inlined=True)
def place_of(eight: Eight, kind: int) -> int:
    """Return the address of the addresses of a kind, such as `VEHICLES`."""
    return eight.at + WORD * LANES * kind


@compiled(inner=True)
def records_of(eight: Eight, j: int) -> tuple[Records, Records]:
    """Return the record of one of the vehicles, shape (1,), and those of its wheels."""
    vehicle = read_word(place_of(eight, VEHICLES) + WORD * j)
    wheels = read_word(place_of(eight, WHEELS) + WORD * j)
    return (carray(pointer(vehicle), (1,), VEHICLE),
            carray(pointer(wheels), (eight.wheels,), WHEEL))


@compiled(inner=True)
def pose_of(eight: Eight, j: int) -> NDArray[np.float64]:
    """Return x y z yaw pitch roll of one of the vehicles."""
    address = read_word(place_of(eight, POSES) + WORD * j)
    return carray(pointer(address), (6,), np.float64)  # type: ignore[no-any-return]


@compiled(inner=True)
def pids_of(eight: Eight, j: int) -> NDArray[np.float64]:
    """Return the states of the PIDs of one of the vehicles, shape (PIDS, PID)."""
    address = read_word(place_of(eight, PIDS_AT) + WORD * j)
    return carray(pointer(address), (PIDS, PID), np.float64)  # type: ignore[no-any-return]
