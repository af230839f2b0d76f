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
"""
What sensors look with: ray casters, renderers and the scene, shared by all sensors of a world.

An eye is a class with the three methods of `Eye`. Whoever measures asks ``eyes.use(TheClass)``
at that moment: the first time it is made, and at most once for each instant of measurement it
is told to look. An eye may use others in the same way. So nothing is built or brought up to
date that no due sensor needs, and what only one kind of sensor imports is imported when such a
sensor measures::

    class Rays(Eye):
        def rebuild(self):  # things came, went, or static ones were moved
            self.scene = RayScene(self.eyes.use(SceneEye).scene)

        def look(self):  # a new instant; also called after each rebuild
            if self.eyes.use(SceneEye).moved.size:
                self.scene.update()

    # in the `measure` of a sensor, whose maker was handed mount.eyes
    target = self._eyes.use(Rays).scene.target
"""

from abc import ABC
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import cast
from typing import TypeVar

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.scene.planar import PlanarScene
from mvsim_ros2.scene.planar import StaticGeometry
from mvsim_ros2.sensors.instant import Instant
from mvsim_ros2.sensors.past import Past
from mvsim_ros2.sensors.raycast.planar import PlanarRayCaster
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.world import WorldSpec


class Eye(ABC):
    """Something that sensors look with."""

    def __init__(self, eyes: 'Eyes') -> None:
        self.eyes = eyes

    @abstractmethod
    def rebuild(self) -> None:
        """Take in `eyes.things` anew: some came, went, or static ones were moved."""

    @abstractmethod
    def look(self) -> None:
        """Take in where everything is at `eyes.instant`."""


E = TypeVar('E', bound=Eye)


class Eyes:
    """All eyes of a world, one of each class, and the things that they see."""

    def __init__(self, world: WorldSpec, physics: PhysicsWorld,
                 footprints: Mapping[str, Footprint]) -> None:
        """
        Start without any eye.

        :param footprints: outlines of meshes by name of vehicle or block.
        """
        self.world = world
        self._physics = physics
        self._eyes: dict[type[Eye], Eye] = {}
        self._built: dict[type[Eye], int] = {}  # generation that each has taken in
        self._seen: dict[type[Eye], Instant] = {}  # instant that each has looked at
        self._generation = 0
        self._standing: tuple[BlockSpec, ...] | None = None
        self._steered: list[float] = []  # angles of the wheels in the planar scene
        self.past = Past()
        self.instant = Instant(physics, 0, self.past)
        self.change(footprints)

    def change(self, footprints: Mapping[str, Footprint]) -> None:
        """Let all eyes take in the things anew when they are next used."""
        vehicles, blocks = self._physics.vehicles, self._physics.blocks
        self._generation += 1
        self.past.forget()
        self.footprints = dict(footprints)
        # the world with what is there now; what does not move, where it is now
        self.things = replace(self.world, vehicles=tuple(vehicles.specs), blocks=tuple(
            spec if spec.moves else replace(spec, init_pose=Pose(*pose.tolist()))
            for spec, pose in zip(blocks.specs, blocks.pose, strict=True)))
        if 'planar' in vars(self):
            self.planar.update(self._planar_scene())

    def begin(self, time_ns: int) -> Instant:
        """Begin an instant of measurement: all eyes look again when they are next used."""
        self.instant = Instant(self._physics, time_ns, self.past)
        if 'planar' in vars(self):
            self._steer_wheels()
        return self.instant

    def remember(self, time_ns: int, step_ns: int, span_ns: int) -> None:
        """Keep where everything is now, for measurements that take up to `span_ns`."""
        self.past.remember(
            time_ns, Instant(self._physics, time_ns, self.past).movers, step_ns, span_ns)

    def use(self, kind: type[E]) -> E:
        """Return the eye of a class, up to date."""
        eye = self._eyes.get(kind)
        if eye is None:
            eye = self._eyes[kind] = kind(self)
        changed = self._built.get(kind) != self._generation
        if changed:
            self._built[kind] = self._generation
            eye.rebuild()
        if changed or self._seen.get(kind) is not self.instant:
            self._seen[kind] = self.instant
            eye.look()
        return cast(E, eye)

    @cached_property
    def planar(self) -> PlanarRayCaster:
        """Return what planar LiDARs look into: always the same object, up to date."""
        return PlanarRayCaster(self._planar_scene())

    def _steer_wheels(self) -> None:
        """Turn the wheels that planar LiDARs see, where they stand in another way than before."""
        steered = self.planar.scene.steered
        if steered:
            vehicles = self._physics.vehicles
            angles = vehicles.wheels['steer'][
                [vehicles.wheel_start[each.mover] + each.wheel for each in steered]].tolist()
            if angles != self._steered:
                self.planar.steer(angles)
                self._steered = angles

    def _planar_scene(self) -> PlanarScene:
        """Return the scene in plan; static geometry that did not change is the same object."""
        self._steered = []
        standing = tuple(block for block in self.things.blocks if not block.moves)
        if standing != self._standing:
            self._standing = standing
            self._still = StaticGeometry.from_world(
                replace(self.world, blocks=standing), self.footprints)
        return PlanarScene.from_parts(
            self._still, self.things.vehicles, self.things.blocks, self.footprints,
            {name: [outline.polygon for outline in outlines] for name, outlines in zip(
                self._physics.figures.names, self._physics.figures.outlines, strict=True)
             if outlines})
