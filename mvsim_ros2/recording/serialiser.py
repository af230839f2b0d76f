# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Messages without ROS: their classes and their bytes (CDR, as ROS 2 sends them), by `rosbags`.

The definitions are those of ROS 2 Jazzy, which are the same in the distributions after it.
"""

from collections.abc import Callable
from functools import cache
from functools import partial
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys import get_typestore
from rosbags.typesys import Stores

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.messages.message_types import full_name
from mvsim_ros2.messages.message_types import MessageTypes

STORE = get_typestore(Stores.ROS2_JAZZY)
_ZERO = {'bool': False, 'float32': 0.0, 'float64': 0.0, 'string': ''}  # others: 0


class _Class:
    """A message class whose fields have the defaults of ROS."""

    def __init__(self, name: str) -> None:
        """Look up the class called ``package/msg/Name``."""
        self._class = STORE.types[name]
        self._defaults = {field: _default(kind) for field, kind in STORE.fielddefs[name][1]}
        if name == 'geometry_msgs/msg/Quaternion':
            self._defaults['w'] = lambda: 1.0

    def __call__(self, **values: Any) -> Any:
        """Return a message; fields that are not given have their defaults."""
        if not values:
            return self._class(*[default() for default in self._defaults.values()])
        return self._class(*[
            values.pop(field) if field in values else default()
            for field, default in self._defaults.items()], **values)

    def __getattr__(self, name: str) -> Any:
        """Return a constant of the class."""
        return getattr(self._class, name)


_class = cache(_Class)


def _default(kind: Any) -> Callable[[], Any]:
    """Return what makes the default of a field of a kind, as `rosbags` describes it."""
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
    """
    Return the bytes of a message.

    :param name: of its type, with the package.
    """
    return STORE.serialize_cdr(message, full_name(name))
