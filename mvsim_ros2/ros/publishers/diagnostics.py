# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state of the simulator: the topic `/diagnostics`."""

from collections import Counter
from collections.abc import Callable, Iterable
import math
import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from mvsim_ros2.ros.commands.subscriptions import CommandSubscribers
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.publishers.topics import Topic
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation

WARN_BELOW = 0.95  # fraction of the wanted real-time factor


class Diagnostics:
    """Publishes speed, state and commands of the simulator."""

    def __init__(self, node: Node, subscribers: CommandSubscribers, rate: float = 1.0,
                 now: Callable[[], float] = time.monotonic) -> None:
        """Advertise the topic, with a rate of the wall clock [Hz], 0: none."""
        self.topic = Topic(node, DiagnosticArray, '/diagnostics', qos.STATE)
        self._period = 1.0 / rate if rate else math.inf
        self._name, self._subscribers, self._now = node.get_name(), subscribers, now
        self._last, self._last_ns = now(), 0
        self._clear()

    def _clear(self) -> None:
        self._steps, self._simulating, self._publishing = 0, 0.0, 0.0
        self._made: Counter[str] = Counter()

    def count(self, steps: int, simulating: float, publishing: float,
              observations: Iterable[Observation]) -> None:
        """Add what was done since the last call, and times to simulate and to publish it [s]."""
        self._steps += steps
        self._simulating += simulating
        self._publishing += publishing
        self._made.update(each.sensor for each in observations)

    def report(self, simulation: Simulation, wanted_factor: float, halt: str,
               stamp_ns: int | None = None) -> None:
        """
        Publish if that is due.

        :param wanted_factor: real-time factor; 0: as fast as possible.
        :param halt: why simulated time does not run, '' where it runs.
        :param stamp_ns: of the message; None: the simulated time.
        """
        now = self._now()
        elapsed = now - self._last
        if elapsed < self._period:
            return
        self.topic.refresh()
        time_ns = simulation.time_ns
        if self.topic.has_subscribers:
            message = self._message(
                simulation, max(0, time_ns - self._last_ns) * 1e-9, elapsed, wanted_factor, halt)
            state_messages.fill_stamp(
                message.header, time_ns if stamp_ns is None else stamp_ns, '')
            self.topic.publish(message)
        self._last, self._last_ns = now, time_ns
        self._clear()

    def _message(self, simulation: Simulation, simulated: float, elapsed: float, wanted: float,
                 halt: str) -> DiagnosticArray:
        factor = simulated / elapsed
        refused = sum(each.refused for each in self._subscribers)
        tipped = [name for name, vehicle in simulation.vehicles.items() if vehicle.tipped]
        if halt:
            level, text = DiagnosticStatus.OK, halt
        elif factor < WARN_BELOW * wanted:
            level, text = DiagnosticStatus.WARN, 'slower than wanted'
        elif tipped:
            level, text = DiagnosticStatus.WARN, 'vehicles have tipped over'
        else:
            level, text = DiagnosticStatus.OK, 'running'
        values = {
            'real-time factor': f'{factor:.3f}',
            'wanted real-time factor': f'{wanted:g}' if wanted else 'as fast as possible',
            'simulated time [s]': f'{simulation.time:.3f}',
            'physics step [s]': f'{simulation.dt:g}',
            'a step takes [ms]': f'{1e3 * self._simulating / max(1, self._steps):.4f}',
            'to publish it [ms]': f'{1e3 * self._publishing / max(1, self._steps):.4f}',
            'vehicles': f'{len(simulation.vehicles)}',
            'vehicles tipped over': ', '.join(tipped) or 'none',
            'sensors': f'{len(simulation.sensors)}',
            'commands taken': f'{sum(each.accepted for each in self._subscribers)}',
            'commands refused': f'{refused}',
            'commands run out': f'{sum(each.expired for each in self._subscribers)}',
        }
        return DiagnosticArray(status=[DiagnosticStatus(
            level=level, name=f'{self._name}: {name}', message=text, hardware_id='none',
            values=[KeyValue(key=key, value=value) for key, value in keys.items()])
            for name, keys in (('simulation', values), ('performance', self._performance(
                simulation, simulated, elapsed, wanted)))])

    def _performance(self, simulation: Simulation, simulated: float, elapsed: float,
                     wanted: float) -> dict[str, str]:
        """Return what is measured under the keys that MVSim has for it."""
        return {
            'realtime_factor': f'{simulated / elapsed:.3f}',
            'realtime_factor_requested': f'{wanted:g}',
            'window_simul_time': f'{simulated:.3f}',
            'physics_steps': f'{self._steps}',
            'physics_time_percent': f'{100.0 * self._simulating / elapsed:.2f}',
            **{f'{name}/rate_hz': f'{self._made[name] / elapsed:.2f}'
               for name in simulation.sensors}}
