# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Groups of lamps of vehicles and blocks, switched by services."""

from functools import partial

from rclpy.node import Node
from rclpy.service import Service
from std_srvs.srv import SetBool

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.names import graph_name, LONGEST
from mvsim_ros2.ros.services.answers import offer
from mvsim_ros2.ros.simulation_loop import SimulationLoop


class LightServices:
    """
    A service `~/set_light/THING/GROUP` for each group of lamps that is there.

    They come and go with the vehicles and blocks. Where two have the same name on the graph, the
    first one has the service; those with names too long for the graph have none.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
        """Offer those that the world has now, and later ones."""
        self._node, self._loop, self._queue = node, loop, queue
        self._services: dict[str, tuple[tuple[str, str], Service]] = {}  # by name on the graph
        loop.on_change.append(self._update)
        self._update()

    def _update(self) -> None:
        """Offer what is there now."""
        simulation = self._loop.context.simulation
        wanted: dict[str, tuple[str, str]] = {}
        for thing in (*simulation.vehicles.values(), *simulation.blocks.values()):
            for group in thing.lights:
                names = graph_name(thing.name), graph_name(group)
                if max(map(len, names)) <= LONGEST:
                    wanted.setdefault(f'~/set_light/{"/".join(names)}', (thing.name, group))
        for service in [name for name, (what, _) in self._services.items()
                        if wanted.get(name) != what]:
            self._node.destroy_service(self._services.pop(service)[1])
        for service in wanted.keys() - self._services.keys():
            self._services[service] = wanted[service], offer(
                self._node, self._queue, SetBool, service, partial(
                    self._switch, *wanted[service]))

    def _switch(self, name: str, group: str, request: SetBool.Request) -> str:
        """Switch a group on or off."""
        simulation = self._loop.context.simulation
        for things in (simulation.vehicles, simulation.blocks):
            if name in things:
                things[name].set_light(group, request.data)
                return ''
        raise MvsimError(f'{name} is not in the world any more')
