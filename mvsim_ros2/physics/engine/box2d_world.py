# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The plane in which bodies move: the only place that makes bodies of the engine, Box2D.

Bodies are made in the order, with the densities, friction, bounce and skin of MVSim 1.2.0.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
import logging
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import (
    addresses, area, Body, centroid, DYNAMIC, Fixture, KINEMATIC, load, mean_distance, set_mass,
    sound, SQUARE, square, Squares, Standing, STATIC, thickness, velocity_of_centre, World)
from mvsim_ros2.physics.engine.continuous import Thicknesses
from mvsim_ros2.physics.engine.engine_step import Friction, set_impulses
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, Polygon
from mvsim_ros2.world.spec.outlines import placed, rectangle, SKIN, StaticOutline
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

CHASSIS_FRICTION, CHASSIS_RESTITUTION = 0.0, 0.01
WHEEL_FRICTION, WHEEL_RESTITUTION = 0.5, 0.05
CENTRED = 1e-3  # m; where the engine finds the centre of a shape within this, its word counts
COARSE = 2e-3  # m; places that are coarser are worth a warning: skins are some 5 mm

_LOG = logging.getLogger(__name__)


class Box2dWorld:
    """A Box2D world without gravity, seen from above."""

    def __init__(
            self, dt: float, velocity_iterations: int, position_iterations: int,
            chassis_damping: float, physical: bool) -> None:
        """
        Start without bodies.

        :param chassis_damping: of vehicles that have none of their own [1/s].
        """
        self._physical = physical
        self._dt = dt
        self._chassis_damping = chassis_damping
        self.iterations = velocity_iterations, position_iterations
        self.world = World()
        if physical:
            bridge.world_look_ahead(self.world.address)
        # impulses that joints are given back count from now on
        bridge.world_step(self.world.address, dt, 1, 1, 0)
        self._ground = Body(self.world, STATIC, Pose())  # has no fixtures, only joints
        self._squares = Squares(self.world)
        self.spans: list[tuple[Fixture, float, float]] = []  # static fixtures, their heights [m]
        self.driven: list[Body] = []  # kinematic bodies
        self.thicknesses = Thicknesses()
        # by the address of a body: how far it reaches, how thick it is [m]
        self._sizes: dict[int, tuple[float, float]] = {}
        self.frictions: dict[int, Friction] = {}  # of blocks in mode physical, so too
        self._joints: dict[int, list[int]] = {}  # that brake blocks on the ground, so too
        self.names: dict[int, str] = {}  # of bodies and, where these share one, of fixtures
        self._table: NDArray[np.float64] | None = None

    def set_heights(self, table: NDArray[np.float64]) -> None:
        """
        Let nothing collide from now on whose rows in this table are apart.

        :param table: see `collision_heights`; read anew in each step.
        """
        assert table.flags.c_contiguous
        self._table = table  # kept alive
        bridge.world_heights(self.world.address, table.ctypes.data)

    def add_static(self, outlines: Iterable[StaticOutline]) -> None:
        """Add solids that never move."""
        for outline in outlines:
            body, corners = self._squares.hold(outline.polygon)
            fixture = self._add_polygon(
                body, corners, 0.0, outline.friction, outline.restitution, outline.skin,
                f'{outline.source}: wall {outline.name!r}')
            self.spans.append((fixture, outline.zmin, outline.zmax))
            self.thicknesses.add_standing(outline.polygon, outline.skin)

    def add_driven(self, outlines: Sequence[StaticOutline], pose: Pose, name: str,
                   source: Source) -> Body:
        """
        Return a new kinematic body, which gives way to nothing.

        :param outlines: its solid parts, in its own frame.
        """
        what = f'{source}: {name!r}'
        body = self._add_body(name, pose, 0.0, 0.0, what, KINEMATIC)
        for outline in outlines:
            self._add_polygon(body, outline.polygon, 0.0, outline.friction, outline.restitution,
                              outline.skin, what)
        self._note(body, [outline.polygon for outline in outlines], True)
        return body

    def add_vehicle(self, vehicle: VehicleSpec, footprint: Footprint, pose: Pose) -> Body:
        """
        Return a new body with chassis and wheels.

        :raises PhysicsError: where the engine cannot make it.
        """
        chassis = vehicle.dynamics.chassis
        what = f'{chassis.source}: chassis of vehicle {vehicle.name!r}'
        linear, angular = (
            self._chassis_damping if rate is None else rate
            for rate in (chassis.linear_damping, chassis.angular_damping))
        body = self._add_body(
            vehicle.name, pose, linear, angular, what,
            DYNAMIC if vehicle.animation is None else KINEMATIC)
        self._warn_if_far(f'{vehicle.source}: vehicle {vehicle.name!r}', pose)
        self._add_polygon(
            body, footprint.polygon, chassis.mass, CHASSIS_FRICTION, CHASSIS_RESTITUTION, SKIN,
            what)
        middle = np.array(body.constants[2:4], np.float32)
        for k, wheel in enumerate(vehicle.dynamics.wheels):
            fixture = bridge.box_new(
                body.address, wheel.radius, 0.5 * wheel.width, *wheel.pos,
                wheel.mass / (wheel.diameter * wheel.width), WHEEL_FRICTION, WHEEL_RESTITUTION)
            if not fixture:
                raise PhysicsError(f'{wheel.source}: Box2D cannot hold wheel {k} of vehicle '
                                   f'{vehicle.name!r} ({bridge.last_error()})')
            body.add(Fixture(fixture, k))
        if not set_mass(body, chassis, middle):
            raise PhysicsError(
                f'{chassis.source}: Box2D cannot hold the mass of vehicle {vehicle.name!r} '
                f'({bridge.last_error()})')
        wheels = [_outline_of(wheel.radius, 0.5 * wheel.width, *wheel.pos[:2])
                  for wheel in vehicle.dynamics.wheels]
        self._note(body, [footprint.polygon, *wheels], vehicle.animation is not None)
        return body

    def add_block(
            self, block: BlockSpec, parts: Sequence[Footprint], pose: Pose, gravity: float,
            alone: bool = True) -> Body | Standing:
        """
        Return a new body for a block that can be touched.

        One joint at its centre of mass brakes a movable block on the ground, see `engine_step`. In
        mode `mvsim`, as in MVSim, two joints have half of its friction each. They are at both ends
        of a bar through its origin, as long as the block is wide. One that has rested for 0.5 s
        sleeps and costs nothing until something touches it.

        :param parts: of its solid; one where it can be pushed.
        :param alone: on a body of its own also where it stands, for joints.
        :returns: the body, a `Standing` where it shares one.
        :raises PhysicsError: where the engine cannot make it.
        """
        what = f'{block.source}: block {block.name!r}'
        if block.static and block.animation is None and not alone:
            self._check(pose, what)
            standing = Standing(block, parts, pose)
            self._stand(standing)
            return standing
        body = self._add_body(
            block.name, pose, block.linear_damping, block.angular_damping, what,
            KINEMATIC if block.animation is not None else STATIC if block.static else DYNAMIC)
        for part in parts:
            self._add_polygon(
                body, part.polygon, block.mass, block.lateral_friction, block.restitution, SKIN,
                what)
        self._note(body, [part.polygon for part in parts],
                   block.static or block.animation is not None)
        if not block.static and block.animation is None:
            most = block.ground_friction * block.mass * gravity
            mass, inertia, *centre = body.constants[:4]
            if self._physical:
                turn = most * mean_distance(parts[0].polygon, *centre)
                joint = self._brake(body, centre, most, turn)
                self.frictions[body.address] = Friction(
                    joint, block.mass * gravity, most, turn, mass,
                    inertia - mass * square(centre))
            else:
                reach = max(x * x + y * y for x, y in parts[0].polygon) ** 0.5
                for end in (reach, -reach):
                    self._brake(body, (end, 0.0), 0.5 * most, 0.0)
        return body

    def _brake(self, body: Body, place: Sequence[float], force: float, torque: float) -> int:
        """Let friction with the ground act on a body at a place in its frame."""
        joint: int = bridge.friction_joint_new(
            self.world.address, self._ground.address, body.address, *place, force, torque)
        self._joints.setdefault(body.address, []).append(joint)
        return joint

    def start_again(self, bodies: Sequence[Body], state: NDArray[np.float32]) -> None:
        """Put all bodies that move into a state of `bodies.save`, as if they were just made."""
        known = addresses(bodies)
        load(known, state)
        bridge.bodies_refresh(self.world.address, known.ctypes.data, len(known))
        load(known, state)  # to lose a contact wakes a body
        joints = [joint for each in self._joints.values() for joint in each]
        set_impulses(joints, np.zeros((len(joints), 3)))

    def remove(self, body: Body | Standing) -> None:
        """Take a body out, which must not be used any more."""
        if isinstance(body, Standing):
            self._take_out(body)
            return
        self.driven = [other for other in self.driven if other is not body]
        for known in (self._sizes, self.frictions, self._joints, self.names):
            known.pop(body.address, None)
        bridge.body_delete(self.world.address, body.address)

    def place(self, body: Body | Standing, pose: Pose, twist: Sequence[float]) -> None:
        """
        Put a body at `pose`.

        :param twist: vx, vy [m/s], wz [rad/s] of its origin in its own frame.
        """
        if isinstance(body, Standing):
            if pose != body.pose:
                self._take_out(body)
                body.pose = pose
                self._stand(body)
            return
        velocity = velocity_of_centre(body, pose, twist)
        body.put(pose.x, pose.y, pose.yaw)
        body.set_velocity(*velocity)
        body.wake()

    def contacts(self, body: Body) -> list[tuple[str, float, float]]:
        """Return the names of what touches `body`, each with a point in the world [m]."""
        others, points = self._contacts(body)
        return [(self.names.get(other) or self.names.get(fixture) or '', x, y)
                for (other, fixture), (x, y) in zip(
                    others.tolist(), points[:, :2].tolist(), strict=True)]

    def contact_points(self, body: Body) -> NDArray[np.float64]:
        """
        Return where others touch `body`, and the impulses that it got there in the last step.

        Columns are x, y [m] and the impulse along both axes [N s], in its frame; shape (n, 4).
        """
        return self._contacts(body)[1][:, 2:]

    def _contacts(self, body: Body) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        count = room = 0
        while True:
            others, points = np.zeros((room, 2), np.int64), np.zeros((room, 6))
            count = bridge.body_contacts(
                body.address, room, others.ctypes.data, points.ctypes.data)
            if count <= room:
                return others[:count], points[:count]
            room = count

    def sizes(self, bodies: Sequence[Body]) -> NDArray[np.float64]:
        """
        Return how far bodies reach from their origins, and how thick they are, shape (2, n) [m].

        That of a vehicle is its chassis: wheels are on it.
        """
        return np.array([self._sizes[body.address] for body in bodies], float).reshape(-1, 2).T

    def _note(self, body: Body, polygons: Sequence[Polygon], driven: bool) -> None:
        """Take note of the parts of a new body."""
        reach = SKIN + max(math.hypot(x, y) for polygon in polygons for x, y in polygon)
        self._sizes[body.address] = reach, thickness(polygons[0]) + 2.0 * SKIN
        if driven:
            self.driven.append(body)
            self.thicknesses.add_driven(polygons, SKIN)

    def _stand(self, standing: Standing) -> None:
        """Make the fixtures of a block that stands."""
        block, pose = standing.block, standing.pose
        what = f'{block.source}: block {block.name!r}'
        cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
        for part in standing.parts:
            self.thicknesses.add_standing(part.polygon, SKIN, pose.x, pose.y, pose.yaw)
            sides = self._sound(part.polygon, what, SQUARE)
            body, corners = self._squares.hold(tuple(
                (pose.x + cosine * px - sine * py, pose.y + sine * px + cosine * py)
                for px, py in sides), pose.x, pose.y)
            fixture = self._add_sound(
                body, corners, 0.0, block.lateral_friction, block.restitution, SKIN, what)
            self.names[fixture.address] = block.name
            standing.fixtures.append(fixture)

    def _take_out(self, standing: Standing) -> None:
        for fixture in standing.fixtures:
            del self.names[fixture.address]
            bridge.fixture_delete(fixture.address)
        standing.fixtures.clear()

    def _add_body(self, name: str, pose: Pose, linear_damping: float, angular_damping: float,
                  what: str, kind: int) -> Body:
        self._check(pose, what)
        body = Body(self.world, kind, pose, self._damping(linear_damping),
                    self._damping(angular_damping), name)
        self.names[body.address] = name
        return body

    def _check(self, pose: Pose, what: str) -> None:
        """Raise a PhysicsError where the engine cannot have anything at a pose."""
        for name, value in (('x', pose.x), ('y', pose.y), ('yaw', pose.yaw)):
            if not abs(value) < 1e7:
                raise PhysicsError(f'{what} stands at {name} = {value}: give a finite number '
                                   'below 1e7')

    def _warn_if_far(self, what: str, pose: Pose) -> None:
        """Warn where single precision is too coarse for contacts."""
        step = float(np.spacing(np.float32(max(abs(pose.x), abs(pose.y)))))
        if step > COARSE:
            _LOG.warning(
                '%s stands at (%g, %g), where the engine, with its single precision, knows '
                'contacts to %.2g m: move everything nearer to the origin', what, pose.x, pose.y,
                step)

    def _damping(self, rate: float) -> float:
        """
        Return the damping that makes v' = v / (1 + dt rate) in a step, as in Box2D 2.4.

        Box2D 2.3 makes it v' = v (1 - dt damping).
        """
        return rate / (1.0 + self._dt * rate)

    def _add_polygon(
            self, body: Body, polygon: Polygon, mass: float, friction: float,
            restitution: float, skin: float, what: str) -> Fixture:
        corners = self._sound(polygon, what)
        fixture = self._add_sound(
            body, corners, mass / area(corners), friction, restitution, skin, what)
        body.add(fixture)
        return fixture

    def _sound(self, polygon: Polygon, what: str, farthest: float = 0.0) -> Polygon:
        """Return what is `sound` of an outline; raise a PhysicsError where nothing is."""
        corners = sound(polygon, farthest)
        if not corners:
            raise PhysicsError(_impossible(what, polygon, 'it has no area'))
        return corners

    def _add_sound(
            self, body: Body, corners: Polygon, density: float, friction: float,
            restitution: float, skin: float, what: str) -> Fixture:
        numbers = np.array(corners, float)
        address = bridge.polygon_new(
            body.address, len(numbers), numbers.ctypes.data, skin, *centroid(corners), CENTRED,
            density, friction, restitution)
        if not address:
            raise PhysicsError(_impossible(what, corners, bridge.last_error()))
        return Fixture(address)


@lru_cache(maxsize=4096)
def _outline_of(half_length: float, half_width: float, x: float, y: float) -> Polygon:
    """Return the outline of a wheel that is not steered."""
    return placed(rectangle(-half_length, -half_width, half_length, half_width), Pose(x, y))


def _impossible(what: str, polygon: Polygon, reason: str) -> str:
    """Return what is wrong with an outline in the frame of its body."""
    far = max(abs(number) for corner in polygon for number in corner)
    remedy = ('make it larger than 1 cm, without vertices nearly on one line' if far <= SQUARE
              else f'it lies {far:.3g} m from the origin of its frame, where single precision is '
              'too coarse for it: put its pose where it is')
    return f'{what} has an outline that Box2D cannot hold ({reason}): {remedy}'
