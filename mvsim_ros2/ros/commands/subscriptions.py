# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Subscriptions to the commands of all vehicles, and to poses that they are put at."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
import os
from threading import Event, Lock
from typing import Any

from geometry_msgs.msg import Pose as PoseMessage, PoseWithCovarianceStamped, TransformStamped
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import try_shutdown

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.commands.command_kinds import command_kinds
from mvsim_ros2.ros.commands.vehicle_subscriber import VehicleSubscriber
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.qos import COMMAND
from mvsim_ros2.ros.pacing import LockStep
from mvsim_ros2.ros.publishers.topics import profile
from mvsim_ros2.ros.rclpy_runtime import spinning
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.simulation.handles import VehicleHandle

UNSTAMPED_DISTRIBUTIONS = ('', 'humble', 'iron', 'jazzy')  # later ones use TwistStamped
POLL_PERIOD = 0.25  # s between two checks for publishers
# kind -> the other type on the same topic
OTHER = {'twist': 'twist_stamped', 'twist_stamped': 'twist', 'ackermann_stamped': 'ackermann'}


def usual_type() -> str:
    """Return the type of `cmd_vel` that the sourced ROS distribution uses."""
    distribution = os.environ.get('ROS_DISTRO', '')
    return 'twist' if distribution in UNSTAMPED_DISTRIBUTIONS else 'twist_stamped'


class CommandSubscribers:
    """The command subscriptions of all vehicles."""

    def __init__(self, node: Node, context: WorldContext, kind: str, queue: MainThreadQueue,
                 lock: LockStep) -> None:
        """Subscribe to all vehicles; `kind` is 'twist', 'twist_stamped', or 'auto': the usual."""
        self._node, self._queue, self._lock_step = node, queue, lock
        self._lock = Lock()  # the loop changes the vehicles, another thread the listeners
        self._subscribers: dict[str, VehicleSubscriber] = {}
        left_out = {'twist', 'twist_stamped', 'ackermann'}
        self.twist_kind = usual_type() if kind == 'auto' else kind
        self._listeners = [(node, name) for name in command_kinds()
                           if name == self.twist_kind or name not in left_out]
        self.update(context)

    def __iter__(self) -> Iterator[VehicleSubscriber]:
        return iter(list(self._subscribers.values()))

    def update(self, context: WorldContext) -> None:
        """Subscribe for new vehicles, unsubscribe for those that are gone or of another world."""
        simulation, names = context.simulation, context.names
        with self._lock:
            for name, each in list(self._subscribers.items()):
                if simulation.vehicles.get(name) is not each.vehicle:
                    self._subscribers.pop(name).destroy()
            for name in simulation.vehicles.keys() - self._subscribers.keys():
                self._subscribers[name] = VehicleSubscriber(
                    self._node, names.topics(name), simulation.vehicles[name], self._queue,
                    lambda: simulation.time_ns, self._lock_step)
                for node, kind in self._listeners:
                    self._subscribers[name].subscribe(node, kind)

    def add_listener(self, node: Node, kind: str) -> None:
        """Subscribe to all commands of one kind with another node of this process."""
        with self._lock:
            self._listeners.append((node, kind))
            for each in self._subscribers.values():
                each.subscribe(node, kind)


class OtherTypeSubscriber:
    """
    Subscribes to the other type of a command topic as well, once it is published.

    Within one DDS participant a topic has one type, so this is a node in its own ROS context. It
    is created when it is needed, because tools such as `ros2 topic echo` fail on topics of several
    types.
    """

    def __init__(self, node: Node, subscribers: CommandSubscribers, kind: str) -> None:
        self._node, self._subscribers, self._kind = node, subscribers, OTHER[kind]
        self._type = command_kinds()[self._kind].graph_name
        self._taken = {self._type, command_kinds()[kind].graph_name}
        self._warned: set[str] = set()

    def watch(self, end: Event) -> None:
        """Watch the topic, and serve the other type from when it is published, until the end."""
        while not end.wait(POLL_PERIOD):
            if self._look():
                with self._serving():
                    while not end.wait(POLL_PERIOD):
                        self._look()

    def _look(self) -> bool:
        """Return whether the other type is published, to any vehicle."""
        return True in [self._published(each.unresolved(self._kind)) for each in self._subscribers]

    def _published(self, topic: str) -> bool:
        """Return whether the other type is published; warn of those that are not taken."""
        types = {info.topic_type for info in self._node.get_publishers_info_by_topic(topic)}
        for strange in types - self._taken - self._warned:
            self._warned.add(strange)
            self._node.get_logger().warning(
                f'{self._node.resolve_topic_name(topic)}: {strange} is published, which is not '
                f'taken, but {" and ".join(sorted(self._taken))}')
        return self._type in types

    @contextmanager
    def _serving(self) -> Iterator[None]:
        """Serve the other type."""
        context = Context()
        rclpy.init(args=[], context=context, domain_id=self._node.context.get_domain_id(),
                   signal_handler_options=SignalHandlerOptions.NO)
        node = Node(
            f'{self._node.get_name()}_{self._kind}', context=context,
            namespace=self._node.get_namespace(), use_global_arguments=False,
            enable_rosout=False, start_parameter_services=False)
        self._node.get_logger().info(
            f'commands of type {self._type} are published: both types are accepted')
        try:
            self._subscribers.add_listener(node, self._kind)
            with spinning(node):
                yield
        finally:
            node.destroy_node()
            try_shutdown(context=context)


class SetPoseSubscriber:
    """
    Sets the poses of vehicles and blocks, which are at rest afterwards.

    `~/set_pose` takes the name of the entity as `child_frame_id`. `initialpose`, published by
    "2D Pose Estimate" of RViz, moves the vehicle itself, not an estimate of its pose; height,
    pitch and roll are kept.
    """

    def __init__(self, node: Node, context: WorldContext, world_frame: str, by_initialpose: bool,
                 queue: MainThreadQueue) -> None:
        """Subscribe; without `by_initialpose` a localization node has that topic."""
        self._node, self._queue = node, queue
        self._frames, self._by_initialpose = (world_frame, 'world', ''), by_initialpose
        self._subscriptions: dict[VehicleHandle, Any] = {}
        node.create_subscription(TransformStamped, '~/set_pose', self._take, profile(COMMAND))
        self.update(context)

    def update(self, context: WorldContext) -> None:
        """Subscribe for new vehicles, unsubscribe for those that are gone or of another world."""
        self._context = context
        vehicles = context.simulation.vehicles.values() if self._by_initialpose else ()
        for vehicle in self._subscriptions.keys() - set(vehicles):
            self._node.destroy_subscription(self._subscriptions.pop(vehicle))
        for vehicle in set(vehicles) - self._subscriptions.keys():
            self._subscriptions[vehicle] = self._node.create_subscription(
                PoseWithCovarianceStamped, f'{context.names.topics(vehicle.name)}initialpose',
                partial(self._take_initial, vehicle.name), profile(COMMAND))

    def _take(self, message: TransformStamped) -> None:
        pose, position = PoseMessage(), message.transform.translation
        pose.position.x, pose.position.y, pose.position.z = position.x, position.y, position.z
        pose.orientation = message.transform.rotation
        self._queue.post(partial(
            self._put, message.child_frame_id, pose, message.header.frame_id, planar=False))

    def _take_initial(self, name: str, message: PoseWithCovarianceStamped) -> None:
        self._queue.post(partial(
            self._put, name, message.pose.pose, message.header.frame_id, planar=True))

    def _put(self, name: str, message: PoseMessage, frame: str, planar: bool) -> None:
        simulation = self._context.simulation
        try:
            pose = entities.read_pose(message, frame, self._frames)
            if planar:
                present = entities.entity(simulation, name)[0].pose
                pose = Pose(pose.x, pose.y, present.z, pose.yaw, present.pitch, present.roll)
            simulation.set_pose(name, pose)
        except MvsimError as error:
            self._node.get_logger().warning(f'the pose of {name!r} cannot be set: {error}')
