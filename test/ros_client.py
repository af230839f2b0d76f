# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A ROS client for tests, and the node in a child process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import math
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from geometry_msgs.msg import Quaternion, Twist, TwistStamped
from rcl_interfaces.srv import GetParameters, SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_srvs.srv import Trigger

from mvsim_ros2.ros.rclpy_runtime import remove_dead_ports

TIMEOUT = 300.0  # s; a node compiles its kernels meanwhile, where it is the first one
MOST = 1000  # messages that wait to be taken, and that are taken at once
WORLDS = Path(__file__).parent / 'ros' / 'worlds'
WALL = f'world:={WORLDS}/wall.world.xml'  # the parameter of most tests
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
KEPT = ('amcl_pose', 'chassis_polygon', 'map', 'map_metadata', 'robot_description', 'simul_map',
        'simul_map_metadata', 'tf_static', 'world_markers')  # topics for late subscribers


class Simulator:
    """The node in a child process; a context manager that ends it."""

    def __init__(self, domain: int, *parameters: str, ros_args: tuple[str, ...] = ()) -> None:
        """
        Start it.

        :param parameters: each name:=value.
        """
        words = [word for each in parameters for word in ('-p', each)]
        self._errors = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', *words, *ros_args],
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)}, stderr=self._errors,
            cwd=Path(__file__).resolve().parents[2])

    @property
    def errors(self) -> str:
        """Return what it wrote to its standard error output so far."""
        self._errors.seek(0)
        return self._errors.read()

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(how)
        return self.process.wait(TIMEOUT)

    def __enter__(self) -> 'Simulator':
        """Return this process."""
        return self

    def __exit__(self, *unused: object) -> None:
        """End the process, by force if nothing else helps."""
        if self.process.poll() is None:
            try:
                self.end()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._errors.close()


class Client:
    """A node that keeps all messages it hears."""

    def __init__(self, domain: int) -> None:
        """Join the graph of `domain`."""
        remove_dead_ports()
        self._context = rclpy.Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = Node('client', context=self._context, enable_rosout=False)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.heard: dict[str, list[Any]] = {}
        self.simulator: Simulator | None = None
        self._clients: dict[str, Any] = {}
        self._publishers: dict[tuple[type[Any], str], Any] = {}

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    def listen(self, message_type: type[Any], topic: str,
               qos: QoSProfile | int | None = None) -> None:
        """Keep the messages of a topic in ``heard[topic]``."""
        if topic not in self.heard:
            self.heard[topic] = []
            qos = qos or (LATCHED if topic.rpartition('/')[2] in KEPT else MOST)
            self.node.create_subscription(message_type, topic, self.heard[topic].append, qos)

    def wait(self, what: str, condition: Callable[[], Any],
             meanwhile: Callable[[], None] = lambda: None) -> Any:
        """
        Serve callbacks until a condition holds, and return its value.

        :param what: what is waited for, in the words of the failure.
        :param meanwhile: called after each message.
        """
        end = time.monotonic() + TIMEOUT
        while not (value := condition()):
            died = self.simulator is not None and self.simulator.process.poll() is not None
            if died or time.monotonic() > end:
                said = self.simulator.errors if self.simulator else ''
                raise AssertionError(f'waited in vain for {what}; the node says:\n{said}')
            self._executor.spin_once(timeout_sec=0.1)
            meanwhile()
        return value

    def wait_for_words(self, words: str) -> None:
        """Serve callbacks until the simulator has written some words."""
        assert self.simulator is not None
        simulator = self.simulator
        self.wait(words, lambda: words in simulator.errors)

    def catch_up(self) -> None:
        """Take the messages that have come already."""
        before = -1
        for _ in range(MOST):
            count = sum(map(len, self.heard.values()))
            if count == before:
                return
            before = count
            self._executor.spin_once(timeout_sec=0.0)

    def fresh(self, topic: str, count: int = 1) -> Any:
        """Return the last of `count` messages that come from now on."""
        self.catch_up()
        messages = self.heard[topic]
        target = len(messages) + count
        self.wait(f'{count} new messages on {topic}', lambda: len(messages) >= target)
        return messages[-1]

    def publisher(self, message_type: type[Any], topic: str) -> Any:
        """Return a publisher that the simulator has found."""
        if (message_type, topic) not in self._publishers:
            publisher = self.node.create_publisher(message_type, topic, 10)
            self._publishers[message_type, topic] = publisher
            self.wait(f'a subscriber on {topic}', publisher.get_subscription_count)
        return self._publishers[message_type, topic]

    def call(self, service_type: type[Any], name: str, request: Any) -> Any:
        """Call a service of the simulator and return its response."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(service_type, name)
            self.wait(f'the service {name}', self._clients[name].service_is_ready)
            node = name.rpartition('/')[0]
            if node.endswith('/mvsim'):  # else it is not one of the services that each node has
                self._become_known(node)
        future = self._clients[name].call_async(request)
        self.wait(f'an answer of {name}', future.done)
        return future.result()

    def _become_known(self, node: str) -> None:
        """
        Wait until the simulator knows what is made here: else its answers to that may be lost.

        That becomes known in order, so a client that is made last calls a service that changes
        nothing, again and again.
        """
        client = self.node.create_client(GetParameters, f'{node}/get_parameters')
        answers: list[Any] = []
        due = 0.0

        def answered() -> bool:
            nonlocal due
            if time.monotonic() > due and client.service_is_ready():
                answers.append(client.call_async(GetParameters.Request()))
                due = time.monotonic() + 1.0
            return any(each.done() for each in answers)

        self.wait(f'a word of {node}', answered)

    def trigger(self, name: str) -> Trigger.Response:
        """Call a service of the simulator that has no fields, and return its response."""
        return self.call(Trigger, f'/mvsim/{name}', Trigger.Request())

    def put(self, **values: Any) -> list[str]:
        """Set parameters, given with __ for dots; return the reasons of those that are refused."""
        answer = self.call(SetParameters, '/mvsim/set_parameters', SetParameters.Request(
            parameters=[Parameter(name.replace('__', '.'), value=value).to_parameter_msg()
                        for name, value in values.items()]))
        return [each.reason for each in answer.results if not each.successful]

    def parameters(self, *names: str) -> list[Any]:
        """Return the values of parameters."""
        return [parameter_value_to_python(each) for each in self.call(
            GetParameters, '/mvsim/get_parameters', GetParameters.Request(names=names)).values]

    def clock_ns(self) -> int:
        """Return the next time on /clock [ns]."""
        clock = self.fresh('/clock').clock
        return int(clock.sec) * 10 ** 9 + int(clock.nanosec)

    def paused_ns(self) -> int:
        """Pause the simulator, and return the time that it says [ns]."""
        answer = self.trigger('pause')
        assert answer.success
        return told_ns(answer.message)

    def command(self, topic: str, vx: float, wz: float = 0.0,
                message_type: type[Any] = Twist) -> None:
        """Publish one velocity command."""
        message = message_type()
        twist = message.twist if message_type is TwistStamped else message
        twist.linear.x, twist.angular.z = float(vx), float(wz)
        self.publisher(message_type, topic).publish(message)


@contextmanager
def running(domain: int, *parameters: str, ros_args: tuple[str, ...] = ()) -> Iterator[Client]:
    """Provide a client of a node; see `Simulator`."""
    client = Client(domain)
    try:
        with Simulator(domain, *parameters, ros_args=ros_args) as client.simulator:
            yield client
    finally:
        client.close()


def stamp_ns(header: Any) -> int:
    """Return the stamp of a header [ns]."""
    return int(header.stamp.sec) * 10 ** 9 + int(header.stamp.nanosec)


def told_ns(sentence: str) -> int:
    """Return the time of an answer such as 'simulated time 1.5 s' [ns]."""
    return round(float(sentence.split()[-2]) * 1e9)


def yaw_of(q: Quaternion) -> float:
    """Return the turn about z [rad]."""
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y ** 2 + q.z ** 2))


def planar(transform: Any) -> tuple[float, float, float]:
    """Return x, y and yaw of a transform."""
    return (transform.translation.x, transform.translation.y, yaw_of(transform.rotation))


def planar_pose(pose: Any) -> tuple[float, float, float]:
    """Return x, y and yaw of a pose."""
    return pose.position.x, pose.position.y, yaw_of(pose.orientation)


def compose(a: tuple[float, float, float],
            b: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the planar pose `b`, given in the frame `a`, in the parent of `a`."""
    cosine, sine = math.cos(a[2]), math.sin(a[2])
    return a[0] + cosine * b[0] - sine * b[1], a[1] + sine * b[0] + cosine * b[1], a[2] + b[2]
