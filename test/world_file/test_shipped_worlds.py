# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every world of the library loads without a warning, is drivable, and repeats itself."""

from dataclasses import fields, replace
import hashlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.file.at_start import overlap
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.outlines import placed
from mvsim_ros2.world.spec.solids import block_footprint, solids, vehicle_footprint
from mvsim_ros2.world.spec.world import WorldSpec

FOLDER = Path(__file__).resolve().parents[2] / 'worlds'
WORLDS = [pytest.param(path, id=path.name.removesuffix('.world.xml'))
          for path in sorted(FOLDER.glob('*.world.xml'))]
TURN = 0.4  # rad/s, commanded while a world is tried
# forward velocity [m/s] and share of the yaw rate that is commanded, smallest share of that which
# comes true: a steered vehicle must drive to turn, tracks slip
MANNERS = {'single_track': (1.0, 0.5, 0.9), 'tracked': (0.1, 1.0, 0.2)}
USUAL = 0.1, 1.0, 0.9


def outlines(world: WorldSpec) -> dict[str, Polygon]:
    """Return the outlines of vehicles and blocks where they start."""
    return {f'vehicle {item.name}': placed(vehicle_footprint(item).polygon, item.init_pose)
            for item in world.vehicles} | {
        f'block {block.name}': placed(block_footprint(block).polygon, block.init_pose)
        for block in world.blocks if not block.intangible}


def drive(simulation: Simulation, duration: float) -> list[Observation]:
    """Let every robot drive a curve and return what was observed."""
    for vehicle in simulation.vehicles.values():
        v, share, _ = MANNERS.get(vehicle.spec.dynamics.XML_CLASS, USUAL)
        vehicle.set_twist(v, share * TURN)
    observations: list[Observation] = []
    simulation.run(duration, on_observation=observations.append)
    return observations


def digest(simulation: Simulation, observations: list[Observation]) -> str:
    """Return a hash of all observations, and of all poses and velocities at the end."""
    sha = hashlib.sha256()

    def add(observation: Observation) -> None:
        for item in fields(observation):
            value = getattr(observation, item.name)
            if isinstance(value, Observation):  # an image in a pair, its calibration
                add(value)
            else:
                sha.update(value.tobytes() if isinstance(value, np.ndarray)
                           else repr(value).encode())

    for observation in observations:
        add(observation)
    for block in simulation.blocks.values():
        sha.update(repr(block.pose).encode() + block.twist_body.tobytes())
    for vehicle in simulation.vehicles.values():
        sha.update(repr(vehicle.pose).encode() + vehicle.twist_body.tobytes())
        sha.update(vehicle.wheels.tobytes() + repr(vehicle.odometry.pose).encode())
    return sha.hexdigest()


@pytest.mark.parametrize('path', WORLDS)
def test_a_world_loads_strictly(path: Path) -> None:
    """
    Shipped worlds load without a warning.

    :reference: `--strict`
    """
    world = load_world(path, strict=True, offline=True)
    assert world.warnings == ()
    assert world.vehicles


@pytest.mark.parametrize('path', WORLDS)
def test_nothing_starts_inside_something_else(path: Path) -> None:
    world = load_world(path)
    things, walls = outlines(world), [piece.polygon for piece in solids(world)]
    clashes = [f'{one} and {other}' for one, other in combinations(things, 2)
               if overlap(things[one], things[other]) > 1e-9]
    clashes += [f'{name} and a wall' for name, polygon in things.items()
                if any(overlap(polygon, wall) > 1e-9 for wall in walls)]
    assert not clashes


@pytest.mark.parametrize('path', WORLDS)
def test_robots_turn_as_commanded_and_see(
        path: Path, caplog: pytest.LogCaptureFixture) -> None:
    simulation = Simulation.from_file(path)
    observations = drive(simulation, 2.0)
    for name, vehicle in simulation.vehicles.items():
        assert not vehicle.collided, f'{name} hit something'
        _, share, least = MANNERS.get(vehicle.spec.dynamics.XML_CLASS, USUAL)
        assert least < vehicle.twist_body[2] / (share * TURN) < 1.1, name
        assert np.isfinite(vehicle.twist_body).all()
    expected = {f'{vehicle.name}/{sensor.name}' for vehicle in simulation.world.vehicles
                for sensor in vehicle.sensors}
    assert {observation.sensor for observation in observations} == expected
    for sensor in expected:  # a sweep is stamped with its start, so only each by itself
        stamps = [each.stamp_ns for each in observations if each.sensor == sensor]
        assert stamps == sorted(set(stamps))
    assert not caplog.records, 'the library shows what is built'


@pytest.mark.parametrize('path', WORLDS)
def test_things_start_at_the_same_places_in_any_order(path: Path) -> None:
    """Vehicles before blocks and the last ones first, or as in the file."""
    world = load_world(path)
    things = [replace(each, source=Source('w.xml', line)) for line, each in enumerate(
        (*reversed(world.vehicles), *reversed(world.blocks)))]
    count = len(world.vehicles)
    places = []
    for spec in (world, replace(
            world, vehicles=tuple(things[:count]), blocks=tuple(things[count:]))):
        simulation = Simulation(spec, sensors=False)
        places.append({name: thing.pose for group in (simulation.vehicles, simulation.blocks)
                       for name, thing in group.items()})
    assert places[0] == places[1]


@pytest.mark.parametrize('path', WORLDS)
def test_the_same_seed_gives_the_same_bytes_and_another_others(path: Path) -> None:
    digests = []
    for seed in (7, 7, 8):
        simulation = Simulation.from_file(path, seed=seed)
        digests.append(digest(simulation, drive(simulation, 3.0)))
    assert digests[0] == digests[1] != digests[2]
