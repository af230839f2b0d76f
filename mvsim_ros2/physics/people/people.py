# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All people of a world, and those of its crowds, drawn at random."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.engine.bodies import addresses, Body
from mvsim_ros2.physics.people.crowd import (
    Crowd, DISC, GAITS, MANNERS, MODELS, NO_CROWD, PERIOD, PERSON, SEEN, WALK, WAYPOINT)
from mvsim_ros2.physics.people.step import show_people
from mvsim_ros2.physics.people.walkable import NEVER, WalkableMap
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.actor import ActorSpec, CrowdSpec, PathSpec, WaypointSpec
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, Polygon
from mvsim_ros2.world.spec.outlines import placed, StaticOutline
from mvsim_ros2.world.spec.solids import block_footprint, solids
from mvsim_ros2.world.spec.world import WorldSpec

if TYPE_CHECKING:
    from mvsim_ros2.physics.scripted import MovingObjects

# rad; phase of the gait of each at the start less that of the one before
OUT_OF_STEP = 2.4
_WAYPOINTS = 3  # of each person
_APART, _FROM_VEHICLES = 0.2, 1.5  # m between people; m from the places of vehicles
_SLOWEST = 0.3  # m/s
_TRIES = 20  # for a part of the area that is not closed off


class People:
    """
    The actors of a world that no keyframes move.

    :ivar people: records, see `crowd.PERSON`.
    :ivar bodies: of each.
    :ivar climb: whether a path leads some to another height.
    """

    def __init__(self, world: WorldSpec, figures: 'MovingObjects') -> None:
        """Start without people; of those that come the rows are in `figures`."""
        self._world, self._figures = world, figures
        self.people = np.zeros(0, PERSON)
        self.bodies: list[Body] = []
        self.climb = False
        self._waypoints = np.zeros(0, WAYPOINT)
        self._map: WalkableMap | None = None
        self._fields = NO_CROWD.fields
        self._groups: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.people)

    def add(self, actor: ActorSpec, start: Pose, body: Body, figure: int) -> None:
        """Add somebody."""
        path = actor.path.waypoints if actor.path else ()
        self.climb |= any(each.pose.z != start.z for each in path)
        person, waypoints = np.zeros(1, PERSON), np.zeros(len(path), WAYPOINT)
        for prefix in ('', 'start_'):
            for name in ('x', 'y', 'z', 'yaw'):
                person[prefix + name] = getattr(start, name)
        person['model'] = MODELS.index(actor.model)
        person['robots'] = MANNERS.index(actor.robots)
        person['group'] = self._groups.setdefault(
            actor.group, len(self._groups)) if actor.group else -1
        person['first'], person['count'] = len(self._waypoints), len(path)
        person['loop'] = bool(actor.path and actor.path.loop)
        person['walking'], person['running'] = actor.walking_speed, actor.running_speed
        person['radius'], person['figure'] = actor.collision_radius, figure
        person['height'], person['sits'] = actor.height, actor.posture == 'sit'
        person['phase'], person['stride'] = OUT_OF_STEP * figure, -person['sits']
        for row, each in zip(waypoints, path, strict=True):
            pose = each.pose
            row['x'], row['y'], row['z'], row['yaw'] = pose.x, pose.y, pose.z, pose.yaw
            row['wait'] = each.pause
            row['gait'] = GAITS.index(each.animation) if each.animation else WALK
            row['field'] = -1 if actor.model == 'path' else 0
        self.people = np.append(self.people, person)
        self._waypoints = np.append(self._waypoints, waypoints)
        self.bodies.append(body)

    def complete(self, blocks: Blocks) -> None:
        """Draw the map of free space for people who react, around static objects."""
        goals = self._waypoints[self._waypoints['field'] >= 0]
        standing = standing_outlines(
            self._world, blocks.specs, [Pose(*pose) for pose in blocks.pose.tolist()],
            blocks.footprints) if len(goals) else []
        if not standing:
            self._waypoints['field'] = -1
            return
        places = np.concatenate([[goals['x'], goals['y']],
                                 [self.people['x'], self.people['y']]], axis=1).T
        self._map = WalkableMap(standing, places)
        known: dict[tuple[float, float], int] = {}
        for row in self._waypoints:
            if row['field'] >= 0:
                row['field'] = known.setdefault((float(row['x']), float(row['y'])), len(known))
        self._fields = np.stack([self._map.ways_to(x, y) for x, y in known])

    def crowd(self, vehicles: Vehicles, blocks: Blocks) -> Crowd:
        """Return the people as kernels take them, with everything that they see."""
        if not len(self):
            return NO_CROWD
        discs: list[tuple[float, ...]] = []
        if np.any(self.people['model'] != MODELS.index('path')):  # others see nothing
            discs += [(0.0, row, *disc) for row, footprint in enumerate(vehicles.footprints)
                      for disc in covering(footprint.polygon)]
            discs += [(1.0, row, *disc) for row, i in enumerate(blocks.moving_rows.tolist())
                      for disc in covering(blocks.footprints[i].polygon)]
        number = len(self) + len(discs)
        origin_x, origin_y = self._map.origin.tolist() if self._map else (0.0, 0.0)
        return self._known()._replace(
            waypoints=self._waypoints, every=max(1, round(PERIOD / self._world.timestep)),
            origin_x=origin_x, origin_y=origin_y,
            cell=self._map.cell if self._map else 1.0,
            clearance=self._map.clearance if self._map else NO_CROWD.clearance,
            fields=self._fields, discs=np.array(discs, DISC), blocks=blocks.addresses,
            vehicle_pose=vehicles.pose, vehicle_twist=vehicles.twist_body,
            seen=np.zeros(number, SEEN), lines=np.zeros((number + 1, 4)),
            other_lines=np.zeros((number + 1, 4)), slope=np.zeros(3))

    def _known(self) -> Crowd:
        """Return the people, their bodies and their rows of the figures."""
        figures = self._figures
        return NO_CROWD._replace(
            people=self.people, bodies=addresses(self.bodies), pose=figures.pose,
            twist=figures.twist_body, gait=figures.gait, motion=np.zeros_like(NO_CROWD.motion))

    def restart(self, figure: int, pose: Pose, speed: float | None) -> None:
        """
        Put somebody somewhere, from where the path begins anew.

        :param speed: of walking from now on [m/s], None for the same as before.
        """
        person = self.people[self.people['figure'] == figure]
        for name in ('goal', 'done', 'pause', 'vx', 'vy', 'twist_x', 'twist_y', 'twist_w'):
            person[name] = 0.0
        for prefix in ('', 'start_'):
            for name in ('x', 'y', 'z', 'yaw'):
                person[prefix + name] = getattr(pose, name)
        person['stride'] = -person['sits']
        if speed is not None:
            person['walking'] = speed
        self.people[self.people['figure'] == figure] = person
        self.restore(self.people)

    def restore(self, people: NDArray[np.void]) -> None:
        """Put back all `people` as they were, and their rows of the figures."""
        self.people[:] = people
        if len(self):
            show_people(self._known())


def standing_outlines(world: WorldSpec, blocks: Sequence[BlockSpec], poses: Sequence[Pose],
                      footprints: Sequence[Footprint]) -> list[StaticOutline]:
    """
    Return the outlines of everything static: elements, walls and blocks.

    :param poses: of the blocks, as `footprints`.
    """
    return [*solids(world), *(
        StaticOutline(spec.name, placed(outline.polygon, pose), pose.z + outline.zmin,
                      pose.z + outline.zmax)
        for spec, pose, outline in zip(blocks, poses, footprints, strict=True)
        if not (spec.moves or spec.intangible or spec.animation))]


def covering(outline: Polygon) -> list[tuple[float, float, float]]:
    """Return discs in a row that cover an outline: x, y and radius of each, in its frame [m]."""
    corners = np.array(outline)
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    long, wide = (0, 1) if size[0] >= size[1] else (1, 0)
    count = max(1, math.ceil(float(size[long] / max(size[wide], 0.1)) - 0.3))
    radius = 0.5 * math.hypot(float(size[long]) / count, float(size[wide]))
    middles = np.tile(low + 0.5 * size, (count, 1))
    middles[:, long] = low[long] + size[long] * (np.arange(count) + 0.5) / count
    return [(x, y, radius) for x, y in middles.tolist()]


def with_people(world: WorldSpec, footprints: Mapping[str, Footprint],
                random: np.random.Generator) -> WorldSpec:
    """
    Return a world with the people of its crowds in place of these.

    :param footprints: outlines of meshes by name.
    :raises PhysicsError: where a crowd has no room.
    """
    people, blocks = list(world.actors), world.blocks
    standing = standing_outlines(world, blocks, [each.init_pose for each in blocks], [
        block_footprint(each, footprints.get(each.name)) for each in blocks])
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
