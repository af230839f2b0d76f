# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The `<include>` of SDF: models of other files in a world or model, merged into it or not."""

from collections.abc import Iterator
from dataclasses import replace
import os
from pathlib import Path
import re
from urllib.parse import unquote

import numpy as np

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import Node, parse_nodes, Warn
from mvsim_ros2.world.file.resources.includes import IncludedFiles, read_text
from mvsim_ros2.world.file.sdf_import.frames import MODEL, Scope
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    all_in, element, is_true, sdf_place, sdf_pose, text_of)

_MOST = 20_000  # includes of one file
_PLACED = ('model', 'light', 'actor', 'robot')
# models that most worlds of Gazebo include, for machines without it
_USUAL = {
    'sun': '<light name="sun" type="directional"><direction>-0.5 0.1 -0.9</direction></light>',
    'groundplane': '<model name="ground_plane"><static>1</static><link name="link"><collision '
                   'name="collision"><geometry><plane><size>100 100</size></plane></geometry>'
                   '</collision></link></model>'}
_OVERRIDDEN = ('pose', 'static')


class Includes:
    """The files that a world or model of SDF includes."""

    def __init__(self, warn: Warn) -> None:
        self._warn, self._files, self._count = warn, IncludedFiles(warn), 0

    def completed(self, node: Node, chain: tuple[str, ...]) -> Node:
        """Return a world or model with what it includes in place of each `<include>`."""
        children: list[Node] = []
        for child in node.children:
            if child.tag == 'model':
                children.append(self.completed(child, chain))
            elif child.tag == 'include':
                children += self._included(child, chain, node.tag == 'model')
            else:
                children.append(child)
        return replace(node, children=children)

    def _included(self, include: Node, chain: tuple[str, ...], inside: bool) -> Iterator[Node]:
        uri = text_of(include, 'uri')
        self._count += 1
        if self._count > _MOST:
            raise WorldFileError(f'{include.source}: more than {_MOST} includes: include less')
        where = find(uri, include.source.file) if uri else None
        file = None if where is None else model_file(where)
        plain = ''.join(filter(str.isalpha, uri.rpartition('/models/')[2] if '/models/' in uri
                               else uri.removeprefix('model://'))).lower()
        if file is not None:
            root = modern(self._files.read(str(file), include.source, chain)[0])
            chain = (*chain, str(file))
        elif plain in _USUAL:
            root = element('sdf', include.source, children=parse_nodes(
                _USUAL[plain], include.source.file))
        else:
            self._warn(include.source, f'this <include> is left out: {missing(uri)}')
            return
        found = next((each for each in (root, *root.children) if each.tag in _PLACED), None)
        if found is None or inside and found.tag != 'model':
            self._warn(include.source, f'this <include> is left out: {file} has no <model>'
                       f'{" that can be in a model" if inside else ""}')
            return
        given = [child for child in include.children if child.tag in _OVERRIDDEN]
        tags = {child.tag for child in given}
        names = {'name': text_of(include, 'name') or found.attributes.get('name', ''),
                 'placement_frame': text_of(include, 'placement_frame')}
        if 'pose' not in tags and not names['placement_frame']:
            names.pop('placement_frame')
        whole = replace(
            found, attributes=found.attributes | names,
            children=[*given, *(child for child in found.children if child.tag not in tags),
                      *(child for child in include.children if child.tag == 'plugin')])
        if found.tag == 'model':
            whole = self.completed(whole, chain)
        if inside and is_true(include.attributes.get('merge', '')):
            yield from _merged(whole)
        else:
            yield whole


def modern(root: Node) -> Node:
    """Return a document of SDF with the frames of all joint axes."""
    version = root.attributes.get('version', '')
    old = version.strip() in ('1.0', '1.2', '1.3', '1.4')
    for joint in all_in([root], 'joint'):
        for axis in (child for child in joint.children if child.tag in ('axis', 'axis2')):
            along = axis.child('xyz')
            if along is not None and (old or is_true(text_of(axis, 'use_parent_model_frame'))):
                along.attributes.setdefault('expressed_in', MODEL)
    return root


def _merged(model: Node) -> Iterator[Node]:
    """Yield the parts of a model as parts of the one that it is merged into."""
    own = f'_merged__{model.attributes["name"]}__model__'
    scope = Scope(model)
    held = scope.pose(model.attributes.get('placement_frame', ''), model.source)
    place = sdf_place(model.source, sdf_pose(model) @ np.linalg.inv(held))
    given = model.child('pose')
    base = '' if given is None else given.attributes.get('relative_to', '')
    place.attributes['relative_to'] = base or MODEL
    yield element('frame', model.source, children=[place], attributes={
        'name': own, 'attached_to': scope.link('', model.source)})
    for child in model.children:
        if child.tag in ('link', 'model', 'joint', 'frame', 'plugin'):
            yield _renamed(child, own)


def _renamed(node: Node, own: str, top: bool = True) -> Node:
    """Return a part of a model, with another name for the frame of the model."""
    attributes = {key: own if text == MODEL and key in (
        'relative_to', 'expressed_in', 'attached_to') else text
        for key, text in node.attributes.items()}
    children = [_renamed(child, own, False) if node.tag != 'model' or child.tag == 'pose'
                else child for child in node.children]
    if top and node.tag in ('link', 'model'):
        place = next((child for child in children if child.tag == 'pose'), None)
        if place is None:
            place = element('pose', node.source)
            children.append(place)
        place.attributes['relative_to'] = place.attributes.get('relative_to') or own
    if top and node.tag == 'frame' and not attributes.get('attached_to'):
        attributes['attached_to'] = own
    text = own if node.tag in ('parent', 'child') and node.text.strip() == MODEL else node.text
    return replace(node, attributes=attributes, children=children, text=text)


VARIABLES = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH',
             'GAZEBO_RESOURCE_PATH', 'SDF_PATH')
_CACHES = ('~/.gz/fuel', '~/.ignition/fuel')
_FOLDERS = ('~/.gazebo/models', '/usr/share/gazebo/models')
_ABOVE = 4  # folders above that of a file that are searched
_FUEL = re.compile(r'https?://([\w.-]+)/(?:\d+\.\d+/)?([^/]+)/models/([^/]+)'
                   r'(?:/(?:\d+|tip))?(?:/files)?(?:/(.*))?')


def find(uri: str, file: str) -> Path | None:
    """
    Return the file or folder that a URI names, None where it is not on this machine.

    The search covers the folder of the file and those above it, the folders of `VARIABLES` and
    Gazebo, its cache of Fuel, and installed packages.
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
    yield from (Path(os.path.expanduser(folder)) for folder in _FOLDERS)


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
    """Return the description in the folder of a model, the newest in its `model.config`."""
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
