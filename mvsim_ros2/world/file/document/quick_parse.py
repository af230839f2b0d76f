# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Parsing of world files that need no repair, in a tenth of the time.

What is not as simple as it can be, such as an entity or a closing tag with a wrong name, is left
to `xml_repair`, which gives the same nodes for everything that is read here.
"""

import re

from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.spec import Source

_NAME = r'[A-Za-z_][\w.:-]*'
_VALUE = r'"[^"<&\n\t]*"|\'[^\'<&\n\t]*\''
_ATTRIBUTE = re.compile(rf'({_NAME})\s*=\s*({_VALUE})', re.ASCII)
_TAG = re.compile(rf'<(/?)({_NAME})((?:\s+{_NAME}\s*=\s*(?:{_VALUE}))*)\s*(/?)>([^<&]*)', re.ASCII)
_SKIPPED = re.compile(r'(?:<!--.*?-->|<\?.*?\?>)([^<&]*)', re.DOTALL)
_SPACE = re.compile(r'\s*')


def quick_parse(text: str, file: str, most_elements: int, most_levels: int) -> list[Node] | None:
    """
    Return the root elements of a world file, None where the text may need repair.

    :param text: without carriage returns and characters that XML does not allow.
    """
    roots: list[Node] = []
    above: list[list[Node]] = []  # children of the open elements but the innermost
    children, opened = roots, list[Node]()
    start = _SPACE.match(text)
    at, line, counted, elements = start.end() if start else 0, 1, 0, 0
    while at < len(text):
        match = _TAG.match(text, at)
        if match is None:
            skipped = _SKIPPED.match(text, at)
            if skipped is None or not _add(skipped.group(1), opened):
                return None
            at = skipped.end()
            continue
        closing, name, attributes, empty, after = match.groups()
        if closing:
            if attributes or empty or not opened or opened.pop().tag != name:
                return None
            children = above.pop()
        else:
            line += text.count('\n', counted, at)
            counted = at
            elements += 1
            node = Node(name, {}, '', [], Source(file, line))
            if attributes and not _read(attributes, node.attributes):
                return None
            children.append(node)
            if not empty:
                opened.append(node)
                above.append(children)
                children = node.children
        if elements > most_elements or len(opened) > most_levels or not _add(after, opened):
            return None
        at = match.end()
    return None if opened else roots or None


def _add(text: str, opened: list[Node]) -> bool:
    """Add text to the innermost open element; return False where there is none."""
    if opened:
        opened[-1].text += text
        return True
    return not text.strip()


def _read(text: str, attributes: dict[str, str]) -> bool:
    """Read attributes; return False where they are not simple."""
    for name, value in _ATTRIBUTE.findall(text):
        if name in attributes or name.startswith('xml'):
            return False
        attributes[name] = value[1:-1]
    return True
