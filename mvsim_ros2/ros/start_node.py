# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a program begins to take part in ROS: its words, rclpy, its node; or a line of error."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import re
import sys

import rclpy
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.logging import set_logger_level
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args, try_shutdown

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.settings import ParameterError
from mvsim_ros2.ros.rclpy_runtime import remove_dead_ports

# caused by the user; each is one line
ERRORS = MvsimError, ParameterException
PARAMETERS = 'parameters are given as in --ros-args -p NAME:=VALUE'


def own_words(args: Sequence[str] | None) -> list[str]:
    """
    Return the words of a command line that are not for ROS, without the program.

    :param args: command line; that of the process by default.
    :raises ParameterError: where ROS does not understand its words.
    """
    with _errors_of_ros():
        return list(remove_ros_args(list(sys.argv if args is None else args)))[1:]


def start_node(name: str, args: Sequence[str] | None) -> Node:
    """
    Initialise rclpy, which leaves signals alone, and return a node.

    :param args: command line; that of the process by default.
    :raises ParameterError: where ROS does not start by these.
    """
    remove_dead_ports()
    with _errors_of_ros():
        set_logger_level('rcl', LoggingSeverity.FATAL)  # its errors are raised as well
        rclpy.init(args=None if args is None else list(args),
                   signal_handler_options=SignalHandlerOptions.NO)
        set_logger_level('rcl', LoggingSeverity.UNSET)
        return Node(name)


@contextmanager
def _errors_of_ros() -> Iterator[None]:
    """Raise what ROS says of a command line as an error of one line."""
    try:
        yield
    except (RuntimeError, NameValidationException) as error:
        try_shutdown()
        reason = re.sub(r'\.?( Error: error not set)?, at \S+:\d+', '', str(error))
        raise ParameterError(f'ROS does not start: {reason}; {PARAMETERS}') from error
