# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
List the contents and faults of a world.

Load a world, build it, measure with every sensor, and list its contents and every warning with
file and line. If this succeeds, the node starts. By default it uses no network and runs no code of
the world.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mvsim_ros2.base.progress import LOGGER, tell, warnings_collected
from mvsim_ros2.cli.options import add_world, load
from mvsim_ros2.cli.terminal import working
from mvsim_ros2.errors import PhysicsError

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.world import WorldSpec

SHARES, SMALL = 5, 1e6  # parts that are named at most, and bytes of the smallest of them


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_world(command, online=False)
    command.add_argument(
        '--compat', action='store_true', help='list what behaves differently from MVSim, and why')


def run(options: argparse.Namespace) -> int:
    """Print the summary of a world and its warnings."""
    from mvsim_ros2.simulation.memory import in_words, memory_needed, memory_shares
    from mvsim_ros2.world.file.report import summary

    with working('checking'), _warnings_unless_it_fails() as warnings:
        world = load(options)
        known = len(warnings)
        try_out(world)
        if options.strict and warnings[known:]:
            raise PhysicsError(warnings[known])
    for line in summary(world):
        print(line)
    print(f'  memory: about {in_words(memory_needed(world))}')
    for share in memory_shares(world)[:SHARES]:
        if share.size >= SMALL:
            print(f'    {in_words(share.size)} {share.what}')
    print(f'  warnings: {len(warnings)}')
    for warning in warnings:
        print(f'    {warning}')
    if options.compat:
        _print_differences(world)
    return 0


def _print_differences(world: 'WorldSpec') -> None:
    """Print what in a world behaves otherwise than in MVSim."""
    from mvsim_ros2.world.file.differences import differences

    found = list(differences(world))
    print(f'  differences from MVSim: {len(found)}')
    for each in found:
        print(f'    {each}')


@contextmanager
def _warnings_unless_it_fails() -> Iterator[list[str]]:
    """Collect the warnings; where an error is raised, they are logged."""
    try:
        with warnings_collected(passed_on=False) as warnings:
            yield warnings
    except BaseException:
        for warning in warnings:
            LOGGER.warning('%s', warning)
        raise


def try_out(world: 'WorldSpec') -> None:
    """Build a world as the node does, make one step, and measure with every sensor."""
    from mvsim_ros2.ros.messages.vehicle_channels import check_names
    from mvsim_ros2.simulation import Simulation

    simulation = Simulation(world)
    check_names(simulation)
    simulation.scene()
    for name in simulation.sensors:
        simulation.set_enabled(name, False)
    simulation.step()
    for number, sensor in enumerate(simulation.sensors.values()):
        tell(number, len(simulation.sensors), 'sensors')
        sensor.measure()
