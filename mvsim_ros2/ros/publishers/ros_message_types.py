# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
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
