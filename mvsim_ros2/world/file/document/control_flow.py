# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Traversal of the tree of a world file: control flow and values, in document order.

Values are evaluated during the traversal, so an enclosing loop, variable or include, also in
another file, may set a name. Unlike in MVSim, control flow works at any depth, in vehicles, blocks
and actors as well. A loop runs value by value, not child by child.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
import os
import re

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node, Warn
from mvsim_ros2.world.file.expressions.expressions import (
    ELEMENTS, INCLUDES, OBJECT_NAMES, Scope, STEPS, substitute)
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.resources.includes import IncludedFiles
from mvsim_ros2.world.spec import Source

STANDALONE_PARENT = '__standaloneSensorHost'  # name in the original

# control flow and its attributes; an include takes any
_CONTROL: dict[str, tuple[str, ...]] = {
    'variable': ('name', 'value'), 'for': ('var', 'from', 'to'), 'if': ('condition',),
    'include': ()}
CONTROL_TAGS = frozenset(_CONTROL)
_TRUE = {'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'}
_FALSE = {'n', 'no', 'false', 'off', ''}
_INTEGER = re.compile(r'[+-]?(?:0[xX][0-9a-fA-F]+|\d+)')


class AutoNames:
    """Generated names of one kind of objects, such as the blocks of a world."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        """Begin with names that are not generated."""
        self._taken = set(taken)
        self._count: Counter[str] = Counter()

    def give(self, name: str, prefix: str, digits: int = 1) -> str:
        """Return `name`, or where it is empty `prefix` with the next free number."""
        name = name.strip()
        while not name:
            self._count[prefix] += 1
            candidate = f'{prefix}{self._count[prefix]:0{digits}d}'
            name = '' if candidate in self._taken else candidate
        self._taken.add(name)
        return name


class ControlFlow:
    """One traversal of a world with its includes, within one set of `ExpansionLimits`."""

    def __init__(self, warn: Warn, fixed: Set[str]) -> None:
        self._warn = warn
        self._fixed = fixed
        self._files = IncludedFiles(warn)
        self._sensors: dict[str, AutoNames] = {}  # of each object

    def flow(self, nodes: Iterable[Node], scope: Scope) -> Iterator[tuple[Node, Scope]]:
        """
        Yield the nodes reached by control flow, unevaluated, each with its scope.

        Evaluate each node before the next one is requested, since variables change.
        """
        for node in nodes:
            if node.tag in _CONTROL:
                self._warn_of_unread(node)
            if node.tag == 'variable':
                self._variable(node, scope)
            elif node.tag == 'for':
                yield from self._for(node, scope)
            elif node.tag == 'if':
                if self._condition(node, scope):
                    yield from self.flow(node.children, scope)
            elif node.tag == 'include':
                yield from self._include(node, scope)
            else:
                yield node, scope

    def node(self, raw: Node, scope: Scope) -> Node:
        """Return a node with all values evaluated, including its children."""
        name = None
        if raw.tag == 'sensor':
            name, scope = self._sensor(raw, scope)
        node = self.shell(raw, scope, name)
        node.children = [self.node(child, inner)
                         for child, inner in self.flow(raw.children, scope)]
        return node

    def shell(self, raw: Node, scope: Scope, name: str | None = None) -> Node:
        """Return a node with its own values evaluated, without its children."""
        scope.budget.spend(ELEMENTS, raw.source)
        attributes = {key: substitute(value, scope, raw.source)
                      for key, value in raw.attributes.items() if key != 'name'}
        if name is None and 'name' in raw.attributes:
            name = self.own_name(raw, scope)
        if name is not None:
            attributes['name'] = name
        return Node(raw.tag, attributes, substitute(raw.text, scope, raw.source), [], raw.source,
                    varies='$' in raw.attributes.get('class', ''))

    def own_name(self, raw: Node, scope: Scope) -> str:
        """Return the name of an object, '' where it has none."""
        name = substitute(raw.attributes.get('name', ''), scope, raw.source)
        if 'name' in raw.attributes and not name.strip():
            self._warn(raw.source, f'the name of <{raw.tag}> is empty, so one is generated: '
                       'write a name, or leave it out')
        return name

    def _warn_of_unread(self, node: Node) -> None:
        known = _CONTROL[node.tag]
        for key in node.attributes:
            if known and key not in known:
                self._warn(node.source, f'<{node.tag}> has an attribute {key}, which is not '
                           f'read{did_you_mean(key, known)}')
        if node.text.strip():
            self._warn(node.source, f'the text in <{node.tag}> is not read')
        if node.children and node.tag in ('variable', 'include'):
            self._warn(node.source, f'the elements in <{node.tag}> are not read')

    def _attribute(self, node: Node, key: str, scope: Scope) -> str:
        if key not in node.attributes:
            raise WorldFileError(f'{node.source}: <{node.tag}> has no attribute {key}: '
                                 f'write {key}="..."')
        return substitute(node.attributes[key], scope, node.source)

    def _variable(self, node: Node, scope: Scope) -> None:
        scope.budget.spend(STEPS, node.source)
        name = self._attribute(node, 'name', scope).strip()
        if 'value' not in node.attributes or name not in self._fixed:
            scope.assign(name, self._attribute(node, 'value', scope))

    def _for(self, node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
        name = self._attribute(node, 'var', scope).strip()
        first = self._integer(node, 'from', scope)
        last = self._integer(node, 'to', scope)
        if not node.children:
            self._warn(node.source, '<for> repeats nothing: it has no child')
            return
        scope.budget.spend(STEPS, node.source, max(0, last + 1 - first))
        for value in range(first, last + 1):
            scope.assign(name, str(value))
            yield from self.flow(node.children, scope)

    def _integer(self, node: Node, key: str, scope: Scope) -> int:
        text = self._attribute(node, key, scope).strip()
        try:
            value = int(float(text))
        except (ValueError, OverflowError) as error:
            raise WorldFileError(f'{node.source}: {key}="{text[:40]}" of <for> is not a whole '
                                 'number: write one') from error
        if value != float(text):
            self._warn(node.source, f'{key}="{text}" of <for> is not a whole number: '
                       f'{value} is used')
        return value

    def _condition(self, node: Node, scope: Scope) -> bool:
        scope.budget.spend(STEPS, node.source)
        text = self._attribute(node, 'condition', scope).strip()
        number = _INTEGER.match(text)
        if text not in _TRUE and text.lower() not in _FALSE and (
                not number or number.end() < len(text)):
            self._warn(node.source, f'condition {text[:40]!r} is neither a whole number nor one '
                       'of true, yes, on, false, no, off: '
                       f'{"its whole part" if number else "false"} is used')
        return text in _TRUE or bool(number and number.group().strip('+-0xX'))

    def _include(self, node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
        scope.budget.spend(INCLUDES, node.source)
        name = self._attribute(node, 'file', scope).strip()
        folders = [os.path.dirname(node.source.file)]
        if scope.class_file:
            folders.append(os.path.dirname(scope.class_file))
        folders.append(os.path.dirname(scope.chain[0]))  # of the world, as in the original
        path = self._files.find(name, node.source, folders)
        roots = self._files.read(path, node.source, scope.chain)
        self._warn_of_unused(node, path)
        keep = OBJECT_NAMES if scope.in_object else ()
        attributes = {key: substitute(value, scope, node.source, keep)
                      for key, value in node.attributes.items() if key != 'file'}
        layer = scope.layer or Node('include', source=Source(path, 1))
        yield from self.flow(roots, replace(
            scope, chain=(*scope.chain, path), attributes=attributes, included_at=node.source,
            layer=layer))

    def _warn_of_unused(self, node: Node, path: str) -> None:
        known = self._files.parameters(path)
        for name in node.attributes:
            if name != 'file' and not known.has(name):
                self._warn(node.source, f'attribute {name} of <include> is not used: nothing in '
                           f'{path} uses ${{{name}}}{did_you_mean(name, known.names)}')

    def _sensor(self, raw: Node, scope: Scope) -> tuple[str, Scope]:
        """Return the name of a sensor, its class and a number where it has none; and its scope."""
        parent = scope.variable('PARENT_NAME') or STANDALONE_PARENT
        names = self._sensors.setdefault(parent, AutoNames())
        kind = substitute(raw.attributes.get('class', 'sensor'), scope, raw.source)
        name = names.give(self.own_name(raw, scope), kind)
        return name, scope.inside({'NAME': name, 'PARENT_NAME': parent})
