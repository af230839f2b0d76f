# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a world: in one compiled loop where the engine can be reached from there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import bound
from mvsim_ros2.physics.engine.body_access import BLOCK_RESTS
from mvsim_ros2.physics.engine.body_access import MemoryView
from mvsim_ros2.physics.engine.body_access import PublicView
from mvsim_ros2.physics.engine.body_access import VEHICLE_RESTS
from mvsim_ros2.physics.engine.body_access import view
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collision_heights import lift
from mvsim_ros2.physics.engine.collision_heights import NO_HEIGHTS
from mvsim_ros2.physics.engine.collisions import is_near_another
from mvsim_ros2.physics.engine.native_step import step_address
from mvsim_ros2.physics.environment import Environment
from mvsim_ros2.physics.ground.terrain import NO_RELIEF
from mvsim_ros2.physics.ground.vehicle_attitude import settle
from mvsim_ros2.physics.mvsim.step import drive
from mvsim_ros2.physics.mvsim.step import impose
from mvsim_ros2.physics.mvsim.step import observe
from mvsim_ros2.physics.mvsim.step import roll
from mvsim_ros2.physics.mvsim.step import turn_along
from mvsim_ros2.physics.physical.step import drive_physical
from mvsim_ros2.physics.physical.tyre_springs import put_down
from mvsim_ros2.physics.physical.tyre_springs import put_on_springs
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.record_layout import TWIST_IDEAL
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.spec.world import WorldSpec

if step_address():
    from mvsim_ros2.physics.engine.native_step import steps


class Pipeline:
    """
    Moves a certain set of bodies; another one is needed when some come, go or are put elsewhere.

    :ivar view: of the bodies of the vehicles.
    """

    def __init__(
            self, world: WorldSpec, space: Box2dWorld, vehicles: Vehicles, blocks: Blocks,
            around: Environment, physical: bool, regions: NDArray[np.float64],
            bulk: bool) -> None:
        """
        Find the bodies, and observe where they are.

        :param physical: whether the mode is that.
        :param regions: of friction, see `friction_regions`.
        :param bulk: False uses the public functions of the engine's binding only, slower.
        """
        self._space = space
        self._vehicles = vehicles
        self._blocks = blocks
        self._around = around
        self._physical = physical
        self._regions = regions
        self._dt, self._gravity = world.timestep, world.gravity
        self._threshold = world.collision_threshold
        self.view = view(vehicles.bodies) if bulk else PublicView(vehicles.bodies)
        a = vehicles.arrays
        self._ideal = np.flatnonzero(a.records['controller'] == TWIST_IDEAL)
        self._sprung = bool(a.records['sprung'].any())
        self.view.read(a.motion)
        observe(0.0, a.records, a.pose, a.twist_body, a.velocity, a.acceleration_body, a.motion)
        a.before[:] = a.pose[:, [0, 1, 3]]
        blocks.rebuild_view(public=not bulk)
        blocks.observe()
        around.look()
        self._steps: Callable[..., tuple[int, int]] | None = None
        self._native = 0
        if isinstance(self.view, MemoryView) and not space.calls_python:
            self._native = step_address()
            self._rest = (
                (self._native, int(space.world.this), *space.iterations), physical, self._dt,
                self._gravity, self.view.addresses, blocks.addresses, a.records,
                vehicles.wheel_start, vehicles.wheels, a.pids, a.pose, a.twist_body, a.velocity,
                a.acceleration_body, a.odometers, a.before, a.noise, a.collided, a.motion,
                a.wrench, self._threshold, regions)

    def advance(self, count: int, column: int) -> tuple[int, int]:
        """
        Make up to `count` steps in the compiled loop, see `native_step.steps`, else one.

        :param column: of the noise of the odometers.
        :returns: steps made; number of a vehicle without a finite position, or -1.
        """
        if not self._native:
            return self._once(column)
        arguments = (
            count, column, self._around.relief or NO_RELIEF, self._around.heights or NO_HEIGHTS,
            *self._rest)
        if self._steps is None:
            self._steps = bound(steps, *arguments)
        made, wrong = self._steps(*arguments)
        return made, wrong

    def _once(self, column: int) -> tuple[int, int]:
        """Make a step: what `native_step.steps` does, call by call; return as there."""
        v, a, dt = self._vehicles, self._vehicles.arrays, self._dt
        relief, heights = self._around.relief, self._around.heights
        if self._sprung:
            put_down(relief is not None, a.records, a.pose)
        if relief is not None:
            settle(relief, a.records, v.wheel_start, v.wheels, a.pose)
        if heights is not None:
            lift(heights, relief or NO_RELIEF, v.wheels, a.pose)
        wrong = (drive_physical if self._physical else drive)(
            dt, self._gravity, a.records, v.wheel_start, v.wheels, a.pids, a.pose,
            a.twist_body, a.motion, a.wrench, self._regions)
        if wrong >= 0:
            return 0, int(wrong)
        if self._physical:
            impose(a.records, a.pose, a.motion)
            self.view.set_velocity(self._ideal, a.motion)
        self.view.rouse(VEHICLE_RESTS, True)
        self._blocks.view.rouse(BLOCK_RESTS, False)
        self.view.push(a.wrench)
        self._space.step()
        self.view.read(a.motion)
        (turn_along if self._physical else impose)(a.records, a.pose, a.motion)
        self.view.set_velocity(self._ideal, a.motion)
        wrong = observe(dt, a.records, a.pose, a.twist_body, a.velocity, a.acceleration_body,
                        a.motion)
        roll(dt, a.records, v.wheel_start, v.wheels, a.pose, a.odometers, a.before, a.noise,
             column)
        if self._sprung:
            put_on_springs(a.records, a.pose)
        if wrong < 0 and self._space.world.contactCount > 0:
            self._look_for_collisions()
        return 1, int(wrong)

    def _look_for_collisions(self) -> None:
        collided = self._vehicles.collided
        for i in np.flatnonzero(self.view.has_contacts() & ~collided).tolist():
            collided[i] = is_near_another(
                self._vehicles.bodies[i], self._threshold, self._around.heights)
