# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Joints between two bodies: pins, ropes, bars and springs, as bodies of Box2D 2.3 can have them.

The original's distance joint (Box2D 2.4) keeps the distance between `min_length` and
`max_length`; with a stiffness it is also a spring whose rest length is `max_length`. Here

* a rope is `b2RopeJoint` at `max_length`,
* a bar, where both lengths are equal, is a rigid `b2DistanceJoint`,
* a spring is a soft `b2DistanceJoint` together with the rope. Its frequency and damping ratio are
  those of stiffness and damping for the reduced mass of both bodies, as Box2D 2.4 converts them.
"""

from collections.abc import Mapping, Sequence
import logging
import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Body, Standing, World
from mvsim_ros2.physics.state.record_layout import CARRIED, FOLLOWS, HITCHED, LEANS
from mvsim_ros2.world.spec.block import JointSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_LOG = logging.getLogger(__name__)
SHORTEST = 0.005  # m; the slop of Box2D, below which lengths mean nothing


def connect(world: World, joint: JointSpec, bodies: Mapping[str, Body | Standing | None]) -> float:
    """
    Make a joint between bodies that stand where they do at load.

    :param bodies: of vehicles and blocks by name, None for one that has none.
    :returns: the angle from the first to the second body, from which limits count [rad].
    :raises PhysicsError: where one of them has no body.
    """
    a, b = (_body_of(name, joint, bodies) for name in (joint.body_a, joint.body_b))
    ends = world.address, a.address, b.address, *joint.anchor_a, *joint.anchor_b
    angle = b.place[2] - a.place[2]
    if joint.kind in ('revolute', 'pin'):
        bridge.revolute_joint_new(
            *ends, angle, joint.enable_limit, joint.lower_angle, joint.upper_angle)
        return angle
    longest = max(joint.max_length, SHORTEST)
    if joint.min_length >= longest:
        bridge.distance_joint_new(*ends, longest, 0.0, 0.0)
        return angle
    if joint.min_length > SHORTEST:
        _LOG.warning(
            '%s: min_length has an effect only if it is equal to max_length: this joint only '
            'limits the distance to %g m', joint.source,
            longest)
    bridge.rope_joint_new(*ends, longest)
    if joint.stiffness > 0.0:
        frequency, ratio = spring(joint.stiffness, joint.damping, *(
            1.0 / mass if mass > 0.0 else 0.0 for mass in (
                a.constants.mass, b.constants.mass)))
        bridge.distance_joint_new(*ends, longest, frequency, ratio)
    return angle


def _body_of(name: str, joint: JointSpec, bodies: Mapping[str, Body | Standing | None]) -> Body:
    body = bodies.get(name)
    if body is None:
        raise PhysicsError(
            f'{joint.source}: the joint names {name!r}, which is no vehicle and no block that '
            'is solid: give the name of another, or take the joint out')
    assert isinstance(body, Body), 'what is joined has a body of its own'
    return body


def spring(stiffness: float, damping: float, inverse_a: float,
           inverse_b: float) -> tuple[float, float]:
    """
    Return frequency [Hz] and damping ratio of a spring between two masses.

    :param stiffness: N/m.
    :param damping: N s/m.
    :param inverse_a: 1 / mass of the first body [1/kg], 0 for one that does not give way.
    """
    if inverse_a + inverse_b <= 0.0:
        return 0.0, 0.0
    mass = 1.0 / (inverse_a + inverse_b)
    omega = math.sqrt(stiffness / mass)
    return omega / (2.0 * math.pi), damping / (2.0 * mass * omega)


def find_hitches(vehicles: Sequence[VehicleSpec], joints: Sequence[JointSpec],
                 records: Any) -> None:
    """
    Write into the records of vehicles what puts them on the ground, and their hitches.

    Those that lean on ends of their chassis go on with it, where they have no hitch.
    """
    for vehicle, record in zip(vehicles, records, strict=True):
        if vehicle.animation is not None:
            record['ground'] = CARRIED
        elif record['ground'] != LEANS:
            record['ground'] = FOLLOWS
        for joint in joints:
            if vehicle.name in (joint.body_a, joint.body_b) and vehicle.animation is None:
                record['ground'] = HITCHED
                record['hitch_x'], record['hitch_y'] = (
                    joint.anchor_a if vehicle.name == joint.body_a else joint.anchor_b)
