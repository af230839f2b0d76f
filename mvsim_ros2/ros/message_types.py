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
"""The classes of messages that ROS provides."""

from array import array
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.messages.message_types import MessageTypes


def _class(package: str, name: str) -> Any:
    """
    Return a class.

    :raises MvsimError: where this installation of ROS has none.
    """
    try:
        return getattr(import_module(f'{package}.msg'), name)
    except (ImportError, AttributeError) as error:
        raise MvsimError(f'there are no messages of the type {package}/msg/{name}: install the '
                         f'ROS package {package} that has them ({error})') from error


def _array(values: NDArray[Any]) -> 'array[Any]':
    """Return an array that a message takes over as it is; numpy's it would take one by one."""
    result: array[Any] = array(np.dtype(values.dtype).char)
    result.frombytes(values.data.cast('B'))
    return result


TYPES = MessageTypes(_class, _array)
