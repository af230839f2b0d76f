# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures that matplotlib draws: their common look, figures of logs and of tuning."""

from pathlib import Path
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.read_log import VehicleLog

if TYPE_CHECKING:
    from mvsim_ros2.studies.tuning import Tuning

COLOURS = ('#2066a8', '#d1702a', '#3b8a4e', '#7b4fa3', '#b03a48', '#5f6b76')
PANEL = 6.2, 2.9  # inches, width and height
DOTS = 110  # px an inch
TITLE, TEXT, SMALL = 11, 10, 9  # points
TIME = 'time [s]'


def new_figure(rows: int, columns: int, title: str = '',
               size: tuple[float, float] = PANEL) -> tuple[Any, Any]:
    """
    Return an empty figure and its panels, shape (rows, columns).

    :param title: above all panels; leave it out where one panel says it.
    :raises RecordingError: where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as error:
        raise RecordingError(
            "figures need matplotlib: pip install 'mvsim_ros2[plots]', or apt install "
            'python3-matplotlib') from error
    figure = Figure(figsize=(size[0] * columns, size[1] * rows), layout=ConstrainedLayoutEngine(
        w_pad=0.08, h_pad=0.06, wspace=0.03, hspace=0.03))
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(title, x=0.01, ha='left', fontsize=TITLE)
    return figure, figure.subplots(rows, columns, squeeze=False)


def panel(axes: Any, title: str, x: str, y: str) -> None:
    """Set the title and the axis labels of a panel, the latter with their units."""
    axes.set_title(title, loc='left', fontsize=TITLE, fontweight='bold')
    axes.set_xlabel(x, fontsize=TEXT)
    axes.set_ylabel(y, fontsize=TEXT)
    axes.tick_params(labelsize=SMALL, color='0.4')
    axes.grid(color='0.92', linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[['top', 'right']].set_visible(False)
    axes.spines[['left', 'bottom']].set_color('0.4')


def second_axis(axes: Any, y: str, colour: str) -> Any:
    """Return a second axis on the right of a panel, in the colour of its only line."""
    right = axes.twinx()
    right.set_ylabel(y, fontsize=TEXT, color=colour)
    right.tick_params(labelsize=SMALL, color=colour, labelcolor=colour)
    right.spines['top'].set_visible(False)
    right.spines[['left', 'bottom', 'right']].set_color('0.4')
    return right


def legend(axes: Any, **options: Any) -> None:
    """Add a legend to a panel, or to a figure, on half-clear ground without a frame."""
    drawn = axes.legend(**{'fontsize': SMALL, 'title_fontsize': SMALL, 'facecolor': 'white',
                           'edgecolor': 'none', 'framealpha': 0.8} | options)
    drawn.set_zorder(10)


def save_figure(figure: Any, path: str | Path) -> None:
    """
    Write a figure.

    :raises RecordingError: where it cannot be written, or the extension is not known.
    """
    try:
        with replaced(path) as new:
            figure.savefig(new, dpi=DOTS)
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the figure cannot be written: {error}') from error


def log_figure(log: VehicleLog) -> Any:
    """
    Return a figure of a log: path, speeds, and torque, load, slip and friction of each wheel.

    :raises RecordingError: where matplotlib or a column is missing, or a log has no rows.
    """
    if not len(log.pose['Timestamp']):
        raise RecordingError(f'the logs of {log.name} have no rows: run longer')
    figure, panels = new_figure(4, 2, log.title.removeprefix('pose of '))
    try:
        _draw_path(panels[0, 0], log)
        _draw_speeds(panels[0, 1], log)
        for axes, column, title, unit in (
                (panels[1, 0], 'torque', 'Torque of the motors', 'torque [N m]'),
                (panels[1, 1], 'force_z', 'Normal load', 'load [N]'),
                (panels[2, 0], 'slip_ratio', 'Longitudinal slip', 'slip ratio'),
                (panels[2, 1], 'slip_angle', 'Slip angle', 'slip angle [deg]')):
            panel(axes, title, TIME, unit)
            for k, wheel in enumerate(log.wheels):
                values = wheel[column]
                axes.plot(wheel['Timestamp'],
                          np.degrees(values) if column == 'slip_angle' else values,
                          linewidth=1.2, label=_name(wheel, k), **_line(k))
        _draw_friction(panels[3, 0], panels[3, 1], log)
    except KeyError as error:
        raise RecordingError(
            f'a log of {log.name} has no column {error}: write it again with `mvsim_ros2 log`'
        ) from error
    if log.wheels:
        legend(figure, handles=panels[1, 0].lines, loc='outside lower center', ncols=4)
    return figure


def _draw_path(axes: Any, log: VehicleLog) -> None:
    panel(axes, 'Path', 'x [m]', 'y [m]')
    pose = log.pose
    axes.plot(pose['q0x'], pose['q1y'], color=COLOURS[0], label='true path, from the dot on')
    x, y = _in_world(log)
    axes.plot(x, y, color=COLOURS[1], linestyle='--', linewidth=1.0, label='odometry')
    axes.plot(pose['q0x'][:1], pose['q1y'][:1], 'o', color=COLOURS[0], markersize=5)
    axes.set_aspect('equal', adjustable='datalim')
    _legend_below(axes)


def _in_world(log: VehicleLog) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the path by odometry, aligned with the true one at its first row."""
    pose = log.pose
    x, y = (pose[name] - pose[name][0] for name in ('odo_x', 'odo_y'))
    turn = pose['q3yaw'][0] - pose['odo_yaw'][0]
    return (pose['q0x'][0] + np.cos(turn) * x - np.sin(turn) * y,
            pose['q1y'][0] + np.sin(turn) * x + np.cos(turn) * y)


def _draw_speeds(axes: Any, log: VehicleLog) -> None:
    panel(axes, 'Speeds in the body frame', TIME, 'speed [m/s]')
    time = log.pose['Timestamp']
    axes.plot(time, log.pose['dqx'], color=COLOURS[0], label='forward')
    axes.plot(time, log.pose['dqy'], color=COLOURS[2], label='to the left')
    first = log.wheels[0] if log.wheels else {}
    if 'pid_sp_vel_l' in first:
        for side, name, colour in (('l', 'left', '0.35'), ('r', 'right', '0.6')):
            axes.plot(first['Timestamp'], first[f'pid_sp_vel_{side}'], color=colour,
                      linestyle=':', linewidth=1.2, label=f'set point {name}')
    right = second_axis(axes, 'yaw rate [rad/s]', COLOURS[1])
    right.plot(time, log.pose['dqw'], color=COLOURS[1], linewidth=1.0, label='yaw rate')
    _legend_below(axes, handles=[*axes.lines, *right.lines])


def _legend_below(axes: Any, **options: Any) -> None:
    """Add a legend below a panel, where it covers no line."""
    legend(axes, loc='upper left', bbox_to_anchor=(0.0, -0.2), ncols=3, **options)


def _draw_friction(over_time: Any, circle: Any, log: VehicleLog) -> None:
    panel(over_time, 'Friction used', TIME, 'force / load')
    panel(circle, 'Friction of each wheel', 'to the left / load', 'forward / load')
    most = 0.1
    for k, wheel in enumerate(log.wheels):
        load = np.where(wheel['force_z'] > 0.0, wheel['force_z'], np.nan)
        along = wheel['wheel_long_friction'] / load
        across = wheel['wheel_lateral_friction'] / load
        used = np.hypot(along, across)
        over_time.plot(wheel['Timestamp'], used, linewidth=1.2, **_line(k))
        circle.plot(across, along, '.', color=_line(k)['color'], markersize=2.0)
        most = max(most, float(np.nanmax(used, initial=0.0)))
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    circle.plot(most * np.cos(angle), most * np.sin(angle), color='0.7', linewidth=0.9)
    circle.annotate(f'circle: largest, {most:.2f}', (0.99, 0.02), xycoords='axes fraction',
                    ha='right', fontsize=SMALL, color='0.4')
    circle.set_aspect('equal', adjustable='datalim')
    circle.invert_xaxis()  # plot left to the left


def _line(k: int) -> dict[str, str]:
    """Return colour and style of the line of a wheel; equal ones are seen below each other."""
    return {'color': COLOURS[k % len(COLOURS)], 'linestyle': ('-', '--', '-.', ':')[k % 4]}


def _name(wheel: dict[str, NDArray[np.float64]], k: int) -> str:
    x, y = (float(wheel[f'wheel_pos_{axis}'][0]) for axis in 'xy')
    return f'wheel {k + 1} at ({x:+.2f}, {y:+.2f}) m'


def tuning_figure(tuning: 'Tuning') -> Any:
    """Return a figure of a tuning: torque step with fit, test of the gains, torques."""
    plant, gains, trial = tuning.plant, tuning.gains, tuning.trial
    figure, panels = new_figure(
        3, 1, f'{tuning.vehicle}: KP = {gains.KP:.4g}, KI = {gains.KI:.4g}, max_torque = '
        f'{gains.max_torque:.4g} N m')
    step, speed, torque = panels[:, 0]
    panel(step, f'Step of {plant.torque:.3g} N m', TIME, 'speed [m/s]')
    step.plot(plant.times, plant.speeds, color=COLOURS[0], label='vehicle')
    step.plot(plant.times, plant.model(), color=COLOURS[1], linestyle='--',
              label=f'fit: {plant.gain:.3g} m/s per N m, {plant.time_constant:.3g} s')
    legend(step)
    panel(speed, f'Rise {trial.rise_time:.2f} s, overshoot {100.0 * trial.overshoot:.1f} %',
          TIME, 'speed [m/s]')
    speed.plot(trial.times, trial.commands, color='0.5', linestyle=':', label='command')
    speed.plot(trial.times, trial.speeds, color=COLOURS[0], label='vehicle')
    legend(speed)
    panel(torque, 'Torques of the wheels', TIME, 'torque [N m]')
    for k, values in enumerate(trial.torques.T):
        torque.plot(trial.times, values, linewidth=1.4, label=f'wheel {k + 1}', **_line(k))
    legend(torque)
    return figure
