# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Steps of a world: in one compiled loop where the engine can be reached from there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import bound
from mvsim_ros2.compiled import runs_machine_code
from mvsim_ros2.physics.attitude import settle
from mvsim_ros2.physics.blocks import Blocks
from mvsim_ros2.physics.body_view import BLOCK_RESTS
from mvsim_ros2.physics.body_view import MemoryView
from mvsim_ros2.physics.body_view import PublicView
from mvsim_ros2.physics.body_view import VEHICLE_RESTS
from mvsim_ros2.physics.body_view import view
from mvsim_ros2.physics.collisions import is_near_another
from mvsim_ros2.physics.heights import lift
from mvsim_ros2.physics.heights import NO_HEIGHTS
from mvsim_ros2.physics.kernel import drive
from mvsim_ros2.physics.kernel import impose
from mvsim_ros2.physics.kernel import observe
from mvsim_ros2.physics.kernel import roll
from mvsim_ros2.physics.kernel import turn_along
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.native import step_address
from mvsim_ros2.physics.native import steps
from mvsim_ros2.physics.physical_step import drive_physical
from mvsim_ros2.physics.space import Space
from mvsim_ros2.physics.surroundings import Surroundings
from mvsim_ros2.physics.terrain import NO_RELIEF
from mvsim_ros2.physics.tyre_springs import put_down
from mvsim_ros2.physics.tyre_springs import put_on_springs
from mvsim_ros2.physics.vehicles import Vehicles
from mvsim_ros2.world.spec.world import WorldSpec


class Stepper:
    """
    Moves a certain set of bodies; another one is needed when some come, go or are put elsewhere.

    :ivar view: of the bodies of the vehicles.
    """

    def __init__(
            self, world: WorldSpec, space: Space, vehicles: Vehicles, blocks: Blocks,
            around: Surroundings, physical: bool, regions: NDArray[np.float64],
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
        Make up to `count` steps in the compiled loop, see `native.steps`, or one without it.

        :param column: of the noise of the odometers.
        :returns: steps made; number of a vehicle without a finite position, or -1.
        """
        if self._steps is None and not (self._native and runs_machine_code()):
            return self._once(column)
        arguments = (
            count, column, self._around.relief or NO_RELIEF, self._around.heights or NO_HEIGHTS,
            *self._rest)
        if self._steps is None:
            self._steps = bound(steps, *arguments)
        made, wrong = self._steps(*arguments)
        return made, wrong

    def _once(self, column: int) -> tuple[int, int]:
        """Make a step: what `native.steps` does, call by call; return as there."""
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
