# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The classes of messages, independent of their provider.

Conversions take them as an argument: the node passes the classes of ROS; the recorder, which runs
without ROS, passes its serialiser's. A type is named by its package and its name, as in
``sensor_msgs/Imu``.
"""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

ClassOf = Callable[[str, str], Any]


class _Package:
    """The classes of one package, as attributes."""

    def __init__(self, package: str, class_of: ClassOf) -> None:
        self._package = package
        self._class_of = class_of

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        found = self._class_of(self._package, name)
        setattr(self, name, found)
        return found


class MessageTypes:
    """
    The classes of messages by package and name, as in ``types.sensor_msgs.Imu()``.

    A class takes the values of its fields by name; those that are not given are zero, empty or
    the identity. Fields can be set.
    """

    def __init__(self, class_of: ClassOf, array: Callable[[NDArray[Any]], Any]) -> None:
        self._class_of = class_of
        self.array = array

    def __getattr__(self, package: str) -> Any:
        if package.startswith('_'):
            raise AttributeError(package)
        found = _Package(package, self._class_of)
        setattr(self, package, found)
        return found

    def named(self, name: str) -> Any:
        """Return the class of a type; raise `MvsimError` where there is none."""
        package, _, short = name.partition('/')
        return getattr(getattr(self, package), short)


def full_name(name: str) -> str:
    """Return the name of a type as the graph has it: ``'sensor_msgs/msg/Imu'``."""
    package, _, short = name.partition('/')
    return f'{package}/msg/{short}'
