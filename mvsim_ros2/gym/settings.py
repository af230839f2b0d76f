# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of environments, and what values they may have."""

from dataclasses import dataclass, field
from typing import Any

from mvsim_ros2.gym.actions import KINDS, Limits
from mvsim_ros2.gym.checks import names, number, one_of, refused, truth, whole
from mvsim_ros2.gym.options import check_names, options_of
from mvsim_ros2.gym.task import Task
from mvsim_ros2.policies.way import EASE


@dataclass(frozen=True)
class Settings:
    """
    What all environments have in common.

    :raises LearningError: where a value makes no sense; says which, and what does.

    :ivar sensors: names of those that are observed, such as `scan`; None: all planar LiDARs.
    :ivar odometry: whether the pose and speed by the wheels is observed.
    :ivar action: `twist`, `steering` or `torques`, see `actions`.
    :ivar limits: physical values at the ends of the range of an action.
    :ivar control_rate: steps of the environment a simulated second [Hz].
    :ivar time_limit: of an episode [s], at least a step; `inf` for none.
    :ivar collision: reward of touching something.
    :ivar latency: smallest and largest number of steps after which an action acts, drawn for each
        episode, at most 1000. Until then the command is to stop.
    :ivar trail: ages of observed earlier places of the robot, in its frame [s], from one step to
        100,000, at whole steps. The start represents times before the episode. It is a memory for
        policies that have none.
    :ivar way: required and preferred distance of the middle of the robot from obstacles in its
        scans, 0.01 to 10 m; () for none. The observation then has the next turns of the shortest
        way to the goal, see `mvsim_ros2.policies.Way`. It is a memory of what was seen.
    :ivar threads: of the processor, over which worlds are spread.
    :ivar redraw: whether each episode draws its world anew, by its seed: what a function makes,
        random numbers in world files, crowds. It takes as long as making the world.
    """

    sensors: tuple[str, ...] | None = None
    odometry: bool = False
    action: str = 'twist'
    limits: Limits = field(default_factory=Limits)
    control_rate: float = 10.0
    time_limit: float = 60.0
    collision: float = -10.0
    latency: tuple[int, int] = (0, 0)
    trail: tuple[float, ...] = ()
    way: tuple[float, ...] = ()
    threads: int = 1
    redraw: bool = False

    def __post_init__(self) -> None:
        """Check all values; rows become tuples, numbers those of Python."""
        checked: dict[str, Any] = {
            'odometry': truth('odometry', self.odometry),
            'redraw': truth('redraw', self.redraw),
            'action': one_of('action', self.action, KINDS),
            'control_rate': number('control_rate', self.control_rate, 1e-3, 1e5),
            'time_limit': number('time_limit', self.time_limit, above=0.0, infinite=True),
            'collision': number('collision', self.collision, -1e9, 1e9),
            'threads': whole('threads', self.threads, 1)}
        if self.sensors is not None:
            checked['sensors'] = names('sensors', self.sensors, 'scan')
        if not isinstance(self.limits, Limits):
            raise refused('limits', self.limits, 'write limits=Limits(forward=1.0, ...)')
        if not isinstance(self.latency, tuple | list) or len(self.latency) != 2:
            raise refused('latency', self.latency,
                          'give the fewest and the most steps, as in latency=(0, 2)')
        checked['latency'] = tuple(whole(
            f'latency[{i}]', each, 0, 1000)
            for i, each in enumerate(self.latency))
        if checked['latency'][0] > checked['latency'][1]:
            raise refused('latency', self.latency, 'give the fewest steps before the most')
        if not isinstance(self.trail, tuple | list):
            raise refused('trail', self.trail, 'give seconds in a tuple, as in trail=(0.5, 2.0)')
        checked['trail'] = tuple(
            number(f'trail[{i}]', each, above=0.0)
            for i, each in enumerate(self.trail))
        checked['way'] = _room(self.way)
        for name, value in checked.items():
            object.__setattr__(self, name, value)


def _room(way: object) -> tuple[float, ...]:
    """Return what `Settings.way` has to be; raise `LearningError` for anything else."""
    if not isinstance(way, tuple | list) or len(way) not in (0, 2):
        raise refused('way', way, 'give two distances, as in way=(0.3, 0.45), or () for none')
    room = tuple(number(f'way[{i}]', each, 0.01, 10.0) for i, each in enumerate(way))
    if room and not room[0] <= room[1] <= EASE * room[0]:
        raise refused('way', way, f'give a second distance of 1 to {EASE} times the first one')
    return room


def settings_of(given: dict[str, Any], maker: type, task: Task) -> Settings:
    """Return the settings among what a class of environments does not take, or raise."""
    check_names(given, options_of(maker) | options_of(Settings), maker.__name__, task)
    return Settings(**given)
