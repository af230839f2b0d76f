# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of what is in the world: rates of sensors, friction of the ground."""

from functools import partial

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.names import graph_name
from mvsim_ros2.ros.parameters import is_kept, SENSORS
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.world.spec.elements.property_region import PropertyRegionSpec

FRICTION = 'ground_friction'  # name of the region
FAR = 1e6  # m, beyond every world


class WorldParameters:
    """
    For each sensor `sensors.VEHICLE.SENSOR.rate`, and the friction of the ground.

    The parameters of sensors come and go with them; one whose name on the graph is taken has none.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue,
                 friction: float) -> None:
        """Prepare for `update` whenever things change; friction 0 leaves what the world says."""
        self._node, self._loop, self._queue, self._friction = node, loop, queue, friction
        self._known: dict[str, str] = {}  # sensors by parameter
        loop.on_change.append(self.update)
        node.add_post_set_parameters_callback(self._take)

    def set_friction(self, coefficient: float) -> None:
        """Set the friction where no region of the world says another; 0: as the world says."""
        self._friction = coefficient
        simulation = self._loop.simulation
        if any(each.name == FRICTION for each in simulation.elements):
            simulation.remove_element(FRICTION)
        self._put_friction()

    def _put_friction(self) -> None:
        simulation = self._loop.simulation
        if self._friction and not any(each.name == FRICTION for each in simulation.elements):
            simulation.add_element(PropertyRegionSpec(
                name=FRICTION, property_name='friction_mu', value_double=self._friction,
                x_min=-FAR, x_max=FAR, y_min=-FAR, y_max=FAR, z_min=-FAR, z_max=FAR))

    def update(self) -> None:
        """Declare what is there now; a reset and another world take the friction away."""
        self._put_friction()
        simulation = self._loop.simulation
        wanted: dict[str, str] = {}
        for name in simulation.sensors:
            parts = '.'.join(map(graph_name, name.split('/')))
            wanted.setdefault(f'{SENSORS}{parts}.rate', name)
        for parameter in self._known.keys() - wanted.keys():
            self._node.undeclare_parameter(parameter)
        for parameter in wanted.keys() - self._known.keys():
            own = 1.0 / simulation.sensors[wanted[parameter]].spec.sensor_period
            self._known[parameter] = wanted[parameter]  # before it can be set
            given = self._node._parameter_overrides.get(parameter)
            rate = own if given is None else float(given.value)
            self._node.declare_parameter(parameter, rate, ParameterDescriptor(
                description=f'Measurements of {wanted[parameter]} a simulated second; 0: none',
                floating_point_range=[FloatingPointRange(from_value=0.0, to_value=max(
                    own, 1.0 / simulation.dt))]), ignore_override=True)
            if rate != own:
                self._set_rate(wanted[parameter], rate)
        self._known = wanted

    def _take(self, parameters: list[Parameter]) -> None:
        """Set the rates whose parameters have been set."""
        known = self._known
        for each in () if is_kept() else parameters:
            if each.name in known:
                self._queue.post(partial(self._set_rate, known[each.name], each.value))

    def _set_rate(self, name: str, rate: float) -> None:
        """Let a sensor measure at a rate [Hz]; one that has gone is none of it."""
        simulation = self._loop.simulation
        if name not in simulation.sensors:
            return
        self._loop.switch_sensor(name, rate > 0.0)
        if rate:
            try:
                simulation.sensors[name].set_rate(rate)
            except MvsimError as error:
                self._node.get_logger().warning(str(error))
