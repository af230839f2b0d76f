# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a world and write CSV logs of its vehicles.

Run a world as fast as possible and write CSV logs: for each vehicle one with its pose and one for
each wheel. `mvsim_ros2 plot` draws them.
"""

import argparse
from typing import TYPE_CHECKING

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.cli.options import add_run, add_world, load, number, seconds
from mvsim_ros2.cli.terminal import working
from mvsim_ros2.errors import ControllerError, PhysicsError

if TYPE_CHECKING:
    from mvsim_ros2.simulation.handles import VehicleHandle


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_world(command)
    add_run(command)
    command.add_argument(
        '--duration', type=seconds, metavar='S', default=10.0,
        help='simulated time [s] (default: 10)')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', default='logs',
        help='folder for the logs, created if missing (default: logs)')
    command.add_argument(
        '--rate', type=number(0.0), metavar='HZ', help='rows per second (default: one per step)')
    command.add_argument(
        '--vehicle', dest='vehicles', metavar='NAME', action='append',
        help='log and command this vehicle only; may be repeated (default: those with '
        '<auto_start_recording>, or all)')
    drive = command.add_mutually_exclusive_group()
    drive.add_argument(
        '--twist', nargs=2, type=number(), metavar=('V', 'W'),
        help='drive at this speed [m/s] and yaw rate [rad/s]')
    drive.add_argument(
        '--steering', nargs=2, type=number(), metavar=('V', 'ANGLE'),
        help='drive at this speed [m/s] and steering angle [rad]')
    drive.add_argument(
        '--torque', nargs='+', type=number(), metavar='T', help='torques of the motors [N m]')


def run(options: argparse.Namespace) -> int:
    """Run a world and write logs."""
    from mvsim_ros2.recording.csv_log import CsvLog
    from mvsim_ros2.simulation import Simulation

    world = load(options)
    names = options.vehicles or [
        vehicle.name for vehicle in world.vehicles if vehicle.auto_start_recording] or [
        vehicle.name for vehicle in world.vehicles]
    simulation = Simulation(world, options.seed, options.physics, sensors=False)
    for name in names:
        if name not in simulation.vehicles:
            raise PhysicsError(f'{world.path}: there is no vehicle {name!r}, only '
                               f'{", ".join(simulation.vehicles) or "none"}')
    refused = [error for name in names if (error := _command(simulation.vehicles[name], options))]
    if refused and (options.vehicles or len(refused) == len(names)):
        raise refused[0]
    for error in refused:  # a trailer among others
        LOGGER.warning('not commanded: %s', error)
    with working('driving'), CsvLog(simulation, options.output, names, options.rate) as log:
        log.run(options.duration)
    for path in log.paths:
        print(path)
    return 0


def _command(vehicle: 'VehicleHandle', options: argparse.Namespace) -> ControllerError | None:
    """Command a vehicle by the options; return why it cannot be commanded, '' if it can."""
    try:
        if options.twist:
            vehicle.set_twist(*options.twist)
        elif options.steering:
            vehicle.set_steering(*options.steering)
        elif options.torque:
            vehicle.set_torques(*options.torque)
    except ControllerError as error:
        return error
    return None
