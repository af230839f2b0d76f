# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulator node: `mvsim_node`."""

from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from contextlib import ExitStack
from functools import partial
import logging
import os
import re
import signal
import sys

import rclpy
from rclpy.exceptions import NameValidationException
from rclpy.exceptions import ParameterException
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.logging import set_logger_level
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import try_shutdown

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.live.view import need_viser
from mvsim_ros2.messages.settings import ParameterError
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.ros.commands.command_kinds import command_kinds
from mvsim_ros2.ros.commands.set_pose import SetPoseInputs
from mvsim_ros2.ros.commands.subscriptions import CommandInputs
from mvsim_ros2.ros.commands.subscriptions import OtherTypeListener
from mvsim_ros2.ros.dds_profile import use_large_data_profile
from mvsim_ros2.ros.executor_thread import ExecutorThread
from mvsim_ros2.ros.lock_step import LockStep
from mvsim_ros2.ros.logging_bridge import LogBridge
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.pacing import Pacer
from mvsim_ros2.ros.parameters import check_qos_overrides
from mvsim_ros2.ros.parameters import declare
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.publishers import Publishers
from mvsim_ros2.ros.services.simulation_interfaces import StandardServices
from mvsim_ros2.ros.services.time_control import offer_control
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import set_stage

SIGNALS = signal.SIGINT, signal.SIGTERM
# what a user can cause; each is one line
ERRORS = MvsimError, ParameterException


def main(args: Sequence[str] | None = None) -> int:
    """
    Run the node until SIGINT or SIGTERM.

    :param args: command line; that of the process by default.
    :returns: exit code: 0 when asked to end, 1 after an error, which is one line on stderr.
    """
    for each in SIGNALS:
        signal.signal(each, signal.default_int_handler)
    try:
        use_large_data_profile()
        with _ros_node(args) as node:
            _simulate(node)
    except KeyboardInterrupt:
        pass  # asked to end before the simulation ran
    except ERRORS as error:
        print('mvsim_node: error:', ' '.join(str(error).split()), file=sys.stderr)
        return 1
    return 0


@contextmanager
def _ros_node(args: Sequence[str] | None) -> Iterator[Node]:
    """Provide the node, in a running ROS; a mistake in the ROS arguments is an error."""
    try:
        set_logger_level('rcl', LoggingSeverity.FATAL)  # what it logs comes as exception as well
        rclpy.init(args=None if args is None else list(args),
                   signal_handler_options=SignalHandlerOptions.NO)
        set_logger_level('rcl', LoggingSeverity.UNSET)
        node = Node('mvsim')
    except (RuntimeError, NameValidationException) as error:
        try_shutdown()
        reason = re.sub(r'\.?( Error: error not set)?, at \S+:\d+', '', str(error))
        raise ParameterError(f'ROS does not start: {reason}; parameters are given as in '
                             '--ros-args -p NAME:=VALUE') from error
    try:
        yield node
    finally:
        node.destroy_node()
        try_shutdown()


def _simulate(node: Node) -> None:
    """Load the world and run it until a signal comes."""
    for each in SIGNALS:
        signal.signal(each, partial(_end_at_once, node))
    log = logging.getLogger('mvsim_ros2')
    log.addHandler(LogBridge(node.get_logger()))
    log.setLevel(logging.INFO)
    settings = declare(node)
    stage = set_stage(settings, settings.world)
    simulation = stage.simulation
    inbox = MainThreadQueue()
    lock = LockStep(round(settings.lockstep * 1e9), settings.lockstep_timeout,
                    node.get_logger().warning)
    inputs = CommandInputs(node, stage, settings.cmd_vel_type, inbox, lock)
    runner = SimulationLoop(
        stage, Publishers(node, stage, settings), Diagnostics(node, inputs), inputs,
        SetPoseInputs(node, stage, settings.map_frame, settings.initialpose_teleports, inbox), inbox,
        Pacer(settings.realtime_factor, round(simulation.dt * 1e9),
              report=partial(_report_slowness, node)),
        lock, settings.odom_rate, settings.cmd_vel_timeout)
    node.add_post_set_parameters_callback(partial(_follow, runner, inbox))
    offer_control(node, runner, inbox)
    if not StandardServices(runner, settings).offer(node, inbox):
        node.get_logger().info(
            'the package simulation_interfaces is not installed: its services are left out')
    runner.set_sensor_noise(settings.sensor_noise)
    simulation.warm_up()
    runner.begin()
    check_qos_overrides(node)
    if settings.start_paused:
        runner.pause()
    if settings.viewer.lower() not in ('', 'false'):
        _open_window(node, runner, inbox, settings)
    for each in SIGNALS:  # from here on a signal is a letter to the loop
        signal.signal(each, lambda *unused: inbox.post(runner.stop))
    node.get_logger().info(
        f'{simulation.world.path}: {len(simulation.vehicles)} vehicles, '
        f'{len(simulation.blocks)} blocks, {len(simulation.sensors)} sensors, '
        f'step {simulation.dt * 1e3:g} ms')
    with ExitStack() as threads:
        threads.enter_context(ExecutorThread(node))
        if settings.cmd_vel_type == 'auto':
            threads.enter_context(OtherTypeListener(node, inputs, inputs.twist_kind))
        if 'ackermann_stamped' in command_kinds():
            threads.enter_context(OtherTypeListener(node, inputs, 'ackermann_stamped'))
        runner.run()


def _open_window(node: Node, runner: SimulationLoop, inbox: MainThreadQueue, settings: Settings) -> None:
    """Open the window in the browser and say where it is."""
    need_viser()
    from mvsim_ros2.ros.window import NodeWindow
    from mvsim_ros2.ros.window import port_of
    runner.window = window = NodeWindow(
        runner, inbox.post, port_of(settings.viewer), settings.measure_unsubscribed)
    node.get_logger().info(f'open {window.link} in a browser')


def _end_at_once(node: Node, *unused: object) -> None:
    """End the process in the signal handler: compilers do not pass on what one raises."""
    node.destroy_node()
    try_shutdown()
    os._exit(0)


def _follow(runner: SimulationLoop, inbox: MainThreadQueue, parameters: list[Parameter]) -> None:
    """Pass parameters that changed on to the loop."""
    setters = {'realtime_factor': runner.set_realtime_factor,
               'cmd_vel_timeout': runner.set_command_timeout,
               'lockstep': runner.set_lock_period,
               'lockstep_timeout': runner.set_lock_patience,
               'measure_unsubscribed': runner.measure_unsubscribed,
               'sensor_noise': runner.set_sensor_noise}
    for each in parameters:
        if each.name in setters:
            inbox.post(partial(setters[each.name], each.value))


def _report_slowness(node: Node, achieved: float) -> None:
    node.get_logger().warning(
        f'this machine reaches a real-time factor of {achieved:.2f} only: take a longer '
        'simul_timestep, fewer sensors or a lower realtime_factor')


if __name__ == '__main__':
    sys.exit(main())
