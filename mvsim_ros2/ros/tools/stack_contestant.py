# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A ROS stack as a contestant of the benchmark of navigation, in lock step.

The stack is any program, such as a launch file. It finds the topics and frames of the simulator
node, with a map, and a goal on `goal_pose`. It answers each state on `cmd_vel`, as TwistStamped.
"""

from collections.abc import Mapping
from dataclasses import replace
import os
import shlex
import signal
import subprocess
import tempfile
import time
from typing import Any

from geometry_msgs.msg import PoseStamped, TwistStamped
import numpy as np
from numpy.typing import NDArray
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import try_shutdown

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.errors import BenchmarkError, ContestantError
from mvsim_ros2.ros.messages.names import Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.publishers.clock import Stamps
from mvsim_ros2.ros.publishers.publishers import Publishers
from mvsim_ros2.ros.rclpy_runtime import remove_dead_ports, use_fast_dds_profile
from mvsim_ros2.ros.world_context import WorldContext

# s of the wall clock
START = 300.0  # until the first command
PATIENCE = 60.0  # until the command to a state
AFTER_A_MISS = 0.1  # the same, until the next command comes
AGAIN = 1.0  # between two publications of the goal before the first command
END = 10.0  # from SIGINT until a program is killed
SETTINGS = Settings(publish_map_odom=True, map_height=0.2, clock_rate=1000.0)


class _Shifted(Stamps):
    """Stamps of a run before which some time went by."""

    def __init__(self) -> None:
        super().__init__(wall=False)
        self.before_ns = 0

    def of(self, time_ns: int) -> int:
        return time_ns + self.before_ns


class RosStack:
    """
    Drives by a program of ROS, which starts anew for each episode.

    Until its first command the robot stands and time goes on at the pace of the wall clock, as
    stacks take time to start. From then on time waits for the command to each state. Where none
    comes within `PATIENCE` the robot stands.
    """

    together = 1
    settings: Mapping[str, Any] = {}
    command: tuple[str, ...] = ()

    def __init__(self, envs: Any) -> None:
        self._arena = envs.arena
        if not hasattr(self._arena.task, 'goals'):
            raise BenchmarkError(f'a ROS stack drives to a goal, which {self._arena.task} does '
                                 'not have: leave out tracks')
        self._log = tempfile.TemporaryFile()
        use_fast_dds_profile()
        remove_dead_ports()
        try:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
                start_new_session=True)
        except OSError as error:
            raise BenchmarkError(f'ros:{shlex.join(self.command)} does not start: {error}'
                                 ) from error
        self._context = Context()
        rclpy.init(args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = Node('benchmark', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._publishers: Publishers | None = None
        self._has_commanded, self._patience = False, PATIENCE

    def _begin(self) -> Publishers:
        """Advertise the topics of the robot, once its episode has begun."""
        agent = self._arena.agents[0]
        self._simulation = agent.simulation
        names = Namespaces(SETTINGS, list(self._simulation.vehicles))
        self._publishers = Publishers(
            self._node, WorldContext(self._simulation, names), SETTINGS)
        self._publishers.stamps = self._stamps = _Shifted()
        prefix = names.topics(agent.vehicle)
        self._goals = self._node.create_publisher(PoseStamped, f'{prefix}goal_pose', 1)
        self._node.create_subscription(TwistStamped, f'{prefix}cmd_vel', self._take, 10)
        self._publishers.begin()
        return self._publishers

    def __call__(self, observations: Mapping[str, Any]) -> NDArray[np.float64]:
        """Return the action of the stack, shape (1, 2)."""
        publishers = self._publishers or self._begin()
        self._publish(publishers)
        begin = shown = time.monotonic()
        aimed = -np.inf
        self._twist: tuple[float, float] | None = None
        while self._twist is None:
            self._executor.spin_once(0.02)
            now = time.monotonic()
            if self._process.poll() is not None:
                raise ContestantError(self._failure(f'ended with {self._process.returncode}'))
            if self._has_commanded:
                if now - begin > self._patience:
                    break
            elif now - begin > START:
                raise ContestantError(self._failure(
                    f'has published no TwistStamped on cmd_vel within {START:g} s'))
            elif now - shown > self._arena.period:
                shown = now
                self._stamps.before_ns += round(1e9 * self._arena.period)
                self._publish(publishers)
                if now - aimed > AGAIN and self._goals.get_subscription_count():
                    aimed = now
                    self._aim()
        if self._twist is None and self._patience == PATIENCE:
            LOGGER.warning('%s has not answered for %g s: the robot stands until it does',
                           shlex.join(self.command), PATIENCE)
        self._has_commanded = True
        self._patience = AFTER_A_MISS if self._twist is None else PATIENCE
        limits = self._arena.settings.limits
        ahead, turn = self._twist or (0.0, 0.0)
        action = [ahead / (limits.forward if ahead > 0.0 else limits.backward), turn / limits.turn]
        return np.asarray(np.clip([action], -1.0, 1.0))

    def close(self) -> None:
        """End the program and the node."""
        self._executor.shutdown()
        self._node.destroy_node()
        try_shutdown(context=self._context)
        for number in signal.SIGINT, signal.SIGKILL:
            if self._process.poll() is None:
                os.killpg(self._process.pid, number)
                try:
                    self._process.wait(END)
                except subprocess.TimeoutExpired:
                    continue
        self._log.close()

    @property
    def _now_ns(self) -> int:
        return self._stamps.of(self._simulation.time_ns)

    def _publish(self, publishers: Publishers) -> None:
        """Publish the time, the state, and what sensors with subscribers measure."""
        publishers.poll_subscriptions()
        publishers.repeat_clock(self._now_ns)
        publishers.publish_states()
        for name in publishers.heard_sensors:
            seen = self._simulation.measure(name)
            publishers.publish_observations([
                replace(seen, stamp_ns=self._stamps.of(seen.stamp_ns))])

    def _aim(self) -> None:
        """Publish the goal."""
        goal = PoseStamped()
        goal.header.frame_id = SETTINGS.map_frame
        goal.header.stamp.sec, goal.header.stamp.nanosec = divmod(self._now_ns, 10 ** 9)
        goal.pose.position.x, goal.pose.position.y = self._arena.task.goals[0].tolist()
        self._goals.publish(goal)

    def _take(self, message: TwistStamped) -> None:
        """Take a command to the present state."""
        stamp = message.header.stamp
        if stamp.sec * 10 ** 9 + stamp.nanosec >= self._now_ns:
            self._twist = message.twist.linear.x, message.twist.angular.z

    def _failure(self, how: str) -> str:
        """Return what happened to the program, with its last line."""
        self._log.seek(0)
        lines = self._log.read().decode(errors='replace').split('\n')
        last = next((line.strip() for line in reversed(lines) if line.strip()), 'it wrote nothing')
        return f'ros:{shlex.join(self.command)} {how}: {last}'


def stack_of(command: str) -> type:
    """Return the contestant that drives by a program."""
    class Stack(RosStack):
        pass
    Stack.command = tuple(shlex.split(command))
    return Stack
