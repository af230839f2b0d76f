# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the node shows: a simulation, and the names of its things on the graph."""

from dataclasses import dataclass

from mvsim_ros2.messages.namespaces import Namespaces
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.package_files import world_path
from mvsim_ros2.ros.world_variables import variables
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world_file.load import load_world


@dataclass(frozen=True)
class WorldContext:
    """One world in motion; another stage takes its place when another world is loaded."""

    simulation: Simulation
    names: Namespaces

    def sensor_topics(self) -> dict[str, str]:
        """
        Return what the topics of each sensor begin with, by the name of the sensor.

        :raises MvsimError: where a topic would have two publishers.
        """
        return self.names.sensors(self.simulation.sensors.values())


def set_stage(settings: Settings, world: str) -> WorldContext:
    """
    Load a world and build it, with the names that the parameters ask for.

    :param world: a path, or the name of a world that comes with the package.
    :raises MvsimError: says what is wrong, where, and what to do.
    """
    spec = load_world(world_path(world), variables(settings.variables), settings.strict,
                      seed=settings.seed, offline=settings.offline)
    simulation = Simulation(spec, settings.seed, settings.physics or None)
    return WorldContext(simulation, Namespaces(settings, list(simulation.vehicles)))
