# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Keyboard teleoperation `mvsim_teleop`, where teleop_twist_keyboard is not installed."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
import math
import os
import select
import signal
import sys
import termios
from threading import Event
import tty

from geometry_msgs.msg import Twist, TwistStamped
import rclpy
from rclpy.duration import Duration
from rclpy.exceptions import NameValidationException
from rclpy.node import Node

from mvsim_ros2.ros.messages.settings import ParameterError
from mvsim_ros2.ros.rclpy_runtime import run_program

HELP = 'w/s faster/slower, a/d turn left/right, q/e sideways, space stop, Ctrl-C end'
PERIOD = 0.1  # s between two commands, shorter than the command timeout
HALT_TIMEOUT = Duration(seconds=1)  # for the last command to arrive
# key -> forward, sideways, turn, in steps; as in the original
KEYS = {'w': (1, 0, 0), 's': (-1, 0, 0), 'q': (0, 1, 0), 'e': (0, -1, 0), 'a': (0, 0, 1),
        'd': (0, 0, -1)}


@dataclass
class Speeds:
    """The velocities commanded by the keys so far."""

    speed_step: float  # m/s
    turn_step: float  # rad/s
    forward: int = 0
    sideways: int = 0
    turn: int = 0

    def press(self, key: str) -> None:
        """Apply a key; unknown keys change nothing."""
        if key == ' ':
            self.forward = self.sideways = self.turn = 0
        forward, sideways, turn = KEYS.get(key.lower(), (0, 0, 0))
        self.forward += forward
        self.sideways += sideways
        self.turn += turn

    def fill(self, message: Twist) -> None:
        """Write the velocities into a message."""
        message.linear.x = self.forward * self.speed_step
        message.linear.y = self.sideways * self.speed_step
        message.angular.z = self.turn * self.turn_step

    def __str__(self) -> str:
        return (f'{self.forward * self.speed_step:+.2f} m/s  '
                f'{self.sideways * self.speed_step:+.2f} m/s sideways  '
                f'{self.turn * self.turn_step:+.2f} rad/s')


def main(args: Sequence[str] | None = None) -> int:
    """Publish what keys say until a signal, then zero; return 1 without a terminal."""
    ended = Event()
    for each in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(each, lambda *_: ended.set())
    return run_program(_parser(), args, 'mvsim_teleop', partial(_drive, ended))


def _drive(ended: Event, node: Node, options: argparse.Namespace) -> None:
    """Publish what the keys say until the end, then a halt."""
    if not sys.stdin.isatty():
        raise ParameterError('no keyboard: run it in a terminal')
    try:
        publisher = node.create_publisher(
            TwistStamped if options.stamped else Twist, options.topic, 10)
    except NameValidationException as error:
        raise ParameterError(f'--topic {options.topic}: {error}') from error
    speeds = Speeds(options.speed, options.turn)

    def publish() -> None:
        message = TwistStamped() if options.stamped else Twist()
        speeds.fill(message.twist if options.stamped else message)
        if options.stamped:
            message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    with suppress(OSError, termios.error):  # the terminal may be gone
        print(HELP, flush=True)
        with _unbuffered_keys():
            while not ended.is_set():
                if select.select([sys.stdin], [], [], PERIOD)[0]:
                    keys = os.read(sys.stdin.fileno(), 64)
                    if not keys:
                        break
                    for key in keys.decode(errors='ignore'):
                        speeds.press(key)
                    print(f'\r{speeds}   ', end='', flush=True)
                publish()
                rclpy.spin_once(node, timeout_sec=0.0)
    speeds.press(' ')
    publish()
    publisher.wait_for_all_acked(HALT_TIMEOUT)  # else the halt can be lost with the node
    with suppress(OSError):
        print(flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'mvsim_teleop', description=f'Drive a robot with the keyboard: {HELP}.')
    parser.add_argument('--topic', default='cmd_vel', help='where to publish, cmd_vel')
    parser.add_argument('--stamped', action='store_true', help='TwistStamped instead of Twist')
    parser.add_argument('--speed', type=_finite, default=0.1, help='m/s a key press, 0.1')
    parser.add_argument('--turn', type=_finite, default=0.1, help='rad/s a key press, 0.1')
    return parser


def _finite(text: str) -> float:
    """Return a number of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f'{text!r} should be a number')
    return value


@contextmanager
def _unbuffered_keys() -> Iterator[None]:
    """Switch the terminal to unbuffered input without echo."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


if __name__ == '__main__':
    sys.exit(main())
