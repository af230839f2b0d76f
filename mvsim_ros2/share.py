# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Where the installed files of a package lie: worlds, launch files, configuration."""

import os
from pathlib import Path

from mvsim_ros2.errors import ResourceError

OWN_NAME = 'mvsim_ros2'
WORLD_SUFFIX = '.world.xml'


def share_directory(package: str = OWN_NAME) -> Path:
    """
    Return the folder that holds the shared files of `package`, as an absolute path.

    The files of this package are those that belong to the running code: its source tree, or
    the prefix into which pip or colcon installed it. Other packages are looked up in the
    ament index, that is in the prefixes that AMENT_PREFIX_PATH names.

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


def world_path(name: str) -> Path:
    """
    Return the world file that `name` means.

    :param name: a path, which may begin with ``~`` (shells leave that in ``world:=~/my.xml``), or
        the name of a world of this package, with or without the ending.
    :raises ResourceError: where there is no such file; lists the worlds of this package.

    >>> from mvsim_ros2 import world_path
    >>> world_path('demo').name
    'demo.world.xml'
    """
    shipped = share_directory() / 'worlds'
    here = Path(os.path.expanduser(name))
    candidates = [here, shipped / name, shipped / f'{name}{WORLD_SUFFIX}']
    for path in candidates if name else []:
        if path.is_file():
            return path
    names = ', '.join(sorted(path.name.removesuffix(WORLD_SUFFIX)
                             for path in shipped.glob(f'*{WORLD_SUFFIX}')))
    if not name:
        raise ResourceError(f'world is not set: give the path of a world file, or one of {names}, '
                            'as in world:=demo')
    raise ResourceError(
        f'there is no world {name!r}: give the path of a world file, or one of {names}')


def _beside_the_code() -> list[tuple[Path, Path]]:
    """Return where our own files may lie, each with a file that proves it, nearest first."""
    code = Path(__file__).resolve().parent
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
