# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where everything was before the last steps, for measurements that take time.

Between steps things move straight and turn evenly. Where the past is not known, as before the
first step or after a thing was put elsewhere, things are taken to have kept their motion; who
asks does that.
"""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.kernel import runs_machine_code
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.scene.scene import MoverStates

Array = NDArray[np.float64]

_KNOWN, _NEWEST, _STEP = 0, 1, 2  # of a ring: rows in use, the newest, steps made before that
_POSE = 6


class PoseHistory:
    """
    The states of a world before its last steps, one a row of numbers in a ring.

    A row has the poses of the vehicles, steering and turn of the wheels, and the poses of the
    blocks that can move and of the figures, as in `MoverStates`.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        """Know nothing yet."""
        self._physics = physics
        self._step_ns = round(1e9 * physics.dt)
        self._ring = np.zeros(3, np.int64)
        self.forget()

    def forget(self) -> None:
        """Forget all: from now on things, or others than before, are somewhere else."""
        self._rows = np.zeros((0, 0))
        self._ring[:] = 0
        self._arguments: tuple[Any, ...] = ()
        self._call: PreparedCall | None = None

    def remember(self, span_ns: int) -> None:
        """
        Add the present state.

        :param span_ns: how much of the past will be needed.
        """
        length = -(-span_ns // self._step_ns) + 1
        if not self._arguments or length > len(self._rows):
            self._make_room(length)
        if self._call is None and runs_machine_code():
            self._call = PreparedCall(keep, *self._arguments)
        if self._call is None:
            keep(*self._arguments)
        else:
            self._call()

    def _make_room(self, length: int) -> None:
        """Keep as many states from now on."""
        vehicles, blocks, figures = (
            self._physics.vehicles, self._physics.blocks, self._physics.figures)
        self._movable = blocks_that_move(self._physics)
        known = self._youngest_first()[::-1]
        width = _POSE * (len(vehicles) + len(self._movable) + len(figures)) + 2 * len(
            vehicles.wheels)
        rows = np.zeros((max(length, len(known)), width))
        if len(known):
            rows[:len(known)] = self._rows[known]
            self._ring[_NEWEST] = len(known) - 1
        self._rows, self._call = rows, None
        self._arguments = (rows, self._ring, self._physics.clock, vehicles.pose, vehicles.wheels,
                           blocks.pose, self._movable, figures.pose)

    def _youngest_first(self) -> NDArray[np.int64]:
        """Return the numbers of the rows that are known."""
        count, newest, _ = self._ring.tolist()
        return (newest - np.arange(count)) % max(1, len(self._rows))

    def _before(self, span: float) -> tuple[Array, NDArray[np.int64]] | None:
        """Return ages [s] and numbers of rows, youngest first, until one of `span`."""
        rows = self._youngest_first()
        if not len(rows) or self._ring[_STEP] != self._physics.steps - 1:
            return None
        ages: Array = 1e-9 * (self._step_ns * np.arange(1.0, len(rows) + 1))
        needed = int(np.searchsorted(ages, span - 1e-9)) + 1
        return None if needed > len(rows) else (ages[:needed], rows[:needed])

    def path(self, vehicle: int, span: float) -> tuple[Array, Array] | None:
        """
        Return where a vehicle was, see `BodyState.path`.

        :param span: s, until now.
        """
        before = self._before(span)
        if before is None:
            return None
        ages, rows = before
        first = _POSE * vehicle
        now = self._physics.vehicles.pose[vehicle]
        return (np.concatenate([[0.0], ages]),
                np.vstack([now, self._rows[rows, first:first + _POSE]]))

    def at(self, ages: Sequence[float], now: MoverStates) -> list[MoverStates] | None:
        """
        Return where everything was at some times, None where that is not known.

        :param ages: s before the present.
        :param now: where everything is.
        """
        before = self._before(max(ages))
        if before is None:
            return None
        known, numbers = before
        movable = now.blocks[self._movable]
        present = np.concatenate([now.vehicles.ravel(), now.wheel_steer, now.wheel_angle,
                                  movable.ravel(), now.figures.ravel()])
        mixed = np.empty((len(ages), len(present)))
        poses = now.vehicles.size
        mix(np.array(ages, float), known, self._rows, numbers, present, poses,
            poses + 2 * len(now.wheel_angle), mixed)
        return [self._states_of(row, now) for row in mixed]

    def _states_of(self, row: Array, now: MoverStates) -> MoverStates:
        """Return what a row says."""
        steer, wheels = now.vehicles.size, len(now.wheel_steer)
        angle, movable = steer + wheels, steer + 2 * wheels
        figures = movable + _POSE * len(self._movable)
        blocks = now.blocks
        if len(self._movable):
            blocks = blocks.copy()
            blocks[self._movable] = row[movable:figures].reshape(-1, _POSE)
        return MoverStates(row[:steer].reshape(-1, _POSE), row[steer:angle], row[angle:movable],
                           blocks, row[figures:].reshape(-1, _POSE), now.switched)

    def snapshot(self) -> tuple[Any, ...]:
        """Return all of it."""
        return int(self._ring[_STEP]), self._rows[self._youngest_first()[::-1]]

    def restore(self, states: tuple[Any, ...]) -> None:
        """Continue with what `snapshot` returned of the same things."""
        self.forget()
        self._movable = blocks_that_move(self._physics)
        step, rows = states
        if len(rows):
            self._rows = rows.copy()
            self._ring[:] = len(rows), len(rows) - 1, step


def blocks_that_move(physics: PhysicsWorld) -> NDArray[np.int64]:
    """Return the numbers of the blocks that forces or keyframes move, solid or not."""
    return np.flatnonzero([spec.moves or spec.animation is not None
                           for spec in physics.blocks.specs])


@compiled
def mix(asked: Array, ages: Array, rows: Array, numbers: NDArray[np.int64], now: Array,
        vehicles: int, others: int, mixed: Array) -> None:
    """
    Fill in states between those that are known.

    :param asked: ages [s], shape (n,).
    :param ages: of known states, shape (K,), youngest first.
    :param rows: of the ring.
    :param numbers: rows of the known states, shape (K,).
    :param now: the present state, shape (W,).
    :param vehicles: columns of the poses of vehicles, with which a row begins.
    :param others: first column of the poses of other things, with which it ends.
    :param mixed: shape (n, W).
    """
    for n in range(len(asked)):
        k = 0
        while k < len(ages) - 1 and ages[k] < asked[n]:
            k += 1
        young = ages[k - 1] if k > 0 else 0.0
        share = min(1.0, (asked[n] - young) / (ages[k] - young))
        for i in range(len(now)):
            end = rows[numbers[k - 1], i] if k > 0 else now[i]
            way = rows[numbers[k], i] - end
            is_angle = (i % _POSE >= 3 if i < vehicles
                        else i >= others and (i - others) % _POSE >= 3)
            if is_angle:  # by less than half a turn
                way -= 2.0 * math.pi * round(way / (2.0 * math.pi))
            mixed[n, i] = end + share * way


@compiled
def keep(rows: Array, ring: NDArray[np.int64], clock: NDArray[np.int64], vehicles: Array,
         wheels: NDArray[np.void], blocks: Array, movable: NDArray[np.int64],
         figures: Array) -> None:
    """
    Write the present state into a ring.

    Where the state of the step before is not the newest, nothing before is known.

    :param rows: of the ring, see `PoseHistory`.
    :param ring: how many rows are known, the newest, and the steps made before that; updated.
    :param clock: steps made, shape (1,).
    :param vehicles: poses, shape (V, 6).
    :param blocks: poses, shape (B, 6).
    :param movable: numbers of those that are kept.
    :param figures: poses, shape (G, 6).
    """
    if ring[_KNOWN] > 0 and ring[_STEP] != clock[0]:  # else it replaces what is known of now
        if ring[_STEP] != clock[0] - 1:
            ring[_KNOWN] = 0
        ring[_NEWEST] = (ring[_NEWEST] + 1) % rows.shape[0]
        ring[_KNOWN] = min(ring[_KNOWN] + 1, rows.shape[0])
    ring[_KNOWN] = max(ring[_KNOWN], 1)
    ring[_STEP] = clock[0]
    lay_states(vehicles, wheels, blocks, movable, figures, rows[ring[_NEWEST]])


@compiled(counted=False)
def lay_states(vehicles: Array, wheels: NDArray[np.void], blocks: Array,
               movable: NDArray[np.int64], figures: Array, states: Array) -> None:
    """
    Write where everything is into a row of numbers.

    It has the poses of the vehicles, six numbers each, steering and turn of all wheels, and the
    poses of the blocks that can move and of the figures.

    :param movable: numbers of the blocks that can move.
    :param states: filled in.
    """
    place = 0
    for i in range(vehicles.shape[0]):
        for k in range(_POSE):
            states[place] = vehicles[i, k]
            place += 1
    for i in range(len(wheels)):
        states[place] = wheels[i]['toe'] + wheels[i]['steer']
        states[place + len(wheels)] = wheels[i]['angle']
        place += 1
    place += len(wheels)
    for i in range(movable.shape[0]):
        for k in range(_POSE):
            states[place] = blocks[movable[i], k]
            place += 1
    for i in range(figures.shape[0]):
        for k in range(_POSE):
            states[place] = figures[i, k]
            place += 1
