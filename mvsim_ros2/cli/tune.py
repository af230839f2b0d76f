# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Propose gains for the PID of a vehicle.

Apply a step of torque to a vehicle on level ground and fit a first-order model. Propose PID gains
by internal model control, and test them. The exit code is 1 if the gains fail the test.
"""

import argparse

from mvsim_ros2.cli.options import add_run, add_world, check_output, FIGURES, load, number
from mvsim_ros2.cli.terminal import working


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_world(command)
    command.add_argument('vehicle', metavar='VEHICLE', help='name of a vehicle or vehicle class')
    add_run(command)
    command.add_argument(
        '--torque', type=number(0.0), metavar='T',
        help='torque of the step [N m] (default: half of the limit of tyres and motor)')
    command.add_argument(
        '--speed', type=number(0.0), metavar='V', default=1.0,
        help='speed for the test of the gains [m/s] (default: 1)')
    command.add_argument(
        '--response', type=number(0.0), metavar='S',
        help='time constant of the closed loop [s] (default: a quarter of that of the vehicle, '
        'at most 0.3 s, within the limits of tyres and motor)')
    command.add_argument('-o', '--output', metavar='FILE', help='figure to write (default: none)')


def run(options: argparse.Namespace) -> int:
    """Tune, print the gains and how they did."""
    from mvsim_ros2.pictures.figures import save_figure, tuning_figure
    from mvsim_ros2.studies.tuning import tune

    if options.output is not None:
        check_output(options.output, FIGURES)
    with working('tuning'):
        tuning = tune(load(options), options.vehicle, options.physics, options.torque,
                      options.speed, options.response, options.seed)
    plant, gains, trial = tuning.plant, tuning.gains, tuning.trial
    print(f'step of {plant.torque:.4g} N m: speed K (1 - exp(-t / T)), K = {plant.gain:.4g} '
          f'm/s/N m, T = {plant.time_constant:.4g} s, off by {100.0 * plant.misfit:.2g} %')
    print(f'closed loop of {gains.response:.3g} s: KP = {gains.KP:.4g}, KI = {gains.KI:.4g}, '
          f'max_torque = {gains.max_torque:.4g}')
    for line in trial.report():
        print(line)
    print(tuning.xml())
    if options.output is not None:
        save_figure(tuning_figure(tuning), options.output)
        print(options.output)
    return 0 if trial.passed else 1
