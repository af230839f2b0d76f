# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Agents in copies of worlds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import cast, TypeAlias

import numpy as np

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import one_of, refused
from mvsim_ros2.gym.free_space import FreeSpace
from mvsim_ros2.gym.task import Agent
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec
from mvsim_ros2.world.spec.world import WorldSpec

# a file, the name of a world of this package, a world, or what makes one for each copy
World: TypeAlias = str | PathLike[str] | WorldSpec | Callable[[np.random.Generator], WorldSpec]
Worlds: TypeAlias = World | Sequence[World]


def copies(worlds: Worlds, count: int, vehicle: str | None, physics: str | None,
           rays: int | None, seed: int) -> list[Agent]:
    """Return one agent in each of so many copies; copy k of a function gets seed + k."""
    use_machine_code()
    listed: list[World] = list(worlds) if isinstance(worlds, (list, tuple)) else [
        cast('World', worlds)]
    if not listed:
        raise refused('world', worlds, 'give at least one world')
    if len(listed) > count:
        raise refused('world', worlds, f'{len(listed)} worlds for num_envs={count} are too many: '
                                       'make more environments, or give fewer worlds')
    known: dict[int, tuple[WorldSpec, FreeSpace]] = {}
    agents = []
    for number in range(count):
        source = listed[number % len(listed)]
        drawn = _Drawn(source, vehicle, physics, rays)
        spec, space = known.get(id(source)) or (
            drawn.world(np.random.default_rng(seed + number)), None)
        agents.append(drawn.agent(spec, seed + number, space))
        if not callable(source):
            known[id(source)] = spec, agents[-1].space
    return agents


@dataclass(frozen=True)
class _Drawn:
    """Makes agents in worlds that are drawn at random."""

    source: World
    vehicle: str | None
    physics: str | None
    rays: int | None

    def __call__(self, random: np.random.Generator) -> Agent:
        seed = int(random.integers(2 ** 31))
        return self.agent(self.world(random, seed), seed)

    def world(self, random: np.random.Generator, seed: int = 0) -> WorldSpec:
        return with_rays(spec_of(self.source, random, seed), self.rays)

    def agent(self, spec: WorldSpec, seed: int, space: FreeSpace | None = None) -> Agent:
        """Return an agent in a world; its free space is found where it is not given."""
        simulation = Simulation(spec, seed, self.physics)
        name = vehicle_of(simulation, self.vehicle)
        return Agent(simulation, name, space or FreeSpace.of(simulation, name),
                     simulation.vehicles[name].pose, self)


def spec_of(world: World, random: np.random.Generator, seed: int = 0) -> WorldSpec:
    """Return a world as it is, from a file, or of random numbers; raise `LearningError` else."""
    if isinstance(world, WorldSpec):
        return world
    if isinstance(world, str | PathLike):
        return load_world(world_path(world), seed=seed)
    if not callable(world):
        raise refused('world', world, 'give a file, the name of a world, a WorldSpec, a function '
                                      'that makes one, or several of these')
    made = world(random)
    if not isinstance(made, WorldSpec):
        raise refused('world', world, f'it made a {type(made).__name__} and no WorldSpec of a '
                                      'generator; maps are called first, as in maps.rooms()')
    return made


def vehicle_of(simulation: Simulation, name: str | None) -> str:
    """Return the name of the vehicle that learns; raise `LearningError` where there is none."""
    names = list(simulation.vehicles)
    if not names:
        raise LearningError(f'{title(simulation)} has no vehicle that could learn: give it one')
    return names[0] if name is None else one_of('vehicle', name, names)


def title(simulation: Simulation) -> str:
    """Return what a world is called in messages."""
    return Path(simulation.world.path).name or 'a world made by a function'


def with_rays(world: WorldSpec, rays: int | None) -> WorldSpec:
    """Return a world with so many rays in planar LiDARs; raise `LearningError` without any."""
    if rays is None:
        return world
    if not any(isinstance(sensor, LaserSpec)
               for vehicle in world.vehicles for sensor in vehicle.sensors):
        raise refused('rays', rays, f'no vehicle of {Path(world.path).name} has a planar LiDAR: '
                                    'leave it out')
    return replace(world, vehicles=tuple(replace(vehicle, sensors=tuple(
        replace(sensor, nrays=rays) if isinstance(sensor, LaserSpec) else sensor
        for sensor in vehicle.sensors)) for vehicle in world.vehicles))
