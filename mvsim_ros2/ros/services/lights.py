# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Groups of lamps of vehicles and blocks, switched by services."""

from functools import partial

from rclpy.node import Node
from std_srvs.srv import SetBool

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.messages.names import graph_name
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.simulation_loop import SimulationLoop


def offer_lights(node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    """Offer a service `~/set_light/THING/GROUP` for each group that the world has now."""
    simulation = loop.context.simulation
    for thing in (*simulation.vehicles.values(), *simulation.blocks.values()):
        for group in thing.lights:
            node.create_service(
                SetBool, f'~/set_light/{graph_name(thing.name)}/{graph_name(group)}',
                partial(_serve, loop, queue, thing.name, group))


def _serve(loop: SimulationLoop, queue: MainThreadQueue, name: str, group: str,
           request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
    """Switch a group on or off; the message says why not."""
    try:
        queue.call(partial(_switch, loop, name, group, request.data))
        response.success = True
    except MvsimError as error:
        response.success, response.message = False, str(error)
    return response


def _switch(loop: SimulationLoop, name: str, group: str, on: bool) -> None:
    """Switch a group of what is called so in the present world."""
    simulation = loop.context.simulation
    for things in (simulation.vehicles, simulation.blocks):
        if name in things:
            things[name].set_light(group, on)
            return
    raise MvsimError(f'{name} is not in the world any more')
