# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Agents in one world or in many: moved, observed and judged together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from gymnasium.spaces import Box, Dict
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.base.threads import beside
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.alike import channels_of, common_actuation
from mvsim_ros2.gym.arena_checks import check_steps, column_of, observed_sensors, whole_steps
from mvsim_ros2.gym.card import Card, tensor_of
from mvsim_ros2.gym.channels import Channel, odometry_of, odometry_space
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.settings import Settings
from mvsim_ros2.gym.starts import Starts
from mvsim_ros2.gym.task import Agent, Array, Flags, Situation, Task
from mvsim_ros2.gym.ways import way_of
from mvsim_ros2.gym.worlds import title
from mvsim_ros2.policies.seen_walls import Trail
from mvsim_ros2.policies.way import NUMBERS
from mvsim_ros2.simulation.carriers import Carrier, STATE, TILTED, TOUCHED
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.simulation.together import Rounds
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec

Observations = dict[str, NDArray[Any]]

_SPEED = 100.0  # m/s, rad/s; faster reads as this
_FAR = 1000.0  # m; a place farther away reads as this


@dataclass(eq=False)
class Outcome:
    """What a step gave, a row for each agent."""

    reward: Array
    terminated: Flags
    truncated: Flags
    success: Flags
    collided: Flags
    terms: dict[str, Array]
    measures: dict[str, Array]


class Arena:
    """
    Agents, their spaces, and the state of their episodes.

    :ivar observations: arrays with a row for each agent, written anew by every step; those of
        sensors only where these measure on the processor.
    :ivar slow: why worlds move or measure through Python one by one, and the remedy; None where
        all of them run in compiled calls.
    """

    def __init__(self, agents: Sequence[Agent], task: Task, settings: Settings,
                 device: str = 'cpu') -> None:
        """Prepare on a device, 'cpu' or 'cuda'; each agent has to `begin` before a step."""
        self.agents, self.task, self.settings = list(agents), task, settings
        self.simulations = list(dict.fromkeys(agent.simulation for agent in self.agents))
        self._rows = {id(simulation): [
            row for row, agent in enumerate(self.agents) if agent.simulation is simulation]
            for simulation in self.simulations}
        first = self.agents[0]
        self.steps = whole_steps(1.0 / settings.control_rate, first.simulation.dt)
        self.period = self.steps * first.simulation.dt
        check_steps(settings, self.period)
        self._longest = np.round(settings.time_limit / self.period)
        self._actuation = common_actuation(self.agents, settings.action, settings.limits)
        self.action_space = self._actuation.space
        self.sensors = observed_sensors(first, settings.sensors)
        if settings.redraw and (device != 'cpu' or any(
                agent.redrawn is None for agent in self.agents)):
            raise refused('redraw', True, 'new worlds for each episode need device="cpu" and one '
                          'agent in each world: leave it out')
        for agent in self.agents:
            self._enable(agent, device)
        spaces: dict[str, Any] = {}
        self._channels: dict[str, list[Channel]] = {}  # of each agent
        for name in self.sensors:
            spaces[name], self._channels[name] = channels_of(self.agents, name)
        self.closed = False
        task.take(self)
        self._goal = task.goal_space
        self._trail = Trail(settings.trail, self.period, len(self.agents))
        if settings.odometry:
            spaces['odometry'] = odometry_space()
        if settings.trail:
            spaces['trail'] = Box(-_FAR, _FAR, (2 * len(settings.trail),), np.float32)
        if settings.way:
            spaces['way'] = Box(-_FAR, _FAR, (NUMBERS,), np.float32)
            self._way, self._lidar = way_of(
                settings.way, self.agents, self._channels, self._goal, self.period)
        speed = np.full(3, _SPEED, np.float32)
        spaces |= {'velocity': Box(-speed, speed, dtype=np.float32), 'goal': self._goal}
        self.observation_space = Dict(spaces)
        count = len(self.agents)
        self.observations: Observations = {
            name: np.zeros((count, *space.shape), space.dtype) for name, space in spaces.items()
            if device == 'cpu' or name not in self.sensors or _is_planar(first, name)}
        self._state = np.zeros((count, STATE))
        self.now = Situation(
            self._state[:, :3], self._state[:, 3:6],
            np.zeros((count, *self.action_space.shape)), np.zeros(count, bool), self.period)
        self.age = np.zeros(count, np.int64)  # steps of the present episode
        least, most = settings.latency
        self._delays = np.zeros(count, np.int64)
        self._waiting = np.zeros((most + 1, *self.now.action.shape))  # newest first
        self._threads = max(1, min(settings.threads, len(self.simulations)))
        self._odometry = np.zeros((count, *odometry_space().shape))
        self._twists: NDArray[np.float64] | None = None
        self._card = Card(self.agents, {
            name: spaces[name] for name in self.sensors if not _is_planar(first, name)}) if (
                device == 'cuda') else None
        self._scans = {name: np.zeros((count, 2, *spaces[name].shape), np.float32)
                       for name in self.sensors if _is_planar(first, name)}
        self._farthest = {name: np.array([each.space.high[:1] for each in self._channels[name]])
                          for name in self._scans}
        carriers = [self._carrier(row) for row in range(count)]
        self._rounds: Rounds | None = None
        self.slow = next((f'{title(each.simulation)}: {obstacle}' for each in carriers
                          if (obstacle := each.obstacle(self.steps))), None)
        if self.slow is None:
            if self._actuation.twists and all(each.takes_twists for each in carriers):
                self._twists = np.zeros((count, 2))
                carriers = [self._carrier(row) for row in range(count)]
            self._rounds = Rounds(
                [carriers[row] for rows in self._rows.values() for row in rows], self.steps,
                self._threads)
            self.slow = self._rounds.by_python or None
        elif self._card is not None:
            raise LearningError(f"device='cuda' does not work here: {self.slow}")
        if self.slow is not None:
            _warn_once(self.slow)

    def _enable(self, agent: Agent, device: str = 'cpu') -> None:
        """Turn the sensors on that are observed and measure on the processor, others off."""
        for name in agent.simulation.sensors:
            owner, _, sensor = name.rpartition('/')
            observed = sensor in self.sensors and any(
                each.vehicle == owner for each in self.agents
                if each.simulation is agent.simulation)
            agent.simulation.set_enabled(name, observed and (
                device == 'cpu' or _is_planar(agent, sensor)))

    def _carrier(self, row: int) -> Carrier:
        """Return where rounds write what is known of an agent."""
        agent = self.agents[row]
        return Carrier(
            agent.simulation, agent.vehicle, self._state[row],
            {name: scan[row] for name, scan in self._scans.items()},
            twist=None if self._twists is None else self._twists[row],
            odometry=self._odometry[row] if self.settings.odometry else None,
            looks=self._card.looks(row) if self._card else (),
            takes={} if self._card else {
                name: partial(self._take, row, name) for name in self.sensors
                if name not in self._scans})

    def _redraw(self, row: int, random: np.random.Generator) -> None:
        """Put an agent into another world; raise where it is not like the one before."""
        old, redrawn = self.agents[row], self.agents[row].redrawn
        assert redrawn is not None
        self.agents[row] = agent = redrawn(random)
        common_actuation([old, agent], self.settings.action, self.settings.limits)
        self._enable(agent)
        for name in self.sensors:
            self._channels[name][row] = channel = channels_of([old, agent], name)[1][1]
            if name in self._farthest:
                space: Any = self.observation_space[name]
                self._farthest[name][row] = np.minimum(channel.space.high[:1], space.high[:1])
        self.simulations[self.simulations.index(old.simulation)] = agent.simulation
        self._rows[id(agent.simulation)] = self._rows.pop(id(old.simulation))
        self.task.enter(row)
        if self._rounds is not None:
            carrier = self._carrier(row)
            obstacle = carrier.obstacle(self.steps)
            if obstacle or self._twists is not None and not carrier.takes_twists:
                raise LearningError(f'{title(agent.simulation)} differs from the previous world: '
                                    f'{obstacle or "it has another controller"}')
            self._rounds.replace(old.simulation, carrier)

    def begin(self, rows: Sequence[int], randoms: Sequence[np.random.Generator]) -> None:
        """Begin episodes of all agents of worlds; the first generator of a world seeds it."""
        chosen = dict(zip(rows, randoms, strict=True))
        if self.settings.redraw:
            for row in rows:
                self._redraw(row, chosen[row])
        for simulation in dict.fromkeys(self.agents[row].simulation for row in rows):
            own = [row for row in self._rows[id(simulation)] if row in chosen]
            simulation.reset(int(chosen[own[0]].integers(2 ** 31)))
            starts = Starts(simulation, [self.agents[row].vehicle for row in own])
            for row in own:
                name = self.agents[row].vehicle
                simulation.set_pose(name, starts.find(
                    name, partial(self.task.begin, row, chosen[row])))
            for row in own:
                self.age[row] = 0
                self.now.action[row] = 0.0
                self._waiting[:, row] = 0.0
                if self.settings.latency[1]:
                    self._delays[row] = chosen[row].integers(
                        self.settings.latency[0], self.settings.latency[1] + 1)
                self._look(row)
                self._trail.begin(row, *self.now.pose[row, :2].tolist())
                self.now.collided[row] = False
                self.task.forget(row, self.now)
            if self._rounds is not None:
                self._rounds.look(simulation)
                self._take_scans(own)
                continue
            for row in own:
                for name in self.sensors:
                    self._take(row, name, simulation.measure(
                        f'{self.agents[row].vehicle}/{name}'))
        if self._card is not None:
            self._card.measure(np.array(rows, np.int64))
        self._observe(rows, begun=True)

    def advance(self, actions: NDArray[np.float64]) -> Outcome:
        """Make a step of the environment by `checked_actions`, (agents, width), from -1 to 1."""
        self.now.action[:] = actions
        if len(self._waiting) > 1:
            self._waiting = np.roll(self._waiting, 1, axis=0)
            self._waiting[0] = actions
            actions = self._waiting[self._delays, np.arange(len(actions))]
        if self._twists is not None and self._actuation.twists is not None:
            self._twists[:] = self._actuation.twists(actions)
        else:
            for row, action in enumerate(actions.tolist()):
                self._actuation.apply(self._vehicle(row), action)
        if self._rounds is None:
            beside(self._threads, self._move)
        else:
            self._rounds.run()
            self._take_rounds()
        if self._card is not None:
            self._card.measure(np.arange(len(self.agents)))
        self.age += 1
        self._trail.note(self.now.pose)
        verdict = self.task.judge(self.now)
        self._observe(range(len(self.agents)))
        touching = self.now.collided & self.task.touching_fails
        terms = verdict.terms | {'collision': self.settings.collision * touching}
        reward = np.zeros(len(self.agents))
        for name, term in terms.items():
            reward += column_of(self.task, f'the reward {name}', term, reward)
        success = column_of(self.task, 'success', verdict.success, touching)
        failure = column_of(self.task, 'failure', verdict.failure, touching)
        terminated = success | failure | touching
        if not np.isfinite(reward).all():
            raise LearningError(f'{self.task}: a reward is no finite number: ' + ', '.join(
                f'{name} {term}' for name, term in terms.items() if not np.isfinite(term).all()))
        return Outcome(
            reward, terminated, (self.age >= self._longest) & ~terminated, success & ~touching,
            self.now.collided.copy(), terms, self.task.measures(self.now))

    def observed(self, copy: bool) -> Observations:
        """Return what all observe: arrays or tensors; without `copy` the next step writes them."""
        if self._card is None:
            return ({name: array.copy() for name, array in self.observations.items()} if copy
                    else self.observations)
        seen = self._card.tensors
        return {name: (seen[name].clone() if copy else seen[name]) if name in seen
                else tensor_of(self.observations[name]) for name in self.observation_space}

    def observed_by(self, row: int) -> Observations:
        """Return a copy of what one agent observes."""
        if self._card is None:
            return {name: array[row].copy() for name, array in self.observations.items()}
        seen = self._card.tensors
        return {name: seen[name][row].clone() if name in seen
                else tensor_of(self.observations[name][row]) for name in self.observation_space}

    def close(self) -> None:
        """Let another environment have the task."""
        self.closed = True

    def _move(self, thread: int) -> None:
        """Move the worlds of a thread, and take what their sensors measure on the way."""
        for simulation in self.simulations[thread::self._threads]:
            seen = simulation.step(self.steps)
            rows = self._rows[id(simulation)]
            for row in rows:
                self._look(row)
            by_vehicle = {self.agents[row].vehicle: row for row in rows}
            for observation in {each.sensor: each for each in seen}.values():
                vehicle, _, name = observation.sensor.rpartition('/')
                if name in self._channels and vehicle in by_vehicle:
                    self._take(by_vehicle[vehicle], name, observation)

    def _take_rounds(self) -> None:
        """Read the states of all agents and their scans after a round."""
        self.now.collided[:] = self._state[:, TOUCHED]
        tilted = self._state[:, TILTED]
        if tilted.any():
            for row in np.flatnonzero(tilted).tolist():
                self.now.twist[row] = self._vehicle(row).twist_body
        if self.settings.odometry:
            self.observations['odometry'][:] = self._odometry
        self._take_scans(slice(None))

    def _take_scans(self, rows: slice | list[int]) -> None:
        """Read the scans of some agents."""
        for name, scans in self._scans.items():
            seen = np.maximum(scans[rows, 0], 0.0)
            np.minimum(seen, self._farthest[name][rows], out=seen)
            self.observations[name][rows] = seen

    def _vehicle(self, row: int) -> VehicleHandle:
        agent = self.agents[row]
        return agent.simulation.vehicles[agent.vehicle]

    def _look(self, row: int) -> None:
        """Read the state of an agent."""
        vehicle = self._vehicle(row)
        pose = vehicle.pose
        self.now.pose[row] = pose.x, pose.y, pose.yaw
        self.now.twist[row] = vehicle.twist_body
        self.now.collided[row] = vehicle.collided
        if self.settings.odometry:
            self.observations['odometry'][row] = odometry_of(vehicle)

    def _take(self, row: int, name: str, observation: Any) -> None:
        self.observations[name][row] = self._channels[name][row].read(observation)

    def _observe(self, rows: Sequence[int], begun: bool = False) -> None:
        """Write observations but for sensors; `rows` have new scans, if `begun` episodes too."""
        velocity = self.observations['velocity']
        np.minimum(np.maximum(self.now.twist, -_SPEED), _SPEED, out=velocity, casting='same_kind')
        if self.settings.trail:
            np.clip(self._trail.seen_from(self.now.pose), -_FAR, _FAR,
                    out=self.observations['trail'])
        goal, found = np.asarray(self.task.goal(self.now)), self.observations['goal']
        if goal.shape != found.shape or np.isnan(goal).any():
            raise LearningError(
                f'{self.task}: goal() gave {goal.tolist()}: give numbers of shape {found.shape}')
        np.minimum(np.maximum(goal, self._goal.low), self._goal.high, out=found,
                   casting='same_kind')
        if self.settings.way:
            for row in rows if begun else ():
                self._way.begin(row)
            scans = self.observations[self._lidar]
            np.clip(self._way.seen_from(rows, self.now.pose, scans, goal), -_FAR, _FAR,
                    out=self.observations['way'])


def _is_planar(agent: Agent, name: str) -> bool:
    """Return whether a sensor is a planar LiDAR, which always measures on the processor."""
    return isinstance(agent.simulation.sensors[f'{agent.vehicle}/{name}'].spec, LaserSpec)


@cache
def _warn_once(slow: str) -> None:
    LOGGER.warning('steps of this environment are slow, each world goes through Python: %s', slow)
