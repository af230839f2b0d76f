# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things that move by themselves: human actors, animated walls and floors."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.people.people import People
from mvsim_ros2.physics.scripted import KinematicBodies, Twist
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.element import PlaneSpec
from mvsim_ros2.world.spec.outlines import circle, StaticOutline
from mvsim_ros2.world.spec.solids import moving_elements, pieces_of
from mvsim_ros2.world.spec.world import WorldSpec

ACTOR_REACH = 1.5  # m; how far above an actor its ground at the start may be


@dataclass
class MovingObjects:
    """All of them: actors, then walls, then floors, each in the order of the world file."""

    names: list[str] = field(default_factory=list)
    specs: list[ActorSpec | PlaneSpec] = field(default_factory=list)
    # in their own frames; none for a floor
    outlines: list[tuple[StaticOutline, ...]] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)  # None for a floor
    pose: Array = field(default_factory=lambda: np.zeros((0, 6)))  # x y z yaw pitch roll, world
    # vx vy wz of the origin over the last step, own frame
    twist_body: Array = field(default_factory=lambda: np.zeros((0, 3)))
    # of people: phase [rad] and stride, see `path_walk.walk_on`
    gait: Array = field(default_factory=lambda: np.zeros((0, 2)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.names)

    @property
    def solid(self) -> int:
        """Return how many have an outline: all before the floors."""
        return sum(map(bool, self.outlines))

    def index(self, name: str) -> int:
        """
        Return the row of a figure.

        :raises PhysicsError: where there is none of this name.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise PhysicsError(f'there is no actor {name!r}, only '
                               f'{", ".join(self.names) or "none"}') from None

    def add(self, name: str, spec: ActorSpec | PlaneSpec,
            outlines: tuple[StaticOutline, ...], body: Any, pose: Pose) -> None:
        """Append a figure that stands at `pose`."""
        self.names.append(name)
        self.specs.append(spec)
        self.outlines.append(outlines)
        self.bodies.append(body)
        self.pose = np.vstack([self.pose, np.zeros(6)])
        self.twist_body = np.vstack([self.twist_body, np.zeros(3)])
        self.gait = np.vstack([self.gait, np.zeros(2)])
        self.show(len(self) - 1, pose, (0.0, 0.0, 0.0))

    def show(self, i: int, pose: Pose, twist: tuple[float, float, float]) -> None:
        """Take over where figure `i` is, and its body twist."""
        self.pose[i] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self.twist_body[i] = twist


def enter(world: WorldSpec, space: Box2dWorld, kinematic_bodies: KinematicBodies,
          people: People, terrain: Terrain) -> MovingObjects:
    """
    Make the bodies of all figures and let them move.

    :param people: to be added to.
    :raises PhysicsError: where a body is not possible.
    """
    figures = MovingObjects()

    def add(name: str, spec: ActorSpec | PlaneSpec, start: Pose,
            outlines: tuple[StaticOutline, ...]) -> None:
        body = space.add_driven(outlines, start, name, spec.source)
        row = len(figures)

        def show(pose: Pose, twist: Twist, rate: Twist) -> None:
            figures.show(row, pose, twist)
        figures.add(name, spec, outlines, body, start)
        if spec.animation is not None:
            kinematic_bodies.add_animated(name, start, spec.animation, 0, body, show)
        elif isinstance(spec, ActorSpec):
            people.add(spec, start, body, row)
            figures.gait[-1] = people.people[-1]['phase'], people.people[-1]['stride']

    for actor in world.actors:
        start = actor.init_pose
        if not actor.skip_elevation_adjust:
            start = replace(
                start, z=terrain.ground_below(start.x, start.y, start.z + ACTOR_REACH))
        add(actor.name, actor, start, (StaticOutline(
            actor.name, circle(actor.collision_radius), 0.0, actor.collision_height,
            actor.source),))
    for element in moving_elements(world, solid=True):
        add(f'element {element.name}', element, element.init_pose,
            pieces_of(replace(element, init_pose=Pose())))
    return figures
