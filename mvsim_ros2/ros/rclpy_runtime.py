# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How the process uses rclpy: middleware profile, log forwarding, executor thread."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
import logging
import os
from pathlib import Path
import re
import sys
from threading import Event
import time
from typing import Any, TypeVar

import rclpy
from rclpy.context import Context
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.logging import set_logger_level
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args, try_shutdown

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import in_background
from mvsim_ros2.ros.messages.settings import ParameterError

# of Fast DDS 2 (up to Jazzy), and of Fast DDS 3, which reads both and names a setting otherwise
PROFILES = {'FASTRTPS_DEFAULT_PROFILES_FILE': 'fastdds2.xml',
            'FASTDDS_DEFAULT_PROFILES_FILE': 'fastdds3.xml'}
AnyNode = TypeVar('AnyNode', bound=Node)
SHARED_MEMORY = Path('/dev/shm')
PORT = re.compile(r'fast(rtps|dds)_port\d+')
COMPLETE = 10.0  # s after which a port is complete, or never will be
LONGEST_CALLBACK = 1.0  # s that the end of a thread waits for
STOP_POLL_PERIOD = 0.1  # s between two checks of an idle thread for its end


def use_fast_dds_profile() -> None:
    """
    Set the Fast DDS profile of this package, unless the user has set one.

    The shared memory of the default profile has 512 KB. Larger messages are split into UDP
    fragments, and best-effort readers lose most of them. And for each message to a reliable reader
    it wakes up a thread, which takes as long as the message. Call it before `rclpy.init`.
    """
    if not any(variable in os.environ for variable in PROFILES):
        variable, name = list(PROFILES.items())[not _has_fast_dds_2()]
        os.environ[variable] = str(share_directory() / 'config' / name)


def remove_dead_ports() -> None:
    """
    Remove the ports of shared memory that were never completed.

    A process that is killed while it makes one leaves an empty file. The next process in the same
    domain would wait for it for ever, deaf to signals. Call it before `rclpy.init`.
    """
    for port in SHARED_MEMORY.glob('fast*_port*'):
        with suppress(OSError):  # it is gone, or of somebody else
            about = port.stat()
            if (PORT.fullmatch(port.name) and about.st_size == 0
                    and about.st_mtime < time.time() - COMPLETE):
                port.unlink()


def _has_fast_dds_2() -> bool:
    """Return whether libraries are loaded from where Fast DDS has the name that it had in 2."""
    return any(Path(folder, 'libfastrtps.so').exists()
               for folder in os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep) if folder)


class LogBridge(logging.Handler):
    """Forwards log records to a ROS logger."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Forward one record."""
        message = self.format(record)
        # a statement for each severity: rclpy requires a fixed severity per call site
        if record.levelno >= logging.ERROR:
            self._logger.error(message)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(message)
        elif record.levelno >= logging.INFO:
            self._logger.info(message)
        else:
            self._logger.debug(message)


try:  # half the CPU time per message, where available
    from rclpy.experimental.events_executor import EventsExecutor
except ImportError:
    EventsExecutor = SingleThreadedExecutor


def new_executor(context: Context | None = None) -> Any:
    """Return the executor with the least overhead of this ROS distribution."""
    return EventsExecutor(context=context)


def spin_until(node: Node, stop: Event) -> None:
    """Execute the callbacks of `node` until `stop` is set."""
    executor = new_executor(node.context)
    executor.add_node(node)
    # not `spin`: the events executor blocks when that is shut down from another thread
    while not stop.is_set():
        executor.spin_once(timeout_sec=STOP_POLL_PERIOD)
    executor.remove_node(node)
    executor.shutdown()


def spinning(node: Node) -> AbstractContextManager[None]:
    """Return a context in which a thread executes the callbacks of a node."""
    return in_background(partial(spin_until, node), LONGEST_CALLBACK)


# caused by the user; each is one line
ERRORS = MvsimError, ParameterException
PARAMETERS = 'parameters are given as in --ros-args -p NAME:=VALUE'


def own_words(args: Sequence[str] | None) -> list[str]:
    """Return the words of a command line that are not for ROS, without the program."""
    with _errors_of_ros():
        return list(remove_ros_args(list(sys.argv if args is None else args)))[1:]


def start_node(name: str, args: Sequence[str] | None, kind: Callable[[str], AnyNode]) -> AnyNode:
    """Initialise rclpy, which leaves signals alone, and return a node."""
    remove_dead_ports()
    with _errors_of_ros():
        set_logger_level('rcl', LoggingSeverity.FATAL)  # its errors are raised as well
        rclpy.init(args=None if args is None else list(args),
                   signal_handler_options=SignalHandlerOptions.NO)
        set_logger_level('rcl', LoggingSeverity.UNSET)
        return kind(name)


def run_program(parser: ArgumentParser, args: Sequence[str] | None, name: str,
                run: Callable[[Node, Namespace], None]) -> int:
    """Run a program of one node; return 0, or 1 after an error, one line on stderr."""
    try:
        options = parser.parse_args(own_words(args))
        node = start_node(name, args, Node)
        try:
            run(node, options)
        finally:
            node.destroy_node()
            try_shutdown()
    except ERRORS as error:
        return failed(parser.prog, error)
    return 0


def failed(program: str, error: Exception) -> int:
    """Write an error as one line on stderr, and return the exit code for it."""
    print(f'{program}: error:', ' '.join(str(error).split()), file=sys.stderr)
    return 1


@contextmanager
def _errors_of_ros() -> Iterator[None]:
    """Raise what ROS says of a command line as an error of one line."""
    try:
        yield
    except (RuntimeError, NameValidationException) as error:
        try_shutdown()
        reason = re.sub(r'\.?( Error: error not set)?, at \S+:\d+', '', str(error))
        raise ParameterError(f'ROS does not start: {reason}; {PARAMETERS}') from error
