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
from mvsim_ros2.jit.lanes import LANES, WORD
from mvsim_ros2.jit.memory import carray, fetch_add, pointer, read_word
from mvsim_ros2.jit.prepared_call import arguments_at, entry_with, PreparedCall
from mvsim_ros2.physics.engine.native_step import native_move
from mvsim_ros2.physics.physical.side_by_side import can_go_beside, drive_entered, enter, FEWEST
from mvsim_ros2.physics.physical.side_layout import NUMBERS, PLACES
from mvsim_ros2.physics.physical.step import drive_physical
from mvsim_ros2.physics.state.record_layout import MOTION, ODOMETER, VEHICLE
from mvsim_ros2.physics.stepper import noise_column

Array = NDArray[np.float64]
Records = NDArray[np.void]

POSE = 6  # x y z yaw pitch roll


class WorldsBeside:
    """
    Calls of `note_steps` for worlds of one sort, see `Stepper.sort`, that threads share.

    Each begins with worlds of its own, which its core has nearby, and helps others at the end.
    """

    def __init__(self, calls: Sequence[PreparedCall], threads: int) -> None:
        """
        Take the calls, of one kind.

        :param threads: how many may go at the same time.
        """
        self._calls = list(calls)  # kept alive
        self._addresses = np.array([each.address for each in calls], np.int64)
        most = min(LANES, -(-len(calls) // threads))
        fair = -(-len(calls) // (most * threads)) * most
        self._begins = np.minimum(np.arange(threads + 1) * fair, len(calls))
        self._following = self._begins.copy()
        self._scratch = [(np.zeros((PLACES + 1, LANES), np.int64), np.zeros(NUMBERS))
                         for _ in range(threads)]
        shared = (self._addresses.ctypes.data, most, threads, self._begins.ctypes.data,
                  self._following.ctypes.data)
        self._words = [(*shared, thread, at.ctypes.data, memory.ctypes.data)
                       for thread, (at, memory) in enumerate(self._scratch)]
        self._go = entry_with(go_beside, calls[0].kinds, len(self._words[0]))

    def begin(self) -> None:
        """Begin a round, before any thread goes."""
        self._following[:] = self._begins

    def __call__(self, thread: int) -> None:
        """
        Make the steps of the worlds that no other thread has taken.

        :param thread: its number, one of those that may go.
        """
        self._go(*self._words[thread])


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


def go_beside(addresses: int, most: int, threads: int, begins: int, following: int, thread: int,
              table: int, memory: int) -> None:
    """
    Make the steps of some worlds, in machine code.

    :param addresses: of the addresses of the arguments of their `note_steps`.
    :param most: worlds that are taken at once, up to eight.
    :param begins: address of the number of the first world of each thread, and of them all.
    :param following: address of the number of the next one of each thread that none has taken.
    :param thread: which of them this is.
    :param table: address of room for addresses, shape (PLACES + 1, LANES).
    :param memory: address of scratch, shape (NUMBERS,).
    """
    at, scratch = scratch_at(table, memory)
    members = at[PLACES]  # of the worlds at once those that go side by side in this step
    turn = 0
    while turn < threads:
        whose = WORD * ((thread + turn) % threads)
        first, beyond = fetch_add(following + whose, most), read_word(begins + whose + WORD)
        if first >= beyond:
            turn += 1
            continue
        own, number = addresses + WORD * first, min(most, beyond - first)
        longest = 0
        for k in range(number):
            done, _, count, _, _, _ = arguments_at(read_word(own + WORD * k))
            done[0], done[1] = 0, -1
            longest = max(longest, count)
        for step in range(longest):
            together = 0
            for k in range(number):
                done, _, count, _, _, world = arguments_at(read_word(own + WORD * k))
                if step < count and done[1] < 0 and can_go_beside(0, world[6], world[10]):
                    members[together] = k
                    together += 1
            if together < FEWEST:
                together = 0
            for j in range(together):
                _, _, _, _, _, world = arguments_at(read_word(own + WORD * members[j]))
                (_, _, _, _, dt, gravity, vehicles, wheel_start, wheels, pids, pose, _, _, _, _,
                 _, _, _, motion, _, wrench, _, _, _, known, rooms, side) = world
                sort = side.sorts[0]
                enter(at, j, 0, vehicles, wheel_start, wheels, pids, pose, motion, wrench)
                if j == together - 1:
                    wrong = drive_entered(
                        dt, gravity, together, sort, at, scratch, known, rooms)
                    if wrong >= 0:
                        done, _, _, _, _, _ = arguments_at(read_word(own + WORD * members[wrong]))
                        done[1] = 0
            entered = 0
            for k in range(number):
                done, clock, count, fill, noises, world = arguments_at(read_word(own + WORD * k))
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
                    noise_column(clock[0], fill, noises), relief, heights, bodies, True,
                    False, False, dt, gravity, the_one(vehicles), wheel_start, wheels,
                    row(pose, POSE), row(twist, 3), row(velocity, 3), row(acceleration, 3),
                    row(odometers, ODOMETER), row(before, 3), noise, collided,
                    row(motion, MOTION), places, row(wrench, 3), threshold, hitches)
                clock[0] += 1
                done[0] += 1
