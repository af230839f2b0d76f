# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Element of a world file as read, before it is bound to a spec."""

from dataclasses import dataclass
from dataclasses import field

from mvsim_ros2.spec.common import Source


@dataclass
class Node:
    """One XML element; `text` is all text directly in it, joined."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ''
    children: list['Node'] = field(default_factory=list)
    source: Source = Source()

    def child(self, tag: str) -> 'Node | None':
        """Return the first child called `tag`."""
        return next((child for child in self.children if child.tag == tag), None)


@dataclass(frozen=True)
class Item:
    """
    One thing of the world, expanded: includes, loops, conditions and formulas are done.

    `layers` are the nodes that describe it, the most important first: the instance, what it
    includes, its class. Every vehicle, block and actor has an attribute `name` in its first layer,
    every sensor too. Relative paths in a node are relative to `node.source.file`.
    """

    tag: str  # 'vehicle', 'block', 'element', 'vehicle:class', ...
    layers: tuple[Node, ...]


@dataclass(frozen=True)
class ExpandedWorld:
    """A world file with everything expanded, in file order."""

    path: str
    root: Node  # attributes of the root element
    items: tuple[Item, ...]
    variables: dict[str, str]
