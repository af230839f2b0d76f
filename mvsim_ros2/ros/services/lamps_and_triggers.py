# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Services and topics that come and go with lamps and with sensors that are triggered."""

from functools import partial

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.service import Service
from rclpy.subscription import Subscription
from std_msgs.msg import Empty
from std_srvs.srv import SetBool, Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.names import graph_name, LONGEST
from mvsim_ros2.ros.parameters import is_kept, keep, LIGHTS
from mvsim_ros2.ros.services.answers import offer
from mvsim_ros2.ros.simulation_loop import SimulationLoop

Group = tuple[str, str]  # thing, group of lamps


class LightServices:
    """
    For each group of lamps a service `~/set_light/THING/GROUP`, and `lights.THING.GROUP`.

    They come and go with the vehicles and blocks. Where two have the same name on the graph, the
    first one has them; those with names too long for the graph have none.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
        self._node, self._loop, self._queue = node, loop, queue
        self._known: dict[Group, tuple[Group, Service]] = {}  # by names on the graph
        loop.on_change.append(self._update)
        node.add_post_set_parameters_callback(self._take)
        self._update()

    def _update(self) -> None:
        """Offer what is there now."""
        simulation = self._loop.simulation
        wanted: dict[Group, tuple[Group, bool]] = {}
        for thing in (*simulation.vehicles.values(), *simulation.blocks.values()):
            for group, on in thing.lights.items():
                names = graph_name(thing.name), graph_name(group)
                if max(map(len, names)) <= LONGEST:
                    wanted.setdefault(names, ((thing.name, group), on))
        for names in [names for names, (what, _) in self._known.items()
                      if names not in wanted or wanted[names][0] != what]:
            self._node.destroy_service(self._known.pop(names)[1])
            self._node.undeclare_parameter(_parameter(names))
        for names, (what, on) in wanted.items():
            if names not in self._known:
                self._known[names] = what, offer(
                    self._node, SetBool, f'~/set_light/{"/".join(names)}',
                    partial(self._serve, what), self._queue.post)
                given = self._node.declare_parameter(_parameter(names), on, ParameterDescriptor(
                    description=f'Whether the lamps {what[1]!r} of {what[0]!r} are on')).value
                self._switch(what, given)
            else:  # a script or a reset may have switched them
                keep(self._node, _parameter(names), on)

    def _serve(self, what: Group, request: SetBool.Request) -> str:
        if not self._switch(what, request.data):
            raise MvsimError(f'{what[0]} is not in the world any more')
        return ''

    def _take(self, parameters: list[Parameter]) -> None:
        """Switch those whose parameters have been set."""
        known = {_parameter(names): what for names, (what, _) in list(self._known.items())}
        for each in () if is_kept() else parameters:
            if each.name in known:
                self._queue.post(partial(self._switch, known[each.name], each.value))

    def _switch(self, what: Group, on: bool) -> bool:
        """Switch a group of lamps, and its parameter; return whether its thing is there."""
        simulation = self._loop.simulation
        for things in (simulation.vehicles, simulation.blocks):
            if what[0] in things:
                things[what[0]].set_light(what[1], on)
                for names in [names for names, (each, _) in self._known.items() if each == what]:
                    keep(self._node, _parameter(names), on)
                return True
        return False


def _parameter(names: Group) -> str:
    return LIGHTS + '.'.join(names)


class TriggerServices:
    """
    For each sensor with `<trigger>external</trigger>` a service and a topic `~/trigger/SENSOR`.

    SENSOR is its full name, as `r1/camera`. The service fails where the sensor is off, as
    one without subscribers is; the topic, std_msgs/Empty, has no answer.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
        self._node, self._loop, self._queue = node, loop, queue
        self._known: dict[str, tuple[Service, Subscription]] = {}
        loop.on_change.append(self._update)
        self._update()

    def _update(self) -> None:
        """Offer what is there now."""
        node, sensors = self._node, self._loop.simulation.sensors
        wanted = {name for name, sensor in sensors.items() if sensor.spec.trigger == 'external'}
        for name in self._known.keys() - wanted:
            service, subscription = self._known.pop(name)
            node.destroy_service(service)
            node.destroy_subscription(subscription)
        for name in sorted(wanted - self._known.keys()):
            topic = f'~/trigger/{"/".join(map(graph_name, name.split("/")))}'
            self._known[name] = (
                offer(node, Trigger, topic, partial(self._trigger, name), self._queue.post),
                node.create_subscription(Empty, topic, partial(self._try, name), 10))

    def _trigger(self, name: str, _: Trigger.Request | None = None) -> str:
        self._loop.simulation.trigger(name)
        return ''

    def _try(self, name: str, _: Empty) -> None:
        def trigger() -> None:
            try:
                self._trigger(name)
            except MvsimError as error:
                self._node.get_logger().warning(str(error), throttle_duration_sec=5.0)

        self._queue.post(trigger)
