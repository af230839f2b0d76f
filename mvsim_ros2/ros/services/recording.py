# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags, films and states: `~/start_bag`, `~/stop_bag`, `~/film`, `~/save`, `~/restore`."""

from collections.abc import Mapping
from typing import Any

from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.pictures.viewpoint import automatic_view
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services.trigger import offer_trigger
from mvsim_ros2.ros.simulation_loop import SimulationLoop

_FILM_SIZE = (1280, 720)  # px


def offer_recording(node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    """
    Offer the services.

    They do what the window in the browser does; messages of the responses name the files.
    """
    recorders = loop.recorders
    saved: list[Mapping[str, Any]] = []  # at most one state

    def start_bag() -> str:
        loop.need_world()
        return str(recorders.start_bag(loop.context.simulation).resolve())

    def stop_bag() -> str:
        return str(recorders.stop_bag().resolve())

    def film() -> str:
        loop.need_world()
        simulation = loop.context.simulation
        view = automatic_view(simulation, *_FILM_SIZE)
        seconds: float = node.get_parameter('film_seconds').value
        return str(recorders.start_film(simulation, seconds, lambda: view).resolve())

    def save() -> str:
        loop.need_world()
        saved[:] = [loop.context.simulation.snapshot()]
        return told()

    def restore() -> str:
        if not saved:
            raise MvsimError('no state is saved: call ~/save first')
        loop.restore(saved[0])
        return told()

    def told() -> str:
        return f'simulated time {loop.context.simulation.time_ns * 1e-9:.9f} s'

    recorders.listeners.append(node.get_logger().info)
    for action in (start_bag, stop_bag, film, save, restore):
        offer_trigger(node, queue, action.__name__, action)
