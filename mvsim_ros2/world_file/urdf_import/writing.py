# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements of a world file, made and written."""

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape
from xml.sax.saxutils import quoteattr

from mvsim_ros2.spec.common import Source
from mvsim_ros2.world_file.tree import Node

_INDENT = '  '
_NONE: Mapping[str, str] = MappingProxyType({})


def element(tag: str, source: Source, text: str = '', children: Iterable[Node] = (),
            attributes: Mapping[str, str] = _NONE) -> Node:
    """Return an element; attributes without text are left out."""
    return Node(tag, {key: text for key, text in attributes.items() if text}, text,
                list(children), source)


def xml(node: Node) -> str:
    """Return the text of an element and all in it, indented."""
    return '\n'.join(_lines(node, '')) + '\n'


def _lines(node: Node, indent: str) -> Iterator[str]:
    attributes = ''.join(f' {key}={quoteattr(text)}' for key, text in node.attributes.items())
    text = escape(node.text.strip())
    if not (node.children or text):
        yield f'{indent}<{node.tag}{attributes}/>'
    elif not node.children:
        yield f'{indent}<{node.tag}{attributes}>{text}</{node.tag}>'
    else:
        yield f'{indent}<{node.tag}{attributes}>'
        for child in node.children:
            yield from _lines(child, indent + _INDENT)
        yield f'{indent}</{node.tag}>'
