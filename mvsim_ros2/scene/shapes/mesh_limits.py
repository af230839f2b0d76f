# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mesh files that would take all memory: small, but with parts that stand for many."""

from functools import cache
import json
from pathlib import Path
import struct
from typing import Any
import xml.etree.ElementTree as ElementTree

from mvsim_ros2.base.files import open_file, read_bytes
from mvsim_ros2.errors import SceneError

MOST_BYTES = 256_000_000
MOST_NUMBERS = 100_000_000  # in the arrays of a glTF file
MOST_PARTS = 10_000  # copies of surfaces that a file stands for
_ARCHIVES = '.bz2', '.gz', '.zae', '.zip'
_GLTF = '.glb', '.gltf'
_COPIES = '}instance_node', '}instance_geometry', '}instance_controller'


def check_mesh(path: str) -> None:
    """
    Check how much a mesh file stands for.

    :raises SceneError: where that is too much, or it cannot be read.
    """
    suffix = Path(path).suffix.lower()
    try:
        if suffix in _ARCHIVES:
            raise SceneError(f'the mesh {path} is in an archive: unpack it')
        if suffix in _GLTF:
            _check_gltf(read_bytes(path, MOST_BYTES), path)
        elif suffix == '.dae':
            _check_collada(read_bytes(path, MOST_BYTES), path)
        else:
            open_file(path, MOST_BYTES).close()
    except OSError as error:
        raise SceneError(f'the mesh {path} cannot be read: {error.strerror}') from error


def _check_gltf(data: bytes, path: str) -> None:
    """Count what is allocated from the JSON of a file alone; that it is valid, others check."""
    if data[:4] == b'glTF' and len(data) >= 20:
        data = data[20:20 + struct.unpack_from('<I', data, 12)[0]]
    try:
        said: Any = json.loads(data)
        numbers = sum(max(0, int(each.get('count', 0))) for each in said.get('accessors', ()))
        parts = sum('mesh' in each for each in said.get('nodes', ()))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return
    _refuse(path, 4 * numbers, MOST_NUMBERS, 'numbers')
    _refuse(path, parts, MOST_PARTS, 'surfaces')


def _check_collada(data: bytes, path: str) -> None:
    """Count the surfaces of all scenes, of which nodes may stand for others again and again."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return
    nodes = {f'#{each.get("id")}': each for each in root.iter() if each.tag.endswith('}node')}

    @cache
    def surfaces(name: str) -> int:
        return _surfaces_in(nodes[name]) if name in nodes else 0

    def _surfaces_in(part: Any) -> int:
        return sum(surfaces(each.get('url', '')) if 'instance_node' in each.tag else 1
                   for each in part.iter() if each.tag.endswith(_COPIES))

    try:
        count = sum(_surfaces_in(each) for each in root.iter()
                    if each.tag.endswith('}visual_scene'))
    except RecursionError:
        raise SceneError(f'the mesh {path} has a node that holds itself') from None
    _refuse(path, count, MOST_PARTS, 'surfaces')


def _refuse(path: str, count: int, most: int, what: str) -> None:
    if count > most:
        raise SceneError(f'the mesh {path} stands for {count} {what}, at most {most} are read: '
                         'make it smaller')
