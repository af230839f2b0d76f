# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The moving part of a world: everything that has a body, step by step."""

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mvsim_ros2.arguments import check_finite
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.body_access import BodyView
from mvsim_ros2.physics.engine.body_access import MemoryView
from mvsim_ros2.physics.engine.body_order import in_order_of_file
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collisions import contact_partners
from mvsim_ros2.physics.engine.sliding import impulses
from mvsim_ros2.physics.engine.sliding import set_impulses
from mvsim_ros2.physics.environment import Environment
from mvsim_ros2.physics.ground.friction_regions import friction_regions
from mvsim_ros2.physics.ground.friction_regions import surfaces_of
from mvsim_ros2.physics.ground.ramps import solid_parts
from mvsim_ros2.physics.ground.terrain import Relief
from mvsim_ros2.physics.modes import CHASSIS_DAMPING
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.physics.modes import MVSIM
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.mvsim.physical_only import refuse_physical
from mvsim_ros2.physics.mvsim.step import FARTHEST
from mvsim_ros2.physics.state.alike import Alike
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.physical_records import complete
from mvsim_ros2.physics.state.record_layout import NOISE_STEPS
from mvsim_ros2.physics.state.spring_records import refuse_springs
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.physics.stepper import look_at
from mvsim_ros2.physics.stepper import Stepper
from mvsim_ros2.physics.tyres.law import law_of
from mvsim_ros2.physics.tyres.law import provide
from mvsim_ros2.physics.vehicle.odometry import Odometry
from mvsim_ros2.physics.vehicle.vehicle_kinds import check
from mvsim_ros2.random_streams import RandomStreams
from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.bulk import without_collection
from mvsim_ros2.spec.common import Footprint
from mvsim_ros2.spec.element import ElementSpec
from mvsim_ros2.spec.joint import JointSpec
from mvsim_ros2.spec.shapes.body_outlines import block_footprint
from mvsim_ros2.spec.shapes.body_outlines import vehicle_footprint
from mvsim_ros2.spec.shapes.solid_outlines import solids
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.spec.world import WorldSpec

_AT_REST = (0.0, 0.0, 0.0)


class PhysicsWorld:
    """
    All bodies of a world and their motion.

    The same world, streams and commands give the same numbers to the last bit, however the
    steps are grouped into calls.

    :ivar seen: view of the bodies of the vehicles, another one after some came, went or were put
        elsewhere.
    """

    def __init__(
            self, world: WorldSpec, streams: RandomStreams, mode: str = PHYSICAL,
            footprints: Mapping[str, Footprint] | None = None, bulk: bool = True) -> None:
        """
        Make the bodies.

        Unlike in the original `init_vel` is in the body frame.

        :param world: what there is.
        :param streams: random numbers; vehicle `r1` draws from `odometry/r1`.
        :param mode: `mvsim` or `physical`: by which equations the wheels push.
        :param footprints: outlines of meshes by the name of their object, for
            `shape_from_visual`.
        :param bulk: False uses the public functions of the engine's binding only, slower.
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
        self._bulk = bulk
        self.vehicles = Vehicles()
        self.blocks = Blocks()
        self._read_elements()
        with without_collection():
            self._build(world.vehicles, world.blocks, world.joints)

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
        self.steps = 0
        self.switched: dict[tuple[str, str], bool] = {}  # groups of lamps, not as at first
        self._space = Box2dWorld(self.dt, self.spec.b2d_vel_iters, self.spec.b2d_pos_iters,
                                 CHASSIS_DAMPING[self.mode], self.mode == PHYSICAL,
                                 public=not self._bulk)
        self._alike = Alike()
        self.vehicles.clear()
        self.blocks.clear()
        self._tied = {name for joint in joints for name in (joint.body_a, joint.body_b)}
        self._space.add_static(self._solids)
        self._around = Environment(
            self.spec, self._space, self.vehicles, self.blocks, self._footprints,
            self.mode == PHYSICAL)
        self._around.expect_blocks(blocks)
        for thing in in_order_of_file(blocks, vehicles):
            if isinstance(thing, BlockSpec):
                self._insert_block(thing)
            else:
                self._insert_vehicle(thing)
        self._around.complete(joints)
        self.figures = self._around.figures
        self._bodies_changed()

    def _insert_vehicle(self, spec: VehicleSpec) -> None:
        footprint = vehicle_footprint(spec, self._footprints.get(spec.name))
        like = self._alike.find(spec, footprint)
        if like is None:
            check(spec)
            if self.mode == MVSIM:
                for tyre in dict.fromkeys(spec.tyres):
                    provide(law_of(tyre, MVSIM, spec), MVSIM)
                refuse_springs(spec)
                refuse_physical(spec)
        pose = self._around.first_pose(spec, footprint)
        body = self._space.add_vehicle(spec, footprint, pose)
        self._space.place(body, pose, spec.init_twist)
        self.vehicles.add(spec, body, self.dt, self.gravity, pose, like)
        self.vehicles.put(len(self.vehicles) - 1, pose)
        if like is None:
            if self.mode == PHYSICAL:
                complete(self.vehicles, body, self.dt, self.gravity,
                         surfaces_of(self._regions), self.spec.air)
            self._alike.keep(spec, footprint, *self.vehicles.newest())
        self._around.vehicle_came(spec, pose, body, self.steps)

    def _insert_block(self, spec: BlockSpec) -> None:
        footprint = block_footprint(spec, self._footprints.get(spec.name))
        pose, body = self._around.first_pose(spec, footprint), None
        if not spec.intangible:
            parts = solid_parts(spec, footprint) if self.mode == PHYSICAL else (footprint,)
            body = self._space.add_block(
                spec, parts, pose, self.gravity, alone=spec.name in self._tied)
            self._space.place(body, pose, spec.init_twist)
        self.blocks.add(spec, body, pose)
        self._around.block_came(spec, pose, body, self.steps)

    def _bodies_changed(self) -> None:
        """Look at the bodies again after some came, went or were moved by hand."""
        self.seen = look_at(self.vehicles, self.blocks, self._around, self._bulk)
        self._ready: Stepper | None = None

    def _make_stepper(self) -> Stepper:
        """Return what moves the bodies, which is first needed after a change."""
        self._ready = Stepper(
            self.spec, self._space, self.vehicles, self.blocks, self._around,
            self.mode == PHYSICAL, self._regions, self.seen)
        return self._ready

    def step(self, n: int = 1) -> None:
        """
        Move everything on by `n` steps.

        :raises PhysicsError: where a vehicle or block has left the numbers; names it.
        """
        around = self._around if self._around.moves else None
        stepper = self._ready or self._make_stepper()
        while n > 0:
            count, column = self._steps_ahead(n)
            if around is not None:
                count = 1
                around.before_step(self.steps)
            made, wrong = stepper.advance(count, column)
            n -= made
            self.steps += made
            if around is not None:
                around.after_step()
            if wrong >= 0:
                raise PhysicsError(self._gone('vehicle', self.vehicles.names[wrong]))
        self._observe_blocks()

    def _steps_ahead(self, n: int) -> tuple[int, int]:
        """Return how many of `n` steps can be made in one go, and the column of their noise."""
        column = self.steps % NOISE_STEPS
        if column == 0:
            self._draw_noise(range(len(self.vehicles)))
        count = NOISE_STEPS - column
        return (n if n < count else count), column

    def _observe_blocks(self) -> None:
        lost = self.blocks.observe()
        if lost:
            raise PhysicsError(self._gone('block', lost))

    def steps_ready(self, n: int) -> PreparedCall | None:
        """
        Return a call that makes `n` steps, to be followed by `steps_done`.

        :returns: None where they cannot be made in one call: use `step`.
        """
        if self._around.moves or self.steps % NOISE_STEPS + n > NOISE_STEPS:
            return None
        return (self._ready or self._make_stepper()).ready(*self._steps_ahead(n))

    def steps_done(self) -> None:
        """
        Take in what the call of `steps_ready` made.

        :raises PhysicsError: as `step`.
        """
        assert self._ready is not None
        made, wrong = self._ready.done
        self.steps += made
        if wrong >= 0:
            raise PhysicsError(self._gone('vehicle', self.vehicles.names[wrong]))
        self._observe_blocks()

    def _gone(self, what: str, name: str) -> str:
        return (f'{what} {name!r} has no finite position any more at step {self.steps} '
                f'({self.steps * self.dt:g} s): check its masses, sizes and commands, or take a '
                'smaller simul_timestep')

    def contacts(self, vehicle: int) -> list[tuple[str, float, float]]:
        """
        Return what touches a vehicle, and where in the world [m], as of the last step.

        :returns: name, x and y; the name is '' for walls and maps.
        """
        return contact_partners(self.vehicles.bodies[vehicle])

    def _draw_noise(self, rows: Iterable[int]) -> None:
        """Draw the noise of the odometers of these vehicles for the steps ahead."""
        v = self.vehicles
        for i in rows:
            record = v.arrays.records[i]
            if record['walk_distance'] or record['walk_turn'] or record['walk_drift']:
                v.arrays.noise[i] = self._streams.get(
                    f'odometry/{v.names[i]}').standard_normal((2, NOISE_STEPS))

    @property
    def relief(self) -> Relief | None:
        """Return the ground that the vehicles can come upon, None where it is level."""
        return self._around.relief

    def odometry(self, i: int) -> Odometry:
        """Return pose and twist as vehicle `i` believes them, with covariance."""
        return self.vehicles.odometry(i)

    def add_vehicle(self, spec: VehicleSpec, footprint: Footprint | None = None) -> None:
        """
        Add a vehicle at its `init_pose`.

        :param footprint: outline of its meshes, for `shape_from_visual`.
        :raises PhysicsError: where its name is taken or its body is not possible.
        """
        self._expect(spec.name, footprint)
        self._insert_vehicle(spec)
        self._bodies_changed()
        self._draw_noise([len(self.vehicles) - 1])

    def add_block(self, spec: BlockSpec, footprint: Footprint | None = None) -> None:
        """
        Add a block at its `init_pose`.

        :param footprint: outline of its meshes, for `shape_from_visual`.
        :raises PhysicsError: where its name is taken or its body is not possible.
        """
        self._expect(spec.name, footprint)
        self._around.expect_blocks((spec,))
        self._insert_block(spec)
        self._bodies_changed()

    def mesh_outline(self, name: str) -> Footprint | None:
        """Return the outline of the meshes of a vehicle or block, None where none was given."""
        return self._footprints.get(name)

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
        body = group.remove(i)
        if body is not None:
            self._space.remove(body)
        self._around.gone(name)
        self._bodies_changed()

    def _find(self, name: str) -> tuple[Vehicles | Blocks, int]:
        for group in (self.vehicles, self.blocks):
            if name in group:
                return group, group.index(name)
        known = ', '.join([*self.vehicles.names, *self.blocks.names])
        raise PhysicsError(f'there is no vehicle or block {name!r}, only {known or "none"}')

    def set_pose(self, name: str, pose: Pose,
                 twist: tuple[float, float, float] | None = None) -> None:
        """
        Put a vehicle or a block somewhere else; its odometer does not notice.

        :param pose: of the reference point in the world frame.
        :param twist: vx, vy, wz of the reference point in the body frame from then on, with
            wheels that roll along; at rest without.
        :raises PhysicsError: where there is none of this name, or it follows keyframes.
        :raises ArgumentError: where a number is not finite, or too large.
        """
        group, i = self._find(name)
        row = (pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll)
        moving = twist or _AT_REST
        check_finite(f'pose of {name!r}', row, FARTHEST)
        check_finite(f'twist of {name!r}', moving, FARTHEST)
        if group.specs[i].animation is not None:
            raise PhysicsError(f'{name!r} goes where its <animation> says '
                               f'({group.specs[i].source}): it cannot be put elsewhere')
        body = group.bodies[i]
        if body is not None:
            self._space.place(body, pose, moving)
        group.pose[i] = row
        if isinstance(group, Vehicles):
            group.start_rolling(i, moving)
            group.put(i, pose)
            self._around.vehicle_put(i)
            group.arrays.acceleration_body[i] = 0.0
        else:
            self._around.block_put(i, pose)
        self._bodies_changed()

    def set_elements(self, elements: Sequence[ElementSpec]) -> None:
        """
        Replace the elements of the world; everything else continues as after `restore`.

        :raises PhysicsError: where an element follows keyframes that was not there before.
        """
        for each in elements:
            if getattr(each, 'animation', None) and each not in self.spec.elements:
                raise PhysicsError(f'element {each.name!r} has an <animation> ({each.source}): '
                                   'only elements of the world file follow keyframes')
        self.restore({**self.snapshot(), 'elements': tuple(elements)})

    def reset(self) -> None:
        """Start anew as the world says; reset the random streams first for the same noise."""
        self._take_elements(self._first)
        self._build(self.spec.vehicles, self.spec.blocks, self.spec.joints)

    def snapshot(self) -> dict[str, Any]:
        """
        Return the state of all bodies, wheels, controllers and odometers.

        The random streams are not in it: snapshot them too.
        """
        state: dict[str, Any] = {
            'steps': self.steps, 'vehicle_specs': tuple(self.vehicles.specs),
            'block_specs': tuple(self.blocks.specs), 'around': self._around.snapshot(),
            'elements': self.spec.elements, 'switched': dict(self.switched),
            'vehicles': self.vehicles.snapshot(),
            'blocks': self.blocks.snapshot(), 'friction': impulses(self._rubs())}
        for name, bodies in self._views():
            state[name] = bodies.dump() if isinstance(bodies, MemoryView) else None
        return state

    def _views(self) -> tuple[tuple[str, BodyView], ...]:
        return ('vehicle_bodies', self.seen), ('block_bodies', self.blocks.view)

    def _rubs(self) -> list[Any]:
        return [rub.joint for body in self.blocks.moving
                if (rub := self._space.rubs.get(int(body.this))) is not None]

    def restore(self, state: Mapping[str, Any]) -> None:
        """
        Continue from a `snapshot` of this world, objects that came and went included.

        The engine does not give away the impulses it remembers of contacts and joints. So a
        run continues to the last bit where nothing touches, and with small differences where
        something does; but from one snapshot it always continues in the same way.
        """
        self._take_elements(state['elements'])
        self._build(state['vehicle_specs'], state['block_specs'],
                    state['around']['joints'])
        self.steps, self.switched = state['steps'], dict(state['switched'])
        self.vehicles.restore(state['vehicles'])
        self.blocks.restore(state['blocks'])
        for group in (self.vehicles, self.blocks):
            for i, body in enumerate(group.bodies):
                if body is not None:
                    pose = Pose(*group.pose[i].tolist())
                    self._space.place(body, pose, group.twist_body[i].tolist())
        self._around.restore(state['around'])
        self.blocks.restore(state['blocks'])
        for name, bodies in self._views():
            if isinstance(bodies, MemoryView) and state[name] is not None:
                bodies.load(state[name])
        set_impulses(self._rubs(), state['friction'])
        self.vehicles.read_motion(self.seen)
