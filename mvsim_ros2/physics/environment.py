# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The environment of vehicles and blocks: ground, joints and obstacles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
import logging
import math
from typing import Any

import numpy as np

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.controllers.ideal import WaypointPath
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collision_heights import Heights
from mvsim_ros2.physics.engine.far_places import NO_TIES
from mvsim_ros2.physics.engine.height_tracking import HeightTracking
from mvsim_ros2.physics.engine.joints import (
    connect, find_hitches, hitch_records, NO_HITCHES, ties_between)
from mvsim_ros2.physics.engine.step_obstacles import StepObstacles
from mvsim_ros2.physics.ground.block_footing import BlockFooting
from mvsim_ros2.physics.ground.placement import (
    let_go, stand_on_vehicle, stand_on_vehicles, warn_if_buried)
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain import AT_REST, Terrain, Twist
from mvsim_ros2.physics.ground.tops import keep_loads, look_for_ground
from mvsim_ros2.physics.ground.vehicle_attitude import find_ends, stand, stand_on_steep_ground
from mvsim_ros2.physics.people.people import People
from mvsim_ros2.physics.scripted import enter, KeyframeTrack, KinematicBodies, MovingObjects
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.physical_records import rest
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.block import BlockSpec, JointSpec
from mvsim_ros2.world.spec.common import AnimationSpec, Footprint
from mvsim_ros2.world.spec.element import PlaneSpec
from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.solids import moving_elements
from mvsim_ros2.world.spec.vehicle.controller import TrajectoryController
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

_LOG = logging.getLogger(__name__)

Top = tuple[BlockSpec, Footprint]  # a block and its outline


def _warn_if_it_slides(plane: PlaneSpec, animation: AnimationSpec) -> None:
    """Warn where ground moves or turns in plan: only its height takes along in mode mvsim."""
    places = {(key.pose.x, key.pose.y, key.pose.yaw) for key in animation.keys}
    if isinstance(plane, HorizontalPlaneSpec) and len(places) > 1:
        _LOG.warning(
            '%s: the keyframes of element %r move it sideways or turn it, but it carries objects '
            'only up and down: change only z, or give these objects keyframes too',
            plane.source, plane.name)


class Environment:
    """
    The ground, the joints and everything that moves by itself.

    Added and removed vehicles and blocks are reported here. `complete` is called once all initial
    bodies exist, `look` after bodies were added, removed or placed.
    """

    def __init__(self, world: WorldSpec, space: Box2dWorld, vehicles: Vehicles, blocks: Blocks,
                 coming: Sequence[Top], tall: bool) -> None:
        """
        Start with the elements of the world, and with room for the tops of all blocks.

        :param coming: the blocks.
        :param tall: things collide only where they overlap in height, and vehicles with two
            wheels lean on the ends of their chassis.
        """
        self._world, self._space = world, space
        self._vehicles, self._blocks, self._tall = vehicles, blocks, tall
        self._storeys = HeightTracking(space, vehicles, blocks)
        self._footing = BlockFooting(blocks, world.gravity, world.timestep)
        self._steps = StepObstacles(space, vehicles)
        self._step_ns = round(world.timestep * 1e9)
        self._scripted = KinematicBodies(self._step_ns)
        self._paths: dict[str, WaypointPath] = {}  # of vehicles that follow waypoints
        self._joints: tuple[JointSpec, ...] = ()
        self._first_poses: dict[str, Pose] = {}  # of blocks that are placed but not inserted
        self._references: dict[JointSpec, float] = {}  # angles at load of what they join [rad]
        self.hitches: Any = NO_HITCHES
        self.ties: Any = NO_TIES
        self.figures = MovingObjects()
        self.people = People(world, self.figures)
        self._collect_ground(coming)
        self._place_ground(coming)

    @property
    def relief(self) -> Relief | None:
        """Return the ground that the vehicles can reach."""
        relief = self._terrain.relief
        return relief if relief.active else None

    @property
    def is_flat(self) -> bool:
        """Return whether that is level, but for tops of what forces move."""
        return self._terrain.is_flat

    @property
    def heights(self) -> Heights | None:
        """Return from where to where everything reaches, None where all overlaps."""
        return self._storeys.heights

    @property
    def moves(self) -> bool:
        """Return whether each step needs `before_step` and `after_step`."""
        return bool(self._scripted or self._paths or self._footing or self.people.climb
                    or self._has_step_obstacles)

    @property
    def _has_step_obstacles(self) -> bool:
        return not self._tall and self._terrain.relief.active

    def _collect_ground(self, coming: Sequence[Top] = ()) -> None:
        """Collect the ground anew, with room for the tops of blocks that come next."""
        self._terrain = Terrain(self._world.elements, [
            *zip(self._blocks.specs, self._blocks.footprints, strict=True), *coming], self._tall)
        self._tops = np.full((len(self._blocks) + len(coming), 6), np.nan)
        for i, pose in enumerate(self._blocks.pose):
            self.block_put(i, Pose(*pose.tolist()))
        self._scripted.show()

    def expect_block(self, coming: BlockSpec, footprint: Footprint) -> None:
        """Make room for the top of a block; those that were pushed around are where they are."""
        self._terrain.add_block(coming, footprint)
        self.put_where_they_are()

    def put_where_they_are(self) -> None:
        """Put the tops of blocks that were pushed around where they are now."""
        rows = self._blocks.moving_rows
        for i in rows[(self._blocks.pose[rows] != self._tops[rows]).any(axis=1)].tolist():
            self.block_put(i, Pose(*self._blocks.pose[i].tolist()))

    def _place_ground(self, blocks: Sequence[Top]) -> None:
        """
        Put all ground where it is at first, so that the order of a file does not decide.

        A block may stand on blocks whose underside is nearer to the ground than half its height.
        Blocks that are equal in this do not stand on each other.
        """
        for plane in moving_elements(self._world, solid=False):
            if plane.animation is not None:
                self._terrain.put_plane(
                    plane, KeyframeTrack(plane.init_pose, plane.animation).pose(0))

        def middle(i: int) -> tuple[bool, float]:
            block, footprint = blocks[i]
            return not block.skip_elevation_adjust, block.init_pose.z + 0.5 * footprint.zmax
        for _, group in groupby(sorted(range(len(blocks)), key=middle), middle):
            poses = [(i, self.first_pose(*blocks[i])) for i in group]
            for i, pose in poses:
                block, _ = blocks[i]
                self._first_poses[block.name] = pose
                self.block_put(i, pose if block.animation is None else KeyframeTrack(
                    pose, block.animation).pose(0))

    def first_pose(self, thing: VehicleSpec | BlockSpec, footprint: Footprint) -> Pose:
        """Return the initial pose of a thing, on the ground unless its file says otherwise."""
        pose = self._first_poses.pop(thing.name, None)
        if pose is not None:
            return pose
        pose = thing.init_pose
        return pose if thing.skip_elevation_adjust else replace(pose, z=self._terrain.ground_below(
            pose.x, pose.y, pose.z + 0.5 * footprint.zmax))

    def vehicle_came(self, vehicle: VehicleSpec, pose: Pose, body: Body, steps: int) -> None:
        """Put a new vehicle on the ground, or let it follow its keyframes or waypoints."""
        self.vehicle_put(self._vehicles.index(vehicle.name), vehicle.init_pose.z)
        controller = vehicle.dynamics.controller
        if isinstance(controller, TrajectoryController):
            self._paths[vehicle.name] = WaypointPath(controller)
        if vehicle.animation is not None:
            def show(pose: Pose, twist: Twist, rate: Twist, climb: float) -> None:
                self._vehicles.show(vehicle.name, pose)
            self._scripted.add_animated(
                vehicle.name, pose, vehicle.animation, steps * self._step_ns, body, show)

    def ground_at(self, x: float, y: float, limit: float) -> float:
        """
        Return the height of the highest ground at (x, y) not above `limit` [m].

        If there is none but an elevation map above, the height of the map; else 0.
        """
        self.put_where_they_are()
        if self._terrain.is_level(x, y, 0.0, math.inf):
            return 0.0
        above = self._terrain.buries(x, y, limit)
        return self._terrain.ground_below(x, y, limit) if above is None else above

    def vehicle_put(self, i: int, height: float) -> None:
        """
        Let vehicle `i` stand on the ground where it is now, or fall from there.

        :param height: where it was put [m].
        """
        warn_if_buried(self._terrain, self._vehicles, i)
        if self._tall:
            stand(self._terrain, self._vehicles, i)
            if not stand_on_vehicle(self._vehicles, i, height) and not let_go(
                    self._terrain, self._vehicles, i, height):
                rest(self._terrain, self._vehicles, i, self._world.gravity)
        else:
            stand_on_steep_ground(self._terrain, self._vehicles, i)

    def block_came(self, block: BlockSpec, pose: Pose, body: Any, steps: int) -> None:
        """Put the top of a new block where it is, let the block follow its keyframes."""
        self.block_put(self._blocks.index(block.name), pose)
        if block.animation is not None:
            def show(pose: Pose, twist: Twist, rate: Twist, climb: float) -> None:
                self._blocks.show(block.name, pose, twist, rate, climb)
                self.block_put(self._blocks.index(block.name), pose, twist, climb)
            self._scripted.add_animated(
                block.name, pose, block.animation, steps * self._step_ns, body, show)

    def block_put(self, i: int, pose: Pose, twist: Twist = AT_REST, climb: float | None = None,
                  ) -> None:
        """Put the top of block `i` where it is now; see `Terrain.put_block`."""
        if i == len(self._tops):
            self._tops = appended(self._tops, self._blocks.pose[i:i + 1])
        self._tops[i] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self._terrain.put_block(i, pose, twist, climb)

    def complete(self, joints: Sequence[JointSpec]) -> None:
        """
        Add figures, moving planes and joints to vehicles and blocks at their first places.

        :raises PhysicsError: where a body is not possible, or a joint lacks one.
        """
        enter(self._world, self._space, self._scripted, self.people, self.figures, self._terrain)
        self.people.complete(self._blocks)
        for plane in moving_elements(self._world, solid=False):
            assert plane.animation is not None
            if not self._tall:
                _warn_if_it_slides(plane, plane.animation)
            name, row = f'element {plane.name}', len(self.figures)
            self.figures.add(name, plane, (), None, plane.init_pose)

            def show(pose: Pose, twist: Twist, rate: Twist, climb: float,
                     plane: PlaneSpec = plane, row: int = row) -> None:
                self._terrain.put_plane(plane, pose, twist, climb)
                self.figures.show(row, pose, twist)
            self._scripted.add_animated(name, plane.init_pose, plane.animation, 0, None, show)
        if self._tall:
            stand_on_vehicles(self._vehicles)
        self._joints = tuple(joints)
        bodies = {name: body for group in (self._vehicles, self._blocks)
                  for name, body in zip(group.names, group.bodies, strict=True)}
        for joint in joints:
            self._references[joint] = connect(self._space.world, joint, bodies)

    def show_slopes(self) -> None:
        """Write into the rows of blocks that slide on which slopes they stand."""
        self._footing.show()

    @property
    def tied(self) -> frozenset[str]:
        """Return the names of vehicles and blocks at which there is a joint."""
        return frozenset(name for joint in self._joints for name in (joint.body_a, joint.body_b))

    def vehicle_gone(self, name: str) -> None:
        """Forget a vehicle and its joints."""
        self._forget(name)
        self._paths.pop(name, None)
        self.put_where_they_are()

    def block_gone(self, block: BlockSpec, i: int) -> None:
        """Forget a block, which was number `i`, and its joints."""
        self._forget(block.name)
        self._storeys.block_gone(i, block)
        self._terrain.remove_block(i)
        self._tops = np.delete(self._tops, i, axis=0)
        if self._terrain.is_sparse:
            self._collect_ground()
        else:
            self.put_where_they_are()

    def _forget(self, name: str) -> None:
        self._scripted.drop(name)
        self._joints = tuple(
            joint for joint in self._joints if name not in (joint.body_a, joint.body_b))

    def look(self) -> None:
        """Find hitches, and the ground that the vehicles can reach from where they are."""
        self._scripted.show()
        records = self._vehicles.arrays.records
        find_hitches(self._vehicles.specs, self._joints, records)
        self.hitches = hitch_records(self._vehicles, self._joints, self._tall)
        self.ties = ties_between(self._vehicles, self._joints, self._references)
        if self._tall:
            for i in range(len(self._vehicles)):
                find_ends(self._vehicles, i)
        self.forget_heights()
        self._terrain.relief = NO_RELIEF
        self.look_at_ground()

    def look_at_newest(self) -> None:
        """Find what a vehicle stands on that came behind the others."""
        vehicles, newest = self._vehicles, len(self._vehicles) - 1
        find_hitches(vehicles.specs[newest:], self._joints, vehicles.arrays.records[newest:])
        if self._tall:
            find_ends(vehicles, newest)
        self.look_at_ground()

    def look_at_newest_block(self) -> None:
        """Find what a block changes that came behind the others."""
        if len(self._footing) > 0 or self._blocks.pose[-1, [2, 4, 5]].any() or not (
                self._terrain.newest_is_out_of_reach()):
            self.look_at_ground()

    def look_at_ground(self) -> None:
        """Find the ground that vehicles and blocks can reach, after something came or went."""
        before = self._terrain.relief.movers
        if self._tall:
            self._footing.look(self._terrain)
        look_for_ground(
            self._terrain, self._vehicles, self._blocks, self.ties, self.tied, self._tall)
        keep_loads(before, self._terrain.relief.movers, ('body',))

    def forget_heights(self) -> None:
        """Find from where to where everything reaches anew: something that stands was lifted."""
        self._storeys.forget()

    def look_at_heights(self) -> None:
        """Find from where to where everything reaches, after `look` and before a step."""
        if self._tall:
            self._storeys.look(self.figures, self.relief is not None or len(self._footing) > 0,
                               self.tied)
        else:
            self._steps.look()

    def before_step(self, steps: int) -> None:
        """
        Give scripted bodies their velocity, put up what steps of the ground stop.

        :param steps: made so far.
        """
        self._scripted.before_step(steps * self._step_ns)
        vehicles = self._vehicles
        for name, path in self._paths.items():
            i = vehicles.index(name)
            x, y, _, yaw = vehicles.pose[i, :4].tolist()
            vehicles.drive_along(i, *path.twist(1e-9 * steps * self._step_ns, x, y, yaw))
        if self._has_step_obstacles:
            self._steps.before_step(self._terrain.relief)

    def after_step(self) -> None:
        """Put scripted bodies exactly where they are now."""
        self._scripted.after_step()
        self._footing.after_step()
        self._storeys.follow()

    def snapshot(self) -> dict[str, Any]:
        """Return joints and where scripted bodies are."""
        return {'joints': self._joints, 'scripted': self._scripted.snapshot(),
                'people': self.people.people.copy(),
                'movers': self._terrain.relief.movers.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put everything back where it was at a `snapshot`, once vehicles and blocks are."""
        self._scripted.restore(state['scripted'])
        self.people.restore(state['people'])
        self._collect_ground()
        self.look()
        keep_loads(state['movers'], self._terrain.relief.movers, ('vehicle', 'block'))
