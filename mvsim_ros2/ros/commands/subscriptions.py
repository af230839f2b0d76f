# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What takes the commands of all vehicles, in the types that somebody publishes."""

from collections.abc import Iterator
import os
from threading import Event
from threading import Lock
from threading import Thread

import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import try_shutdown

from mvsim_ros2.ros.commands.command_kinds import command_kinds
from mvsim_ros2.ros.commands.vehicle_subscriber import VehicleCommands
from mvsim_ros2.ros.executor_thread import spin_until
from mvsim_ros2.ros.lock_step import LockStep
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.world_context import WorldContext

UNSTAMPED_DISTRIBUTIONS = ('', 'humble', 'iron', 'jazzy')  # later ones say TwistStamped
LOOK_PERIOD = 0.25  # s between two looks at who publishes
# kind -> the other type on the same topic
OTHER = {'twist': 'twist_stamped', 'twist_stamped': 'twist', 'ackermann_stamped': 'ackermann'}


def usual_type() -> str:
    """Return the type of `cmd_vel` that the sourced ROS distribution uses."""
    distribution = os.environ.get('ROS_DISTRO', '')
    return 'twist' if distribution in UNSTAMPED_DISTRIBUTIONS else 'twist_stamped'


class CommandInputs:
    """The inputs of all vehicles, each of which every listening node serves."""

    def __init__(self, node: Node, stage: WorldContext, kind: str, inbox: MainThreadQueue,
                 lock: LockStep) -> None:
        """
        Subscribe to the commands of all vehicles.

        :param kind: of the messages on `cmd_vel`: 'twist', 'twist_stamped', or 'auto' for the
            usual one.
        """
        self._node, self._stage, self._inbox, self._lock_step = node, stage, inbox, lock
        self._lock = Lock()  # vehicles change in the loop, listeners in a thread of their own
        self._inputs: dict[str, VehicleCommands] = {}
        left_out = {'twist', 'twist_stamped', 'ackermann'}
        self.twist_kind = usual_type() if kind == 'auto' else kind
        self._listeners = [(node, name) for name in command_kinds()
                           if name == self.twist_kind or name not in left_out]
        self.update()

    def __iter__(self) -> Iterator[VehicleCommands]:
        """Iterate over the inputs."""
        return iter(list(self._inputs.values()))

    def show(self, stage: WorldContext) -> None:
        """Take the commands of the vehicles of another stage."""
        with self._lock:
            while self._inputs:
                self._inputs.popitem()[1].withdraw()
            self._stage = stage
        self.update()

    def update(self) -> None:
        """Follow vehicles that came or went."""
        simulation, names = self._stage.simulation, self._stage.names
        vehicles = simulation.vehicles
        with self._lock:
            for name in self._inputs.keys() - vehicles.keys():
                self._inputs.pop(name).withdraw()
            for name in vehicles.keys() - self._inputs.keys():
                self._inputs[name] = VehicleCommands(
                    self._node, names.topics(name), vehicles[name], self._inbox,
                    lambda: simulation.time_ns, self._lock_step)
                for node, kind in self._listeners:
                    self._inputs[name].listen(node, kind)

    def add_listener(self, node: Node, kind: str) -> None:
        """Let another node of this process subscribe to all commands of one kind."""
        with self._lock:
            self._listeners.append((node, kind))
            for each in self._inputs.values():
                each.listen(node, kind)


class OtherTypeListener:
    """
    Takes commands of the other type of a topic as well, once somebody publishes them.

    Within one DDS participant a topic has one type, so this is a node in a ROS context of
    its own. It is not there before it is needed, because tools such as `ros2 topic echo`
    refuse topics of several types.
    """

    def __init__(self, node: Node, inputs: CommandInputs, kind: str) -> None:
        """
        Prepare; entering the context starts to look.

        :param node: the simulator node.
        :param kind: the one that is taken already.
        """
        self._node, self._inputs, self._kind = node, inputs, OTHER[kind]
        self._type = command_kinds()[self._kind].graph_name
        self._stop = Event()
        self._thread = Thread(target=self._run)

    def __enter__(self) -> None:
        """Start to look."""
        self._thread.start()

    def __exit__(self, *unused: object) -> None:
        """Take no more commands."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(LOOK_PERIOD):
            if any(self._published(each.topic(self._kind)) for each in self._inputs):
                self._serve()

    def _published(self, topic: str) -> bool:
        return any(info.topic_type == self._type
                   for info in self._node.get_publishers_info_by_topic(topic))

    def _serve(self) -> None:
        """Take both types until the end."""
        context = Context()
        rclpy.init(args=[], context=context, domain_id=self._node.context.get_domain_id(),
                   signal_handler_options=SignalHandlerOptions.NO)
        node = Node(
            f'{self._node.get_name()}_{self._kind}', context=context,
            namespace=self._node.get_namespace(), use_global_arguments=False,
            enable_rosout=False, start_parameter_services=False)
        self._node.get_logger().info(f'somebody commands with {self._type}: taking both types')
        try:
            self._inputs.add_listener(node, self._kind)
            spin_until(self._stop, node, context)
        finally:
            node.destroy_node()
            try_shutdown(context=context)
