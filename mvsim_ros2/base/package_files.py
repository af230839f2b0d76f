# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Paths of the installed files of a package: worlds, launch files, configuration."""

import os
from pathlib import Path

from mvsim_ros2.errors import ResourceError

OWN_NAME = 'mvsim_ros2'
WORLD_SUFFIX = '.world.xml'


def share_directory(package: str = OWN_NAME) -> Path:
    """
    Return the absolute path of the share folder of `package`.

    For this package it belongs to the running code: its source tree, or the prefix of its
    installation by pip or colcon. Other packages are looked up in the ament index, the prefixes
    of AMENT_PREFIX_PATH.

    :param package: name of a ROS package.
    :raises ResourceError: where there is no such folder; names the folders that were tried.
    """
    candidates = _beside_the_code() if package == OWN_NAME else _indexed(package)
    for folder, witness in candidates:
        if witness.is_file():
            return folder
    tried = ', '.join(str(folder) for folder, _ in candidates)
    raise ResourceError(
        f'package "{package}": no share folder found, tried: {tried or "nothing"}; '
        'install the package, or source the workspace that has it '
        '(AMENT_PREFIX_PATH names the prefixes that are searched)')


def world_path(name: str | os.PathLike[str]) -> Path:
    """
    Return the path of the world file `name`.

    :param name: path, which may begin with ``~``, or name of a world of this package, with or
        without the extension.
    :raises ResourceError: where there is no such file; lists the worlds of this package.

    >>> from mvsim_ros2 import world_path
    >>> world_path('demo').name
    'demo.world.xml'
    """
    here = Path(os.path.expanduser(name))
    if os.path.isfile(here):  # of a name of any length, unlike Path.is_file
        return here
    shipped = share_directory() / 'worlds'
    for path in (shipped / name, shipped / f'{name}{WORLD_SUFFIX}') if os.fspath(name) else ():
        if os.path.isfile(path):
            return path
    names = ', '.join(sorted(path.name.removesuffix(WORLD_SUFFIX)
                             for path in shipped.glob(f'*{WORLD_SUFFIX}')))
    if not os.fspath(name):
        raise ResourceError(f'world is not set: give the path of a world file, or one of {names}, '
                            'as in -p world:=demo, or world:=demo for a launch file')
    raise ResourceError(
        f'there is no world {os.fspath(name)!r}: give the path of a world file, or one of {names}')


def _beside_the_code() -> list[tuple[Path, Path]]:
    """Return candidate share folders of this package, each with a marker file, nearest first."""
    code = Path(__file__).resolve().parents[1]
    folders = [code.parent]
    folders += [parent / 'share' / OWN_NAME for parent in code.parents]
    return [(folder, folder / 'package.xml') for folder in folders]


def _indexed(package: str) -> list[tuple[Path, Path]]:
    """Return the share folders of `package` in the ament index, each with its marker file."""
    prefixes = [Path(prefix).absolute()
                for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep) if prefix]
    return [(prefix / 'share' / package,
             prefix / 'share/ament_index/resource_index/packages' / package)
            for prefix in prefixes]
