# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From the shapes of a world, and from contacts, to markers for RViz: pure functions."""

from collections.abc import Sequence

from geometry_msgs.msg import Point
import numpy as np
from numpy.typing import NDArray
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import Contact
from mvsim_ros2.messages import state_messages

MOST_FACES = 20_000  # triangles of a part; larger ones are shown by their box
CONTACT_SIZE = 0.1  # m
# corners of a box by number: x, y and z low or high; its triangles
_CORNERS = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)])
_FACES = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
                   [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]])


def triangles(frame_id: str, stamp_ns: int, namespace: str, number: int, pose: Pose,
              corners: NDArray[np.float64], colours: NDArray[np.float64]) -> Marker:
    """
    Return a marker of triangles.

    :param pose: of the frame that the corners are in.
    :param corners: shape (F, 3, 3) [m].
    :param colours: of the triangles: red, green, blue, alpha from 0 to 1, shape (F, 4).
    """
    if len(corners) > MOST_FACES:
        points = corners.reshape(-1, 3)
        low, high = points.min(axis=0), points.max(axis=0)
        corners = (low + _CORNERS * (high - low))[_FACES]
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
    Return a sphere at each contact, its namespace the name of what touches.

    The first marker takes away those of the message before.

    :param height: of the spheres [m].
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
