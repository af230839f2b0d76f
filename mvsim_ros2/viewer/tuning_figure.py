# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A figure of what `mvsim_ros2 tune` found."""

from typing import Any

from mvsim_ros2.tuning import Tuning
from mvsim_ros2.viewer.matplotlib_figures import COLOURS
from mvsim_ros2.viewer.matplotlib_figures import legend
from mvsim_ros2.viewer.matplotlib_figures import new_figure
from mvsim_ros2.viewer.matplotlib_figures import panel


def tuning_figure(tuning: Tuning) -> Any:
    """
    Return a figure: the step of torque with its fit, the trial of the gains, its torques.

    :raises RecordingError: where matplotlib is missing.
    """
    plant, gains, trial = tuning.plant, tuning.gains, tuning.trial
    figure, panels = new_figure(
        3, 1, f'{tuning.vehicle}: KP = {gains.KP:.4g}, KI = {gains.KI:.4g}, max_torque = '
        f'{gains.max_torque:.4g} N m')
    step, speed, torque = panels[:, 0]
    panel(step, f'Step of {plant.torque:.3g} N m', 'time [s]', 'speed [m/s]')
    step.plot(plant.times, plant.speeds, color=COLOURS[0], label='vehicle')
    step.plot(plant.times, plant.model(), color=COLOURS[1], linestyle='--',
              label=f'{plant.gain:.3g} m/s/N m, {plant.time_constant:.3g} s')
    legend(step)
    panel(speed, f'Rise {trial.rise_time:.2f} s, overshoot {100.0 * trial.overshoot:.1f} %',
          'time [s]', 'speed [m/s]')
    speed.plot(trial.times, trial.commands, color='0.5', linestyle=':', label='command')
    speed.plot(trial.times, trial.speeds, color=COLOURS[0], label='vehicle')
    legend(speed)
    panel(torque, 'Torques of the wheels', 'time [s]', 'torque [N m]')
    for k, values in enumerate(trial.torques.T):
        torque.plot(trial.times, values, color=COLOURS[k % len(COLOURS)], linewidth=1.1,
                    label=f'wheel {k + 1}')
    legend(torque)
    return figure
