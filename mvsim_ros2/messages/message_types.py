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
The classes of messages, whoever provides them.

What makes messages takes them from here, not from ROS: the node gives the classes of ROS, the
recorder, which runs without it, those of its own serialiser. A type is called by its package and
its name, as in ``sensor_msgs/Imu``.
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
        """Return a class, and keep it."""
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
        """
        Take classes from somewhere.

        :param class_of: gives the class of a package and a name; raises `MvsimError` where there
            is none.
        :param array: turns a contiguous array of one dimension into what a field of numbers
            holds.
        """
        self._class_of = class_of
        self.array = array

    def __getattr__(self, package: str) -> Any:
        """Return the classes of a package, and keep them."""
        if package.startswith('_'):
            raise AttributeError(package)
        found = _Package(package, self._class_of)
        setattr(self, package, found)
        return found

    def named(self, name: str) -> Any:
        """
        Return the class of a type.

        :param name: such as ``'sensor_msgs/Imu'``.
        :raises MvsimError: where there is none.
        """
        package, _, short = name.partition('/')
        return getattr(getattr(self, package), short)


def full_name(name: str) -> str:
    """Return the name of a type as the graph has it: ``'sensor_msgs/msg/Imu'``."""
    package, _, short = name.partition('/')
    return f'{package}/msg/{short}'
