# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements of a world file before they are bound to specs."""

from dataclasses import dataclass, field

from mvsim_ros2.world.spec import Source


@dataclass
class Node:
    """One XML element; `text` is its direct text, joined."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ''
    children: list['Node'] = field(default_factory=list)
    source: Source = Source()
    varies: bool = False  # its class is the value of a variable, once it is evaluated

    def child(self, tag: str) -> 'Node | None':
        """Return the first child called `tag`."""
        return next((child for child in self.children if child.tag == tag), None)


@dataclass(frozen=True)
class Item:
    """
    One expanded object of the world: includes, loops, conditions and formulas are evaluated.

    `layers` are its nodes in order of precedence: instance, includes, class. Every vehicle, block,
    actor and sensor has an attribute `name` in its first layer. Relative paths in a node are
    relative to `node.source.file`.
    """

    tag: str  # 'vehicle', 'block', 'element', 'vehicle:class', ...
    layers: tuple[Node, ...]
    constant: bool = False  # the last layer is that of all instances of its class


@dataclass(frozen=True)
class ExpandedWorld:
    """An expanded world file, in file order."""

    path: str
    root: Node  # attributes of the root element
    items: tuple[Item, ...]
    variables: dict[str, str]
