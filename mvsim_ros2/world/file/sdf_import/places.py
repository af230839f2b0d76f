# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where files that SDF names lie: `model://`, `file://`, `package://`, Fuel, relative paths."""

from collections.abc import Iterator
import os
from pathlib import Path
import re
from urllib.parse import unquote

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.document.xml_repair import parse_nodes
from mvsim_ros2.world.file.resources.includes import read_text

VARIABLES = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH',
             'GAZEBO_RESOURCE_PATH', 'SDF_PATH')
_CACHES = ('~/.gz/fuel', '~/.ignition/fuel')
_USUAL = ('~/.gazebo/models', '/usr/share/gazebo/models')
_ABOVE = 4  # folders above that of a file that are searched
_FUEL = re.compile(r'https?://([\w.-]+)/(?:\d+\.\d+/)?([^/]+)/models/([^/]+)'
                   r'(?:/(?:\d+|tip))?(?:/files)?(?:/(.*))?')


def find(uri: str, file: str) -> Path | None:
    """
    Return the file or folder that a URI names, None where it is not on this machine.

    It is searched beside the file and in the folders above it, in the folders of `VARIABLES`, in
    those of Gazebo and its cache of Fuel, and in installed packages.

    :param file: where the URI stands.
    """
    fuel = _FUEL.fullmatch(uri)
    candidates = _of_fuel(file, *fuel.groups()) if fuel else _of_path(uri, file)
    return next((path for path in candidates if os.path.exists(path)), None)


def _of_path(uri: str, file: str) -> Iterator[Path]:
    scheme, mark, rest = uri.partition('://')
    path = rest.lstrip('/') if scheme == 'model' else rest if mark else uri
    if scheme not in ('package', 'http', 'https'):
        yield from (folder / path for folder in _folders(file))
    name, _, inside = path.partition('/')
    if scheme in ('package', 'model') and name:
        try:
            yield share_directory(name) / inside
        except ResourceError:
            pass


def _folders(file: str) -> Iterator[Path]:
    """Yield the folders in which models and their files may lie."""
    here = Path(file).absolute().parent
    yield here
    for name in VARIABLES:
        yield from (Path(part) for part in os.environ.get(name, '').split(os.pathsep) if part)
    for folder in (here, *here.parents[:_ABOVE]):
        yield folder
        yield folder / 'models'
    yield from (Path(os.path.expanduser(folder)) for folder in _USUAL)


def _of_fuel(file: str, server: str, owner: str, name: str, inside: str | None) -> Iterator[Path]:
    """Yield where a model of Fuel may lie: in a cache, its newest version, or by its name."""
    caches = [os.environ.get('GZ_FUEL_CACHE_PATH', ''), *map(os.path.expanduser, _CACHES)]
    for cache in caches:
        for place in _named(_named([Path(cache)] if cache else [], server), owner):
            for model in _named([place / 'models'], name):
                versions = [each for each in model.iterdir() if each.name.isdecimal()]
                yield from (each / (inside or '') for each in sorted(
                    versions, key=lambda each: -int(each.name)))
    plain = unquote(name)
    for folder in _folders(file):
        for spelling in (plain, plain.replace(' ', '_'), plain.lower().replace(' ', '_')):
            yield folder / spelling / (inside or '')


def _named(folders: list[Path] | Iterator[Path], name: str) -> Iterator[Path]:
    """Yield the folders of a name in folders, in whatever case and with `%20` for a blank."""
    wanted = unquote(name).lower()
    for folder in folders:
        if folder.is_dir():
            yield from (each for each in sorted(folder.iterdir())
                        if unquote(each.name).lower() == wanted and each.is_dir())


def model_file(path: Path) -> Path | None:
    """
    Return the description in the folder of a model: the newest that its `model.config` names.

    :param path: the folder, or a file, which is returned.
    :raises WorldFileError: where `model.config` cannot be read.
    """
    if path.is_file():
        return path
    config = path / 'model.config'
    named = [(_version(node.attributes.get('version', '')), path / node.text.strip())
             for node in parse_nodes(read_text(str(config)), str(config))[0].children
             if node.tag == 'sdf' and node.text.strip()] if config.is_file() else []
    there = [each for each in named if each[1].is_file()]
    if there:
        return max(there, key=lambda each: each[0])[1]
    usual = path / 'model.sdf'
    return usual if usual.is_file() else None


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split('.') if part.isdecimal())


def missing(uri: str) -> str:
    """Return what to do about a URI that is not found, for messages."""
    if _FUEL.fullmatch(uri):
        return (f'{uri} is not on this machine, and nothing is downloaded: get it with "gz fuel '
                f'download -u {uri}", or put its folder beside the file')
    return (f'{uri!r} is not found beside the file, nor in the folders of {VARIABLES[0]}: add the '
            'folder that holds it to that variable')
