# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation loop."""

from collections.abc import Iterator
import time
from typing import Protocol

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.commands.set_pose import SetPoseInputs
from mvsim_ros2.ros.commands.subscriptions import CommandInputs
from mvsim_ros2.ros.lock_step import LockStep
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.pacing import Pacer
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.publishers import Publishers
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.sensors.observations import Observation

LOOK_PERIOD = 0.1  # s of the wall clock between two looks at the listeners while paused


class Follower(Protocol):
    """Whoever looks on."""

    def observe(self, observation: Observation) -> None:
        """Take a measurement that was just made."""

    def update(self) -> None:
        """Take in the present state; called often, between steps."""

    def show(self, stage: WorldContext) -> None:
        """Look at another stage."""

    def close(self) -> None:
        """Look away for good."""


class SimulationLoop:
    """
    Steps the simulation at its pace and publishes what comes out.

    It ends a round at every tick of the odometry: tick k falls on the first step at or
    after k periods, so that the mean rate is right whatever the step.
    """

    def __init__(self, stage: WorldContext, outputs: Publishers, diagnostics: Diagnostics,
                 inputs: CommandInputs, teleport: SetPoseInputs, inbox: MainThreadQueue, pacer: Pacer,
                 lock: LockStep, odom_rate: float, command_timeout: float) -> None:
        """
        Prepare; `begin` and `run` run.

        :param odom_rate: ticks per simulated second.
        :param command_timeout: simulated seconds, 0 for none.
        """
        self.stage, self._outputs, self._inputs = stage, outputs, inputs
        self._inbox, self._pacer, self._lock = inbox, pacer, lock
        self._diagnostics, self._teleport = diagnostics, teleport
        self._tick_ns = round(1e9 / odom_rate)
        self._step_ns = round(stage.simulation.dt * 1e9)
        self.set_command_timeout(command_timeout)
        self._stopped = False
        self._noise = True
        self.paused = False
        self.window: Follower | None = None  # in the browser

    def stop(self) -> None:
        """End the loop after this round."""
        self._stopped = True

    def set_command_timeout(self, timeout: float) -> None:
        """Let commands run out after `timeout` simulated seconds, 0 for never."""
        self._timeout_ns = round(timeout * 1e9)

    def set_lock_period(self, period: float) -> None:
        """Wait for commands after each `period` of simulated seconds from now on, 0 for never."""
        self._lock.set_period(round(period * 1e9), self.stage.simulation.time_ns)

    def set_lock_patience(self, patience: float) -> None:
        """Say after so many seconds of waiting who is late."""
        self._lock.patience = patience

    def measure_unsubscribed(self, wanted: bool) -> None:
        """Simulate sensors that nobody listens to from now on, or no longer."""
        self._outputs.measure_unsubscribed = wanted

    def set_sensor_noise(self, on: bool) -> None:
        """Let sensors measure with their random errors from now on, or without."""
        self._noise = on
        self.stage.simulation.set_noise(on)

    @property
    def realtime_factor(self) -> float:
        """Return the wanted simulated seconds a second, 0 for as fast as possible."""
        return self._pacer.factor

    def set_realtime_factor(self, factor: float) -> None:
        """Run at another pace from now on."""
        self._pacer.set_factor(factor, self.stage.simulation.time_ns)

    def pause(self) -> None:
        """Let simulated time stand still; commands are taken, the clock goes on to be told."""
        self.paused = True

    def resume(self) -> None:
        """Let simulated time run again, at its pace, from where it stands."""
        self.paused = False
        self.set_realtime_factor(self._pacer.factor)

    def step(self, count: int) -> None:
        """
        Make `count` steps and publish what comes out, while time stands still otherwise.

        :raises MvsimError: where the simulation is not paused.
        """
        for _ in self.steps(count):
            pass

    def steps(self, count: int, at_once: int | None = None) -> Iterator[int]:
        """
        Make `count` steps, and yield now and then how many are made.

        :param at_once: most steps between two times of yielding; None: until the next tick.
        :raises MvsimError: where the simulation is not paused.
        """
        if not self.paused:
            raise MvsimError('single steps are for a paused simulation: pause it first')
        made = 0
        while made < count and not self._stopped:
            steps = min(count - made, self._steps_to_tick(), at_once or count)
            self._round(steps)
            made += steps
            yield made
            self._inbox.deliver()  # it may be long until the last step

    def update(self) -> None:
        """
        Follow vehicles that came or went: have their topics, or have them no longer.

        :raises MvsimError: where two would have the same name on the graph.
        """
        self._outputs.update()
        self._inputs.update()
        self._teleport.update()

    def reset(self) -> None:
        """
        Go back to the start: time, poses, random numbers; a pause goes on.

        As at the beginning one step is made, so that no stamp is zero. Commands are forgotten.
        """
        self.stage.simulation.reset()
        self.update()
        for each in self._inputs:
            each.forget()
        self._lock.reset()
        self._round(1, is_tick=True)
        self.set_realtime_factor(self._pacer.factor)

    def show(self, stage: WorldContext) -> None:
        """
        Show another stage from its start on; a pause goes on.

        :raises MvsimError: where two things would have the same name on the graph; then this
            one goes on.
        """
        stage.simulation.set_noise(self._noise)
        stage.simulation.warm_up()
        self._outputs.show(stage)
        self._inputs.show(stage)
        self._teleport.show(stage)
        self.stage = stage
        self._step_ns = round(stage.simulation.dt * 1e9)
        self._pacer.set_step(self._step_ns)
        self._lock.reset()
        self.begin()
        self.set_realtime_factor(self._pacer.factor)
        if self.window is not None:
            self.window.show(stage)

    def begin(self) -> None:
        """
        Make the first step, so that no stamp is zero, which means "not set"; publish it.

        :raises PhysicsError: where the world cannot go on.
        """
        self.stage.simulation.step()
        self._lock.reach(self.stage.simulation.time_ns)
        self._outputs.begin()

    def run(self) -> None:
        """
        Run on until stopped.

        :raises PhysicsError: where the world cannot go on.
        """
        self.set_realtime_factor(self._pacer.factor)
        try:
            while not self._stopped:
                if self.paused:
                    self._inbox.deliver(LOOK_PERIOD)
                    self._outputs.look()
                    self._outputs.publish_time()
                elif self._lock.waits:
                    self._wait()
                else:
                    self._go_on()
                if self.window is not None:
                    self.window.update()
                self._diagnostics.report(self.stage.simulation, self._pacer.factor,
                                         self._state())
        finally:
            if self.window is not None:
                self.window.close()
            self._inbox.close()

    def _state(self) -> str:
        """Return why time stands still, '' where it runs."""
        if self.paused:
            return 'paused'
        return 'waiting for commands' if self._lock.waits else ''

    def _go_on(self) -> None:
        """Make the steps that are due, or wait for them; take what lies in the inbox."""
        steps = self._pacer.steps_due(self.stage.simulation.time_ns, self._steps_to_tick())
        if steps == 0:
            self._inbox.deliver(self._pacer.delay(self.stage.simulation.time_ns))
        else:
            self._round(steps)
            self._inbox.deliver()

    def _wait(self) -> None:
        """Take commands until no vehicle is without one for the present state."""
        late = [each.awaited_topic for each in self._inputs if each.is_late]
        if not late:
            self._lock.release()
            self.set_realtime_factor(self._pacer.factor)
            return
        self._lock.complain(late)
        self._inbox.deliver(LOOK_PERIOD)
        if self._lock.waits and self._lock.repeats:
            self._outputs.look()
            self._outputs.publish_time()
            self._outputs.publish_states()

    def _steps_to_tick(self) -> int:
        """Return the steps until the next tick of odometry or lock step, at least one."""
        now_ns = self.stage.simulation.time_ns
        tick_ns = (now_ns // self._tick_ns + 1) * self._tick_ns
        wait_ns = self._lock.next_wait(now_ns)
        if wait_ns is not None:
            tick_ns = min(tick_ns, wait_ns)
        return -(-(tick_ns - now_ns) // self._step_ns)

    def _round(self, steps: int, is_tick: bool = False) -> None:
        """Make steps, up to the next tick, and publish what comes out."""
        self._outputs.look()
        simulation = self.stage.simulation
        before_ns, start = simulation.time_ns, time.perf_counter()
        observations = self._advance(steps)
        now_ns, stepped = simulation.time_ns, time.perf_counter()
        if self._timeout_ns:
            for each in self._inputs:
                each.expire(self._timeout_ns)
        is_wait = self._lock.reach(now_ns)
        self._outputs.publish_time()
        if is_tick or is_wait or now_ns // self._tick_ns > before_ns // self._tick_ns:
            self._outputs.publish_states()
        self._outputs.publish_observations(observations)
        if self.window is not None:
            for observation in observations:
                self.window.observe(observation)
        self._diagnostics.count(steps, stepped - start, time.perf_counter() - stepped)

    def _advance(self, steps: int) -> list[Observation]:
        """Make steps, one by one where somebody listens to contacts, so that none is missed."""
        simulation, feeling = self.stage.simulation, self._outputs.feeling()
        if not feeling:
            return simulation.step(steps)
        observations = []
        for _ in range(steps):
            observations += simulation.step()
            for each in feeling:
                each.feel()
        return observations
