# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of a robot description: plain URDF, or xacro, which is expanded."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
import json
import os
from pathlib import Path
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
from threading import Timer
from typing import Any

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import MAX_BYTES, Node, parse_nodes, Warn
from mvsim_ros2.world.file.report import instead_of
from mvsim_ros2.world.file.resources.includes import is_xacro, read_text
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
    """Return the arguments in `name:=value name:=value`, the form of the command line of xacro."""
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
    """Return a robot description, with xacro expanded."""
    text = read_text(path, 'robot description')
    expands = is_xacro(path, text)
    known: tuple[str, ...] = ()
    if expands:
        if not allow_xacro and not is_own(path, arguments):
            raise WorldFileError(
                f'{path}:1: xacro evaluates its expressions as programs ({what_it_runs(text)}). '
                'If you trust the file and its includes, allow it with --allow-xacro, or '
                'allow_xacro in a script or as a parameter. Or expand it first')
        marked, text, known = expand_xacro(path, arguments, warn)
        unused = next((f'{path} has no argument {name}{instead_of(name, known)}'
                       for name in arguments if name not in known), '')
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
    """Return the text of a world file or description, with xacro expanded."""
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


_PROGRAM = Path(__file__).with_name('xacro_process.py')
_KEPT = ('AMENT_PREFIX_PATH', 'ROS_DISTRO', 'ROS_VERSION')  # of the environment
_EXPRESSION = re.compile(r'\$[({][^)}\n]*[)}]?')
_LONGEST = 8 * MAX_BYTES  # bytes of an answer: two texts, with escapes
_SHOWN = 5  # expressions named in a message


@dataclass(frozen=True)
class Limits:
    """Limits of the expansion of one file."""

    memory: int = 2 ** 30  # bytes of address space
    seconds: int = 10  # of computing
    waiting: float = 60.0  # seconds by the clock


def expand_xacro(path: str, arguments: Mapping[str, str], warn: Warn,
                 limits: Limits = Limits()) -> tuple[str, str, tuple[str, ...]]:
    """
    Return the expansion of a xacro file, made by a process without rights.

    That is its text with attributes that say where elements are from, its text without them, and
    the arguments that it takes.

    It reads its own package, the installed ROS packages and Python, has neither network nor other
    processes, and writes nothing.
    """
    answer = _answer(path, {
        'path': path, 'arguments': dict(arguments), 'most': MAX_BYTES,
        'modules': [os.path.abspath(folder) for folder in sys.path],
        'folders': _readable(path), 'memory': limits.memory, 'seconds': limits.seconds}, limits)
    if 'missing' in answer:
        raise WorldFileError(f'{path}: reading xacro needs the package xacro '
                             f'({answer["missing"]}): install it with "pip install xacro", or '
                             'expand the file first')
    if 'unconfined' in answer:
        raise WorldFileError(f'{path}: xacro evaluates programs, and this machine cannot confine '
                             f'them ({answer["unconfined"]}): expand the file first, with '
                             f'"xacro {Path(path).name}"')
    if 'error' in answer:
        reason = str(answer['error'])
        hint = (': xacro reads below its own package and installed packages only'
                if 'Permission denied' in reason else '')
        raise WorldFileError(
            f'{answer.get("file", path)}:{answer.get("line", 1)}: xacro cannot expand {path}: '
            f'{reason}{hint}: "xacro {Path(path).name}" should say the same')
    for message in str(answer['said']).splitlines():
        if message.strip():
            warn(Source(path, 1), f'xacro says: {message.strip()}')
    if not answer['reads_confined']:
        warn(Source(path, 1), 'this kernel cannot confine what xacro reads (it has no Landlock, '
             'which is in Linux 5.13 and later): its expressions could read all your files')
    return str(answer['marked']), str(answer['text']), tuple(answer['known'])


def what_it_runs(text: str) -> str:
    """Return a description of the expressions in the text of a xacro file."""
    found = [f'line {number} {match[0][:60]}' for number, line in enumerate(text.splitlines(), 1)
             for match in _EXPRESSION.finditer(line)]
    more = f' and {len(found) - _SHOWN} more' if len(found) > _SHOWN else ''
    return f'{", ".join(found[:_SHOWN])}{more}' if found else 'none in this file'


def is_own(path: str, arguments: Mapping[str, str]) -> bool:
    """Return whether a file is one of this package, and its arguments hold no expression."""
    try:
        own = (share_directory() / 'worlds').resolve()
    except ResourceError:
        return False
    places = Path(path).resolve(), Path(os.path.abspath(path))
    return (any(place.is_relative_to(own) for place in places)
            and not any('$' in value for value in arguments.values()))


def _readable(path: str) -> list[str]:
    """Return the folders that the process may read."""
    here = Path(path).resolve().parent
    package = next((folder for folder in (here, *here.parents)
                    if (folder / 'package.xml').is_file()), here)
    folders = [package, Path(path).absolute().parent]
    folders += [Path(sysconfig.get_path(kind)) for kind in ('stdlib', 'purelib', 'platlib')]
    shares = [Path(prefix) / 'share' for prefix in os.environ.get(
        'AMENT_PREFIX_PATH', '').split(os.pathsep) if prefix]
    # packages of workspaces that are installed by links lie where these lead
    folders += [*shares, *{manifest.resolve().parent for share in shares
                           for manifest in share.glob('*/package.xml')
                           if manifest.resolve().parent != manifest.parent}]
    try:
        folders.append(share_directory())
    except ResourceError:
        pass
    return [os.fspath(folder) for folder in folders]


def _answer(path: str, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Return what the process answers."""
    if find_spec('resource') is None:
        raise WorldFileError(f'{path}:1: xacro of a world is confined by the kernel of Linux, and '
                             'this system has no limits of that kind: expand the file first')
    process = subprocess.Popen(
        [sys.executable, '-I', os.fspath(_PROGRAM)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={'LC_ALL': 'C.UTF-8', **{name: os.environ[name] for name in _KEPT
                                     if name in os.environ}})
    assert process.stdin is not None and process.stdout is not None
    clock = Timer(limits.waiting, process.kill)
    clock.start()
    try:
        with process.stdin, process.stdout:
            process.stdin.write(json.dumps(request).encode())
            process.stdin.close()
            said = process.stdout.read(_LONGEST)
    except BrokenPipeError:
        said = b''
    finally:
        clock.cancel()
        if len(said) == _LONGEST:
            process.kill()
        process.wait()
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise WorldFileError(f'{path}:1: xacro computes for more than {limits.seconds} s: it may '
                             'not end')
    try:
        answer = json.loads(said)
        if not isinstance(answer, dict):
            raise ValueError
    except (ValueError, RecursionError):
        raise WorldFileError(f'{path}:1: xacro ended without an answer (code '
                             f'{process.returncode}): an expression of the file ended it, or took '
                             f'more than {limits.memory >> 20} MB') from None
    return answer
