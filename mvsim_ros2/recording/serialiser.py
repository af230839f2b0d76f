# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Messages without ROS: classes and serialisation (CDR, as in ROS 2), by `rosbags`.

The definitions come from ROS 2 Jazzy (unchanged in later distributions), vision_msgs and
people_msgs.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys import get_types_from_msg, get_typestore, Stores

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.ros.messages.message_types import full_name, MessageTypes

VISION_MESSAGES = {
    'BoundingBox3D': """
geometry_msgs/Pose center
geometry_msgs/Vector3 size
""",
    'ObjectHypothesis': """
string class_id
float64 score
""",
    'ObjectHypothesisWithPose': """
vision_msgs/ObjectHypothesis hypothesis
geometry_msgs/PoseWithCovariance pose
""",
    'Detection3D': """
std_msgs/Header header
vision_msgs/ObjectHypothesisWithPose[] results
vision_msgs/BoundingBox3D bbox
string id
""",
    'Detection3DArray': """
std_msgs/Header header
vision_msgs/Detection3D[] detections
""",
    'VisionClass': """
uint16 class_id
string class_name
""",
    'LabelInfo': """
std_msgs/Header header
vision_msgs/VisionClass[] class_map
float32 threshold
"""}
PEOPLE_MESSAGES = {
    'Person': """
string name
geometry_msgs/Point position
geometry_msgs/Point velocity
float64 reliability
string[] tagnames
string[] tags
""",
    'People': """
std_msgs/Header header
people_msgs/Person[] people
"""}
STORE = get_typestore(Stores.ROS2_JAZZY)
for _package, _messages in (('vision_msgs', VISION_MESSAGES), ('people_msgs', PEOPLE_MESSAGES)):
    for _name, _text in _messages.items():
        STORE.register(get_types_from_msg(_text, f'{_package}/msg/{_name}'))
_ZERO = {'bool': False, 'float32': 0.0, 'float64': 0.0, 'string': ''}  # others: 0


class _Class:
    """A message class with the default values of ROS."""

    def __init__(self, name: str) -> None:
        """Look up the class called ``package/msg/Name``."""
        self._class = STORE.types[name]
        self._defaults = {field: _default(kind) for field, kind in STORE.fielddefs[name][1]}
        if name == 'geometry_msgs/msg/Quaternion':
            self._defaults['w'] = lambda: 1.0

    def __call__(self, **values: Any) -> Any:
        """Return a message; omitted fields have their defaults."""
        if not values:
            return self._class(*[default() for default in self._defaults.values()])
        return self._class(*[
            values.pop(field) if field in values else default()
            for field, default in self._defaults.items()], **values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._class, name)


_class = cache(_Class)


def _default(kind: Any) -> Callable[[], Any]:
    """Return a factory of the default of a field of a type, as described by `rosbags`."""
    node, detail = kind
    if node is Nodetype.NAME:
        return _class(detail)
    if node is Nodetype.BASE:
        zero = _ZERO.get(detail[0], 0)
        return lambda: zero
    (element, of), length = detail
    if element is Nodetype.NAME or of[0] == 'string':
        return list
    return partial(np.zeros, length if node is Nodetype.ARRAY else 0, of[0])


def _class_of(package: str, name: str) -> Any:
    full = f'{package}/msg/{name}'
    if full not in STORE.types:
        raise RecordingError(f'messages of the type {full} cannot be recorded: rosbags does not '
                             'know their definition; leave their topic out (--topics)')
    return _class(full)


TYPES = MessageTypes(_class_of, lambda values: values)


def serialise(message: Any, name: str) -> memoryview:
    """Return the bytes of a message, which may be bytes already."""
    return memoryview(message) if isinstance(message, bytes) else STORE.serialize_cdr(
        message, full_name(name))
