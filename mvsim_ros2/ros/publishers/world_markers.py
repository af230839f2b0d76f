# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world for RViz: the topics `world_markers` and `moving_markers`."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.messages import qos
from mvsim_ros2.messages import state_messages
from mvsim_ros2.ros.publishers import marker_messages
from mvsim_ros2.ros.publishers.topic import Topic
from mvsim_ros2.simulation import Simulation

PERIOD = 0.1  # s of the wall clock between two messages of what moves
_LEFT_OUT = ('vehicle', 'sensor')  # a RobotModel shows these


class WorldMarkers:
    """
    Publishes what stands, once, and what moves, ten times a second of the wall clock.

    Nothing is built before somebody listens. Walls and floors with keyframes are left out.
    """

    def __init__(self, node: Node, frame_id: str) -> None:
        """
        Advertise the topics.

        :param frame_id: frame of the world.
        """
        self._standing = Topic(node, MarkerArray, 'world_markers', qos.latched())
        self._moving = Topic(node, MarkerArray, 'moving_markers', qos.STATE)
        self.topics = self._standing, self._moving
        self._frame_id = frame_id
        self.change()

    def change(self) -> None:
        """Make all markers anew when they are next published: things came or went."""
        self._told = False
        self._movers: dict[str, list[Marker]] | None = None
        self._due = 0.0

    def publish(self, simulation: Simulation) -> None:
        """Publish what is due where somebody listens."""
        if self._standing.wanted and not self._told:
            self._told = True
            self._standing.publish(MarkerArray(markers=[
                self._first(simulation), *self._build(simulation)['']]))
        now = time.monotonic()
        if self._moving.wanted and now >= self._due:
            self._due = now + PERIOD
            first = []
            if self._movers is None:
                self._movers = self._build(simulation)
                self._movers.pop('')
                first.append(self._first(simulation))
            things: dict[str, Any] = {**simulation.blocks, **simulation.actors}
            for name, markers in self._movers.items():
                for marker in markers:
                    state_messages.fill_stamp(marker.header, simulation.time_ns, self._frame_id)
                    state_messages.fill_pose(marker.pose, things[name].pose)
            self._moving.publish(MarkerArray(markers=first + [
                marker for markers in self._movers.values() for marker in markers]))

    def _first(self, simulation: Simulation) -> Marker:
        """Return the marker that takes away those before."""
        marker = Marker(action=Marker.DELETEALL)
        state_messages.fill_stamp(marker.header, simulation.time_ns, self._frame_id)
        return marker

    def _build(self, simulation: Simulation) -> dict[str, list[Marker]]:
        """Return the markers of each thing that moves, and under '' of all that stand."""
        scene, things = simulation.scene(), {**simulation.blocks, **simulation.actors}
        result: dict[str, list[Marker]] = {
            '': [], **{name: [] for name, thing in simulation.blocks.items() if thing.spec.moves},
            **{name: [] for name in simulation.actors}}
        for i in range(len(scene.mesh)):
            label, name = scene.LABELS[scene.label[i]], scene.thing_names[scene.thing[i]]
            moves = bool(scene.moving[i])
            if label in _LEFT_OUT or moves and name not in result:
                continue
            pose = things[name].pose if moves else Pose()
            mesh = scene.meshes[scene.mesh[i]]
            transform = pose.inverse().matrix @ scene.transform[i]
            vertices = mesh.vertices @ transform[:3, :3].T + transform[:3, 3]
            colours = np.array([material.colour for material in mesh.materials])[
                mesh.face_material] * scene.colour[i]
            corners: NDArray[np.float64] = vertices[mesh.faces]
            result[name if moves else ''].append(marker_messages.triangles(
                self._frame_id, simulation.time_ns, f'{label}: {name}', i, pose, corners, colours))
        return result
