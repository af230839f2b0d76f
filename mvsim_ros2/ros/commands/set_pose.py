# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setting poses by message: `~/set_pose` for all entities, `initialpose` for vehicles."""

from functools import partial
from typing import Any

from geometry_msgs.msg import Pose as PoseMessage, PoseWithCovarianceStamped, TransformStamped
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.qos import COMMAND
from mvsim_ros2.ros.publishers.topics import profile
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.simulation.handles import VehicleHandle


class SetPoseSubscriber:
    """
    Sets the poses of vehicles and blocks, which are at rest afterwards.

    `~/set_pose` takes the name of the entity as `child_frame_id`. `initialpose`, published by
    "2D Pose Estimate" of RViz, moves the vehicle itself, not an estimate of its pose; height,
    pitch and roll are kept.
    """

    def __init__(self, node: Node, context: WorldContext, world_frame: str, by_initialpose: bool,
                 queue: MainThreadQueue) -> None:
        """
        Subscribe.

        :param by_initialpose: False leaves `initialpose` to a localization node.
        """
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
