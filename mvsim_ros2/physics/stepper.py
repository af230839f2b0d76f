# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a world: in one compiled loop where the engine can be reached from there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.jit.kernel import compiled, runs_machine_code
from mvsim_ros2.jit.native_function import call4
from mvsim_ros2.jit.normals import address_of, filler
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.bodies import addresses
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collision_heights import NO_HEIGHTS
from mvsim_ros2.physics.engine.continuous import DYNAMICS
from mvsim_ros2.physics.engine.engine_step import Engine, sliding_rows
from mvsim_ros2.physics.environment import Environment
from mvsim_ros2.physics.ground.relief import NO_RELIEF
from mvsim_ros2.physics.mvsim_step import observe
from mvsim_ros2.physics.people.crowd import Crowd
from mvsim_ros2.physics.people.step import move_people, show_people
from mvsim_ros2.physics.pipeline import steps
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.record_layout import MOTION, NOISE_STEPS, VEHICLE_WORK, WHEEL_WORK
from mvsim_ros2.physics.state.spatial_motion import observe_in_space
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.world import WorldSpec

_WALKS = 'walk_distance', 'walk_turn', 'walk_drift'  # of records: random walks of odometers
COUNT = 4  # the word of a call of `note_steps` that says how many, behind those of two arrays


@compiled
def noise_column(steps: int, fill: int, noises: NDArray[np.int64]) -> int:
    """
    Return the column of the noise of the odometers for the next step; draw it where it is due.

    :param steps: since the start.
    :param fill: what draws it, see `draw_normals`.
    :param noises: of those with random walks the generator and the place, addresses, shape (n, 2).
    """
    column = steps % NOISE_STEPS
    if column == 0:
        for i in range(len(noises)):
            call4(fill, noises[i, 0], 2 * NOISE_STEPS, noises[i, 1], 0)
    return column


class OdometryNoise:
    """A generator of the random walks of the odometers of some vehicles."""

    def __init__(self, vehicles: Vehicles, streams: RandomStreams) -> None:
        """Find no generator yet; vehicle `r1` draws from the stream `odometry/r1`."""
        self._vehicles, self._streams = vehicles, streams
        self._generators: list[int] = []  # addresses, 0 where an odometer has no random walk

    def forget(self, i: int) -> None:
        """Forget vehicle `i`, which goes."""
        del self._generators[i:i + 1]  # where it is known by now

    def rows(self, first: int = 0) -> NDArray[np.int64]:
        """
        Return what draws the noise of odometers, and where it lies: addresses, shape (n, 2).

        Of those from `first` on that have random errors which grow with the way.
        """
        v = self._vehicles
        for i in range(len(self._generators), len(v)):
            record = v.arrays.records[i]
            self._generators.append(
                address_of(self._streams.get(f'odometry/{v.names[i]}'))
                if any(record[name] for name in _WALKS) else 0)
        generators, noise = np.array(self._generators, np.int64), v.arrays.noise
        rows = first + np.flatnonzero(generators[first:])
        return np.column_stack([generators[rows], noise.ctypes.data + noise.strides[0] * rows])

    def draw_newest(self) -> None:
        """Draw the noise of the vehicle that came last."""
        noise_column(0, filler('float64'), self.rows(len(self._vehicles) - 1))


@compiled(counted=False)
def note_steps(done: NDArray[np.int64], clock: NDArray[np.int64], count: int, fill: int,
               noises: NDArray[np.int64], crowd: Crowd, dt: float, arguments: Any) -> None:
    """
    Make steps in machine code: people move, then all other bodies.

    :param done: to fill in, shape (2,): what `pipeline.steps` returns.
    :param clock: steps since the start, moved on, shape (1,).
    :param count: steps to make.
    :param fill: for this and `noises` see `noise_column`.
    :param arguments: of `pipeline.steps`, behind the column of the noise.
    """
    done[0], done[1] = 0, -1
    while done[0] < count and done[1] < 0:
        column = noise_column(clock[0], fill, noises)
        some = min(count - done[0], NOISE_STEPS - column)
        if len(crowd.people) > 0:
            some = 1
            move_people(crowd, clock[0], dt)
        made, wrong = steps(some, column, *arguments)
        if len(crowd.people) > 0:
            show_people(crowd)
        clock[0] += made
        done[0] += made
        done[1] = wrong


def look_closer(vehicles: Vehicles, blocks: Blocks) -> None:
    """Observe vehicles and blocks after some came or were put elsewhere."""
    a = vehicles.arrays
    vehicles.read_motion()
    observe(0.0, a.records, a.pose, a.twist_body, a.velocity, a.acceleration_body, a.motion)
    observe_in_space(0.0, a.records, a.pose, a.twist_body, a.acceleration_body)
    a.before[:] = a.pose[:, [0, 1, 3]]
    blocks.observe()


class Stepper:
    """
    Moves a certain set of bodies; another one is needed after some came or went.

    :ivar done: steps made by the last call that was `prepared`; number of a vehicle without a
        finite position, or -1; shape (2,).
    :ivar engine: the bodies, as kernels take them.
    :ivar needs_python: whether something with ideal motion moves before and after each step.
    """

    def __init__(
            self, world: WorldSpec, space: Box2dWorld, vehicles: Vehicles, blocks: Blocks,
            around: Environment, physical: bool, regions: NDArray[np.float64],
            clock: NDArray[np.int64], noises: NDArray[np.int64]) -> None:
        """
        Find the bodies, and what they can come upon.

        :param physical: whether the mode is that.
        :param regions: of friction, see `friction_regions`.
        :param clock: steps since the start, moved on here, shape (1,).
        :param noises: of the odometers, see `noise_column`.
        """
        a, self._clock = vehicles.arrays, clock
        self._before = (
            filler('float64'), noises, around.people.crowd(vehicles, blocks), world.timestep)
        self.needs_python = around.moves
        space.thicknesses.update()
        around.look_at_heights()
        self._steps: PreparedCall | None = None
        self.done = np.zeros(2, np.int64)
        self._done = self.done.data
        tied = around.tied
        blocks.sliding, joints = sliding_rows(blocks.moving, space.frictions, [
            blocks.names[i] in tied for i in blocks.moving_rows])
        around.show_slopes()
        pushed = [*vehicles.bodies, *blocks.moving]
        bodies = [*pushed, *space.driven]
        reach, thick = np.ascontiguousarray(space.sizes(bodies))
        slides = len(joints) if physical else 0
        self._space = space  # kept alive
        self.engine = Engine(
            space.world.address, *space.iterations, vehicles.addresses, blocks.addresses,
            addresses(bodies), reach, thick, thick.min(initial=np.inf), space.thicknesses.table,
            joints, blocks.sliding[:slides], around.ties, np.zeros((len(bodies), DYNAMICS)),
            np.zeros((len(joints), MOTION)), np.ones(len(joints), bool),
            *np.zeros((2, len(pushed)), bool))
        self._arguments: tuple[Any, ...] = (
            around.relief or NO_RELIEF, around.heights or NO_HEIGHTS, self.engine, physical,
            world.timestep, world.gravity, a.records, vehicles.wheel_start, vehicles.wheels,
            a.pids, a.pose, a.twist_body, a.velocity, a.acceleration_body, a.odometers,
            a.before, a.noise, a.collided, a.motion, a.places, a.wrench,
            world.collision_threshold, regions, around.hitches,
            np.zeros(int(np.diff(vehicles.wheel_start).max(initial=0)), WHEEL_WORK),
            np.zeros(1, VEHICLE_WORK))

    def advance(self, count: int) -> tuple[int, int]:
        """
        Make up to `count` steps in machine code, or one in plain Python, see `pipeline.steps`.

        :returns: steps made; number of a vehicle without a finite position, or -1.
        """
        if self._steps is None:
            self._steps = self.prepared(count)
        if self._steps is None:
            note_steps(self.done, self._clock, 1, *self._before, self._arguments)
        else:
            self._steps.words[COUNT] = count
            self._steps()
        made, wrong = self._done
        return made, wrong

    def prepared(self, count: int) -> PreparedCall | None:
        """
        Return a call of its own that makes `count` steps, None while kernels are plain Python.

        What `advance` would return is in `done` after it.
        """
        if not runs_machine_code():
            return None
        return PreparedCall(note_steps, self.done, self._clock, count, *self._before,
                            self._arguments)
