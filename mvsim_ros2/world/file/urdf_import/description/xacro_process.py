# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The process that expands one xacro file, after it has given up its rights.

Expressions in xacro files are Python, and their filter can be escaped. So this process is started
for each file: `expand_xacro` describes what goes in and what comes out. Elements keep their source
lines: while xacro parses, each gets an attribute with file and line, which macros copy.
"""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
import json
import sys
from typing import Any
from xml.dom import expatbuilder, Node as Dom
from xml.parsers.expat import ExpatError

PLACE = 'written-at'  # attribute with file and line during the expansion


class _PlacedBuilder(expatbuilder.ExpatBuilderNS):
    """Parser to a document with the source lines of its elements."""

    file = ''

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        """Store file and line of an element, except of xacro directives."""
        super().start_element_handler(name, attributes)
        element: Any = self.curNode
        if element.prefix != 'xacro':
            line = self.getParser().CurrentLineNumber
            element.setAttribute(PLACE, f'{self.file}:{line}')


def _hook(xacro: Any) -> None:
    """Let xacro mark elements with their source lines, and find packages as world files do."""
    from mvsim_ros2.base.package_files import share_directory
    from xacro import substitution_args
    parse = xacro.parse

    def placed(text: Any, filename: str | None = None) -> Any:
        if text is not None or filename is None:
            return parse(text, filename)
        builder = _PlacedBuilder()
        builder.file = filename
        try:
            with open(filename, 'rb') as file:
                return builder.parseFile(file)
        except OSError as error:
            raise xacro.XacroException(f'{filename}: {error.strerror}') from error

    xacro.parse = placed
    substitution_args._eval_find = lambda package: str(share_directory(package))


class _Arguments(dict[str, str]):
    """Arguments of xacro, which note which of them a file asks for."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.known: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.known.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.known.add(name)
        return super().__getitem__(name)


def _unmark(node: Any) -> None:
    if node.nodeType == Dom.ELEMENT_NODE and node.hasAttribute(PLACE):
        node.removeAttribute(PLACE)
    for child in node.childNodes:
        _unmark(child)


def _cause(error: BaseException) -> BaseException:
    """Return the error of this package that xacro wraps in its own, else the error itself."""
    inner: BaseException | None = error
    while inner is not None:
        if type(inner).__module__.startswith('mvsim_ros2.'):
            return inner
        inner = getattr(inner, 'exc', None) or inner.__cause__
    return error


def _expand(xacro: Any, request: dict[str, Any]) -> dict[str, Any]:
    said, arguments = StringIO(), _Arguments(request['arguments'])
    try:
        with redirect_stderr(said), redirect_stdout(said):
            document = xacro.process_file(
                request['path'], mappings=arguments, verbosity=0, just_deps=False)
            marked = document.toxml()
            if len(marked) > request['most']:
                raise ValueError(f'expanded, it has more than {request["most"]} bytes')
            _unmark(document)
            text = document.toprettyxml(indent='  ')
    except Exception as error:  # noqa: B902 (expressions raise anything)
        files = [name for name in xacro.filestack or [] if name]
        reason = ' '.join(str(_cause(error)).split()) or type(error).__name__
        if isinstance(error, RecursionError):
            reason = 'macros or includes call each other without an end'
        line = getattr(error, 'lineno', None) if isinstance(error, ExpatError) else None
        return {'error': reason, 'file': files[-1] if files else request['path'],
                'line': line or 1}
    return {'marked': marked, 'text': text, 'known': sorted(arguments.known),
            'said': said.getvalue()[:10_000]}


def main() -> None:
    """Read a request from the standard input, and write the answer to the standard output."""
    request = json.load(sys.stdin)
    sys.path[:] = request['modules']
    try:
        import xacro
        import yaml  # noqa: F401 (xacro imports it when a file asks for it)
    except ImportError as error:
        answer: dict[str, Any] = {'missing': str(error)}
    else:
        from mvsim_ros2.world.file.urdf_import.description.confinement import confine
        _hook(xacro)
        try:
            confined = confine(request['folders'], request['memory'], request['seconds'])
        except OSError as error:
            answer = {'unconfined': str(error)}
        else:
            answer = {**_expand(xacro, request), 'reads_confined': confined}
    json.dump(answer, sys.stdout)
    sys.stdout.flush()


if __name__ == '__main__':
    main()
