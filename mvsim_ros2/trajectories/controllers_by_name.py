# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers by name, for command lines and plans."""

from collections.abc import Mapping
import math
import os
from pathlib import Path

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.trajectories.controller import Controller, RouteFollower
from mvsim_ros2.trajectories.explorer import Explorer
from mvsim_ros2.trajectories.replay import CommandReplay, FILE_NAME
from mvsim_ros2.trajectories.route import figure_of_eight, lawn_mower
from mvsim_ros2.trajectories.route_file import read_route

Numbers = dict[str, float]

SIZES = ('length', 'width', 'spacing')  # of a lawn mower's pattern
OPTIONS: Mapping[str, tuple[str, ...]] = {
    'follow': ('speed', 'laps', 'relative', 'place'),
    'eight': ('speed', 'laps', 'radius'),
    'lawn_mower': ('speed', *SIZES),
    'explore': ('speed', 'margin', 'seed', 'x_min', 'y_min', 'x_max', 'y_max'),
    'replay': (),
}
NEED_FILE = ('follow', 'replay')
BOUNDS = ('x_min', 'y_min', 'x_max', 'y_max')


def make_controller(text: str, vehicle: str | None = None,
                    folder: str | Path | None = None) -> Controller:
    """
    Return the controller of a description.

    ``follow:FILE``, ``replay:RUN``, ``eight``, ``lawn_mower`` or ``explore``; options follow
    after commas, as in ``follow:office.csv,speed=0.5,laps=2`` and ``eight,radius=4``. They are
    the parameters of `RouteFollower`, `figure_of_eight`, `lawn_mower` and `Explorer`; all are
    numbers, 1 means yes. A pattern starts at the pose of the vehicle.

    :param vehicle: name, None for the first one.
    :param folder: of relative paths; None for the working directory.
    :raises TrajectoryError: where the description or its file is not valid.
    """
    head, *rest = text.split(',')
    name, colon, file = head.partition(':')
    if name not in OPTIONS:
        raise TrajectoryError(f'there is no controller {name!r}, only {", ".join(OPTIONS)}')
    if (name in NEED_FILE) != bool(file):
        raise TrajectoryError(f'controller {text!r}: ' + (
            f'give a file, as in {name}:FILE' if name in NEED_FILE else
            f'{name} takes no file'))
    numbers = _numbers(text, name, rest)
    path = file_of(text, folder) or Path()
    if name == 'replay':
        return CommandReplay(path, vehicle)
    if name == 'explore':
        return _explorer(vehicle, numbers)
    sizes = {key: numbers[key] for key in ('radius', *SIZES) if key in numbers}
    route = (read_route(path) if name == 'follow' else
             figure_of_eight(**sizes) if name == 'eight' else lawn_mower(**sizes))
    return RouteFollower(
        route, vehicle, numbers.get('speed'), int(numbers.get('laps', 1)),
        name != 'follow' or bool(numbers.get('relative', 0)), bool(numbers.get('place', 0)))


def file_of(text: str, folder: str | Path | None = None) -> Path | None:
    """
    Return the file in the description of a controller, None where it has none.

    Paths of this package are given by name: ``follow:office`` is worlds/paths/office.csv. The
    folder of a recording means its commands.
    """
    name = text.partition(',')[0].partition(':')[2]
    if not name:
        return None
    path = Path(folder or '.') / name
    shipped = share_directory() / 'worlds' / 'paths' / f'{name}.csv'
    if os.path.isdir(path):  # a recording
        return path / FILE_NAME
    return shipped if not os.path.exists(path) and os.path.isfile(shipped) else path


def _numbers(text: str, name: str, options: list[str]) -> Numbers:
    numbers: Numbers = {}
    for option in options:
        key, _, value = option.partition('=')
        if key not in OPTIONS[name]:
            raise TrajectoryError(f'controller {text!r}: {name} has no option {key!r}, only '
                                  f'{", ".join(OPTIONS[name]) or "none"}')
        try:
            numbers[key] = float(value)
            if not math.isfinite(numbers[key]):
                raise ValueError
        except ValueError:
            raise TrajectoryError(
                f'controller {text!r}: {key} is {value!r}: give a number') from None
    for key in ('laps', 'seed'):
        if not numbers.get(key, 0.0).is_integer() or numbers.get(key, 0.0) < 0:
            raise TrajectoryError(
                f'controller {text!r}: {key} must be a whole number, 0 or more')
    return numbers


def _explorer(vehicle: str | None, numbers: Numbers) -> Controller:
    known = [numbers[key] for key in BOUNDS if key in numbers]
    if len(known) not in (0, len(BOUNDS)):
        raise TrajectoryError(f'explore: give all of {", ".join(BOUNDS)}, or none')
    seed = int(numbers['seed']) if 'seed' in numbers else None
    return Explorer(vehicle, seed, numbers.get('speed', 0.6), numbers.get('margin', 0.12),
                    (known[0], known[1], known[2], known[3]) if known else None)
