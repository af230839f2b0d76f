# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation that the node runs, and its names on the ROS graph."""

from dataclasses import dataclass, replace

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.ros.messages.names import Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.parameters import world_variables
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world, load_world_text
from mvsim_ros2.world.spec.world import WorldSpec


@dataclass(frozen=True)
class WorldContext:
    """A loaded world; another context replaces it when another world is loaded."""

    simulation: Simulation
    names: Namespaces
    loaded: bool = True  # False: an empty world in place of one


def load_world_context(settings: Settings, world: str) -> WorldContext:
    """Load and build a world, with the names given by the parameters."""
    return _built(settings, load_world(
        world_path(world), world_variables(settings.variables), settings.strict,
        seed=settings.seed, offline=settings.offline, allow_shell=settings.allow_shell,
        allow_xacro=settings.allow_xacro))


def text_context(settings: Settings, text: str, name: str) -> WorldContext:
    """Build the world of a text; raise `MvsimError` where the world cannot be read or built."""
    return _built(settings, load_world_text(
        text, name, None, settings.strict, seed=settings.seed, offline=settings.offline,
        allow_shell=settings.allow_shell, allow_xacro=settings.allow_xacro))


def empty_context(settings: Settings) -> WorldContext:
    """Return an empty world, in place of one."""
    return replace(text_context(settings, '<mvsim_world/>', 'no world'), loaded=False)


def _built(settings: Settings, spec: WorldSpec) -> WorldContext:
    simulation = Simulation(spec, settings.seed, settings.physics or None)
    return WorldContext(simulation, Namespaces(settings, list(simulation.vehicles)))
