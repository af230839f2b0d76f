# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The plane in which bodies move: the only place that makes bodies of the engine, Box2D.

Bodies are made in the order, with the densities, friction, bounce and skin of MVSim 1.2.0.
Another engine is another file like this one and its `body_view`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
import logging
import math
from typing import Any

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.block_memory import provide
from mvsim_ros2.physics.engine.bodies import box_of, set_mass, shape_of, velocity_of_centre
from mvsim_ros2.physics.engine.contact_filter import HeightFilter
from mvsim_ros2.physics.engine.continuous import Thicknesses, WIDE
from mvsim_ros2.physics.engine.polygons import area, mean_distance, sound, thickness
from mvsim_ros2.physics.engine.sliding import Rub
from mvsim_ros2.physics.engine.standing import SQUARE, Squares, Standing
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, Polygon, Source
from mvsim_ros2.world.spec.shapes.outlines import placed, rectangle, SKIN, StaticOutline
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

CHASSIS_FRICTION, CHASSIS_RESTITUTION = 0.0, 0.01
WHEEL_FRICTION, WHEEL_RESTITUTION = 0.5, 0.05
# bodies of a world in which a few things stand, and contacts that it has at one time, about
_STANDING, _CONTACTS = 2, 8
COARSE = 2e-3  # m; places that are coarser are worth a warning: skins are some 5 mm

_LOG = logging.getLogger(__name__)


class Box2dWorld:
    """A Box2D world without gravity, seen from above."""

    def __init__(
            self, dt: float, velocity_iterations: int, position_iterations: int,
            chassis_damping: float, physical: bool, public: bool = False, bodies: int = 0,
            fixtures: int = 0) -> None:
        """
        Start without bodies.

        :param chassis_damping: of vehicles that have none of their own [1/s].
        :param physical: whether the mode is that.
        :param public: use the functions of the binding only.
        :param bodies: how many there will be, about; so fixtures.
        """
        self._physical = physical
        self._dt = dt
        self._chassis_damping = chassis_damping
        self.iterations = velocity_iterations, position_iterations
        self.world = Box2D.b2World(gravity=(0, 0))
        if not public:
            provide(self.world, bodies + _STANDING, fixtures, _CONTACTS)
        self.world.Step(dt, 1, 1)  # impulses that joints are given back count from now on
        self._ground = self.world.CreateStaticBody()  # has no fixtures, only joints
        self._squares = Squares(self.world)
        self.spans: list[tuple[Any, float, float]] = []  # static fixtures, their heights [m]
        self.driven: list[Any] = []  # bodies that move as they are told
        self.thicknesses = Thicknesses()
        # by the address of a body: how far it reaches, how thick it is [m]
        self._sizes: dict[int, tuple[float, float]] = {}
        self.rubs: dict[int, Rub] = {}  # of blocks in mode physical, so too
        self._public = public
        self._new_fixture = Box2D.b2FixtureDef()  # used again and again: the engine copies it
        self._height_filter: HeightFilter | None = None

    def step(self, fast: Sequence[Any], bullets: Sequence[Any], parts: int) -> None:
        """
        Move all bodies on by one step.

        :param fast: those that need a continuous step, see `continuous`.
        :param bullets: those of them that need it for others that forces move, too.
        :param parts: in how many to make a continuous step.
        """
        skins = [fixture.shape for body in fast for fixture in body.fixtures
                 if fixture.shape.radius == np.float32(SKIN)]
        for shape in skins:
            shape.radius = WIDE
        for body in bullets:
            body.bullet = True
        self.world.continuousPhysics = parts > 0
        for part in range(max(1, parts)):
            self.world.autoClearForces = part >= parts - 1
            self.world.Step(self._dt / max(1, parts), *self.iterations)
        for shape in skins:
            shape.radius = SKIN
        for body in bullets:
            body.bullet = False

    def heed_heights(self, table: NDArray[np.float64]) -> None:
        """
        Let nothing collide from now on whose rows in this table are apart.

        :param table: see `heights`, which also says how fixtures get their rows.
        """
        self._height_filter = HeightFilter(self.world, table, self._public)

    @property
    def calls_python(self) -> bool:
        """Return whether a step calls Python, which compiled code must not make it do."""
        return self._height_filter is not None and self._height_filter.calls_python

    def add_static(self, outlines: Iterable[StaticOutline]) -> None:
        """Add solids that never move."""
        for outline in outlines:
            body, corners = self._squares.hold(outline.polygon)
            fixture = self._add_outline(body, outline, corners, f'wall {outline.name!r}')
            self.spans.append((fixture, outline.zmin, outline.zmax))
            self.thicknesses.add_standing(outline.polygon, outline.skin)

    def add_driven(self, outlines: Sequence[StaticOutline], pose: Pose, name: str,
                   source: Source) -> Any:
        """
        Return a new body that moves as it is told and gives way to nothing.

        :param outlines: its solid parts, in its own frame.
        """
        what = f'{name!r}'
        body = self._add_body(
            name, pose, 0.0, 0.0, what, source, self.world.CreateKinematicBody)
        for outline in outlines:
            self._add_outline(body, outline, outline.polygon, what)
        self._note(body, [outline.polygon for outline in outlines], True)
        return body

    def add_vehicle(self, vehicle: VehicleSpec, footprint: Footprint, pose: Pose) -> Any:
        """
        Return a new body with chassis and wheels.

        :raises PhysicsError: where the engine cannot make it.
        """
        chassis = vehicle.dynamics.chassis
        what = f'chassis of vehicle {vehicle.name!r}'
        linear, angular = (
            self._chassis_damping if rate is None else rate
            for rate in (chassis.linear_damping, chassis.angular_damping))
        body = self._add_body(
            vehicle.name, pose, linear, angular, what, chassis.source,
            self.world.CreateDynamicBody if vehicle.animation is None
            else self.world.CreateKinematicBody)
        self._warn_if_far(f'vehicle {vehicle.name!r}', vehicle.source, pose)
        self._add_polygon(
            body, footprint.polygon, chassis.mass, CHASSIS_FRICTION, CHASSIS_RESTITUTION, SKIN,
            what, chassis.source)
        middle = body.localCenter.copy()
        for k, wheel in enumerate(vehicle.dynamics.wheels):
            x, y, toe = wheel.pos
            new = self._new_fixture
            new.shape = box_of(wheel.radius, 0.5 * wheel.width, x, y, toe)
            new.density = wheel.mass / (wheel.diameter * wheel.width)
            new.friction, new.restitution = WHEEL_FRICTION, WHEEL_RESTITUTION
            new.userData = k  # see `turn_wheels`
            body.CreateFixture(new)
        set_mass(body, chassis, middle)
        wheels = [_outline_of(wheel.radius, 0.5 * wheel.width, *wheel.pos[:2])
                  for wheel in vehicle.dynamics.wheels]
        self._note(body, [footprint.polygon, *wheels], vehicle.animation is not None)
        return body

    def add_block(
            self, block: BlockSpec, parts: Sequence[Footprint], pose: Pose, gravity: float,
            alone: bool = True) -> Any:
        """
        Return a new body for a block that can be touched.

        What rubs a movable block on the ground is one joint at its centre of mass, see `sliding`;
        in mode `mvsim` two, each with half of its friction, at both ends of a bar through its
        origin as long as the block is wide, as in the original. One that has rested for 0.5 s
        sleeps and costs nothing until something touches it.

        :param parts: of its solid; one where it can be pushed.
        :param alone: on a body of its own also where it stands, for joints.
        :returns: the body, a `Standing` where it shares one.
        :raises PhysicsError: where the engine cannot make it.
        """
        what = f'block {block.name!r}'
        if block.static and block.animation is None and not alone:
            self._check(pose, what, block.source)
            return Standing(partial(self._stand, block, parts, what), pose)
        body = self._add_body(
            block.name, pose, block.linear_damping, block.angular_damping, what, block.source,
            self.world.CreateKinematicBody if block.animation is not None
            else self.world.CreateStaticBody if block.static else self.world.CreateDynamicBody)
        for part in parts:
            self._add_polygon(
                body, part.polygon, block.mass, block.lateral_friction, block.restitution, SKIN,
                what, block.source)
        self._note(body, [part.polygon for part in parts],
                   block.static or block.animation is not None)
        if not block.static and block.animation is None:
            most, centre = block.ground_friction * block.mass * gravity, body.localCenter
            if self._physical:
                turn = most * mean_distance(parts[0].polygon, *centre)
                joint = self._add_rub(body, centre, most, turn)
                self.rubs[int(body.this)] = Rub(joint, block.mass * gravity, most, turn)
            else:
                reach = max(x * x + y * y for x, y in parts[0].polygon) ** 0.5
                for end in (reach, -reach):
                    self._add_rub(body, (end, 0.0), 0.5 * most, 0.0)
        return body

    def _add_rub(self, body: Any, place: Any, force: float, torque: float) -> Any:
        return self.world.CreateFrictionJoint(bodyA=self._ground, bodyB=body, localAnchorB=place,
                                              maxForce=force, maxTorque=torque)

    def remove(self, body: Any) -> None:
        """Take a body out; views that hold it must not be used any more."""
        if isinstance(body, Standing):
            body.remove()
            return
        self.driven = [other for other in self.driven if other != body]
        del self._sizes[int(body.this)]
        self.rubs.pop(int(body.this), None)
        self.world.DestroyBody(body)

    def place(self, body: Any, pose: Pose, twist: Sequence[float]) -> None:
        """
        Put a body at `pose`.

        :param twist: vx, vy [m/s], wz [rad/s] of its origin in its own frame.
        """
        if isinstance(body, Standing):
            body.place(pose)
            return
        velocity = velocity_of_centre(body, pose, twist)
        body.transform = (pose.x, pose.y), pose.yaw
        body.linearVelocity = velocity[:2]
        body.angularVelocity = velocity[2]
        body.awake = True

    def sizes(self, bodies: Sequence[Any]) -> NDArray[np.float64]:
        """
        Return how far bodies reach from their origins, and how thick they are, shape (2, n) [m].

        That of a vehicle is its chassis: wheels are on it.
        """
        return np.array([self._sizes[int(body.this)] for body in bodies], float).reshape(-1, 2).T

    def _note(self, body: Any, polygons: Sequence[Polygon], driven: bool) -> None:
        """Take note of the parts of a new body."""
        reach = SKIN + max(math.hypot(x, y) for polygon in polygons for x, y in polygon)
        self._sizes[int(body.this)] = reach, thickness(polygons[0]) + 2.0 * SKIN
        if driven:
            self.driven.append(body)
            self.thicknesses.add_driven(polygons, SKIN)

    def _stand(self, block: BlockSpec, parts: Sequence[Footprint], what: str, pose: Pose,
               ) -> list[Any]:
        """Return new fixtures of a block that stands at a pose."""
        cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
        fixtures = []
        for part in parts:
            self.thicknesses.add_standing(part.polygon, SKIN, pose.x, pose.y, pose.yaw)
            sides = self._sound(part.polygon, what, block.source, SQUARE)
            body, corners = self._squares.hold(tuple(
                (pose.x + cosine * px - sine * py, pose.y + sine * px + cosine * py)
                for px, py in sides), pose.x, pose.y)
            fixtures.append(self._add_sound(
                body, corners, 0.0, block.lateral_friction, block.restitution, SKIN, what,
                block.source, block.name))
        return fixtures

    def _add_body(self, name: str, pose: Pose, linear_damping: float, angular_damping: float,
                  what: str, source: Source, create: Callable[..., Any]) -> Any:
        self._check(pose, what, source)
        return create(
            position=(pose.x, pose.y), angle=pose.yaw, userData=name,
            linearDamping=self._damping(linear_damping),
            angularDamping=self._damping(angular_damping))

    def _check(self, pose: Pose, what: str, source: Source) -> None:
        """Raise a PhysicsError where the engine cannot have anything at a pose."""
        for name, value in (('x', pose.x), ('y', pose.y), ('yaw', pose.yaw)):
            if not abs(value) < 1e7:
                raise PhysicsError(f'{source}: {what} stands at {name} = {value}: give a finite '
                                   'number below 1e7')

    def _warn_if_far(self, what: str, source: Source, pose: Pose) -> None:
        """Warn where single precision is too coarse for contacts."""
        step = float(np.spacing(np.float32(max(abs(pose.x), abs(pose.y)))))
        if step > COARSE:
            _LOG.warning(
                '%s: %s stands at (%g, %g), where the engine, with its single precision, knows '
                'contacts to %.2g m: move everything nearer to the origin', source, what, pose.x,
                pose.y, step)

    def _damping(self, rate: float) -> float:
        """
        Return the damping that makes v' = v / (1 + dt rate) in a step, as in Box2D 2.4.

        The binding's Box2D 2.3 makes it v' = v (1 - dt damping).
        """
        return rate / (1.0 + self._dt * rate)

    def _add_outline(
            self, body: Any, outline: StaticOutline, polygon: Polygon, what: str) -> Any:
        """Add a piece as it lies in the frame of a body."""
        return self._add_polygon(
            body, polygon, 0.0, outline.friction, outline.restitution, outline.skin, what,
            outline.source)

    def _add_polygon(
            self, body: Any, polygon: Polygon, mass: float, friction: float,
            restitution: float, skin: float, what: str, source: Source) -> Any:
        corners = self._sound(polygon, what, source)
        return self._add_sound(
            body, corners, mass / area(corners), friction, restitution, skin, what, source, None)

    def _sound(
            self, polygon: Polygon, what: str, source: Source, farthest: float = 0.0) -> Polygon:
        """Return what is `sound` of an outline; raise a PhysicsError where nothing is."""
        corners = sound(polygon, farthest)
        if not corners:
            raise PhysicsError(_impossible(what, source, polygon, 'it has no area'))
        return corners

    def _add_sound(
            self, body: Any, corners: Polygon, density: float, friction: float,
            restitution: float, skin: float, what: str, source: Source, name: str | None) -> Any:
        try:
            new = self._new_fixture
            new.shape = shape_of(tuple(corners), skin)
            new.density, new.friction, new.restitution = density, friction, restitution
            new.userData = name
            return body.CreateFixture(new)
        except (AssertionError, ValueError) as error:
            raise PhysicsError(_impossible(what, source, corners, str(error))) from error


@lru_cache(maxsize=4096)
def _outline_of(half_length: float, half_width: float, x: float, y: float) -> Polygon:
    """Return the outline of a wheel that is not steered."""
    return placed(rectangle(-half_length, -half_width, half_length, half_width), Pose(x, y))


def _impossible(what: str, source: Source, polygon: Polygon, reason: str) -> str:
    """Return what is wrong with an outline in the frame of its body."""
    far = max(abs(number) for corner in polygon for number in corner)
    remedy = ('make it larger than 1 cm, without vertices nearly on one line' if far <= SQUARE
              else f'it lies {far:.3g} m from the origin of its frame, where single precision is '
              'too coarse for it: put its pose where it is')
    return f'{source}: {what} has an outline that Box2D cannot hold ({reason}): {remedy}'
