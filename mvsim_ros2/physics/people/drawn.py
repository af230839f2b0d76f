# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People of a crowd: where they begin, where they go and how fast, drawn at random."""

from collections.abc import Sequence
from dataclasses import replace
import math

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.people.walkable import NEVER, WalkableMap
from mvsim_ros2.world.spec.actor import ActorSpec, CrowdSpec, PathSpec, WaypointSpec
from mvsim_ros2.world.spec.outlines import StaticOutline
from mvsim_ros2.world.spec.world import WorldSpec

_WAYPOINTS = 3  # of each person
_APART, _FROM_VEHICLES = 0.2, 1.5  # m between people; m from the places of vehicles
_SLOWEST = 0.3  # m/s
_TRIES = 20  # for a part of the area that is not closed off


def with_people(world: WorldSpec, standing: Sequence[StaticOutline],
                random: np.random.Generator) -> WorldSpec:
    """
    Return a world with the people of its crowds in place of these.

    :param standing: outlines of all static objects.
    :raises PhysicsError: where a crowd has no room.
    """
    people = list(world.actors)
    for crowd in world.crowds:
        people += drawn(crowd, world, standing, people, random)
    return replace(world, actors=tuple(people), crowds=())


def drawn(crowd: CrowdSpec, world: WorldSpec, standing: Sequence[StaticOutline],
          others: Sequence[ActorSpec], random: np.random.Generator) -> list[ActorSpec]:
    """
    Return the people of a crowd.

    :raises PhysicsError: where it has no room.
    """
    low, high = np.array([crowd.x_min, crowd.y_min]), np.array([crowd.x_max, crowd.y_max])
    area = WalkableMap(standing, np.array([low, high]))
    places = area.places(low, high, crowd.radius + 0.5 * _APART)
    places = _not_closed_off(area, places, random)
    count = crowd.count if crowd.density == 0.0 else round(
        crowd.density * len(places) * area.cell ** 2)
    taken = [(each.init_pose.x, each.init_pose.y, _FROM_VEHICLES) for each in world.vehicles]
    taken += [(each.init_pose.x, each.init_pose.y, each.collision_radius + crowd.radius)
              for each in others]
    goals = places[random.choice(len(places), min(crowd.goals, len(places)), False)]
    people: list[ActorSpec] = []
    for x, y in _starts(places, taken, 2.0 * crowd.radius + _APART, count, crowd, random).tolist():
        number = len(people)
        order = random.permutation(len(goals))[:_WAYPOINTS]
        person = ActorSpec(
            name=f'{crowd.name}_{number}',
            init_pose=Pose(x, y, yaw=float(random.uniform(-math.pi, math.pi))),
            walking_speed=max(_SLOWEST, float(random.normal(crowd.speed, crowd.speed_deviation))),
            collision_radius=crowd.radius, model=crowd.model, robots=crowd.robots,
            source=crowd.source, path=PathSpec(waypoints=tuple(
                WaypointSpec(Pose(*goals[k].tolist())) for k in order)))
        if number % 2 and random.random() < crowd.groups:  # with the one before
            people[-1] = replace(people[-1], group=people[-1].name)
            person = replace(person, group=people[-1].group, path=people[-1].path,
                             walking_speed=people[-1].walking_speed)
        people.append(person)
    return people


def _not_closed_off(area: WalkableMap, places: Array, random: np.random.Generator) -> Array:
    """Return places of which each can be reached from each: at least half of them if possible."""
    best = places[:0]
    for _ in range(_TRIES if len(places) else 0):
        ways = area.ways_to(*places[random.integers(len(places))].tolist())
        reached = places[area.at(ways, places) < NEVER]
        best = max(best, reached, key=len)
        if 2 * len(best) >= len(places):
            break
    return best


def _starts(places: Array, taken: list[tuple[float, float, float]], apart: float, count: int,
            crowd: CrowdSpec, random: np.random.Generator) -> Array:
    """
    Return places where people begin, away from each other; each second one next to the first.

    :param taken: places that are not free, and how far around them: x, y and distance [m].
    :param apart: distance between people [m].
    """
    free = np.ones(len(places), bool)
    for x, y, reach in taken:
        free &= np.hypot(places[:, 0] - x, places[:, 1] - y) >= reach
    starts: list[Array] = []
    while len(starts) < count and free.any():
        rows = np.flatnonzero(free)
        if len(starts) % 2 and crowd.groups:
            row = rows[np.argmin(np.hypot(*(places[rows] - starts[-1]).T))]
        else:
            row = random.choice(rows)
        starts.append(places[row])
        free &= np.hypot(*(places - places[row]).T) >= apart
    if len(starts) < count:
        raise PhysicsError(
            f'{crowd.source}: the crowd {crowd.name!r} has room for {len(starts)} of {count} '
            'people: give it a larger area, or fewer people')
    return np.array(starts).reshape(-1, 2)
