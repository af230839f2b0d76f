# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of many worlds with one vehicle each, eight of them side by side: see `side_by_side`.

Each world comes to what it comes to alone, to the last bit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lanes import LANES
from mvsim_ros2.jit.lanes import WORD
from mvsim_ros2.jit.memory import carray
from mvsim_ros2.jit.memory import pointer
from mvsim_ros2.jit.memory import read_word
from mvsim_ros2.jit.prepared_call import arguments_at
from mvsim_ros2.jit.prepared_call import entry_with
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.native_step import native_move
from mvsim_ros2.physics.physical.side_by_side import can_go_beside
from mvsim_ros2.physics.physical.side_by_side import drive_entered
from mvsim_ros2.physics.physical.side_by_side import enter
from mvsim_ros2.physics.physical.side_by_side import FEWEST
from mvsim_ros2.physics.physical.side_layout import NUMBERS
from mvsim_ros2.physics.physical.side_layout import PLACES
from mvsim_ros2.physics.physical.step import drive_physical
from mvsim_ros2.physics.state.record_layout import MOTION
from mvsim_ros2.physics.state.record_layout import ODOMETER
from mvsim_ros2.physics.state.record_layout import VEHICLE
from mvsim_ros2.physics.stepper import first_column

Array = NDArray[np.float64]
Records = NDArray[np.void]

POSE = 6  # x y z yaw pitch roll


class WorldsBeside:
    """Calls of `note_steps` for worlds of one sort, see `Stepper.sort`."""

    def __init__(self, calls: Sequence[PreparedCall]) -> None:
        """Take the calls, of one kind."""
        self._calls = list(calls)  # kept alive
        self._addresses = np.array([each.address for each in calls], np.int64)
        self._at = np.zeros((PLACES + 1, LANES), np.int64)
        self._memory = np.zeros(NUMBERS)
        self._words = (self._addresses.ctypes.data, len(calls), self._at.ctypes.data,
                       self._memory.ctypes.data)
        self._go = entry_with(go_beside, calls[0].kinds, len(self._words))

    def __call__(self) -> None:
        """Make the steps of all worlds."""
        self._go(*self._words)


@compiled(inner=True)
def scratch_at(table: int, memory: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the arrays at these addresses: see `go_beside`."""
    return (carray(pointer(table), (PLACES + 1, LANES), np.int64),
            carray(pointer(memory), (NUMBERS,), np.float64))


@compiled(inner=True)
def the_one(vehicles: Records) -> Records:
    """Return the records of one vehicle, whose number is known to the compiler then."""
    place = pointer(np.int64(vehicles.ctypes.data))
    return carray(place, (1,), VEHICLE)  # type: ignore[no-any-return]


@compiled(inner=True)
def row(table: Array, width: int) -> Array:
    """Return an array of one row, whose shape is known to the compiler then."""
    place = pointer(np.int64(table.ctypes.data))
    return carray(place, (1, width), np.float64)  # type: ignore[no-any-return]


def go_beside(addresses: int, worlds: int, table: int, memory: int) -> None:
    """
    Make the steps of some worlds, in machine code.

    :param addresses: of the addresses of the arguments of their `note_steps`.
    :param table: address of room for addresses, shape (PLACES + 1, LANES).
    :param memory: address of scratch, shape (NUMBERS,).
    """
    at, scratch = scratch_at(table, memory)
    members = at[PLACES]  # of the eight, those that go side by side in this step
    for first in range(0, worlds, LANES):
        number, longest = min(LANES, worlds - first), 0
        own = addresses + WORD * first
        for k in range(number):
            done, _, count, _ = arguments_at(read_word(own + WORD * k))
            done[0], done[1] = 0, -1
            longest = max(longest, count)
        for step in range(longest):
            together = 0
            for k in range(number):
                done, _, count, world = arguments_at(read_word(own + WORD * k))
                if step < count and done[1] < 0 and can_go_beside(0, world[6], world[10]):
                    members[together] = k
                    together += 1
            if together < FEWEST:
                together = 0
            for j in range(together):
                _, _, _, world = arguments_at(read_word(own + WORD * members[j]))
                (_, _, _, _, dt, gravity, vehicles, wheel_start, wheels, pids, pose, _, _, _, _,
                 _, _, _, motion, _, wrench, _, _, _, known, rooms, side) = world
                sort = side.sorts[0]
                enter(at, j, 0, vehicles, wheel_start, wheels, pids, pose, motion, wrench)
                if j == together - 1:
                    wrong = drive_entered(
                        dt, gravity, together, sort, at, scratch, known, rooms)
                    if wrong >= 0:
                        done, _, _, _ = arguments_at(read_word(own + WORD * members[wrong]))
                        done[1] = 0
            entered = 0
            for k in range(number):
                done, clock, count, world = arguments_at(read_word(own + WORD * k))
                (relief, heights, bodies, _, dt, gravity, vehicles, wheel_start, wheels, pids,
                 pose, twist, velocity, acceleration, odometers, before, noise, collided, motion,
                 places, wrench, threshold, regions, hitches, known, rooms, side) = world
                if entered < together and members[entered] == k:
                    entered += 1
                elif step < count and done[1] < 0:
                    done[1] = drive_physical(
                        dt, gravity, relief, vehicles, wheel_start, wheels, pids, pose, twist,
                        motion, wrench, regions, known, rooms, side)
                if step >= count or done[1] >= 0:
                    continue
                done[1] = native_move(
                    first_column(clock[0] - step, count) + step, relief, heights, bodies, True,
                    False, False, dt, gravity, the_one(vehicles), wheel_start, wheels,
                    row(pose, POSE), row(twist, 3), row(velocity, 3), row(acceleration, 3),
                    row(odometers, ODOMETER), row(before, 3), noise, collided,
                    row(motion, MOTION), places, row(wrench, 3), threshold, hitches)
                clock[0] += 1
                done[0] += 1
