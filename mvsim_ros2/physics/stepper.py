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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import bound
from mvsim_ros2.compiled import runs_machine_code
from mvsim_ros2.physics.blocks import Blocks
from mvsim_ros2.physics.body_view import BLOCK_RESTS
from mvsim_ros2.physics.body_view import BodyView
from mvsim_ros2.physics.body_view import MemoryView
from mvsim_ros2.physics.body_view import PublicView
from mvsim_ros2.physics.body_view import VEHICLE_RESTS
from mvsim_ros2.physics.body_view import view
from mvsim_ros2.physics.collisions import is_near_another
from mvsim_ros2.physics.heights import Heights
from mvsim_ros2.physics.heights import NO_HEIGHTS
from mvsim_ros2.physics.kernel import observe
from mvsim_ros2.physics.native import BodyAddresses
from mvsim_ros2.physics.native import native_steps
from mvsim_ros2.physics.native import step_address
from mvsim_ros2.physics.pipeline import steps
from mvsim_ros2.physics.space import Space
from mvsim_ros2.physics.surroundings import Surroundings
from mvsim_ros2.physics.terrain import NO_RELIEF
from mvsim_ros2.physics.vehicles import Vehicles
from mvsim_ros2.world.spec.world import WorldSpec

Array = NDArray[np.float64]


class PlainBodies:
    """Bodies as `pipeline.steps` takes them, through views."""

    def __init__(self, view: BodyView, vehicles: Vehicles, blocks: Blocks, space: Space) -> None:
        """Take the views of the bodies as they are now."""
        self._view, self._blocks = view, blocks.view
        self._space, self._bodies = space, vehicles.bodies
        self._ideal = np.flatnonzero(vehicles.arrays.records['is_ideal'])

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

    def advance(self, dt: float) -> None:
        """See `pipeline.advance`; the engine knows `dt`."""
        self._space.step()

    def read(self, motion: Array) -> None:
        """See `pipeline.read`."""
        self._view.read(motion)

    def mark_collisions(
            self, collided: NDArray[np.bool_], threshold: float, heights: Heights) -> None:
        """See `pipeline.mark_collisions`."""
        if self._space.world.contactCount > 0:
            known = heights if len(heights.table) > 0 else None
            for i in np.flatnonzero(self._view.has_contacts() & ~collided).tolist():
                collided[i] = is_near_another(self._bodies[i], threshold, known)


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
        self._around = around
        self.view = view(vehicles.bodies) if bulk else PublicView(vehicles.bodies)
        a = vehicles.arrays
        self.view.read(a.motion)
        observe(0.0, a.records, a.pose, a.twist_body, a.velocity, a.acceleration_body, a.motion)
        a.before[:] = a.pose[:, [0, 1, 3]]
        blocks.rebuild_view(public=not bulk)
        blocks.observe()
        around.look()
        self._steps: Callable[..., tuple[int, int]] | None = None
        self._plain = PlainBodies(self.view, vehicles, blocks, space)
        self._bodies: BodyAddresses | None = None
        if isinstance(self.view, MemoryView) and not space.calls_python and step_address():
            self._bodies = BodyAddresses(
                step_address(), int(space.world.this), *space.iterations, self.view.addresses,
                blocks.addresses)
        self._rest: tuple[Any, ...] = (
            physical, world.timestep, world.gravity, a.records, vehicles.wheel_start,
            vehicles.wheels, a.pids, a.pose, a.twist_body, a.velocity, a.acceleration_body,
            a.odometers, a.before, a.noise, a.collided, a.motion, a.wrench,
            world.collision_threshold, regions)

    def advance(self, count: int, column: int) -> tuple[int, int]:
        """
        Make up to `count` steps in machine code, or one in plain Python, see `pipeline.steps`.

        :param column: of the noise of the odometers.
        :returns: steps made; number of a vehicle without a finite position, or -1.
        """
        around = self._around.relief or NO_RELIEF, self._around.heights or NO_HEIGHTS
        if self._bodies is None or self._steps is None and not runs_machine_code():
            made, wrong = steps(1, column, *around, self._plain, *self._rest)
            return made, int(wrong)
        arguments = (count, column, *around, self._bodies, *self._rest)
        if self._steps is None:
            self._steps = bound(native_steps, *arguments)
        made, wrong = self._steps(*arguments)
        return made, wrong
