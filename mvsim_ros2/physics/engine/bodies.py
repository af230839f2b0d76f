# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rigid bodies of the engine, and their fixtures: convex polygons with which they collide."""

from collections.abc import Iterable, Mapping, Sequence
import ctypes
from dataclasses import dataclass, field
from functools import lru_cache
import heapq
import math
from typing import NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.state.record_layout import ANGLE, COM_X, COM_Y, MOTION, OMEGA, VX, VY, X, Y
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, Point, Polygon
from mvsim_ros2.world.spec.vehicle.dynamics import ChassisSpec
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

STATIC, KINEMATIC, DYNAMIC = range(3)  # kinds of bodies: b2BodyType
MOST_CORNERS = 16  # b2_maxPolygonVertices
SAVED = 21  # numbers of a body that `save` returns
# Twice the area of a corner and its neighbours, over extent and largest coordinate: some
# roundings in single precision, 6e-8 each
_STRAIGHT = 1e-6
_SAME = 1e-6  # m; corners that are nearer are one


class Constants(NamedTuple):
    """The constants of a step."""

    mass: float  # kg
    inertia: float  # about the origin [kg m^2]
    com_x: float  # centre of mass, frame of the body [m]
    com_y: float
    linear_damping: float  # 1/s
    angular_damping: float  # 1/s


# memory for the bridge, which takes a tenth of the time of arrays of numpy
_CONSTANTS = ctypes.c_double * len(Constants._fields)
_MOTION = ctypes.c_double * MOTION


class World:
    """A world of the engine, without gravity."""

    def __init__(self) -> None:
        self.address = bridge.world_new()
        finalize(self, bridge.world_delete, self.address)


class Fixture:
    """A convex polygon that is part of a body."""

    __slots__ = ('address', 'wheel')

    def __init__(self, address: int, wheel: int | None = None) -> None:
        """
        Take what the engine made.

        :param wheel: its number, where it is the box of a wheel.
        """
        self.address, self.wheel = address, wheel

    @property
    def corners(self) -> NDArray[np.float64]:
        """Return the corners in the frame of the body, counter-clockwise, shape (n, 2) [m]."""
        corners = np.zeros((MOST_CORNERS, 2))
        count = bridge.fixture_corners(self.address, corners.ctypes.data)
        return corners[:count]


class Body:
    """A rigid body of a world; valid until it is removed."""

    __slots__ = ('world', 'address', 'name', 'fixtures', '_constants')

    def __init__(self, world: World, kind: int, pose: Pose, linear_damping: float = 0.0,
                 angular_damping: float = 0.0, name: str = '') -> None:
        """
        Make a body without fixtures.

        :param kind: STATIC, KINEMATIC or DYNAMIC.
        """
        self.world = world
        self.address = bridge.body_new(
            world.address, kind, pose.x, pose.y, pose.yaw, linear_damping, angular_damping)
        self.name = name
        self.fixtures: list[Fixture] = []
        self._constants: Constants | None = None

    def add(self, fixture: Fixture) -> None:
        """Take note of a fixture that the engine has added."""
        self.fixtures.append(fixture)
        self._constants = None

    @property
    def constants(self) -> Constants:
        """Return mass, inertia, centre of mass and damping."""
        if self._constants is None:
            numbers = _CONSTANTS()
            bridge.body_constants(self.address, ctypes.addressof(numbers))
            self._constants = Constants(*numbers)
        return self._constants

    def set_mass(self, mass: float, x: float, y: float, inertia: float) -> bool:
        """Set mass, centre of mass and inertia about the origin; return whether they can be."""
        self._constants = None
        return bool(bridge.body_set_mass(self.address, mass, x, y, inertia))

    @property
    def mass(self) -> float:
        """Return the mass [kg]."""
        return self.constants.mass

    @property
    def inertia(self) -> float:
        """Return the moment of inertia about the origin [kg m^2]."""
        return self.constants.inertia

    @property
    def motion(self) -> tuple[float, ...]:
        """Return a row of `record_layout.MOTION`."""
        row, address = _MOTION(), ctypes.c_int64(self.address)
        bridge.bodies_motion(ctypes.addressof(address), 1, ctypes.addressof(row))
        return tuple(row)

    @property
    def place(self) -> tuple[float, float, float]:
        """Return x and y of the origin [m] and the angle [rad]."""
        row = self.motion
        return row[X], row[Y], row[ANGLE]

    @property
    def centre(self) -> tuple[float, float]:
        """Return the centre of mass in the world [m]."""
        row = self.motion
        return row[COM_X], row[COM_Y]

    @property
    def velocity(self) -> tuple[float, float, float]:
        """Return the velocity of the centre of mass [m/s] and the yaw rate [rad/s]."""
        row = self.motion
        return row[VX], row[VY], row[OMEGA]

    @property
    def is_awake(self) -> bool:
        """Return whether a step moves it."""
        return bool(bridge.body_is_awake(self.address))

    def wake(self) -> None:
        """Let the next steps move it."""
        bridge.body_wake(self.address)

    def put(self, x: float, y: float, yaw: float) -> None:
        """Put its origin somewhere else."""
        bridge.body_place(self.address, x, y, yaw)

    def set_velocity(self, vx: float, vy: float, yaw_rate: float) -> None:
        """Set the velocity of the centre of mass [m/s] and the yaw rate [rad/s]."""
        bridge.body_set_velocity(self.address, vx, vy, yaw_rate)


def addresses(bodies: Sequence[Body]) -> NDArray[np.int64]:
    """Return the bodies as the functions of `bridge` take them."""
    return np.array([body.address for body in bodies], np.int64)


def read_motion(bodies: NDArray[np.int64], motion: NDArray[np.float64]) -> None:
    """Write the motion of bodies, given by their `addresses`, shape (n, MOTION)."""
    bridge.bodies_motion(bodies.ctypes.data, len(bodies), motion.ctypes.data)


def save(bodies: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the changing state of bodies, shape (n, SAVED)."""
    state = np.zeros((len(bodies), SAVED), np.float32)
    bridge.bodies_save(bodies.ctypes.data, len(bodies), state.ctypes.data)
    return state


def load(bodies: NDArray[np.int64], state: NDArray[np.float32]) -> None:
    """Put back what `save` returned, to the last bit."""
    bridge.bodies_load(bodies.ctypes.data, len(bodies), state.ctypes.data)


def turn_wheels(body: Body, wheels: Sequence[WheelSpec], angles: Mapping[int, float]) -> None:
    """
    Turn the boxes of wheels; the mass of the body stays as it was, as in the original.

    :param angles: steering angle by index of the wheel [rad].
    """
    for fixture in body.fixtures:
        if fixture.wheel is not None and fixture.wheel in angles:
            wheel, angle = wheels[fixture.wheel], angles[fixture.wheel]
            x, y, toe = wheel.pos
            bridge.box_change(fixture.address, wheel.radius, 0.5 * wheel.width, x, y, toe + angle)


def velocity_of_centre(
        body: Body, pose: Pose, twist: Sequence[float]) -> tuple[float, float, float]:
    """Return the world velocity of the centre of mass and yaw rate, from a body twist."""
    vx, vy, w = twist
    constants = body.constants
    vx, vy = vx - w * constants.com_y, vy + w * constants.com_x
    cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
    return cosine * vx - sine * vy, sine * vx + cosine * vy, w


def set_mass(body: Body, chassis: ChassisSpec, middle: NDArray[np.float32]) -> bool:
    """
    Give a body of chassis and wheels the centre of mass and inertia that its chassis asks for.

    :param middle: of the outline of the chassis, where the engine puts the centre of its mass,
        shape (2,), in single precision, as the engine computes.
    :return: False if the engine does not accept them.
    """
    if chassis.centre_of_mass is None and chassis.yaw_inertia is None:
        return True
    mass, about_origin, *com = body.constants[:4]
    centre = np.array(com, np.float32)
    if chassis.centre_of_mass is not None:
        wanted = np.array(chassis.centre_of_mass[:2], np.float32)
        centre = centre + np.float32(chassis.mass / mass) * (wanted - middle)
        about_origin += chassis.mass * (square(wanted) - square(middle))
    if chassis.yaw_inertia is not None:
        about_origin = chassis.yaw_inertia + mass * square(centre)
    x, y = centre.tolist()
    return body.set_mass(mass, x, y, about_origin)


def square(vector: ArrayLike) -> float:
    """Return the squared length of a vector as the engine has it, in single precision."""
    x, y = np.asarray(vector, np.float32)
    return float(x * x + y * y)


def in_order_of_file(
        blocks: Sequence[BlockSpec], vehicles: Sequence[VehicleSpec],
        ) -> Iterable[BlockSpec | VehicleSpec]:
    """
    Return blocks and vehicles of one file by line, of several one after the other.

    The engine solves contacts in the order of the bodies, which a pushed heap of blocks shows.
    Among themselves blocks, and vehicles, keep their order.
    """
    kinds: tuple[Sequence[BlockSpec | VehicleSpec], ...] = blocks, vehicles
    if len({thing.source.file for things in kinds for thing in things}) > 1:
        return (*blocks, *vehicles)
    return heapq.merge(*kinds, key=lambda thing: thing.source.line)


SQUARE = 1024.0  # m; the first one lies around the origin of the world


class Squares:
    """
    The bodies of what stands: one for each square of `SQUARE`.

    A step of the engine visits all bodies several times; single precision is fine enough for
    fixtures in the frame of their square.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._bodies: dict[tuple[int, int], Body] = {}

    def hold(self, polygon: Polygon, x: float = 0.0, y: float = 0.0) -> tuple[Body, Polygon]:
        """
        Return the body for what stands somewhere, and its outline in the frame of that body.

        :param polygon: its outline in the world [m].
        :param x: where its frame stands [m], so y: the square of the nearest place of its box is
            its own.
        """
        square, (first_x, first_y) = _square_of(x, y), polygon[0]
        if square != _square_of(first_x, first_y):
            xs, ys = zip(*polygon, strict=True)
            square = _square_of(max(min(xs), min(max(xs), x)), max(min(ys), min(max(ys), y)))
        middle_x, middle_y = square[0] * SQUARE, square[1] * SQUARE
        if square not in self._bodies:
            self._bodies[square] = Body(self._world, STATIC, Pose(middle_x, middle_y))
        if square != (0, 0):
            polygon = tuple((px - middle_x, py - middle_y) for px, py in polygon)
        return self._bodies[square], polygon


def _square_of(x: float, y: float) -> tuple[int, int]:
    return round(x / SQUARE), round(y / SQUARE)


@dataclass(eq=False)
class Standing:
    """A block that stands: fixtures on bodies that it shares with others."""

    block: BlockSpec
    parts: Sequence[Footprint]  # of its solid
    pose: Pose
    fixtures: list[Fixture] = field(default_factory=list)


@lru_cache(maxsize=4096)
def area(polygon: Polygon) -> float:
    """Return the area of a counter-clockwise polygon [m^2]."""
    return 0.5 * sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(
        polygon, polygon[1:] + polygon[:1], strict=True))


def centroid(polygon: Polygon) -> Point:
    """Return the centre of the area of a polygon [m], as exact wherever it lies."""
    from_x, from_y = polygon[0]
    total = sum_x = sum_y = 0.0
    for (ax, ay), (bx, by) in zip(polygon[1:-1], polygon[2:], strict=True):
        ax, ay, bx, by = ax - from_x, ay - from_y, bx - from_x, by - from_y
        double = ax * by - ay * bx
        total += double
        sum_x += double * (ax + bx)
        sum_y += double * (ay + by)
    return from_x + sum_x / (3.0 * total), from_y + sum_y / (3.0 * total)


def mean_distance(polygon: Polygon, x: float, y: float) -> float:
    """
    Return the mean distance of the points of a convex polygon from a point [m].

    Over the triangle of an edge at the distance d, from s_0 to s_1 along it, the integral is
    ``d (l s + d^2 asinh(s / d)) / 6`` between these, with ``l^2 = d^2 + s^2``.
    """
    total = 0.0
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length == 0.0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        d = (ax - x) * uy - (ay - y) * ux  # above 0 where the point is inside
        if d == 0.0:
            continue
        for sign, s in ((-1.0, (ax - x) * ux + (ay - y) * uy),
                        (1.0, (bx - x) * ux + (by - y) * uy)):
            total += sign * d * (math.hypot(d, s) * s + d * d * math.asinh(s / abs(d))) / 6.0
    return abs(total / area(polygon))


@lru_cache(maxsize=4096)
def sound(polygon: Polygon, farthest: float = 0.0) -> Polygon:
    """
    Return a convex polygon without corners that are straight in single precision.

    The engine computes its own hull of the corners. If rounding makes a straight corner concave,
    it never ends, or writes outside of its memory.

    :param farthest: its largest coordinate wherever it will be placed [m].
    :returns: counter-clockwise; empty where nothing with an area is left.
    """
    corners = list(polygon if area(polygon) > 0.0 else polygon[::-1])
    xs, ys = zip(*corners, strict=True)
    extent = max(max(xs) - min(xs), max(ys) - min(ys))
    straight = _STRAIGHT * extent * max(farthest, *map(abs, xs + ys))
    while len(corners) > 2:
        heights = {}  # over the line through the neighbours, of the corners that cannot stay
        for i, (bx, by) in enumerate(corners):
            (ax, ay), (cx, cy) = corners[i - 1], corners[(i + 1) % len(corners)]
            bend = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
            if bend <= straight or math.hypot(cx - bx, cy - by) <= _SAME:
                heights[i] = bend / max(math.hypot(cx - ax, cy - ay), _SAME)
        if not heights:
            return tuple(corners)
        del corners[min(heights, key=heights.__getitem__)]
    return ()


@lru_cache(maxsize=4096)
def thickness(polygon: Polygon) -> float:
    """Return the least width of a convex polygon [m]."""
    widths = []
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 0.0:
            widths.append(max(abs((bx - ax) * (y - ay) - (by - ay) * (x - ax))
                              for x, y in polygon) / length)
    return min(widths, default=0.0)
