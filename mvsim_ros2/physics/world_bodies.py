# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Everything in a world that has a body: made, added, removed, put elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from mvsim_ros2.base.arguments import check_finite
from mvsim_ros2.base.bulk import without_collection
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.bodies import addresses, in_order_of_file, save
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.environment import Environment
from mvsim_ros2.physics.ground.terrain import AT_REST, Twist
from mvsim_ros2.physics.ground.tops import forget_loads
from mvsim_ros2.physics.ground.vehicle_attitude import find_ends
from mvsim_ros2.physics.modes import CHASSIS_DAMPING, MODES, MVSIM, PHYSICAL
from mvsim_ros2.physics.mvsim_step import FARTHEST
from mvsim_ros2.physics.state.blocks import Blocks, is_pushed
from mvsim_ros2.physics.state.physical_records import complete
from mvsim_ros2.physics.state.vehicles import FirstState, kept_once, RecordCache, Vehicles
from mvsim_ros2.physics.stepper import look_closer, OdometryNoise, Stepper
from mvsim_ros2.physics.tyres.law import law_of, provide
from mvsim_ros2.physics.tyres.on_ground import friction_regions, surfaces_of
from mvsim_ros2.physics.vehicle.vehicle_kinds import (
    check, refuse_physical, warn_of_air_without_effect)
from mvsim_ros2.world.spec.block import BlockSpec, JointSpec
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.solids import block_footprint, solid_parts, solids, vehicle_footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

_Put = tuple[Vehicles | Blocks, int, Pose, Twist]

_NUMBERS = attrgetter('x', 'y', 'z', 'yaw', 'pitch', 'roll')  # of a pose


class WorldBodies:
    """
    All bodies of a world, and how they come, go, and are put elsewhere.

    :ivar stepper: what moves the bodies, another one after some came or went; None until it is
        needed.
    :ivar clock: steps since the start, shape (1,), int64.
    """

    stepper: Stepper | None

    def __init__(
            self, world: WorldSpec, streams: RandomStreams, mode: str = PHYSICAL,
            footprints: Mapping[str, Footprint] | None = None) -> None:
        """
        Make the bodies.

        Unlike in the original `init_vel` is in the body frame.

        :param streams: random numbers; vehicle `r1` draws from `odometry/r1`.
        :param mode: `mvsim` or `physical`: by which equations the wheels push.
        :param footprints: outlines of meshes by the name of their object, for
            `shape_from_visual`.
        :raises PhysicsError: where a body is not possible or of a kind that is not built.
        """
        if mode not in MODES:
            raise PhysicsError(
                f'there is no physics mode {mode!r}: use {" or ".join(map(repr, MODES))}')
        self.spec, self._first = world, world.elements
        self.mode = mode
        self.dt = world.timestep
        self.gravity = world.gravity
        self._streams = streams
        self._footprints = dict(footprints or {})
        self.clock = np.zeros(1, np.int64)
        self.vehicles = Vehicles()
        self.blocks = Blocks()
        self._read_elements()
        warn_of_air_without_effect(world, mode)
        with without_collection():
            self._build(world.vehicles, world.blocks, world.joints)

    @property
    def steps(self) -> int:
        """Return the steps since the start."""
        return int(self.clock[0])

    def _read_elements(self) -> None:
        """Read what does not change while the elements are the same."""
        self._solids = solids(self.spec)
        self._regions = friction_regions(self.spec, self.mode == PHYSICAL)

    def _take_elements(self, elements: tuple[ElementSpec, ...]) -> None:
        if elements is not self.spec.elements:
            self.spec = replace(self.spec, elements=elements)
            self._read_elements()

    def _build(self, vehicles: Sequence[VehicleSpec], blocks: Sequence[BlockSpec],
               joints: Sequence[JointSpec]) -> None:
        """Start from nothing with these things, everything at its first place."""
        self.clock[0] = 0
        self.switched: dict[tuple[str, str], bool] = {}  # groups of lamps, not as at first
        self._space = Box2dWorld(self.dt, self.spec.b2d_vel_iters, self.spec.b2d_pos_iters,
                                 CHASSIS_DAMPING[self.mode], self.mode == PHYSICAL)
        self._record_cache = RecordCache()
        self.vehicles.clear()
        self._noise = OdometryNoise(self.vehicles, self._streams)
        self.blocks.clear()
        self._tied = {name for joint in joints for name in (joint.body_a, joint.body_b)}
        self._space.add_static(self._solids)
        self._around = Environment(
            self.spec, self._space, self.vehicles, self.blocks,
            [(each, self._outline(each)) for each in blocks], self.mode == PHYSICAL)
        for thing in in_order_of_file(blocks, vehicles):
            if isinstance(thing, BlockSpec):
                self._insert_block(thing)
            else:
                self._insert_vehicle(thing)
        self._around.complete(joints)
        self.figures = self._around.figures
        self._bodies_changed()
        self._first_state: FirstState | None = None
        self._is_uneven, self._first_relief = not self._around.is_flat, self._around.relief
        if not (joints or len(self.figures) > len(self._around.people) or self._around.moves):
            self._first_state = kept_once(FirstState(
                self.vehicles.snapshot(), self.blocks.snapshot(),
                self._around.people.people.copy(),
                [save(each) for each in (self.vehicles.addresses, self.blocks.addresses,
                                         addresses(self._around.people.bodies))]))

    def _begin_again(self) -> bool:
        """
        Put vehicles and blocks back where they were at first, where only they can have changed.

        :returns: False where that is not so: `_build` then.
        """
        around = self._around
        if (self._first_state is None or self.spec.elements is not self._first
                or not self._is_uneven and (
                    around.relief is not self._first_relief
                    or around.relief is None and around.heights is not None)):
            return False
        self.clock[0] = 0
        self.switched = {}
        first = self._first_state
        self.vehicles.restore(first.vehicles)
        self.blocks.restore(first.blocks)
        self._space.start_again(
            [*self.vehicles.bodies, *self.blocks.moving, *around.people.bodies],
            np.concatenate(first.bodies))
        around.people.restore(first.people)
        self.blocks.observe()
        around.put_where_they_are()
        if self._is_uneven:
            around.look()
            self.stepper = None
        elif around.relief is not None:
            forget_loads(around.relief.movers)
        return True

    def _insert_vehicle(self, spec: VehicleSpec) -> None:
        footprint = vehicle_footprint(spec, self._footprints.get(spec.name))
        like = self._record_cache.find(spec, footprint)
        if like is None:
            check(spec)
            if self.mode == MVSIM:
                for tyre in dict.fromkeys(spec.tyres):
                    provide(law_of(tyre, MVSIM, spec), MVSIM)
                refuse_physical(spec)
        pose = self._around.first_pose(spec, footprint)
        body = self._space.add_vehicle(spec, footprint, pose)
        self._space.place(body, pose, spec.init_twist)
        self.vehicles.add(spec, body, footprint, self.dt, self.gravity, pose, like)
        self.vehicles.put(len(self.vehicles) - 1, pose)
        if like is None:
            if self.mode == PHYSICAL:
                complete(self.vehicles, body, self.dt, self.gravity,
                         surfaces_of(self._regions), self.spec.air)
                find_ends(self.vehicles, len(self.vehicles) - 1)
            if len(self.vehicles) > 1:  # one that is alone leaves no copies behind
                self._record_cache.keep(spec, footprint, *self.vehicles.newest())
        self._around.vehicle_came(spec, pose, body, self.steps)

    def _outline(self, block: BlockSpec) -> Footprint:
        return block_footprint(block, self._footprints.get(block.name))

    def _insert_block(self, spec: BlockSpec) -> None:
        footprint = self._outline(spec)
        pose, body = self._around.first_pose(spec, footprint), None
        if not spec.intangible:
            parts = solid_parts(spec, footprint) if self.mode == PHYSICAL else (footprint,)
            body = self._space.add_block(
                spec, parts, pose, self.gravity, alone=spec.name in self._tied)
            self._space.place(body, pose, spec.init_twist)
        self.blocks.add(spec, body, footprint, pose)
        self._around.block_came(spec, pose, body, self.steps)

    def _bodies_changed(self) -> None:
        """Look at the bodies again after some came, went or were moved by hand."""
        self._first_state = None
        self.blocks.find_moving()
        look_closer(self.vehicles, self.blocks)
        self._around.look()
        self.stepper = None

    def add_vehicle(self, spec: VehicleSpec, footprint: Footprint | None = None) -> None:
        """
        Add a vehicle at its `init_pose`.

        :param footprint: outline of its meshes, for `shape_from_visual`.
        :raises PhysicsError: where its name is taken or its body is not possible.
        """
        self._expect(spec.name, footprint)
        self._insert_vehicle(spec)
        self._first_state = self.stepper = None
        look_closer(self.vehicles, self.blocks)
        self._around.look_at_newest()
        self._noise.draw_newest()

    def add_block(self, spec: BlockSpec, footprint: Footprint | None = None) -> None:
        """
        Add a block at its `init_pose`.

        :param footprint: outline of its meshes, for `shape_from_visual`.
        :raises PhysicsError: where its name is taken or its body is not possible.
        """
        self._expect(spec.name, footprint)
        self._around.expect_block(spec, self._outline(spec))
        self._insert_block(spec)
        self._first_state = self.stepper = None
        self.blocks.find_newest()
        self.blocks.observe()
        self._around.look_at_newest_block()

    def _expect(self, name: str, footprint: Footprint | None) -> None:
        """Check that a name is free, and keep the outline of what will have it."""
        if name in self.vehicles or name in self.blocks or name in self.figures.names:
            raise PhysicsError(f'there is already something called {name!r}: choose another name')
        if footprint is not None:
            self._footprints[name] = footprint

    def remove(self, name: str) -> None:
        """
        Take a vehicle or a block out, and its joints.

        :raises PhysicsError: where there is none of this name.
        """
        group, i = self._find(name)
        if isinstance(group, Blocks):
            self._remove_block(i)
            return
        self._space.remove(group.remove(i))
        self._noise.forget(i)
        self._around.vehicle_gone(name)
        self._bodies_changed()

    def _remove_block(self, i: int) -> None:
        block, tied = self.blocks.specs[i], self._around.tied
        body = self.blocks.remove(i)
        if body is not None:
            self._space.remove(body)
        self._around.block_gone(block, i)
        if block.name in tied:
            self._bodies_changed()
            return
        self._first_state = self.stepper = None
        self.blocks.observe()
        self._around.look_at_ground()

    def _find(self, name: str) -> tuple[Vehicles | Blocks, int]:
        for group in (self.vehicles, self.blocks):
            if name in group:
                return group, group.index(name)
        known = ', '.join([*self.vehicles.names, *self.blocks.names])
        raise PhysicsError(f'there is no vehicle or block {name!r}, only {known or "none"}')

    def set_pose(self, name: str, pose: Pose, twist: Twist | None = None) -> None:
        """
        Put a vehicle or a block somewhere else; its odometer does not notice.

        :param pose: of the reference point in the world frame.
        :param twist: vx, vy, wz of the reference point in the body frame from then on, with
            wheels that roll along; at rest without.
        :raises PhysicsError: where there is none of this name, or it follows keyframes.
        :raises ArgumentError: where a number is not finite, or too large.
        """
        thing = self._find_free(name, pose, twist or AT_REST)
        self._put([thing], thing[0] is self.blocks and name in self._around.tied)

    def set_poses(self, poses: Mapping[str, Pose], twists: Mapping[str, Twist]) -> None:
        """
        Put several vehicles and blocks somewhere else: see `set_pose`.

        :param twists: of those that move on.
        """
        self._put([self._find_free(name, pose, twists.get(name) or AT_REST)
                   for name, pose in poses.items()], not self._around.tied.isdisjoint(poses))

    def _put(self, things: Sequence[_Put], anew: bool) -> None:
        """
        Put things somewhere else, and look again at what depends on where they are.

        :param anew: at all bodies, since joints are at these.
        """
        blocks = [(i, pose.z != float(self.blocks.pose[i, 2]))
                  for group, i, pose, _ in things if group is self.blocks]
        for thing in things:
            self._place(*thing)
        if anew:
            self._bodies_changed()
            return
        if blocks:
            self._blocks_were_put(blocks)
        if len(blocks) < len(things):
            self._vehicles_were_put(
                [pose for group, _, pose, _ in things if group is self.vehicles])

    def _find_free(self, name: str, pose: Pose, twist: Twist) -> _Put:
        """Return the group of something that can be put elsewhere, its row, pose and twist."""
        group, i = self._find(name)
        check_put(name, group.specs[i], pose)
        check_finite(f'twist of {name!r}', twist, FARTHEST)
        return group, i, pose, twist

    def _place(self, group: Vehicles | Blocks, i: int, pose: Pose, twist: Twist) -> None:
        """Put something somewhere else."""
        body = group.bodies[i]
        if body is not None:
            self._space.place(body, pose, twist)
        group.pose[i] = _NUMBERS(pose)
        if isinstance(group, Vehicles):
            group.start_rolling(i, twist)
            group.put(i, pose)
            self._around.vehicle_put(i, pose.z)
            group.arrays.acceleration_body[i] = 0.0
        else:
            self._around.block_put(i, pose)

    def _vehicles_were_put(self, poses: Sequence[Pose]) -> None:
        """Look again at the vehicles, of which some were put at these poses."""
        around = self._around
        stay_level = around.is_flat and not around.moves and all(
            (pose.z, pose.pitch, pose.roll) == AT_REST for pose in poses) and (
                around.relief is None or not self.vehicles.pose[:, [2, 4, 5]].any())
        look_closer(self.vehicles, self.blocks)
        if not stay_level:
            around.look()
        if not stay_level or around.relief is None and around.heights is not None:
            self.stepper = None

    def _blocks_were_put(self, which: Sequence[tuple[int, bool]]) -> None:
        """
        Look again at what depends on where the blocks are, of which some were put elsewhere.

        :param which: rows, and whether to another height.
        """
        self.stepper = None
        lifted = any(higher for _, higher in which)
        if lifted or not all(is_pushed(self.blocks.specs[i]) for i, _ in which):
            self._first_state = None
        self.blocks.observe()
        self._around.look_at_ground()
        if lifted:
            self._around.forget_heights()


def check_put(name: str, spec: Any, pose: Pose) -> None:
    """Refuse a pose that is not finite, and a thing whose `spec` has keyframes."""
    check_finite(f'pose of {name!r}', _NUMBERS(pose), FARTHEST)
    if spec.animation is not None:
        raise PhysicsError(f'{name!r} goes where its <animation> says ({spec.source}): it cannot '
                           'be put elsewhere')
