# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bodies with a pose and a velocity: blocks, actors, and the base class of vehicles."""

from abc import ABC, abstractmethod
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.arguments import truth
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.physics_world import PhysicsWorld
from mvsim_ros2.physics.scripted import MovingObjects
from mvsim_ros2.physics.state.blocks import Blocks, CLIMB, SLOPE, STANDS
from mvsim_ros2.physics.state.spatial_motion import (
    planar_motion, RATE, SpatialMotion, twist_in_space, VELOCITY)
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec import ActorSpec, BlockSpec, Footprint, VehicleSpec
from mvsim_ros2.world.spec.lights import first_switches


class BodyHandle(ABC):
    """
    Something with a pose and a velocity in a running simulation.

    It returns the true state at the time of the call. Once the object is removed, everything
    except `name` raises PhysicsError. Attributes cannot be set: commands and `Simulation.set_pose`
    move things.
    """

    __slots__ = ('_physics', '_name')

    def __init__(self, physics: PhysicsWorld, name: str) -> None:
        """Name a body; `Simulation` makes the handles."""
        self._physics = physics
        self._name = name

    def __repr__(self) -> str:
        """Return what it is, where, and how fast."""
        try:
            pose, (vx, vy, wz) = self.pose, self.twist_body
        except PhysicsError:
            return f'<{self._kind} {self.name!r}, removed>'
        return (f'<{self._kind} {self.name!r}{self._details} at ({pose.x:.2f}, {pose.y:.2f}) m, '
                f'{math.degrees(pose.yaw):.1f} deg; {math.hypot(vx, vy):.2f} m/s, '
                f'{wz:.2f} rad/s>')

    @property
    @abstractmethod
    def _kind(self) -> str:
        """Return what it is, for people."""

    @property
    def _details(self) -> str:
        """Return more of that."""
        return ''

    @property
    @abstractmethod
    def _rows(self) -> Vehicles | Blocks | MovingObjects:
        """Return the arrays that have a row for it."""

    @property
    def _index(self) -> int:
        return self._rows.index(self.name)

    @property
    def name(self) -> str:
        """Return its name, which is unique in the world."""
        return self._name

    @property
    def pose(self) -> Pose:
        """Return the true pose of its reference point in the world frame [m, rad]."""
        return Pose(*map(float, self._rows.pose[self._index]))

    @property
    def twist_body(self) -> NDArray[np.float64]:
        """
        Return the true velocity of the reference point in its own frame, ahead and to the left.

        On a slope that frame is tilted: what climbs at 1 m/s has a `vx` of 1 m/s.

        :returns: vx, vy [m/s], wz [rad/s], shape (3,), from `twist_in_space`.
        """
        return self.twist_in_space[[0, 1, 5]]

    @property
    def twist_in_space(self) -> NDArray[np.float64]:
        """
        Return the true velocity of the reference point and the angular velocity in its own frame.

        That of the last step, which brought its pose from where it was before to where it is.

        :returns: vx, vy, vz [m/s], wx, wy, wz [rad/s], shape (6,).
        """
        pose, (vx, vy, wz) = self._rows.pose[self._index], self.twist_in_plan
        if pose[4] == pose[5] == 0.0 and not self._leaves_the_plane:
            return np.array([vx, vy, 0.0, 0.0, 0.0, wz])
        return twist_in_space(pose, self._motion)

    @property
    def _leaves_the_plane(self) -> bool:
        """Return whether it moves in height or tilts."""
        return self._climb != 0.0

    @property
    def _motion(self) -> SpatialMotion:
        """Return its motion."""
        motion = planar_motion(
            self._rows.pose[self._index], self._rows.twist_body[self._index], np.zeros(3))
        motion.values[VELOCITY + 2] = self._climb
        return motion

    @property
    def _climb(self) -> float:
        """Return the vertical velocity of what is no vehicle [m/s]."""
        return 0.0

    @property
    def twist_in_plan(self) -> NDArray[np.float64]:
        """
        Return how it moves as seen from above, along its yaw: what `Simulation.set_pose` takes.

        :returns: horizontal vx, vy [m/s], rate of the yaw [rad/s], shape (3,).
        """
        twist: NDArray[np.float64] = self._rows.twist_body[self._index]
        return twist.copy()

    @property
    @abstractmethod
    def footprint(self) -> Footprint:
        """Return the outline and heights of its solid body in its own frame [m]."""


class LampedHandle(BodyHandle):
    """A body that may have lamps."""

    __slots__ = ()

    @property
    @abstractmethod
    def spec(self) -> VehicleSpec | BlockSpec:
        """Return what the world file says of it."""

    @property
    def lights(self) -> dict[str, bool]:
        """Return which of its groups of lamps are on, by name."""
        switched = self._physics.switched
        return {group: switched.get((self.name, group), on)
                for (_, group), on in first_switches((self.spec,)).items()}

    def set_light(self, group: str, on: bool) -> None:
        """
        Switch a group of lamps; cameras see it from the next image on.

        :param group: name of a `<light_group>`, or that a `<visual>` says.
        :raises PhysicsError: where there is none of this name.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> from mvsim_ros2.world.spec import BlockSpec, LightGroupSpec, PointLightSpec
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> lamps = LightGroupSpec(name='beacon', point_lights=(PointLightSpec(),))
        >>> post = simulation.spawn_block('post', BlockSpec(light_groups=(lamps,)), Pose(x=2.0))
        >>> post.set_light('beacon', False)
        >>> post.lights
        {'beacon': False}
        """
        if group not in self.lights:
            raise PhysicsError(f'{self.name} has no group of lamps {group!r}, only '
                               f'{", ".join(self.lights) or "none"}')
        self._physics.switched[self.name, group] = truth('on', on)


class BlockHandle(LampedHandle):
    """
    A block of a running simulation.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'))
    >>> box = simulation.blocks['box']
    >>> box
    <block 'box' at (1.50, 0.00) m, 0.0 deg; 0.00 m/s, 0.00 rad/s>
    >>> box.spec.mass, box.footprint.zmax
    (5.0, 0.6)
    """

    __slots__ = ()

    @property
    def _kind(self) -> str:
        return 'block'

    @property
    def _rows(self) -> Blocks:
        return self._physics.blocks

    @property
    def _leaves_the_plane(self) -> bool:
        return super()._leaves_the_plane or any(self._rows.rates.get(self.name, ())[:2])

    @property
    def _motion(self) -> SpatialMotion:
        motion, i = super()._motion, self._index
        footing, pose = self._rows.footing[i], self._rows.pose[i]
        if self.name in self._rows.rates:
            motion.values[RATE:RATE + 3] = self._rows.rates[self.name]
        elif footing[STANDS] and footing[SLOPE:SLOPE + 2].any():  # about the normal of it
            motion.values[RATE:RATE + 3] = 0.0, 0.0, self._rows.twist_body[i, 2] * (
                math.cos(pose[4]) / math.cos(pose[5]))
        return motion

    @property
    def _climb(self) -> float:
        return float(self._rows.footing[self._index, CLIMB])

    @property
    def spec(self) -> BlockSpec:
        return self._rows.specs[self._index]

    @property
    def footprint(self) -> Footprint:
        """Return its outline and its heights in its own frame [m]."""
        return self._rows.footprints[self._index]


class ActorHandle(BodyHandle):
    """
    A human actor of a running simulation; it goes its own way.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'))
    >>> simulation.run(1.0)
    >>> simulation.actors['walker']
    <actor 'walker' at (3.00, -1.61) m, 90.0 deg; 1.40 m/s, 0.00 rad/s>
    """

    __slots__ = ()

    @property
    def _kind(self) -> str:
        return 'actor'

    @property
    def _rows(self) -> MovingObjects:
        return self._physics.figures

    @property
    def spec(self) -> ActorSpec:
        """Return what the world file says of it."""
        spec = self._rows.specs[self._index]
        assert isinstance(spec, ActorSpec)
        return spec

    def restart(self, pose: Pose, walking_speed: float | None = None) -> None:
        """
        Put it somewhere, from where its path begins anew.

        :param walking_speed: from now on [m/s], None for the same as before.
        :raises PhysicsError: where it follows keyframes.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.actors['walker'].restart(Pose(3.0, 0.0), 0.5)
        >>> simulation.run(1.0)
        >>> simulation.actors['walker']
        <actor 'walker' at (3.00, -0.50) m, -90.0 deg; 0.50 m/s, 0.00 rad/s>
        """
        self._physics.restart_person(self._index, pose, walking_speed)

    @property
    def footprint(self) -> Footprint:
        """Return outline and heights of its body in its own frame [m]."""
        (outline,) = self._rows.outlines[self._index]
        return Footprint(outline.polygon, outline.zmin, outline.zmax)
