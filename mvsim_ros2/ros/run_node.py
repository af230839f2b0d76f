# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The run of the simulator node."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, ExitStack
from dataclasses import fields
from functools import partial
import logging
import signal
from typing import Any, TYPE_CHECKING

from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.utilities import try_shutdown

from mvsim_ros2.ros.commands.command_kinds import command_kinds
from mvsim_ros2.ros.commands.subscriptions import (
    CommandSubscribers, OtherTypeSubscriber, SetPoseSubscriber)
from mvsim_ros2.ros.interrupts import Interrupts
from mvsim_ros2.ros.main_thread_queue import in_background, MainThreadQueue
from mvsim_ros2.ros.managed_node import ManagedNode
from mvsim_ros2.ros.messages.settings import ParameterError, Settings
from mvsim_ros2.ros.pacing import LockStep, Pacer, Ticks
from mvsim_ros2.ros.parameters import check_later_parameters, declare, is_kept, keep
from mvsim_ros2.ros.publishers.diagnostics import Diagnostics
from mvsim_ros2.ros.publishers.publishers import Publishers
from mvsim_ros2.ros.rclpy_runtime import (
    ERRORS, failed, LogBridge, own_words, PARAMETERS, spinning, start_node, use_fast_dds_profile)
from mvsim_ros2.ros.runtime_objects import RuntimeObjects
from mvsim_ros2.ros.services.control import offer_control
from mvsim_ros2.ros.services.lamps_and_triggers import LightServices, TriggerServices
from mvsim_ros2.ros.services.simulation_interfaces import StandardServices
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import empty_context, load_world_context
from mvsim_ros2.ros.world_parameters import WorldParameters
from mvsim_ros2.window.recorders import Recorders
from mvsim_ros2.window.view import need_viser

if TYPE_CHECKING:
    from mvsim_ros2.window.page import Page


def run(interrupts: Interrupts, args: Sequence[str] | None = None) -> int:
    """Run the node until a signal; return 0 then, 1 after an error, one line on stderr."""
    try:
        use_fast_dds_profile()
        with _ros_node(interrupts, args) as (node, settings):
            _simulate(node, settings, interrupts)
    except ERRORS as error:
        return failed('mvsim_node', error)
    return 0


@contextmanager
def _ros_node(interrupts: Interrupts, args: Sequence[str] | None,
              ) -> Iterator[tuple[ManagedNode, Settings]]:
    """Declare the parameters, then execute callbacks in a thread; raise for wrong arguments."""
    def end() -> None:
        callbacks.close()
        node.destroy_node()
        try_shutdown()

    callbacks, words = ExitStack(), own_words(args)
    if words:
        raise ParameterError(f'unknown argument {words[0]!r}: {PARAMETERS}, so '
                             'mvsim_node --ros-args -p world:=demo')
    with interrupts.held():
        node = start_node('mvsim', args, ManagedNode)
        interrupts.clean_before_exit(end)
    try:
        settings = declare(node)
        with interrupts.held():
            callbacks.enter_context(spinning(node))
        yield node, settings
    finally:
        with interrupts.held():
            interrupts.clean_before_exit()
            end()


def _simulate(node: ManagedNode, settings: Settings, interrupts: Interrupts) -> None:
    """Load the world and run it until a signal."""
    log = logging.getLogger('mvsim_ros2')
    log.addHandler(LogBridge(node.get_logger()))
    log.setLevel(logging.INFO)
    page = _open_page(node, settings)
    queue = MainThreadQueue()
    loop, subscribers = make_loop(node, settings, queue)
    if page is not None:
        from mvsim_ros2.ros.window import NodeWindow, PathSubscribers
        loop.window = window = NodeWindow(loop, queue.post, page)
        PathSubscribers(node, settings, lambda: loop.context, window.show_path)
    things = WorldParameters(node, loop, queue, settings.friction)
    change = partial(_apply_changes, loop, queue, things)
    node.add_post_set_parameters_callback(
        lambda parameters: change([] if is_kept() else parameters))
    change([  # those that changed while the world was loaded, before a service can be called
        parameter for item in fields(Settings)
        if (parameter := node.get_parameter(item.name)).value != getattr(settings, item.name)])
    offer_control(node, loop, queue)
    shown = RuntimeObjects(node, loop, queue, settings.map_frame)
    if not StandardServices(loop, settings, shown.delete).offer(node, queue):
        node.get_logger().info(
            'the package simulation_interfaces is not installed: its services are left out')
    loop.on_pause.append(lambda: keep(node, 'paused', loop.paused))
    if settings.start_paused or settings.paused or settings.managed:
        loop.pause()
    LightServices(node, loop, queue)
    TriggerServices(node, loop, queue)
    things.update()
    loop.start()
    check_later_parameters(node)
    if settings.managed:
        node.manage(loop, queue, settings)
    interrupts.act(lambda number: queue.post(partial(
        _stop, interrupts, loop, settings.clock_linger if number == signal.SIGINT else 0.0)))
    simulation = loop.simulation
    node.get_logger().info(
        f'{simulation.world.path}: {len(simulation.vehicles)} vehicles, '
        f'{len(simulation.blocks)} blocks, {len(simulation.sensors)} sensors, '
        f'step {simulation.dt * 1e3:g} ms')
    with ExitStack() as threads:
        if settings.cmd_vel_type == 'auto':
            threads.enter_context(in_background(
                OtherTypeSubscriber(node, subscribers, subscribers.twist_kind).watch))
        if 'ackermann_stamped' in command_kinds():
            threads.enter_context(in_background(
                OtherTypeSubscriber(node, subscribers, 'ackermann_stamped').watch))
        loop.run()


def make_loop(node: Node, settings: Settings, queue: MainThreadQueue,
              ) -> tuple[SimulationLoop, CommandSubscribers]:
    """Load the world (managed: an empty one), advertise; return its loop and commands."""
    context = empty_context(settings) if settings.managed else load_world_context(
        settings, settings.world)
    step_ns, log = round(context.simulation.dt * 1e9), node.get_logger()
    lock = LockStep(round(settings.lockstep * 1e9), settings.lockstep_timeout, log.warning)
    subscribers = CommandSubscribers(node, context, settings.cmd_vel_type, queue, lock)
    loop = SimulationLoop(
        context, Publishers(node, context, settings),
        Diagnostics(node, subscribers, settings.diagnostics_rate), subscribers,
        SetPoseSubscriber(
            node, context, settings.map_frame, settings.initialpose_teleports, queue),
        queue,
        Pacer(settings.realtime_factor, step_ns, settings.max_simul_catchup_time,
              report=partial(_warn_of_low_factor, node)),
        lock, Ticks(round(1e9 / settings.odom_rate), step_ns, lock, log.warning),
        Recorders(settings.record_folder or '.', settings), settings.cmd_vel_timeout, log.info)
    loop.set_sensor_noise(settings.sensor_noise)
    return loop, subscribers


def _stop(interrupts: Interrupts, loop: SimulationLoop, linger: float) -> None:
    """Let the loop end, after up to `linger` seconds."""
    interrupts.answer(linger)
    loop.stop(linger)


def _open_page(node: Node, settings: Settings) -> 'Page | None':
    """Open the page of the window, where one is wanted, and log its address."""
    if settings.viewer.lower() in ('', 'false'):
        return None
    need_viser()
    from mvsim_ros2.window.page import Page
    page = Page(settings.world, int(settings.viewer) if settings.viewer.isdecimal() else None)
    node.get_logger().info(f'open {page.link} in a browser')
    return page


def _apply_changes(loop: SimulationLoop, queue: MainThreadQueue, things: WorldParameters,
                   parameters: list[Parameter]) -> None:
    """Pass changed parameters to the loop."""
    setters: dict[str, Callable[[Any], None]] = {
        'realtime_factor': loop.set_realtime_factor, 'paused': loop.set_paused,
        'max_simul_catchup_time': partial(setattr, loop.pacer, 'catch_up'),
        'cmd_vel_timeout': partial(setattr, loop, 'command_timeout'),
        'lockstep': loop.set_lock_period,
        'lockstep_timeout': partial(setattr, loop.lock, 'timeout'),
        'measure_unsubscribed': partial(setattr, loop, 'measure_unsubscribed'),
        'friction': things.set_friction,
        'sensor_noise': loop.set_sensor_noise, 'seed': partial(setattr, loop, 'seed')}
    for each in parameters:
        if each.name in setters:
            queue.post(partial(setters[each.name], each.value))


def _warn_of_low_factor(node: Node, achieved: float) -> None:
    node.get_logger().warning(
        f'this machine reaches a real-time factor of {achieved:.2f} only: use a longer '
        'simul_timestep, fewer sensors or a lower realtime_factor')
