# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Reading of a robot description: plain URDF, or xacro, which is expanded.

The elements of an expanded file keep their source lines: while xacro parses, each element gets an
attribute with file and line, which macros copy.
"""

from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from contextlib import redirect_stderr
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
import shlex
from threading import Lock
from typing import Any
from xml.dom import DOMException
from xml.dom import expatbuilder
from xml.dom import Node as Dom
from xml.parsers.expat import ExpatError

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.package_files import share_directory
from mvsim_ros2.spec.common import Source
from mvsim_ros2.world_file.document.tree import Node
from mvsim_ros2.world_file.document.xml_repair import MAX_BYTES
from mvsim_ros2.world_file.document.xml_repair import parse_nodes
from mvsim_ros2.world_file.document.xml_repair import Warn
from mvsim_ros2.world_file.resources.includes import read_text

_PLACE = 'written-at'  # attribute with file and line during the expansion
_ONE_AT_A_TIME = Lock()  # xacro has module state

# what xacro raises where a file is broken; expressions in it may raise more or less anything
_FAULTS: tuple[type[Exception], ...] = (
    ArithmeticError, AssertionError, AttributeError, DOMException, ExpatError, LookupError,
    MemoryError, NameError, OSError, RuntimeError, SyntaxError, TypeError, ValueError)


@dataclass(frozen=True)
class Document:
    """A robot description."""

    root: Node  # <robot>
    text: str  # URDF, without macros


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


def read_document(path: str, arguments: Mapping[str, str], warn: Warn) -> Document:
    """
    Return a robot description, with xacro expanded.

    :param path: the file; xacro if its name ends in `.xacro` or it uses the namespace.
    :param arguments: of xacro.
    :param warn: called with source and message of recoverable faults.
    :raises WorldFileError: where it is not valid; names file and line.
    """
    text = read_text(path)
    is_xacro = path.endswith('.xacro') or 'xmlns:xacro' in text
    if is_xacro:
        marked, text = _expanded(path, arguments, warn)
    else:
        marked = text
        if arguments:
            warn(Source(path, 1), f'{", ".join(arguments)}: a plain URDF file takes no '
                 'arguments: take urdf_args out')
    roots = parse_nodes(marked, path, warn)
    if roots[0].tag != 'robot' or len(roots) > 1:
        raise WorldFileError(f'{roots[-1].source}: the root is <{roots[-1].tag}>: a robot '
                             'description has one root, <robot>')
    if is_xacro:
        _restore_places(roots[0], roots[0].source)
    return Document(roots[0], text)


def _restore_places(node: Node, source: Source) -> None:
    """Restore the source lines of a node and its descendants."""
    file, _, line = node.attributes.pop(_PLACE, '').rpartition(':')
    node.source = Source(file, int(line)) if line.isdecimal() else source
    for child in node.children:
        _restore_places(child, node.source)


def _expanded(path: str, arguments: Mapping[str, str], warn: Warn) -> tuple[str, str]:
    """Return the expanded text of a xacro file, with and without source lines."""
    try:
        import xacro
    except ImportError as error:
        raise WorldFileError(f'{path}: reading xacro needs the package xacro: install it with '
                             '"pip install xacro", or expand the file first') from error
    said = StringIO()
    try:
        with _ONE_AT_A_TIME, _hooks(xacro), redirect_stderr(said), redirect_stdout(said):
            document = xacro.process_file(
                path, mappings=dict(arguments), verbosity=0, just_deps=False)
            files = [name for name in xacro.filestack or [] if name]
    except (xacro.XacroException, xacro.substitution_args.SubstitutionException, MvsimError,
            *_FAULTS) as error:
        files = [name for name in xacro.filestack or [] if name]
        reason = ' '.join(str(error).split()) or type(error).__name__
        if isinstance(error, RecursionError):
            reason = 'macros or includes call each other without an end'
        line = getattr(error, 'lineno', None) if isinstance(error, ExpatError) else None
        raise WorldFileError(
            f'{files[-1] if files else path}:{line or 1}: xacro cannot expand {path}: {reason}: '
            f'"xacro {Path(path).name}" should say the same') from error
    for message in said.getvalue().splitlines():
        if message.strip():
            warn(Source(path, 1), f'xacro says: {message.strip()}')
    marked = document.toxml()
    if len(marked) > MAX_BYTES:
        raise WorldFileError(f'{path}:1: expanded, it has more than {MAX_BYTES} bytes')
    _unmark(document)
    return marked, document.toprettyxml(indent='  ')


def _unmark(node: Any) -> None:
    if node.nodeType == Dom.ELEMENT_NODE and node.hasAttribute(_PLACE):
        node.removeAttribute(_PLACE)
    for child in node.childNodes:
        _unmark(child)


class _PlacedBuilder(expatbuilder.ExpatBuilderNS):
    """Parser to a document with the source lines of its elements."""

    file = ''

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        """Store file and line of an element, except of xacro directives."""
        super().start_element_handler(name, attributes)
        element: Any = self.curNode
        if element.prefix != 'xacro':
            line = self.getParser().CurrentLineNumber
            element.setAttribute(_PLACE, f'{self.file}:{line}')


@contextmanager
def _hooks(xacro: Any) -> Iterator[None]:
    """Let xacro mark elements with their source lines, and find packages as world files do."""
    from xacro import substitution_args
    parse, find = xacro.parse, substitution_args._eval_find

    def placed(text: Any, filename: str | None = None) -> Any:
        if text is not None or filename is None:
            return parse(text, filename)
        builder = _PlacedBuilder()
        builder.file = filename
        try:
            with open(filename, 'rb') as file:
                return builder.parseFile(file)
        except OSError as error:
            raise xacro.XacroException(f'{filename}: {error.strerror}', exc=error) from error

    xacro.parse = placed
    substitution_args._eval_find = lambda package: str(share_directory(package))
    try:
        yield
    finally:
        xacro.parse, substitution_args._eval_find = parse, find
