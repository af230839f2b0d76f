# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors that measure when a service or a topic says so."""

from functools import partial

from rclpy.node import Node
from rclpy.service import Service
from rclpy.subscription import Subscription
from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.names import graph_name
from mvsim_ros2.ros.services.answers import offer
from mvsim_ros2.ros.simulation_loop import SimulationLoop


class TriggerServices:
    """
    For each sensor with `<trigger>external</trigger>` a service and a topic `~/trigger/SENSOR`.

    SENSOR is its full name, as `r1/camera`. The service fails where the sensor is off, as
    one without subscribers is; the topic, std_msgs/Empty, has no answer.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
        self._node, self._loop, self._queue = node, loop, queue
        self._known: dict[str, tuple[Service, Subscription]] = {}
        loop.on_change.append(self._update)
        self._update()

    def _update(self) -> None:
        """Offer what is there now."""
        node, sensors = self._node, self._loop.simulation.sensors
        wanted = {name for name, sensor in sensors.items() if sensor.spec.trigger == 'external'}
        for name in self._known.keys() - wanted:
            service, subscription = self._known.pop(name)
            node.destroy_service(service)
            node.destroy_subscription(subscription)
        for name in sorted(wanted - self._known.keys()):
            topic = f'~/trigger/{"/".join(map(graph_name, name.split("/")))}'
            self._known[name] = (
                offer(node, Trigger, topic, partial(self._trigger, name), self._queue.post),
                node.create_subscription(Empty, topic, partial(self._hear, name), 10))

    def _trigger(self, name: str, _: Trigger.Request | None = None) -> str:
        self._loop.simulation.trigger(name)
        return ''

    def _hear(self, name: str, _: Empty) -> None:
        self._queue.post(partial(self._try, name))

    def _try(self, name: str) -> None:
        try:
            self._trigger(name)
        except MvsimError as error:
            self._node.get_logger().warning(str(error), throttle_duration_sec=5.0)
