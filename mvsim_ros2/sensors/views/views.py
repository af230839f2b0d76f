# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Views of the scene: ray casters, renderers and shapes, shared by all sensors of a world.

A view is a class with the methods of `SceneView`. A sensor calls ``views.use(TheClass)`` when it
measures. The first call makes the view; it is updated at most once for each instant of
measurement. A view may use others in the same way. So only views of due sensors are built and
updated, and imports of one kind of sensor happen when it measures::

    class Rays(SceneView):
        def rebuild(self):  # things came, went, or static ones were moved
            self.scene = RayScene(self.views.use(ShapeView).scene)

        def look(self):  # a new instant; also called after each rebuild
            if self.views.use(ShapeView).moved.size:
                self.scene.update()

    # in the `measure` of a sensor, whose maker was handed mount.views
    target = self._views.use(Rays).scene.target
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
import operator
from typing import cast, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.planar import PlanarScene, StaticGeometry
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.sensors.views.instant import Instant
from mvsim_ros2.sensors.views.pose_history import PoseHistory
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, Footprint, RuntimeObject, VehicleSpec, WorldSpec)

_FEW = 100  # things that come one by one; after more, planar LiDARs begin anew


class SceneView(ABC):
    """A view of the scene that sensors measure with."""

    def __init__(self, views: 'SceneViews') -> None:
        self.views = views

    @abstractmethod
    def rebuild(self) -> None:
        """Take in `views.things` anew: some came, went, or static ones were moved."""

    @abstractmethod
    def look(self) -> None:
        """Take in where everything is at `views.instant`."""


E = TypeVar('E', bound=SceneView)


class _Shown(NamedTuple):
    """What the views show, as far as a change of it means that they begin anew."""

    things: tuple[object, ...]
    standing: bytes  # poses of the blocks that do not move

    def is_like(self, other: '_Shown') -> bool:
        """Return whether the same things stand at the same places."""
        return (len(self.things) == len(other.things) and self.standing == other.standing
                and all(map(operator.is_, self.things, other.things)))


class SceneViews:
    """All views of a world, one of each class, and the things that they show."""

    def __init__(self, world: WorldSpec, physics: PhysicsWorld,
                 footprints: Mapping[str, Footprint]) -> None:
        """
        Start without any view.

        :param footprints: outlines of meshes by name of vehicle or block.
        """
        self.world = world
        self.physical = physics.mode == PHYSICAL  # else planar LiDARs see as the original's do
        self._physics = physics
        self._views: dict[type[SceneView], SceneView] = {}
        self._built: dict[type[SceneView], int] = {}  # generation that each has taken in
        self._seen: dict[type[SceneView], Instant] = {}  # instant that each has looked at
        self.generation = 0  # how often things came, went or were put elsewhere
        self._standing: tuple[BlockSpec, ...] | None = None
        self._shown: _Shown | None = None
        self._things: WorldSpec | None = None
        self._clear: tuple[int, bool] | None = None  # generation, and whether light passes
        self._came: list[VehicleSpec | BlockSpec] | None = []  # not in plan; None: begin anew
        self.objects: tuple[RuntimeObject, ...] = ()  # that are only seen
        self.past = PoseHistory(physics)
        self.instant = Instant(physics, 0, self.past)
        self.change(footprints)

    def change(self, footprints: Mapping[str, Footprint]) -> None:
        """Let all views take in the things anew when they are next used, where others are."""
        if self.world.elements is not self._physics.spec.elements:
            self.world = replace(self.world, elements=self._physics.spec.elements)
            self._standing = self._shown = None
        vehicles, blocks = self._physics.vehicles, self._physics.blocks
        self.past.forget()
        shown = _Shown((*vehicles.specs, *blocks.specs, *footprints.values()),
                       blocks.pose[~blocks.movable].tobytes())
        if self._shown is not None and shown.is_like(self._shown):
            return
        self._shown = shown
        self._change(footprints)
        self._came = None

    def take_in(self, thing: VehicleSpec | BlockSpec,
                footprints: Mapping[str, Footprint]) -> None:
        """Let all views take in a thing that came behind the others, when they are next used."""
        self.past.forget()
        self._shown = None
        self._change(footprints)
        if self._came is not None and len(self._came) < _FEW:
            self._came.append(_standing_at(thing, Pose(*self._physics.blocks.pose[-1].tolist()))
                              if isinstance(thing, BlockSpec) and not thing.moves else thing)
        else:
            self._came = None

    def _change(self, footprints: Mapping[str, Footprint]) -> None:
        self.generation += 1
        self.footprints = footprints
        self._things = None

    @property
    def things(self) -> WorldSpec:
        """Return the world with what is there now; what does not move, where it is now."""
        if self._things is None:
            vehicles, blocks = self._physics.vehicles, self._physics.blocks
            self._things = replace(self.world, vehicles=tuple(vehicles.specs), blocks=tuple(
                spec if spec.moves else _standing_at(spec, Pose(*pose))
                for spec, pose in zip(blocks.specs, blocks.pose.tolist(), strict=True)))
        return self._things

    def show(self, objects: tuple[RuntimeObject, ...]) -> None:
        """Let cameras see these objects from now on, in place of those before."""
        self.objects = objects
        self.generation += 1

    def begin(self, time_ns: int) -> Instant:
        """Begin an instant of measurement: all views are updated when they are next used."""
        self.instant = Instant(self._physics, time_ns, self.past)
        if 'planar' in vars(self):
            if self._came is None or self._came:
                self._update_planar()
            vehicles = self._physics.vehicles
            self.planar.steer(vehicles.wheels, vehicles.wheel_start, self._physics.figures.gait)
        return self.instant

    def use(self, kind: type[E]) -> E:
        """Return the view of a class, up to date."""
        view = self._views.get(kind)
        if view is None:
            view = self._views[kind] = kind(self)
        changed = self._built.get(kind) != self.generation
        if changed:
            self._built[kind] = self.generation
            view.rebuild()
        if changed or self._seen.get(kind) is not self.instant:
            self._seen[kind] = self.instant
            view.look()
        return cast(E, view)

    @cached_property
    def planar(self) -> PlanarRayCaster:
        """Return what planar LiDARs look into: always the same object, up to date in `begin`."""
        self._came = []
        return PlanarRayCaster(self._planar_scene())

    def _update_planar(self) -> None:
        """Let planar LiDARs see what came, or everything anew."""
        if self._came is None:
            self.planar.update(self._planar_scene())
        else:
            self._standing = None
            self.planar.extend(self.planar.scene.with_things(
                self._came, self.footprints, self.physical))
        self._came = []

    def _planar_scene(self) -> PlanarScene:
        """Return the scene in plan; static geometry that did not change is the same object."""
        standing = tuple(block for block in self.things.blocks if not block.moves)
        if standing != self._standing:
            self._standing = standing
            self._still = StaticGeometry.from_world(
                replace(self.world, blocks=standing), self.footprints, self.physical)
        figures = self._physics.figures
        return PlanarScene.from_parts(
            self._still, self.things.vehicles, self.things.blocks, self.footprints,
            {name: spec if self.physical and isinstance(spec, ActorSpec) and not spec.visuals
             else outlines for name, spec, outlines in zip(
                figures.names, figures.specs, figures.outlines, strict=True) if outlines},
            self.physical)

    @property
    def step(self) -> float:
        """Return the step of the physics [s]."""
        return self._physics.dt

    @property
    def ground_is_level(self) -> bool:
        """Return whether vehicles always stand upright."""
        return self._physics.is_flat

    @property
    def lets_light_pass(self) -> bool:
        """Return whether something that planar LiDARs meet is translucent, or has holes."""
        from mvsim_ros2.scene.shapes.bodies import lets_light_pass
        if self._clear is None or self._clear[0] != self.generation:
            self._clear = self.generation, lets_light_pass(self.things)
        return self._clear[1]


def _standing_at(block: BlockSpec, pose: Pose) -> BlockSpec:
    """Return a block where it stands now."""
    return block if block.init_pose == pose else replace(block, init_pose=pose)


class ShapeView(SceneView):
    """
    The scene, brought up to date once for each instant of measurement.

    `scene` is another object after each change of the things in the world; at a new instant it
    is the same one with new transforms.
    """

    outlines = False  # see `build_scene`
    scene: Scene
    moved: NDArray[np.int64]  # instances whose transform is another one at this instant

    def rebuild(self) -> None:
        views = self.views
        self.scene = build_scene(views.world, views.footprints, views.things.vehicles,
                                 views.things.blocks, views.instant.movers,
                                 objects=views.objects, outlines=self.outlines)

    def look(self) -> None:
        self.moved = self.scene.update(self.views.instant.movers)


class OutlineView(ShapeView):
    """The same with bodies as planar LiDARs see them."""

    outlines = True
