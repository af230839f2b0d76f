# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A benchmark of navigation: suites of cases, contestants that drive them, and their episodes.

A contestant is a class. It is made with the environments that it is to drive, a
`VehicleVectorEnv`, and called with their observations it returns actions. `settings` are options
of environments that it needs, such as `rays`::

    class Slow:
        settings = {'rays': 64, 'way': (0.4, 0.6)}

        def __init__(self, envs): ...
        def __call__(self, observations): ...  # returns actions, shape (n, 2)

It may say how many episodes it drives `together` (all), and have a method `close`. It raises a
`ContestantError` where it cannot go on: these episodes fail, others go on. Packages add
contestants by entry points of the group `mvsim_ros2.navigators`.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, ExitStack
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.progress import LOGGER, tell
from mvsim_ros2.errors import BenchmarkError, ContestantError
from mvsim_ros2.gym import maps
from mvsim_ros2.gym.actions import Limits
from mvsim_ros2.gym.scenarios import SCENARIOS
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.tasks import Cross, Navigate, Race, Social
from mvsim_ros2.gym.vector_env import VehicleVectorEnv
from mvsim_ros2.pictures.plan_symbols import solid_polygons
from mvsim_ros2.policies.policy import Policy

Array = NDArray[np.floating[Any]]
Line = list[tuple[float, float]]

GROUP = 'mvsim_ros2.navigators'
TIME = 60.0  # s; time limit of an episode
_SHOWN = 4  # episodes of a case that fail and are drawn
_TRACKS, _BARN = 3, 300


@dataclass(frozen=True)
class Case:
    """One kind of episodes of a suite."""

    suite: str
    name: str
    task: Callable[[], Task]
    world: Any


@dataclass(frozen=True)
class Episode:
    """
    How an episode went.

    :ivar reason: why the contestant could not go on, '' where it could.
    """

    contestant: str
    suite: str
    case: str
    seed: int
    success: bool
    collided: bool
    measures: Mapping[str, float]
    reason: str = ''


@dataclass(frozen=True)
class Failure:
    """Where an episode led that failed, to be shown as a film from above."""

    title: str
    lines: list[tuple[str, Line]]  # colour and points [m]; ways, a point for each step, at the end
    moving: int  # how many of them are ways
    seconds: float


def suites() -> dict[str, list[Case]]:
    """Return the cases of each suite."""
    tracks = [maps.track(seed) for seed in range(1, _TRACKS + 1)]
    return {
        'rooms': [Case('rooms', 'rooms', lambda: Navigate(along_path=True), maps.rooms())],
        'barn': [Case('barn', 'fields', Cross, [
            maps.barn(number) for number in range(0, _BARN, 25)])],
        'social': [Case('social', f'{name}{seen}', Social, make(robots=robots))
                   for name, make in SCENARIOS.items()
                   for seen, robots in (('', 'avoid'), (', unseen', 'ignore'))],
        'tracks': [Case('tracks', f'track_{k}', partial(Race, route), world)
                   for k, (world, route) in enumerate(tracks, 1)]}


class WayFollower:
    """Drives towards the next turn of the way that scans show, slower where it is aside."""

    settings: Mapping[str, Any] = {'rays': 64, 'way': (0.4, 0.6)}

    def __init__(self, envs: VehicleVectorEnv) -> None:
        self._limits = envs.arena.settings.limits

    def __call__(self, observations: Mapping[str, Array]) -> Array:
        """Return the actions."""
        aim = observations['way'] if 'way' in observations else observations['goal'][:, :2]
        bearing = np.arctan2(aim[:, 1], aim[:, 0])
        return np.stack([np.maximum(np.cos(bearing), 0.0) ** 3,
                         np.clip(2.0 * bearing / self._limits.turn, -1.0, 1.0)], axis=1)


def policy_contestant(file: str) -> type:
    """Return the contestant that runs an ONNX policy."""
    policy = Policy(file)
    known = policy.interface
    limits = Limits(forward=known.forward, backward=known.backward, turn=known.turn)

    class PolicyDriver:
        settings = {'rays': known.scan.rays if known.scan else None, 'trail': known.trail,
                    'way': known.way, 'limits': limits, 'control_rate': known.control_rate}

        def __init__(self, envs: VehicleVectorEnv) -> None:
            pass

        def __call__(self, observations: Mapping[str, Array]) -> Array:
            return np.stack([policy.act({name: observations[name][row] for name in policy.inputs})
                             for row in range(len(observations['goal']))])
    return PolicyDriver


def contestant_of(text: str) -> type:
    """
    Return a contestant by its name.

    :param text: `way`, a name of an entry point, an ONNX file, `module:Class` or `file.py:Class`.
    :raises BenchmarkError: where there is none.
    """
    added = {each.name: each for each in entry_points(group=GROUP)}
    if text == 'way':
        return WayFollower
    if text in added:
        found: type = added[text].load()
        return found
    if text.endswith('.onnx'):
        return policy_contestant(text)
    where, _, name = text.rpartition(':')
    try:
        if where.endswith('.py'):
            spec = spec_from_file_location(Path(where).stem, where)
            assert spec is not None and spec.loader is not None
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = import_module(where)
        made: type = getattr(module, name)
    except (ImportError, AttributeError, FileNotFoundError, ValueError) as error:
        raise BenchmarkError(
            f'there is no contestant {text!r} ({error}): give way, a policy.onnx, module:Class, '
            f'file.py:Class, or one of {", ".join(added) or "the entry points " + GROUP}'
        ) from error
    return made


def drive_all(
        contestants: Mapping[str, type], chosen: list[Case], episodes: int, seed: int,
        threads: int = 1) -> Iterator[tuple[list[Episode], list[Failure], float]]:
    """
    Let contestants drive; yield episodes and failures of each case, and the real-time factor.

    Episode k of a case has world and start of seed + k, for all contestants the same.
    """
    done = 0
    for name, kind in contestants.items():
        for case in chosen:
            tell(done, len(contestants) * len(chosen), 'cases')
            most = min(episodes, getattr(kind, 'together', episodes))
            parts = [_drive(name, kind, case, range(first, min(first + most, episodes)), seed,
                            threads) for first in range(0, episodes, most)]
            found, failed, factors = zip(*parts, strict=True)
            yield sum(found, []), sum(failed, [])[:_SHOWN], float(np.mean(factors))
            done += 1


def _drive(name: str, kind: type, case: Case, numbers: range, seed: int,
           threads: int) -> tuple[list[Episode], list[Failure], float]:
    """Let a contestant drive some of the episodes of a case."""
    settings: dict[str, Any] = {'time_limit': TIME} | dict(getattr(kind, 'settings', {}))
    task = case.task()
    if 'way' in settings and not isinstance(task, Navigate):
        del settings['way']  # which leads to one place
    world, episodes, seed = case.world, len(numbers), seed + numbers.start
    if isinstance(world, list):
        world = [world[number % len(world)] for number in numbers]
    envs = VehicleVectorEnv(episodes, task, world, seed=seed, autoreset_mode='Disabled',
                            copy=False, threads=threads, **settings)
    with closing(envs), ExitStack() as ends:
        drive = kind(envs)
        if hasattr(drive, 'close'):
            ends.callback(drive.close)
        return _driven(name, drive, case, envs, seed)


def _driven(name: str, drive: Callable[[Any], Any], case: Case, envs: VehicleVectorEnv,
            seed: int) -> tuple[list[Episode], list[Failure], float]:
    """Return the first episode of each environment, the failures, and the real-time factor."""
    arena, episodes = envs.arena, envs.num_envs
    seen, _ = envs.reset(seed=seed)
    counter = _Counter(envs)
    found: dict[int, Episode] = {}
    begin, steps = time.process_time(), 0
    while len(found) < episodes:
        try:
            actions = drive(seen)
        except ContestantError as error:
            for row in set(range(episodes)) - found.keys():
                LOGGER.warning('%s, seed %d: %s', case.name, seed + row, error)
                found[row] = Episode(name, case.suite, case.name, seed + row, False, False,
                                     counter.of(row), str(error))
            break
        seen, _, ended, cut, info = envs.step(actions)
        steps += episodes
        counter.note()
        over = np.flatnonzero(ended | cut)
        for row in set(over.tolist()) - found.keys():
            measures = counter.of(row) | {
                key: float(each[row]) for key, each in info.get('measures', {}).items()}
            found[row] = Episode(name, case.suite, case.name, seed + row,
                                 bool(info['success'][row]), bool(info['collided'][row]), measures)
        if len(found) < episodes and len(over):
            seen, _ = envs.reset(options={'reset_mask': ended | cut})
    factor = steps * arena.period / max(time.process_time() - begin, 1e-9)
    failed = [row for row in sorted(found) if not found[row].success][:_SHOWN]
    return [found[row] for row in sorted(found)], [
        Failure(f'{name}, {case.name}, seed {seed + row}: ' + (found[row].reason or (
            'touched something' if found[row].collided else 'not there in time')),
                *counter.film(row)) for row in failed], factor


class _Counter:
    """What is counted of the first episode of each row."""

    def __init__(self, envs: VehicleVectorEnv) -> None:
        self._arena, self._task = envs.arena, envs.arena.task
        now = self._arena.now
        self._tracks = [now.pose[:, :2].copy()]
        self._velocities = [np.zeros((len(now.pose), 2))] * 2  # it stands before the first step
        self._clearance = np.full(len(now.pose), np.inf)
        self._ends: dict[int, int] = {}
        agents = self._arena.agents
        self._others: list[list[Line]] = [
            [[(each.pose.x, each.pose.y)] for each in agent.simulation.actors.values()]
            for agent in agents[:4 * _SHOWN]]

    def note(self) -> None:
        """Take in a step."""
        now = self._arena.now
        self._tracks.append(now.pose[:, :2].copy())
        cosine, sine = np.cos(now.pose[:, 2]), np.sin(now.pose[:, 2])
        self._velocities.append(np.stack([
            cosine * now.twist[:, 0] - sine * now.twist[:, 1],
            sine * now.twist[:, 0] + cosine * now.twist[:, 1]], axis=1))
        if isinstance(self._task, Navigate):
            self._clearance = np.minimum(self._clearance, self._task.clearance(now.pose))
        for tracks, agent in zip(self._others, self._arena.agents, strict=False):
            for track, each in zip(tracks, agent.simulation.actors.values(), strict=True):
                track.append((each.pose.x, each.pose.y))

    def of(self, row: int) -> dict[str, float]:
        """End a row's episode: seconds, path [m], jerk [m/s^3], walls [m]; {} at the start."""
        period = self._arena.period
        self._ends[row] = len(self._tracks)
        if self._ends[row] == 1:
            return {}
        steps = np.diff(np.array([each[row] for each in self._tracks]), axis=0)
        velocity = np.array([each[row] for each in self._velocities])
        jerk = np.diff(velocity, 2, axis=0) / period ** 2
        return {'seconds': len(steps) * period, 'path': float(np.hypot(*steps.T).sum()),
                'jerk': float(np.hypot(*jerk.T).mean()), 'walls': float(self._clearance[row])}

    def film(self, row: int) -> tuple[list[tuple[str, Line]], int, float]:
        """Return walls and ways of people and of the robot, how many ways, and seconds."""
        world = self._arena.agents[row].simulation.world
        lines = [('#999', [*polygon, polygon[0]]) for polygon in solid_polygons(
            world, {each.name: each.init_pose for each in world.blocks})]
        others = self._others[row] if row < len(self._others) else []
        end = self._ends[row]
        lines += [('#d80', track[:end]) for track in others]
        lines.append(('#06c', [
            (float(each[row, 0]), float(each[row, 1])) for each in self._tracks[:end]]))
        return lines, len(others) + 1, end * self._arena.period
