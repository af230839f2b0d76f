# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Expansion of a world file to `ExpandedWorld`: its objects, each with its layers of description.

An instance has the layers inline, include and class, in order of precedence. (In the original an
include precedes inline tags, and the class precedes the scalars of a block.) A class is stored
unevaluated and evaluated for each instance, so that its random numbers differ; it may be defined
after its use.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
import os
import re
from types import MappingProxyType
from typing import Any

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.control_flow import AutoNames, CONTROL_TAGS, ControlFlow
from mvsim_ros2.world.file.document.tree import ExpandedWorld, Item, Node, parse_nodes, Warn
from mvsim_ros2.world.file.expressions.expressions import (
    DIRECTORY, OBJECT_NAMES, Scope, substitute)
from mvsim_ros2.world.file.expressions.formula_functions import RandomSource
from mvsim_ros2.world.file.report import did_you_mean, instead_of
from mvsim_ros2.world.file.resources.includes import is_xacro, read_text
from mvsim_ros2.world.file.urdf_import.layer import Descriptions
from mvsim_ros2.world.spec import Source

ROOT, FOREIGN = 'mvsim_world', ('sdf', 'robot')
UNUSED = 'variable {} is given, but nothing in the world uses it'
# objects that may have a class: prefix and digits of generated names
_INSTANCES = {'vehicle': ('veh', 1), 'block': ('block', 3), 'actor': ('actor', 3)}
_CLASS = ':class'
_VARIABLE = re.compile(r'\$\{([^${}|]+)(?:\|[^${}]*)?\}')  # that depends on no other
_NONE: Mapping[str, str] = MappingProxyType({})
Idle = Callable[[Source, str, str], None]


def expand_world(path: str | os.PathLike[str], *, variables: Mapping[str, str] = _NONE,
                 seed: int = 0, allow_shell: bool = False, allow_xacro: bool = False,
                 warn: Warn, idle: Idle = lambda *unsaid: None) -> ExpandedWorld:
    """
    Read a world file and expand everything in it.

    :param path: the world file, SDF, or a robot description.
    :param variables: values that override the ``<variable>`` tags of the world, as launch
        arguments. They may contain formulas that use the previous ones.
    """
    file = os.fspath(path)
    text = read_text(file)
    if not is_xacro(file, text):
        return expand_text(text, file, variables=variables, seed=seed, allow_shell=allow_shell,
                           allow_xacro=allow_xacro, warn=warn, idle=idle)
    from mvsim_ros2.world.file.urdf_import.description.document import read_document
    document = read_document(file, variables, warn, allow_xacro)
    for name in variables.keys() - document.known:
        warn(Source(file, 1), f'{UNUSED.format(name)}{instead_of(name, document.known)}')
    return _expanded([document.root], _Expansion(
        file, seed, allow_shell, allow_xacro, warn, idle), _NONE)


def expand_text(text: str, file: str, *, variables: Mapping[str, str] = _NONE,
                seed: int = 0, allow_shell: bool = False, allow_xacro: bool = False,
                warn: Warn, idle: Idle = lambda *unsaid: None,
                bare: bool = False) -> ExpandedWorld:
    """Expand the text of a world file, as `expand_world` does."""
    roots = parse_nodes(text, file, warn)
    if bare and roots[0].tag not in (ROOT, *FOREIGN):
        roots = [Node(ROOT, children=roots, source=roots[0].source)]
    return _expanded(roots, _Expansion(file, seed, allow_shell, allow_xacro, warn, idle),
                     variables)


def _expanded(roots: list[Node], expansion: '_Expansion',
              variables: Mapping[str, str]) -> ExpandedWorld:
    file = roots[0].source.file
    try:
        return expansion.run(roots, variables)
    except RecursionError as error:
        raise WorldFileError(f'{file}: loops, conditions and includes are nested too deep: '
                             'use fewer levels') from error


@dataclass
class _Class:
    """A class definition: unevaluated, with its scope and its index among the items."""

    raw: Node
    scope: Scope
    place: int
    names: frozenset[str] | None  # variables that it is made of; None where it may differ anyway
    made: tuple[tuple[str | None, ...], Node] | None = None  # last layer, with their values

    def layer(self, scope: Callable[[], Scope], make: Callable[[Scope], Node],
              ) -> tuple[Node, bool]:
        """Return the layer for an instance, and whether one with equal variables shares it."""
        if self.names is None:
            return make(scope()), False
        found: tuple[str | None, ...] = ()
        if self.names:
            within = scope()
            found = tuple(within.text(name) for name in sorted(self.names))
        if self.made is None or self.made[0] != found:
            self.made = found, make(scope())
        return self.made[1], True


class _Expansion:

    def __init__(self, file: str, seed: int, allow_shell: bool, allow_xacro: bool,
                 warn: Warn, idle: Idle) -> None:
        self._file, self._idle = file, idle
        self._seed = seed
        self._allow_shell, self._allow_xacro = allow_shell, allow_xacro
        self._warn = warn
        self._items: list[Item | None] = []
        self._classes: dict[tuple[str, str], _Class] = {}
        # instances whose class is not defined yet: index, layers, class
        self._late: list[tuple[int, list[Node], str]] = []
        self._names = {tag: AutoNames() for tag in _INSTANCES}
        self._globals: dict[str, str] = {}

    def run(self, roots: list[Node], variables: Mapping[str, str]) -> ExpandedWorld:
        """Return the expanded world."""
        root = self._root(roots)
        scope = Scope((self._file,), (self._globals,), self._globals, self._random('world'),
                      allow_shell=self._allow_shell)
        for name, value in variables.items():
            self._globals[name] = substitute(str(value), scope, Source(self._file, 0))
        self._walk = ControlFlow(self._warn, variables.keys())
        for raw, inner in self._walk.flow(root.children, scope):
            self._item(raw, inner)
        for place, layers, wanted in self._late:
            self._items[place] = self._with_class(layers, wanted)
        for (_, name), definition in self._classes.items():
            self._items[definition.place] = self._class_alone(name, definition)
        self._report_unused(variables, scope)
        descriptions = Descriptions(self._warn, self._allow_xacro, self._file)
        items = tuple(descriptions.complete(item) for item in self._items if item)
        return ExpandedWorld(self._file, self._walk.shell(root, scope), items, self._globals)

    def _root(self, roots: list[Node]) -> Node:
        root = roots[0]
        if root.tag in FOREIGN:
            from mvsim_ros2.world.file.sdf_import.world import world_of
            return replace(root, tag=ROOT, attributes={}, text='', children=world_of(
                root, self._warn, self._idle))
        if root.tag != ROOT:
            raise WorldFileError(f'{root.source}: the root is <{root.tag}>: a world begins with '
                                 f'<{ROOT}>')
        if len(roots) > 1:
            raise WorldFileError(f'{roots[1].source}: <{roots[1].tag}> is outside of <{ROOT}>: '
                                 'move it inside')
        return root

    def _item(self, raw: Node, scope: Scope) -> None:
        if raw.tag.endswith(_CLASS):
            self._define_class(raw, scope)
        elif raw.tag in _INSTANCES:
            self._instance(raw, scope)
        else:
            self._items.append(Item(raw.tag, (self._walk.node(raw, scope),)))

    def _define_class(self, raw: Node, scope: Scope) -> None:
        name = substitute(raw.attributes.get('name', ''), scope, raw.source).strip()
        if not name:
            raise WorldFileError(f'{raw.source}: <{raw.tag}> has no name: write name="..."')
        before = self._classes.get((raw.tag, name))
        if before:
            self._items[before.place] = None
            if before.raw.source != raw.source:
                self._warn(raw.source, f'class {name} is defined again, first at '
                           f'{before.raw.source}: from here on this one is used')
        frames = tuple(frame.copy() for frame in scope.frames)
        then = replace(scope, frames=(*frames, *scope.frames), class_file=scope.file, layer=None,
                       attributes=scope.attributes.copy())
        self._classes[raw.tag, name] = _Class(raw, then, len(self._items), variables_of(raw))
        self._items.append(None)

    def _instance(self, raw: Node, scope: Scope) -> None:
        prefix, digits = _INSTANCES[raw.tag]
        name = self._names[raw.tag].give(self._walk.own_name(raw, scope), prefix, digits)
        scope = _of_object(scope, name, layer=None)
        inline = self._walk.shell(raw, scope, name)
        layers = [inline]
        for child, inner in self._walk.flow(raw.children, scope):
            layer = inner.layer or inline
            if layer is not layers[-1] and layer is not inline:
                layers.append(layer)
            layer.children.append(self._walk.node(child, inner))
        wanted = inline.attributes.get('class', '').strip()
        if not wanted:
            self._items.append(Item(raw.tag, tuple(layers)))
        elif (raw.tag + _CLASS, wanted) in self._classes:
            self._items.append(self._with_class(layers, wanted))
        else:
            self._late.append((len(self._items), layers, wanted))
            self._items.append(None)

    def _with_class(self, layers: list[Node], wanted: str) -> Item:
        instance = layers[0]
        tag = instance.tag + _CLASS
        definition = self._classes.get((tag, wanted))
        if definition is None:
            known = [name for kind, name in self._classes if kind == tag]
            raise WorldFileError(f'{instance.source}: there is no <{tag} name="{wanted}">: '
                                 f'define or <include> it{did_you_mean(wanted, known)}')
        name = instance.attributes['name']
        try:
            layer, constant = definition.layer(
                partial(_of_object, definition.scope, name),
                partial(self._walk.node, definition.raw))
        except WorldFileError as error:
            raise WorldFileError(f'{error} (read for the {instance.tag} {name} of '
                                 f'{instance.source})') from error
        return Item(instance.tag, (*layers, layer), constant)

    def _class_alone(self, name: str, definition: _Class) -> Item:
        """Return a class for use at run time; its random numbers are independent of others."""
        raw = definition.raw
        scope = replace(_of_object(definition.scope, name),
                        random=self._random(f'world/class/{raw.tag}/{name}'))
        return Item(raw.tag, (self._walk.node(raw, scope),))

    def _random(self, name: str) -> RandomSource:
        return RandomSource(stream(self._seed, name))

    def _report_unused(self, variables: Mapping[str, str], scope: Scope) -> None:
        there = scope.used.difference(OBJECT_NAMES, [DIRECTORY])
        for name in variables:
            if name not in scope.used:
                self._warn(Source(self._file, 1),
                           f'{UNUSED.format(name)}{instead_of(name, there)}')


def _of_object(scope: Scope, name: str, **changed: Any) -> Scope:
    """Return the scope inside an object; variables that it sets are its own."""
    frame = {'NAME': name, 'PARENT_NAME': name}
    return replace(scope, frames=(frame, *scope.frames), home=frame,
                   attributes=scope.attributes.copy(), **changed)


def variables_of(raw: Node) -> frozenset[str] | None:
    """
    Return the names of the variables that a class uses, None where it may differ with the same.

    It may with formulas, commands, control flow, names of objects, and sensors, which are counted.
    """
    texts: list[str] = []
    nodes = [raw]
    for node in nodes:  # which grows meanwhile
        if node.tag in CONTROL_TAGS or node.tag == 'sensor':
            return None
        texts += [text for text in (node.text, *node.attributes.values()) if '$' in text]
        nodes += node.children
    rest, names = _VARIABLE.sub('', '\n'.join(texts)), _VARIABLE.findall('\n'.join(texts))
    found = frozenset(map(str.strip, names))
    return None if '$' in rest or not found.isdisjoint(OBJECT_NAMES) else found
