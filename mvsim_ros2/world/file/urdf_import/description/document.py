# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of a robot description: plain URDF, or xacro, which is expanded."""

from collections.abc import Mapping
from dataclasses import dataclass
import shlex

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.document.xml_repair import parse_nodes, Warn
from mvsim_ros2.world.file.report import instead_of
from mvsim_ros2.world.file.resources.includes import is_xacro, read_text
from mvsim_ros2.world.file.urdf_import.description.expand_xacro import (
    expand_xacro, is_own, what_it_runs)
from mvsim_ros2.world.file.urdf_import.description.xacro_process import PLACE
from mvsim_ros2.world.spec import Source


@dataclass(frozen=True)
class Document:
    """A robot description."""

    root: Node  # <robot> or <sdf>
    text: str  # without macros
    unused: str  # what is to be said of arguments that it does not take, '' where it takes all
    known: tuple[str, ...] = ()  # arguments that it takes


def arguments_of(text: str, source: Source) -> dict[str, str]:
    """
    Return the arguments in `name:=value name:=value`, the form of the command line of xacro.

    :raises WorldFileError: where they have another form.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise WorldFileError(f'{source}: urdf_args {text!r}: {error}: close it') from error
    arguments = {}
    for word in words:
        name, sign, value = word.partition(':=')
        if not (name and sign):
            raise WorldFileError(f'{source}: urdf_args has {word!r}: write name:=value for each '
                                 'argument')
        arguments[name] = value
    return arguments


def read_document(path: str, arguments: Mapping[str, str], warn: Warn,
                  allow_xacro: bool = True) -> Document:
    """
    Return a robot description, with xacro expanded.

    :param path: the file; xacro if its name ends in `.xacro` or it uses the namespace.
    :param arguments: of xacro.
    :param warn: called with source and message of recoverable faults.
    :param allow_xacro: evaluate xacro that is not from this package.
    :raises WorldFileError: where it is not valid or not allowed; names file and line.
    """
    text = read_text(path, 'robot description')
    expands = is_xacro(path, text)
    known: tuple[str, ...] = ()
    if expands:
        if not allow_xacro and not is_own(path, arguments):
            raise WorldFileError(
                f'{path}:1: xacro evaluates its expressions as programs ({what_it_runs(text)}): '
                'allow it with --allow-xacro, or allow_xacro in a script or as a parameter, if '
                'you trust the file and what it includes; or expand it first')
        expanded = expand_xacro(path, arguments, warn)
        marked, text, known = expanded.marked, expanded.text, expanded.known
        unused = next((f'{path} takes no argument {name}{instead_of(name, expanded.known)}'
                       for name in arguments if name not in expanded.known), '')
    else:
        marked, unused = text, ''
        if arguments:
            unused = (f'{", ".join(arguments)}: a plain URDF file takes no arguments: leave them '
                      'out')
    roots = parse_nodes(marked, path, warn)
    if roots[0].tag not in ('robot', 'sdf') or len(roots) > 1:
        raise WorldFileError(f'{roots[-1].source}: the root is <{roots[-1].tag}>: a robot '
                             'description has one root, <robot> or <sdf>')
    if expands:
        _restore_places(roots[0], roots[0].source)
    return Document(roots[0], text, unused, known)


def text_of_file(path: str, allow_xacro: bool) -> str:
    """
    Return the text of a world file or description, with xacro expanded.

    :param allow_xacro: evaluate xacro that is not from this package.
    :raises WorldFileError: where it cannot be read, or is not allowed.
    """
    text = read_text(path)
    if is_xacro(path, text):
        return read_document(path, {}, lambda source, message: None, allow_xacro).text
    return text


def _restore_places(node: Node, source: Source) -> None:
    """Restore the source lines of a node and its descendants."""
    file, _, line = node.attributes.pop(PLACE, '').rpartition(':')
    node.source = Source(file, int(line)) if line.isdecimal() else source
    for child in node.children:
        _restore_places(child, node.source)
