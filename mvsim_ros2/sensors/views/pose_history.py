# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where everything was before the last steps, for measurements that take time.

Between steps things move straight and turn evenly. If the past is unknown, as before the first
step or after an object was placed, callers assume constant motion.
"""

from collections.abc import Sequence
import math
from operator import is_not
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled, runs_machine_code
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.stepper import note_steps, Stepper
from mvsim_ros2.scene.scene import MoverStates, MoverTrack

_KNOWN, _NEWEST, _STEP = 0, 1, 2  # of a ring: rows in use, the newest, steps made before that
_POSE = 6


class PoseHistory:
    """
    The states of a world before its last steps, one a row of numbers in a ring.

    A row has the poses of vehicles, movable blocks and figures, steering and turn of the wheels,
    and gaits, as in `MoverStates`.

    :ivar rows: the ring, another object once there is another one.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._step_ns = round(1e9 * physics.dt)
        self._ring = np.zeros(3, np.int64)
        self._begin_anew()

    def forget(self) -> None:
        """Forget all: from now on things, or others than before, are somewhere else."""
        self._ring[:] = 0
        if any(map(is_not, self._arguments[2:], self._present)):
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget all and make room for other things."""
        self.rows = np.zeros((0, 0))
        self._ring[:] = 0
        self._movable = blocks_that_move(self._physics)
        self._arguments: tuple[Any, ...] = ()
        self._call: PreparedCall | None = None
        self._steps: PreparedCall | None = None
        self._stepper: Stepper | None = None  # of these steps

    def step(self, count: int, span_ns: int) -> None:
        """
        Make steps, and remember the state before each.

        :param span_ns: how much of the past will be needed.
        :raises PhysicsError: where a body has left the numbers.
        """
        physics = self._physics
        self._be_ready(span_ns)
        if self._steps is None or physics.stepper is not self._stepper:
            self._steps = None if physics.blocks.moving else self.steps_ready(0, span_ns)
            self._stepper = physics.stepper
        if self._steps is None:
            for _ in range(count):
                self.remember(span_ns)
                physics.step()
        else:
            self._steps.words[0] = count
            self._steps()
            physics.went()

    def steps_ready(self, count: int, span_ns: int) -> PreparedCall | None:
        """
        Return a call that makes steps and remembers the state before each.

        It holds while `rows` and `PhysicsWorld.stepper` are the same. The blocks that forces move
        are remembered where they were at the last look at them.

        :param span_ns: how much of the past will be needed.
        :returns: None where Python has to do something in each step.
        """
        self._be_ready(span_ns)
        ready, stepper = self._physics.steps_ready(1), self._physics.stepper
        return None if ready is None or stepper is None else PreparedCall(
            keep_and_step, count, stepper.done, self._arguments, ready.arguments)

    def path_arguments(self) -> tuple[Any, ...]:
        """Return what `recall` takes of the world."""
        physics = self._physics
        return self._step_ns, self.rows, self._ring, physics.clock, physics.vehicles.pose

    def path_room(self) -> tuple[Array, Array]:
        """Return arrays for `recall` to fill in."""
        count = len(self.rows) + 1
        return np.empty(count), np.empty((count, _POSE))

    def remember(self, span_ns: int) -> None:
        """
        Add the present state.

        :param span_ns: how much of the past will be needed.
        """
        self._be_ready(span_ns)
        if self._call is None and runs_machine_code():
            self._call = PreparedCall(keep, *self._arguments)
        if self._call is None:
            keep(*self._arguments)
        else:
            self._call()

    def _be_ready(self, span_ns: int) -> None:
        """Have room for the states of a time."""
        length = -(-span_ns // self._step_ns) + 1
        if not self._arguments or length > len(self.rows):
            self._make_room(length)

    def _make_room(self, length: int) -> None:
        """Keep as many states from now on."""
        vehicles, figures = self._physics.vehicles, self._physics.figures
        known = self._youngest_first()[::-1]
        width = _POSE * (len(vehicles) + len(self._movable) + len(figures)) + 2 * (
            len(vehicles.wheels) + len(figures))
        rows = np.zeros((max(length, len(known)), width))
        if len(known):
            rows[:len(known)] = self.rows[known]
            self._ring[_NEWEST] = len(known) - 1
        self.rows, self._call, self._steps = rows, None, None
        self._arguments = rows, self._ring, *self._present

    @property
    def _present(self) -> tuple[Any, ...]:
        """Return the steps made and where everything is, as `keep` takes it."""
        physics = self._physics
        return (physics.clock, physics.vehicles.pose, physics.vehicles.wheels,
                physics.blocks.pose, self._movable, physics.figures.pose, physics.figures.gait)

    def _youngest_first(self) -> NDArray[np.int64]:
        """Return the numbers of the rows that are known."""
        count, newest, _ = self._ring.tolist()
        return (newest - np.arange(count)) % max(1, len(self.rows))

    def path(self, vehicle: int, span: float) -> tuple[Array, Array] | None:
        """
        Return where a vehicle was, see `BodyState.path`.

        :param span: s, until now.
        """
        ages, known = self.path_room()
        count = recall(span, vehicle, ages, known, *self.path_arguments())
        return (ages[:count + 1], known[:count + 1]) if count else None

    def at(self, ages: Sequence[float], now: MoverStates) -> MoverTrack | None:
        """
        Return where everything was at some times, None where that is not known.

        :param ages: s before the present.
        :param now: where everything is.
        """
        if not len(self.rows):
            return None
        mixed = np.empty((len(ages), self.rows.shape[1]))
        arguments = *self._present, mixed
        known = retrace(
            np.array(ages, float), self._step_ns, self.rows, self._ring, *arguments)
        return MoverTrack(mixed, self._movable, now, now.time - np.array(ages)) if known else None

    def snapshot(self) -> tuple[Any, ...]:
        """Return all of it."""
        return int(self._ring[_STEP]), self.rows[self._youngest_first()[::-1]]

    def restore(self, states: tuple[Any, ...]) -> None:
        """Continue with what `snapshot` returned of the same things."""
        self._begin_anew()
        step, rows = states
        if len(rows):
            self.rows = rows.copy()
            self._ring[:] = len(rows), len(rows) - 1, step


def blocks_that_move(physics: PhysicsWorld) -> NDArray[np.int64]:
    """Return the numbers of the blocks that forces or keyframes move, solid or not."""
    return np.flatnonzero([spec.moves or spec.animation is not None
                           for spec in physics.blocks.specs])


@compiled
def known_until(span: float, step_ns: int, ring: NDArray[np.int64],
                clock: NDArray[np.int64]) -> int:
    """Return how many states, from the youngest on, reach back for `span` [s], 0 for none."""
    if ring[_KNOWN] == 0 or ring[_STEP] != clock[0] - 1:
        return 0
    needed = 1
    while needed <= ring[_KNOWN] and 1e-9 * (step_ns * float(needed)) < span - 1e-9:
        needed += 1
    return needed if needed <= ring[_KNOWN] else 0


@compiled
def recall(span: float, vehicle: int, ages: Array, known: Array, step_ns: int, rows: Array,
           ring: NDArray[np.int64], clock: NDArray[np.int64], poses: Array) -> int:
    """
    Fill in where a vehicle is and was, back to `span` or more, see `PoseHistory.path`.

    :param ages: filled in from its begin on [s], as `known`, shape (K, 6).
    :param poses: of the vehicles now, shape (V, 6); for the others see `keep`.
    :returns: how many states of the past are known, 0 where these do not reach back so far.
    """
    count = known_until(span, step_ns, ring, clock)
    if count > 0:
        ages[0] = 0.0
        for i in range(_POSE):
            known[0, i] = poses[vehicle, i]
    for k in range(count):
        row = (ring[_NEWEST] - k) % rows.shape[0]
        ages[k + 1] = 1e-9 * (step_ns * (k + 1.0))
        for i in range(_POSE):
            known[k + 1, i] = rows[row, _POSE * vehicle + i]
    return count


@compiled
def retrace(ages: Array, step_ns: int, rows: Array, ring: NDArray[np.int64],
            clock: NDArray[np.int64], vehicles: Array, wheels: NDArray[np.void], blocks: Array,
            movable: NDArray[np.int64], figures: Array, gait: Array, mixed: Array) -> bool:
    """
    Fill in states between those that are known; return whether these reach back so far.

    :param ages: s before the present, shape (n,); for the others see `keep`.
    :param mixed: shape (n, W).
    """
    count = known_until(ages.max(), step_ns, ring, clock)
    if count == 0:
        return False
    now = np.empty(rows.shape[1])
    lay_states(vehicles, wheels, blocks, movable, figures, gait, now)
    poses = _POSE * len(vehicles)  # columns of the poses of vehicles, with which a row begins
    others = poses + 2 * len(wheels)  # first column of those of other things, before the gait
    last = len(now) - gait.size
    for n in range(len(ages)):
        k = 0
        while k < count - 1 and 1e-9 * (step_ns * (k + 1.0)) < ages[n]:
            k += 1
        young = 1e-9 * (step_ns * float(k)) if k > 0 else 0.0
        share = min(1.0, (ages[n] - young) / (1e-9 * (step_ns * (k + 1.0)) - young))
        older = rows[(ring[_NEWEST] - k) % rows.shape[0]]
        younger = rows[(ring[_NEWEST] - k + 1) % rows.shape[0]] if k > 0 else now
        for i in range(len(now)):
            end = younger[i]
            way = older[i] - end
            is_angle = (i % _POSE >= 3 if i < poses
                        else others <= i < last and (i - others) % _POSE >= 3)
            if is_angle:  # by less than half a turn
                way -= 2.0 * math.pi * round(way / (2.0 * math.pi))
            mixed[n, i] = end + share * way
    return True


@compiled
def keep(rows: Array, ring: NDArray[np.int64], clock: NDArray[np.int64], vehicles: Array,
         wheels: NDArray[np.void], blocks: Array, movable: NDArray[np.int64],
         figures: Array, gait: Array) -> None:
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
    :param gait: of the figures, shape (G, 2).
    """
    if ring[_KNOWN] > 0 and ring[_STEP] != clock[0]:  # else it replaces what is known of now
        if ring[_STEP] != clock[0] - 1:
            ring[_KNOWN] = 0
        ring[_NEWEST] = (ring[_NEWEST] + 1) % rows.shape[0]
        ring[_KNOWN] = min(ring[_KNOWN] + 1, rows.shape[0])
    ring[_KNOWN] = max(ring[_KNOWN], 1)
    ring[_STEP] = clock[0]
    lay_states(vehicles, wheels, blocks, movable, figures, gait, rows[ring[_NEWEST]])


@compiled(counted=False)
def keep_and_step(count: int, done: NDArray[np.int64], kept: Any, stepped: Any) -> None:
    """
    Make steps in machine code, and keep the state before each.

    :param done: see `note_steps`.
    :param kept: arguments of `keep`.
    :param stepped: arguments of `note_steps` for one step.
    """
    made = 0
    while made < count:
        keep(*kept)
        note_steps(*stepped)
        made += done[0]
        if done[1] >= 0:
            break
    done[0] = made


@compiled(counted=False)
def lay_states(vehicles: Array, wheels: NDArray[np.void], blocks: Array,
               movable: NDArray[np.int64], figures: Array, gait: Array, states: Array) -> None:
    """
    Write where everything is into a row of numbers.

    It has the poses of vehicles, six numbers each, steering and turn of all wheels, the poses of
    movable blocks and figures, and gaits.

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
    for i in range(gait.shape[0]):
        states[place], states[place + 1] = gait[i, 0], gait[i, 1]
        place += 2
