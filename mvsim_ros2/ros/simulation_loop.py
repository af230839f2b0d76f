# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation loop."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
import time
from typing import Any, TYPE_CHECKING

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.commands.subscriptions import CommandSubscribers, SetPoseSubscriber
from mvsim_ros2.ros.main_thread_queue import in_background, MainThreadQueue, repeat
from mvsim_ros2.ros.pacing import LockStep, Pacer, Repeats, Ticks
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.publishers import Publishers
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.recorders import Recorders

if TYPE_CHECKING:
    from mvsim_ros2.ros.window import NodeWindow

FILM_PATIENCE = 0.4  # s of the wall clock: a signal ends the process soon
POLL_PERIOD = 0.1  # s of the wall clock between two updates of subscriptions while paused


class SimulationLoop:
    """
    Steps the simulation at its pace and publishes states and observations.

    :ivar command_timeout: simulated seconds after which commands expire, 0 for never.
    :ivar seed: of the next reset, None for the one in use.
    :ivar measure_unsubscribed: simulate sensors without subscribers.
    :ivar on_change: called after things came or went.
    :ivar on_pause: called after time stops or goes on.
    """

    def __init__(self, context: WorldContext, publishers: Publishers, diagnostics: Diagnostics,
                 subscribers: CommandSubscribers, set_pose: SetPoseSubscriber,
                 queue: MainThreadQueue, pacer: Pacer, lock: LockStep, ticks: Ticks,
                 recorders: Recorders, command_timeout: float,
                 inform: Callable[[str], None]) -> None:
        self.context, self._publishers, self._subscribers = context, publishers, subscribers
        self._queue, self.pacer, self.lock, self._ticks = queue, pacer, lock, ticks
        self._diagnostics, self._set_pose = diagnostics, set_pose
        self.recorders, self._inform = recorders, inform
        self.command_timeout = command_timeout
        self._end: float | None = None  # of the loop, on the wall clock [s]
        self.measure_unsubscribed = publishers.measure_unsubscribed
        self.seed: int | None = None
        self._noise, self.paused = True, False
        self._jumps = 0  # times that time did not go on by single steps
        self.loads = True  # a world, or has not started yet
        self.stepping = 0  # requests of single steps that are being fulfilled
        self._ends_steps = False  # whether others are to end at once
        self._repeats = Repeats()
        self.on_change: list[Callable[[], None]] = []
        self.on_pause: list[Callable[[], None]] = []
        self.window: 'NodeWindow | None' = None  # in the browser
        self.watched = False  # whether a browser shows it

    @property
    def simulation(self) -> Simulation:
        """Return the present simulation."""
        return self.context.simulation

    def stop(self, linger: float = 0.0) -> None:
        """End the loop after this round, or `linger` [s] later while /clock has subscribers."""
        end = time.monotonic() + linger
        self._end = end if self._end is None or not linger else self._end

    @property
    def _stopped(self) -> bool:
        """Return whether the end has come."""
        return self._end is not None and (
            time.monotonic() >= self._end or not self._publishers.clock_has_subscribers)

    def set_lock_period(self, period: float) -> None:
        """Wait for commands after each `period` of simulated seconds, 0 for never."""
        self.lock.set_period(round(period * 1e9), self.simulation.time_ns)
        self._ticks.check_lock()

    def switch_sensor(self, name: str, on: bool) -> None:
        """Let a sensor measure where it has to, or never."""
        off = self._publishers.switched_off
        (off.discard if on else off.add)(name)

    def set_sensor_noise(self, on: bool) -> None:
        """Switch the random errors of sensors on or off."""
        self._noise = on
        self.simulation.set_noise(on)

    def set_realtime_factor(self, factor: float) -> None:
        """Change the real-time factor."""
        self.pacer.set_factor(factor, self.simulation.time_ns)

    def pause(self) -> None:
        """
        Pause simulated time; commands are accepted, clock and states are repeated.

        Single steps that are being made end, and those that others wait for.
        """
        self._now_paused(True)
        if self.stepping:
            self._jumps += 1
            self._ends_steps = True
            try:
                self._queue.run_waiting()
            finally:
                self._ends_steps = False

    def resume(self) -> None:
        """Resume simulated time; raise `MvsimError` where no world is loaded."""
        self.need_world()
        self._jumps += 1
        self._now_paused(False)
        self.set_realtime_factor(self.pacer.factor)

    def set_paused(self, paused: bool) -> None:
        """Pause or resume, where that is a change and a world is loaded."""
        if paused != self.paused and (paused or self.context.loaded):
            (self.pause if paused else self.resume)()
        else:
            self._now_paused(self.paused)

    def _now_paused(self, paused: bool) -> None:
        self.paused = paused
        for call in self.on_pause:
            call()

    def step(self, count: int) -> None:
        """Make `count` steps of a paused simulation and publish the results."""
        made = 0
        for made in self.steps(count):
            pass
        if made < count:
            raise MvsimError(f'ended after {made} of {count} steps')

    def steps(self, count: int, at_once: int | None = None) -> Iterator[int]:
        """
        Make `count` steps, and yield the number of steps made so far.

        They end early where a request pauses, resumes or resets time, or loads a world, meanwhile.

        :param at_once: most steps between two yields; None: up to the next tick.
        """
        self.need_world()
        if not self.paused:
            raise MvsimError('single steps need a paused simulation: pause it first')
        if self._ends_steps:
            return
        made, jumps = 0, self._jumps
        self.stepping += 1
        try:
            while made < count and not self._stopped and jumps == self._jumps:
                steps = min(count - made, at_once or count,
                            self._ticks.steps_left(self.simulation.time_ns))
                self._round(steps)
                made += steps
                yield made
                self._queue.run_pending()  # the steps may take long
        finally:
            self.stepping -= 1

    def need_world(self) -> None:
        """Raise an `MvsimError` where no world is loaded."""
        if not self.context.loaded:
            raise MvsimError('no world is loaded: load one first')

    def update(self) -> None:
        """Create the topics of new vehicles, and remove the topics of removed ones."""
        self._publishers.update()
        self._subscribers.update(self.context)
        self._set_pose.update(self.context)
        for call in self.on_change:
            call()

    def reset(self) -> None:
        """
        Reset time, poses, random numbers and commands; a pause remains.

        One step is made as at the start, so that no stamp is zero.
        """
        self.need_world()
        self._jumps += 1
        self.simulation.reset(self.seed)
        self._forget_commands()
        self._publishers.publish_first_frames()
        self._round(1, is_tick=True)
        self.set_realtime_factor(self.pacer.factor)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a state, or forward; later commands are dropped, a pause remains."""
        self._jumps += 1
        self.simulation.restore(snapshot)
        self._forget_commands()
        self.set_realtime_factor(self.pacer.factor)

    def _forget_commands(self) -> None:
        self.update()
        for each in self._subscribers:
            each.reset()
        self.lock.reset()

    def set_context(self, context: WorldContext) -> None:
        """Replace the world by another one at its start; a pause remains."""
        self.recorders.end('another world is loaded')
        context.simulation.set_noise(self._noise)
        self._prepare(context)
        self._publishers.set_context(context)
        self._subscribers.update(context)
        self._set_pose.update(context)
        self.context = context
        self._jumps += 1
        self.pacer.step_ns = round(context.simulation.dt * 1e9)
        self._ticks.set_step(self.pacer.step_ns)
        self.lock.reset()
        for call in self.on_change:
            call()
        self._begin()
        self.set_realtime_factor(self.pacer.factor)
        if self.window is not None:
            self.window.show(context)

    def _prepare(self, context: WorldContext) -> None:
        """Compile what a world needs; /clock goes on meanwhile, services wait."""
        if not context.loaded:
            return
        now_ns = max(self.simulation.time_ns, self.pacer.step_ns)
        with in_background(partial(
                repeat, partial(self._publishers.repeat_clock, now_ns), POLL_PERIOD, self._inform,
                f'{context.simulation.world.path}: kernels are compiled, once after an '
                'installation; time stands and services wait')):
            context.simulation.warm_up()

    def start(self) -> None:
        """Prepare the first world, and make its first step; for exceptions see `_begin`."""
        self._prepare(self.context)
        self._begin()
        self.loads = False

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Say during a block that a world is loaded."""
        self.loads = True
        try:
            yield
        finally:
            self.loads = False

    def _begin(self) -> None:
        """Make and publish the first step, so that no stamp is zero, which means "not set"."""
        self._publishers.publish_first_frames()
        observations = self.simulation.step()
        self._reach()
        self._publishers.begin()
        self._publishers.publish_observations(observations)

    def run(self) -> None:
        """Run until stopped; raise `PhysicsError` where the state diverges."""
        self.set_realtime_factor(self.pacer.factor)
        try:
            while not self._stopped:
                if self.paused:
                    self._queue.run_pending(POLL_PERIOD)
                    self._publishers.poll_subscriptions()
                    self._publishers.publish_clock()
                    if self.paused and self._repeats.due:
                        self._publishers.publish_states(again=True)
                elif self.lock.waits:
                    self._wait()
                else:
                    self._advance()
                if self.window is not None:
                    self.window.update()
                self._diagnostics.report(self.simulation, self.pacer.factor,
                                         self._state(), self.stamp_ns)
        finally:
            self.recorders.close(FILM_PATIENCE)
            if self.window is not None:
                self.window.window.close()
            self._queue.close()

    def _reach(self) -> bool:
        """Note the present state; return whether to wait for commands after it."""
        now_ns = self.simulation.time_ns
        self._repeats.restart()
        self._publishers.stamps.reach(now_ns, self.pacer.factor)
        return self.lock.reach(now_ns)

    @property
    def stamp_ns(self) -> int:
        """Return the stamp of the present state."""
        return self._publishers.stamp_ns

    def _state(self) -> str:
        """Return why simulated time does not run, '' where it runs."""
        if self.paused:
            return 'paused'
        return 'waiting for commands' if self.lock.waits else ''

    def _advance(self) -> None:
        """Make the steps that are due, or wait until one is; run the enqueued calls."""
        now_ns = self.simulation.time_ns
        steps = self.pacer.steps_due(now_ns, self._ticks.steps_left(now_ns))
        if steps == 0:
            self._queue.run_pending(self.pacer.delay(now_ns))
        else:
            self._round(steps)
            self._queue.run_pending()

    def _wait(self) -> None:
        """Accept commands until every vehicle has one for the present state."""
        late = [each.awaited_topic for each in self._subscribers if each.is_late]
        if not late:
            self.lock.waits = False
            self.set_realtime_factor(self.pacer.factor)
            return
        self.lock.report_late(late)
        self._queue.run_pending(POLL_PERIOD)
        if self.lock.waits and self._repeats.due:
            self._publishers.poll_subscriptions()
            self._publishers.publish_clock()
            self._publishers.publish_states(again=True)

    def _round(self, steps: int, is_tick: bool = False) -> None:
        """Make steps, up to the next tick, and publish the results."""
        self._publishers.measure_unsubscribed = (
            self.measure_unsubscribed or self.watched or self.recorders.bag is not None)
        self._publishers.poll_subscriptions()
        simulation = self.simulation
        before_ns, start = simulation.time_ns, time.perf_counter()
        observations = self._simulate(steps)
        now_ns, stepped = simulation.time_ns, time.perf_counter()
        if self.command_timeout:
            for each in self._subscribers:
                each.expire(round(self.command_timeout * 1e9))
        is_wait = self._reach()
        self._publishers.publish_clock()
        if is_tick or is_wait or self._ticks.passed(before_ns, now_ns):
            self._publishers.publish_states()
        self._publishers.publish_observations(observations)
        if self.window is not None:
            for observation in observations:
                self.window.window.observe(observation)
        self._diagnostics.count(
            steps, stepped - start, time.perf_counter() - stepped, observations)

    def _simulate(self, steps: int) -> list[Observation]:
        """Make steps, one by one where contacts have subscribers or each step is recorded."""
        simulation, vehicles = self.simulation, self._publishers.contact_recorders()
        if not vehicles and not self.recorders.active:
            return simulation.step(steps)
        observations = []
        for _ in range(steps):
            made = simulation.step()
            self.recorders.record(simulation, made)
            observations += made
            for each in vehicles:
                each.record_contacts()
        return observations
