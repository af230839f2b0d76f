# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Worlds in which a robot meets people, for the task `Social`.

The scenarios are those of A. Francis and others, *Principles and guidelines for evaluating social
robot navigation algorithms*, ACM Transactions on Human-Robot Interaction 14(2), 2025. The robot
begins at one side and its goal is opposite, beyond the origin. Widths and places are drawn at
random within limits, so that each seed gives another world.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.map_worlds import check_generator, drawn, MakeWorld, with_vehicle
from mvsim_ros2.world.spec import (
    ActorSpec, PathSpec, VerticalPlaneSpec, WaypointSpec, WorldSpec)

Place = tuple[float, float]
Base = str | PathLike[str]

_HALF = 4.0  # m from the origin to start and goal
_END = 7.0  # m from the origin to the end of corridors


@drawn
def frontal_approach(model: str = 'social_force', robots: str = 'avoid',
                     base: Base = 'empty') -> MakeWorld:
    """
    Return corridors of 2 to 3 m in which somebody comes towards the robot.

    :param model: how people walk, `social_force` or `orca`.
    :param robots: what they do with the robot, see `<actor>`.
    :param base: world that the vehicle is from.
    """
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        aside = float(random.uniform(-0.4, 0.4))
        return _corridor(random.uniform(2.0, 3.0)), [_walk((_HALF, aside), (-_END, aside))]
    return _worlds(make, model, robots, base, 'frontal_approach')


@drawn
def intersection(model: str = 'social_force', robots: str = 'avoid',
                 base: Base = 'empty') -> MakeWorld:
    """Return crossings of two corridors at which somebody crosses; see `frontal_approach`."""
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        half, side = 0.5 * float(random.uniform(2.4, 3.2)), float(random.choice([-1.0, 1.0]))
        walls = [wall for x in (-1, 1) for y in (-1, 1) for wall in (
            (x * half, y * half, x * _END, y * half), (x * half, y * half, x * half, y * _END))]
        start = side * float(random.uniform(3.0, 5.0))
        return walls, [_walk((0.0, start), (0.0, -_END * side))]
    return _worlds(make, model, robots, base, 'intersection')


@drawn
def blind_corner(model: str = 'social_force', robots: str = 'avoid',
                 base: Base = 'empty') -> MakeWorld:
    """Return corridors with a corner behind which somebody comes; see `frontal_approach`."""
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        half = 0.5 * float(random.uniform(2.2, 3.0))
        inner, outer, end = _HALF - half, _HALF + half, -_END
        walls = [(end, inner, inner, inner), (inner, inner, inner, end),
                 (end, outer, outer, outer), (outer, outer, outer, end),
                 (end, inner, end, outer), (inner, end, outer, end)]
        return walls, [_walk((_HALF, -_HALF + float(random.uniform(0.0, 3.0))), (-6.0, _HALF))]
    return _worlds(make, model, robots, base, 'blind_corner', Pose(-_HALF, _HALF))


@drawn
def narrow_doorway(model: str = 'social_force', robots: str = 'avoid',
                   base: Base = 'empty') -> MakeWorld:
    """Return two rooms with a door of 1.1 to 1.4 m between them; see `frontal_approach`."""
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        half = 0.5 * float(random.uniform(1.1, 1.4))
        walls = [*_corridor(6.0), (0.0, half, 0.0, 3.0), (0.0, -half, 0.0, -3.0)]
        aside = float(random.uniform(-1.0, 1.0))
        return walls, [_walk((float(random.uniform(3.0, 4.5)), aside), (-6.0, aside))]
    return _worlds(make, model, robots, base, 'narrow_doorway')


@drawn
def overtaking(model: str = 'social_force', robots: str = 'avoid',
               base: Base = 'empty') -> MakeWorld:
    """Return corridors in which somebody slow is ahead of the robot; see `frontal_approach`."""
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        aside = float(random.uniform(-0.3, 0.3))
        return _corridor(random.uniform(2.6, 3.4)), [_walk(
            (float(random.uniform(-2.8, -2.0)), aside), (6.0, aside),
            float(random.uniform(0.3, 0.5)))]
    return _worlds(make, model, robots, base, 'overtaking')


@drawn
def crowd_flow(count: int = 8, model: str = 'social_force', robots: str = 'avoid',
               base: Base = 'empty') -> MakeWorld:
    """
    Return corridors of 4 to 5 m through which people walk in both directions.

    :param count: how many people; for the others see `frontal_approach`.
    """
    def make(random: np.random.Generator) -> tuple[Walls, People]:
        width, people = float(random.uniform(4.0, 5.0)), []
        for k in range(count):
            side = 1.0 if k % 2 else -1.0
            aside = float(random.uniform(0.5 - 0.5 * width, 0.5 * width - 0.5))
            along = -2.0 + 7.0 * (k + float(random.uniform(0.0, 0.5))) / count
            people.append(_walk((along, aside), (6.0 * side, aside), loop=(-6.0 * side, aside)))
        return _corridor(width), people
    return _worlds(make, model, robots, base, 'crowd_flow')


SCENARIOS: dict[str, Callable[..., MakeWorld]] = {each.__name__: each for each in (
    frontal_approach, intersection, blind_corner, narrow_doorway, overtaking, crowd_flow)}

Walls = Sequence[tuple[float, float, float, float]]
People = Sequence[ActorSpec]


def _corridor(width: float) -> Walls:
    """Return the walls of a corridor along x, closed at its ends."""
    half = 0.5 * float(width)
    return [(-_END, half, _END, half), (-_END, -half, _END, -half), (-_END, -half, -_END, half),
            (_END, -half, _END, half)]


def _walk(start: Place, goal: Place, speed: float = 1.2, loop: Place | None = None) -> ActorSpec:
    """Return somebody who walks to a place, and from there to another one and back."""
    ahead = float(np.arctan2(goal[1] - start[1], goal[0] - start[0]))
    places = [goal] if loop is None else [goal, loop]
    return ActorSpec(init_pose=Pose(*start, yaw=ahead), walking_speed=speed, path=PathSpec(
        loop=loop is not None, waypoints=tuple(WaypointSpec(Pose(*each)) for each in places)))


def _worlds(make: Callable[[np.random.Generator], tuple[Walls, People]], model: str, robots: str,
            base: Base, called: str, home: Pose = Pose(-_HALF)) -> MakeWorld:
    """Return what makes worlds with walls and people around another's vehicle at home."""
    world = with_vehicle(base)

    def made(random: np.random.Generator) -> WorldSpec:
        check_generator(random)
        walls, people = make(random)
        first, *others = world.vehicles
        return replace(
            world, path=f'{world.path} with {called}', elements=(*world.elements, *(
                VerticalPlaneSpec(name=f'wall_{k}', x0=x0, y0=y0, x1=x1, y1=y1, thickness=0.1)
                for k, (x0, y0, x1, y1) in enumerate(walls))),
            actors=tuple(replace(each, name=f'person_{k}', model=model, robots=robots)
                         for k, each in enumerate(people)),
            vehicles=(replace(first, init_pose=replace(home, z=first.init_pose.z)), *others))
    return made
