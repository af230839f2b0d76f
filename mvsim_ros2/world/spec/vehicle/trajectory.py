# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller that follows waypoints in time (`<controller class="trajectory">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.vehicle.controller import ControllerSpec


@dataclass(frozen=True)
class TimedWaypointSpec(Spec):
    """Position of a vehicle at a time."""

    t: float = tag('float', unit='s', attribute=True, doc='simulated time')
    x: float = tag('float', unit='m', attribute=True, doc='place in the world')
    y: float = tag('float', unit='m', attribute=True, doc='place in the world')


@dataclass(frozen=True)
class TrajectoryController(ControllerSpec):
    """
    Follows timed waypoints regardless of commands; the body gets the velocity for that.

    It heads for the point of the path that is `lookahead_distance` ahead of where it should be
    now, at the speed of the path there. The first waypoint should be where the vehicle begins.
    `<include>` reads a list of waypoints from a file.
    """

    XML_CLASS = 'trajectory'

    loop: bool = tag('bool', True, doc='true: restart after the last time; false: stop there')
    lookahead_distance: float = tag(
        'float', 0.5, unit='m', above=0, doc='look-ahead distance along the path')
    max_angular_speed: float = tag(
        'float', 2.0, unit='rad/s', minimum=0,
        doc='largest yaw rate; above it the speed falls and the radius stays; 0: no limit')
    viz_height: float = tag('float', 0.5, unit='m', doc='height of the path on `world_markers`, '
                            'with `show_trajectories` of `<gui>`')
    waypoints: tuple[TimedWaypointSpec, ...] = tag(
        'specs', (), name='waypoint', spec=TimedWaypointSpec,
        doc='two or more, in any order, at different times')

    @property
    def in_order(self) -> tuple[TimedWaypointSpec, ...]:
        """Return the waypoints by time."""
        return tuple(sorted(self.waypoints, key=lambda each: each.t))

    def problems(self) -> Problems:
        """Yield a sentence for every rule that its values break."""
        if len(self.waypoints) < 2:
            yield (f'it has {len(self.waypoints)} <waypoint>: give two or more, such as '
                   '<waypoint t="0" x="0" y="0"/>')
        for first, second in zip(self.in_order, self.in_order[1:], strict=False):
            if first.t == second.t:
                yield (f'two <waypoint> have the time {first.t:g} s (lines {first.source.line} '
                       f'and {second.source.line}): a vehicle is at one place at a time')
