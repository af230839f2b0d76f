# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Markers for RViz: the topics `world_markers` and `moving_markers`, and contacts."""

from collections.abc import Sequence
import time
from typing import Any

from geometry_msgs.msg import Point
import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.messages.marker_shapes import unit_box
from mvsim_ros2.ros.publishers.topics import Topic
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Contact
from mvsim_ros2.world.spec.vehicle.controller import TrajectoryController

MAX_FACES = 20_000  # triangles of an instance; larger ones are shown as their bounding box
CONTACT_SIZE = 0.1  # m
LINE_WIDTH = 0.03  # m
PATH_COLOUR = (1.0, 0.6, 0.0, 1.0)
PERIOD = 0.1  # s of the wall clock between two messages of moving objects
# a RobotModel shows the first two; markers come from topics that RViz shows itself
_EXCLUDED = ('vehicle', 'sensor', 'marker')


def triangles(frame_id: str, stamp_ns: int, namespace: str, number: int, pose: Pose,
              corners: NDArray[np.float64], colours: NDArray[np.float64]) -> Marker:
    """Return a marker of triangles, (F, 3, 3) [m], red, green, blue, alpha to 1: (F, 4)."""
    if len(corners) > MAX_FACES:
        points = corners.reshape(-1, 3)
        low, high = points.min(axis=0), points.max(axis=0)
        corners = low + (unit_box() + 0.5) * (high - low)
        colours = np.tile(colours.mean(axis=0), (len(corners), 1))
    marker = Marker(ns=namespace, id=number, type=Marker.TRIANGLE_LIST, action=Marker.ADD)
    state_messages.fill_stamp(marker.header, stamp_ns, frame_id)
    state_messages.fill_pose(marker.pose, pose)
    marker.scale.x = marker.scale.y = marker.scale.z = 1.0
    red, green, blue, alpha = colours[0].tolist() if len(colours) else (0.0, 0.0, 0.0, 1.0)
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=alpha)
    marker.points = [Point(x=x, y=y, z=z) for x, y, z in corners.reshape(-1, 3).tolist()]
    if len(colours) and (colours != colours[0]).any():
        marker.colors = [ColorRGBA(r=r, g=g, b=b, a=a)
                         for r, g, b, a in np.repeat(colours, 3, axis=0).tolist()]
    return marker


def contact_markers(stamp_ns: int, frame_id: str, height: float,
                    contacts: Sequence[Contact]) -> MarkerArray:
    """
    Return a sphere at each contact at a height [m]; its namespace is the name of the partner.

    The first marker deletes the markers of the previous message.
    """
    markers = [Marker(action=Marker.DELETEALL)]
    for number, contact in enumerate(contacts):
        marker = Marker(ns=contact.partner or 'world', id=number, type=Marker.SPHERE,
                        action=Marker.ADD, color=ColorRGBA(r=1.0, g=0.2, b=0.0, a=1.0))
        state_messages.fill_pose(marker.pose, Pose(contact.x, contact.y, height))
        marker.scale.x = marker.scale.y = marker.scale.z = CONTACT_SIZE
        markers.append(marker)
    for marker in markers:
        state_messages.fill_stamp(marker.header, stamp_ns, frame_id)
    return MarkerArray(markers=markers)


def lines(simulation: Simulation, frame_id: str, stamp_ns: int) -> list[Marker]:
    """Return the `<marker>` of the world, and paths of vehicles where `<gui>` shows these."""
    world = simulation.world
    found = [(f'marker {number}', np.array(each.points).reshape(-1, 3) + each.translation,
              each.color) for number, each in enumerate(world.markers, 1)]
    for name, vehicle in simulation.vehicles.items() if world.gui.show_trajectories else ():
        controller = vehicle.spec.dynamics.controller
        if isinstance(controller, TrajectoryController):
            found.append((f'path {name}', np.array([
                (each.x, each.y, controller.viz_height) for each in controller.in_order]),
                PATH_COLOUR))
    markers = []
    for name, points, (red, green, blue, alpha) in found:
        marker = Marker(ns=name, type=Marker.LINE_STRIP, action=Marker.ADD,
                        color=ColorRGBA(r=red, g=green, b=blue, a=alpha))
        state_messages.fill_stamp(marker.header, stamp_ns, frame_id)
        marker.scale.x, marker.pose.orientation.w = LINE_WIDTH, 1.0
        marker.points = [Point(x=x, y=y, z=z) for x, y, z in points.tolist()]
        markers.append(marker)
    return markers


class WorldMarkers:
    """
    Publishes static objects once, and moving ones ten times a second of the wall clock.

    Markers are built when a topic has subscribers. Walls and floors with keyframes are left
    out.
    """

    def __init__(self, node: Node, frame_id: str) -> None:
        self._static = Topic(node, MarkerArray, 'world_markers', qos.latched())
        self._moving = Topic(node, MarkerArray, 'moving_markers', qos.STATE)
        self.topics = self._static, self._moving
        self._frame_id, self._stamp_ns = frame_id, 0
        self.change()

    def change(self) -> None:
        """Rebuild all markers at their next publication, since objects were added or removed."""
        self._published = False
        self._movers: dict[str, list[Marker]] | None = None
        self._due = 0.0

    def publish(self, simulation: Simulation, stamp_ns: int) -> None:
        """Publish the topics that are due and have subscribers."""
        self._stamp_ns = stamp_ns
        if self._static.has_subscribers and not self._published:
            self._published = True
            self._static.publish(MarkerArray(markers=[
                self._first(), *self._build(simulation)[''],
                *lines(simulation, self._frame_id, stamp_ns)]))
        now = time.monotonic()
        if self._moving.has_subscribers and now >= self._due:
            self._due = now + PERIOD
            first = []
            if self._movers is None:
                self._movers = self._build(simulation)
                self._movers.pop('')
                first.append(self._first())
            objects: dict[str, Any] = {**simulation.blocks, **simulation.actors}
            for name, markers in self._movers.items():
                for marker in markers:
                    state_messages.fill_stamp(marker.header, stamp_ns, self._frame_id)
                    state_messages.fill_pose(marker.pose, objects[name].pose)
            self._moving.publish(MarkerArray(markers=first + [
                marker for markers in self._movers.values() for marker in markers]))

    def _first(self) -> Marker:
        """Return the marker that deletes all previous ones."""
        marker = Marker(action=Marker.DELETEALL)
        state_messages.fill_stamp(marker.header, self._stamp_ns, self._frame_id)
        return marker

    def _build(self, simulation: Simulation) -> dict[str, list[Marker]]:
        """Return the markers of each moving object by name, and of all static ones under ''."""
        scene, objects = simulation.scene(), {**simulation.blocks, **simulation.actors}
        result: dict[str, list[Marker]] = {
            '': [], **{name: [] for name, block in simulation.blocks.items() if block.spec.moves},
            **{name: [] for name in simulation.actors}}
        for i in range(len(scene.mesh)):
            label, name = scene.LABELS[scene.label[i]], scene.thing_names[scene.thing[i]]
            moves = bool(scene.moving[i])
            if label in _EXCLUDED or moves and name not in result:
                continue
            pose = objects[name].pose if moves else Pose()
            mesh = scene.meshes[scene.mesh[i]]
            transform = pose.inverse().matrix @ scene.transform[i]
            vertices = mesh.vertices @ transform[:3, :3].T + transform[:3, 3]
            colours = np.array([material.colour for material in mesh.materials])[
                mesh.face_material] * scene.colour[i]
            corners: NDArray[np.float64] = vertices[mesh.faces]
            result[name if moves else ''].append(triangles(
                self._frame_id, self._stamp_ns, f'{label}: {name}', i, pose, corners, colours))
        return result
