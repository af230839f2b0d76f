# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Included world files: lookup, reading, limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
import os
from pathlib import Path
import re

from mvsim_ros2.base.files import open_file
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import decode, MAX_BYTES, Node, parse_nodes, Warn
from mvsim_ros2.world.file.resources.resources import local_path
from mvsim_ros2.world.spec import Source

MAX_DEPTH = 30
_NAME = re.compile(r'\$\{([^{}|$]+)')
_COMPUTED = re.compile(r'\$\{[^{}|]*\$')
_WORD = re.compile(r'[a-z_]\w*')


def read_text(path: str, what: str = 'world file') -> str:
    """Return the text of a world file, or of another file that makes a part of a world."""
    try:
        with open_file(path) as file:
            return decode(file.read(MAX_BYTES + 1), path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise WorldFileError(f'{path}: cannot read the {what}: {reason}') from error


def is_xacro(path: str, text: str) -> bool:
    """Return whether a file is one of xacro, by its name or its text."""
    return path.endswith('.xacro') or 'xmlns:xacro' in text


@dataclass(frozen=True)
class Parameters:
    """Names used in a file, which attributes of its include may define."""

    names: frozenset[str]  # of `${NAME}`
    words: frozenset[str]  # of formulas, in lower case: they are case-insensitive
    computed: bool  # a name contains another one, as in `${a_${i}}`: any name is possible

    def has(self, name: str) -> bool:
        """Return whether the file may use `name`."""
        return self.computed or name in self.names or name.lower() in self.words


def parameters(roots: list[Node]) -> Parameters:
    """Return the names used in all elements of a file."""
    texts = [text for root in roots for text in _texts(root) if '$' in text]
    formulas = [text.lower() for text in texts if '$f{' in text]
    return Parameters(
        frozenset(name.strip() for text in texts for name in _NAME.findall(text)),
        frozenset(word for text in formulas for word in _WORD.findall(text)),
        any(_COMPUTED.search(text) for text in texts))


def _texts(node: Node) -> Iterator[str]:
    yield node.text
    yield from node.attributes.values()
    for child in node.children:
        yield from _texts(child)


class IncludedFiles:
    """Included files of one world, each parsed once."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._roots: dict[str, list[Node]] = {}
        self._parameters: dict[str, Parameters] = {}
        self._real_path = lru_cache(maxsize=None)(os.path.realpath)

    def find(self, name: str, source: Source, folders: list[str]) -> str:
        """Return the path of an included file."""
        if '://' in name and not name.startswith(('file://', 'package://')):
            raise WorldFileError(f'{source}: cannot include {name}: an include takes plain files '
                                 'only, download it')
        try:
            tried = [os.path.normpath(local_path(name, Path(folder))) for folder in folders]
        except ResourceError as error:
            raise WorldFileError(f'{source}: cannot include {name}: {error}') from error
        for path in tried:
            if '\0' not in path and os.path.isfile(path):
                return path
        raise WorldFileError(f'{source}: there is no file {name!r} to include; '
                             f'tried {", ".join(dict.fromkeys(tried))}')

    def read(self, path: str, source: Source, chain: tuple[str, ...]) -> list[Node]:
        """Return the root elements of an included file."""
        if self._real_path(path) in map(self._real_path, chain):
            raise WorldFileError(f'{source}: {path} includes itself: {" > ".join(chain)} > {path}')
        if len(chain) > MAX_DEPTH:
            raise WorldFileError(f'{source}: includes are nested more than {MAX_DEPTH} deep')
        if path not in self._roots:
            self._roots[path] = parse_nodes(read_text(path), path, self._warn)
        return self._roots[path]

    def parameters(self, path: str) -> Parameters:
        """Return the names used in a file that has been read."""
        if path not in self._parameters:
            self._parameters[path] = parameters(self._roots[path])
        return self._parameters[path]
