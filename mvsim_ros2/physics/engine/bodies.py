# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes, masses and velocities of bodies of the engine."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
import math
from typing import Any

import Box2D

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.polygons import centroid
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.vehicle.dynamics import ChassisSpec
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec

CENTRED = 1e-3  # m; where the engine finds the centre of a shape within this, its word counts


def turn_wheels(body: Any, wheels: Sequence[WheelSpec], angles: Mapping[int, float]) -> None:
    """
    Turn the boxes of wheels; the mass of the body stays as it was, as in the original.

    :param body: of a vehicle.
    :param wheels: of that vehicle.
    :param angles: steering angle by index of the wheel [rad].
    """
    for fixture in body.fixtures:
        if fixture.userData in angles:
            wheel, angle = wheels[fixture.userData], angles[fixture.userData]
            x, y, toe = wheel.pos
            fixture.shape.SetAsBox(wheel.radius, 0.5 * wheel.width, (x, y), toe + angle)


def velocity_of_centre(
        body: Any, pose: Pose, twist: Sequence[float]) -> tuple[float, float, float]:
    """Return the world velocity of the centre of mass and yaw rate, from a body twist."""
    vx, vy, w = twist
    centre = body.localCenter
    vx, vy = vx - w * centre.y, vy + w * centre.x
    cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
    return cosine * vx - sine * vy, sine * vx + cosine * vy, w


def set_mass(body: Any, chassis: ChassisSpec, middle: Any) -> None:
    """
    Give a body of chassis and wheels the centre of mass and inertia that its chassis asks for.

    :param middle: of the outline of the chassis, where the engine puts the centre of its mass.
    """
    centre, about_origin = body.localCenter, body.inertia
    if chassis.centre_of_mass is not None:
        wanted = Box2D.b2Vec2(*chassis.centre_of_mass[:2])
        centre = centre + chassis.mass / body.mass * (wanted - middle)
        about_origin += chassis.mass * (wanted.lengthSquared - middle.lengthSquared)
    if chassis.yaw_inertia is not None:
        about_origin = chassis.yaw_inertia + body.mass * centre.lengthSquared
    if chassis.centre_of_mass is not None or chassis.yaw_inertia is not None:
        body.massData = Box2D.b2MassData(mass=body.mass, center=centre, I=about_origin)


@lru_cache(maxsize=4096)
def shape_of(corners: Polygon, skin: float) -> Any:
    """
    Return a shape, which the engine copies into every fixture; a reset needs them again.

    The engine finds the centre of a thin one that lies off the origin of its frame metres beside
    it, by differences of large numbers in single precision, and so takes the far side of a wall
    for the near one: a robot would be pushed through.
    """
    shape = Box2D.b2PolygonShape(vertices=corners)
    shape.radius = skin
    centre = centroid(corners)
    if math.dist(centre, shape.centroid) > CENTRED:
        shape.centroid = centre
    return shape


@lru_cache(maxsize=4096)
def box_of(half_length: float, half_width: float, x: float, y: float, angle: float) -> Any:
    """Return the shape of a rectangle, as `shape_of` does."""
    return Box2D.b2PolygonShape(box=(half_length, half_width, (x, y), angle))
