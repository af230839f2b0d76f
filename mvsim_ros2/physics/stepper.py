# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a world: in one compiled loop where the engine can be reached from there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled, runs_machine_code
from mvsim_ros2.jit.native_call import call4
from mvsim_ros2.jit.normals import filler
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.body_access import (
    addresses, BLOCK_RESTS, BodyView, MemoryView, PublicView, VEHICLE_RESTS, view)
from mvsim_ros2.physics.engine.body_addresses import BodyAddresses
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collision_heights import Heights, NO_HEIGHTS
from mvsim_ros2.physics.engine.collisions import is_near_another
from mvsim_ros2.physics.engine.continuous import mark_fast
from mvsim_ros2.physics.engine.far_joints import carry_joined
from mvsim_ros2.physics.engine.far_places import KEPT
from mvsim_ros2.physics.engine.lone_bodies import (
    contact_functions, MARGIN, NOTED, synchronise_address)
from mvsim_ros2.physics.engine.native_step import step_address, steps_mvsim, steps_physical
from mvsim_ros2.physics.engine.sliding import glide_publicly, rub_publicly, sliding_rows
from mvsim_ros2.physics.engine.world_memory import world_flags
from mvsim_ros2.physics.environment import Environment
from mvsim_ros2.physics.ground.terrain import NO_RELIEF
from mvsim_ros2.physics.mvsim.step import observe
from mvsim_ros2.physics.pipeline import steps
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.record_layout import ANGLE, MOTION, NOISE_STEPS, OMEGA, VX, VY, X, Y
from mvsim_ros2.physics.state.step_columns import KNOWN, ROOM
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.world import WorldSpec

Array = NDArray[np.float64]


PHYSICAL_AT = 3  # number of `physical` among the arguments of `steps` behind the column
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


@compiled(counted=False)
def note_steps(done: NDArray[np.int64], clock: NDArray[np.int64], count: int, fill: int,
               noises: NDArray[np.int64], arguments: Any) -> None:
    """
    Make steps in machine code.

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
        if arguments[PHYSICAL_AT]:
            made, wrong = steps_physical(some, column, *arguments)
        else:
            made, wrong = steps_mvsim(some, column, *arguments)
        clock[0] += made
        done[0] += made
        done[1] = wrong


class PlainBodies:
    """Bodies as `pipeline.steps` takes them, through views."""

    def __init__(
            self, view: BodyView, vehicles: Vehicles, blocks: Blocks, space: Box2dWorld,
            joints: Sequence[Any], ties: Any) -> None:
        """
        Take the views of the bodies as they are now.

        :param joints: what rubs the blocks that move, of none in mode `mvsim`.
        :param ties: joints between vehicles, see `far_joints`.
        """
        self._view, self._blocks = view, blocks.view
        self._space, self._bodies = space, vehicles.bodies
        self._ideal = np.flatnonzero(vehicles.arrays.records['is_ideal'])
        self._groups = (view, vehicles.bodies), (blocks.view, blocks.moving), (
            PublicView(space.driven), space.driven)
        self._pushed = [*vehicles.bodies, *blocks.moving]
        self._sliding = list(zip(blocks.moving, joints, blocks.sliding, strict=False))
        self._forces = np.zeros((len(vehicles), 3), np.float32)
        self._ties, self._joined = ties, np.unique([ties['a'], ties['b']]).tolist()

    def rouse(self) -> None:
        """See `pipeline.rouse`."""
        self._view.rouse(VEHICLE_RESTS, True)
        self._blocks.rouse(BLOCK_RESTS, False)

    def set_velocities(self, motion: Array) -> None:
        """See `pipeline.set_velocities`."""
        self._view.set_velocity(self._ideal, motion)

    def push(self, wrench: Array) -> None:
        """See `pipeline.push`."""
        self._view.push(wrench)
        self._forces[:] = wrench

    def advance(self, dt: float) -> None:
        """See `pipeline.advance`; the engine knows `dt`."""
        forces = [rub_publicly(*each, dt) for each in self._sliding]
        vehicles, blocks, driven = (self._rows(*group) for group in self._groups)
        vehicles[:, 5:7] = self._forces[:, :2]
        if forces:
            blocks[:, 5:7] = forces
        fast, bullets = np.zeros((2, len(vehicles) + len(blocks)), bool)
        bodies, thicknesses = np.vstack([vehicles, blocks]), self._space.thicknesses
        parts = mark_fast(
            fast, bullets, bodies, self._space.sizes(self._pushed)[1], driven,
            thicknesses.near(bodies[:, :2]), *thicknesses.thinnest, dt)
        marked = [[self._pushed[i] for i in np.flatnonzero(each).tolist()]
                  for each in (fast, bullets)]
        self._space.step(marked[0], marked[1], parts)
        for body, _, row in self._sliding:
            glide_publicly(body, row, dt / max(1, parts))

    def _rows(self, view: BodyView, bodies: Sequence[Any]) -> Array:
        """Return bodies as `goes_far` takes them, without forces."""
        motion = np.zeros((len(bodies), MOTION))
        view.read(motion)
        mass = np.array([body.mass for body in bodies], np.float32)
        inverse = np.where(mass > 0.0, np.float32(1.0) / np.where(mass > 0.0, mass, 1.0), 0.0)
        return np.column_stack([
            motion[:, [X, Y, VX, VY, OMEGA]], np.zeros((len(bodies), 2)), inverse,
            self._space.sizes(bodies)[0]])

    def read(self, motion: Array) -> None:
        """See `pipeline.read`."""
        self._view.read(motion)

    def put(self, i: int, x: float, y: float) -> None:
        """See `pipeline.put`."""
        body = self._bodies[i]
        body.transform = (x, y), body.angle

    def carry_joined(self, dt: float, vehicles: Any, motion: Array, places: Array) -> None:
        """See `pipeline.carry_joined`."""
        if not self._joined:
            return
        carry_joined(dt, self._space.iterations[1], self._ties, vehicles, motion, places)
        for i in self._joined:
            if places[i, KEPT]:
                x, y, angle = motion[i, [X, Y, ANGLE]].tolist()
                self._bodies[i].transform = (x, y), angle

    def mark_collisions(
            self, collided: NDArray[np.bool_], threshold: float, heights: Heights) -> None:
        """See `pipeline.mark_collisions`."""
        if self._space.world.contactCount > 0:
            known = heights if len(heights.table) > 0 else None
            for i in np.flatnonzero(self._view.has_contacts() & ~collided).tolist():
                collided[i] = is_near_another(self._bodies[i], threshold, known)


def look_at(vehicles: Vehicles, blocks: Blocks, around: Environment, bulk: bool) -> BodyView:
    """
    Observe vehicles and blocks and what is around them, after some came, went or were moved.

    :param bulk: False uses the public functions of the engine's binding only, slower.
    :returns: a view of the bodies of the vehicles.
    """
    blocks.rebuild_view(public=not bulk)
    seen = look_at_vehicles(vehicles, blocks, bulk)
    around.look()
    return seen


def look_at_vehicles(vehicles: Vehicles, blocks: Blocks, bulk: bool) -> BodyView:
    """Observe vehicles and blocks after a vehicle came; see `look_at`."""
    seen = view(vehicles.bodies) if bulk else PublicView(vehicles.bodies)
    look_closer(seen, vehicles, blocks)
    return seen


def look_closer(seen: BodyView, vehicles: Vehicles, blocks: Blocks) -> None:
    """Observe vehicles and blocks after some were put elsewhere."""
    a = vehicles.arrays
    vehicles.read_motion(seen)
    observe(0.0, a.records, a.pose, a.twist_body, a.velocity, a.acceleration_body, a.motion)
    a.before[:] = a.pose[:, [0, 1, 3]]
    blocks.observe()


class Stepper:
    """
    Moves a certain set of bodies; another one is needed whenever `look_at` is.

    :ivar done: steps made by the last call that was `prepared`; number of a vehicle without a
        finite position, or -1; shape (2,).
    :ivar needs_python: whether something moves as it is told, before and after each step.
    """

    def __init__(
            self, world: WorldSpec, space: Box2dWorld, vehicles: Vehicles, blocks: Blocks,
            around: Environment, physical: bool, regions: NDArray[np.float64],
            seen: BodyView, clock: NDArray[np.int64], noises: NDArray[np.int64]) -> None:
        """
        Find the bodies, and what they can come upon.

        :param physical: whether the mode is that.
        :param regions: of friction, see `friction_regions`.
        :param seen: what `look_at` returned.
        :param clock: steps since the start, moved on here, shape (1,).
        :param noises: of the odometers, see `noise_column`.
        """
        a, self._clock = vehicles.arrays, clock
        self._noises = filler('float64'), noises
        self.needs_python = around.moves
        space.thicknesses.update()
        around.look_at_heights()
        self._surroundings = around.relief or NO_RELIEF, around.heights or NO_HEIGHTS
        self._steps: PreparedCall | None = None
        self.done = np.zeros(2, np.int64)
        self._done = self.done.data
        tied = around.tied
        blocks.sliding, joints = sliding_rows(blocks.moving, space.rubs, [
            blocks.names[i] in tied for i in blocks.moving_rows])
        around.show_slopes()
        self._sliding, self._ties = blocks.sliding, around.ties  # kept alive
        self._plain = PlainBodies(
            seen, vehicles, blocks, space, joints if physical else (), around.ties)
        self._bodies: BodyAddresses | None = None
        if isinstance(seen, MemoryView) and not space.calls_python and step_address():
            self._kept = seen.addresses, blocks.addresses, addresses(space.driven)
            self._sizes = np.ascontiguousarray(
                space.sizes([*vehicles.bodies, *blocks.moving, *space.driven]))
            engine = int(space.world.this)
            self._noted = np.zeros((len(vehicles), NOTED))  # kept alive, as the others
            self._rigid = a.records['steered'] == 0.0  # wheels do not turn
            self._joints = np.array(
                [0 if joint is None else int(joint.this) for joint in joints], np.int64)
            vehicle_bodies, block_bodies, driven = (
                (each.ctypes.data, len(each)) for each in self._kept)
            numbers = (
                step_address(), engine, *space.iterations, *vehicle_bodies, *block_bodies,
                self._joints.ctypes.data, blocks.sliding.ctypes.data if physical else 0, *driven,
                self._sizes.ctypes.data, space.thicknesses.table.ctypes.data,
                *(engine + place for place in world_flags()), synchronise_address(),
                *contact_functions(), self._noted.ctypes.data, self._ties.ctypes.data,
                len(self._ties))
            self._bodies = BodyAddresses._make(numbers)
            self.forget()
        self._rest: tuple[Any, ...] = (
            physical, world.timestep, world.gravity, a.records, vehicles.wheel_start,
            vehicles.wheels, a.pids, a.pose, a.twist_body, a.velocity, a.acceleration_body,
            a.odometers, a.before, a.noise, a.collided, a.motion, a.places, a.wrench,
            world.collision_threshold, regions, around.hitches,
            np.zeros(int(np.diff(vehicles.wheel_start).max(initial=0)), KNOWN), np.zeros(1, ROOM))

    def forget(self) -> None:
        """Forget where the vehicles were: some were put elsewhere, on level ground."""
        if self._bodies is not None:
            self._noted[:] = 0.0
            self._noted[self._rigid, MARGIN] = -1.0

    def advance(self, count: int) -> tuple[int, int]:
        """
        Make up to `count` steps in machine code, or one in plain Python, see `pipeline.steps`.

        :returns: steps made; number of a vehicle without a finite position, or -1.
        """
        if self._steps is None:
            self._steps = self.prepared(count)
        if self._steps is None:
            column = noise_column(int(self._clock[0]), *self._noises)
            made, wrong = steps(1, column, *self._surroundings, self._plain, *self._rest)
            self._clock[0] += made
            return made, int(wrong)
        self._steps.words[COUNT] = count
        self._steps()
        made, wrong = self._done
        return made, wrong

    def prepared(self, count: int) -> PreparedCall | None:
        """
        Return a call of its own that makes `count` steps, None where only plain Python can.

        What `advance` would return is in `done` after it.
        """
        if self._bodies is None or not runs_machine_code():
            return None
        return PreparedCall(note_steps, self.done, self._clock, count, *self._noises, (
            *self._surroundings, self._bodies, *self._rest))
