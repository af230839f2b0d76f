# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that are changed by the rules of the format, so that most of them can be read."""

from functools import cache
from random import Random
import re
from typing import Any

from lxml import etree

from mvsim_ros2.world.file.binding.tags import spec_classes
from mvsim_ros2.world.spec.fields import entries, Entry, Tag

NUMBERS = '0', '-0.1', '0.01', '0.3', '1', '2', '5', '45', '100', '1e-5', '1e4', '-3', '1e8', 'x'
NAMES = 'robot', 'r 1', 'Ä', '1', '', 'a/b', 'scan', 'b', 'x' * 200
COUNTS = {'point2': 2, 'point3': 3, 'pose': 3, 'pose3': 6, 'keyframes': 4, 'wheel_pos': 2,
          'twist2': 3, 'values': 4, 'angles': 4, 'axes': 3}
_NUMBER = re.compile(r'-?\d+(\.\d+)?(e-?\d+)?')


def changed_world(data: bytes, choice: Random) -> bytes:
    """Return a world with a few changes."""
    root = etree.fromstring(data)
    for _ in range(choice.choice((1, 1, 2, 3, 5))):
        choice.choice(_WAYS)(root, choice)
    return etree.tostring(root)


@cache
def _specs() -> dict[str, list[type]]:
    """Return the spec classes of each tag."""
    found: dict[str, list[type]] = {}
    for spec, names in spec_classes().items():
        for name in names:
            found.setdefault(name, []).append(spec)
    return found


def _spec_of(node: Any, choice: Random) -> type | None:
    specs = _specs().get(node.tag, [])
    own = [each for each in specs if getattr(each, 'XML_CLASS', '') == node.get('class', '')]
    return choice.choice(own or specs) if specs else None


def _nodes(root: Any) -> list[Any]:
    return [each for each in root.iter() if isinstance(each.tag, str)]


def _number(choice: Random, tag: Tag) -> str:
    limits = [f'{each:g}' for each in (tag.minimum, tag.above, tag.maximum) if each is not None]
    return choice.choice((*NUMBERS, *limits, *limits, f'{10 ** choice.uniform(-2, 2):.3g}'))


def _text(entry: Entry, choice: Random) -> str:
    """Return a value of the kind of a tag, mostly."""
    tag = entry.tag
    if tag.choices:
        return choice.choice(tag.choices)
    if tag.kind in ('bool', 'choice', 'flag'):
        return choice.choice(('true', 'false', '1', '0', 'auto'))
    if tag.kind in ('text', 'name', 'names', 'uri'):
        return choice.choice(NAMES)
    if tag.kind == 'colour':
        return choice.choice(('#ff0000', '#00ff0080', 'red', ''))
    if tag.kind == 'matrix':
        return choice.choice(('[0 1; 1 0]', '[1]', '[0 0 0; 0 9 0; 0 0 0]', '[0 1; 1]'))
    return ' '.join(_number(choice, tag) for _ in range(COUNTS.get(tag.kind, 1)))


def _fill(node: Any, entry: Entry, choice: Random) -> None:
    tag = entry.tag
    name = choice.choice(entry.names)
    if tag.content:
        node.text = _text(entry, choice)
    elif tag.kind in ('spec', 'specs'):
        spec = choice.choice(entry.classes)
        child = etree.SubElement(node, name)
        if own := getattr(spec, 'XML_CLASS', ''):
            child.set('class', own)
        for each in entries(spec):
            if each.tag.required or choice.random() < 0.3:
                _fill(child, each, choice)
    elif tag.kind in ('polygon', 'segments'):
        child = etree.SubElement(node, name)
        for _ in range(choice.choice((1, 2, 3, 4, 6))):
            etree.SubElement(child, 'pt').text = f'{_number(choice, tag)} {_number(choice, tag)}'
    elif tag.attribute or tag.kind == 'name' or choice.random() < 0.2:
        node.set(name, _text(entry, choice))
    else:
        for old in node.findall(name):
            node.remove(old)
        etree.SubElement(node, name).text = _text(entry, choice)


def _add(root: Any, choice: Random) -> None:
    """Set something that the format knows."""
    node = choice.choice([each for each in _nodes(root) if each.tag in _specs()] or [root])
    known = entries(_spec_of(node, choice) or type(None)) if node.tag in _specs() else ()
    if known:
        _fill(node, choice.choice(known), choice)


def _add_whole(root: Any, choice: Random) -> None:
    """Add a sensor, an element, a controller with some of its tags."""
    name = choice.choice([each for each in _specs() if any(
        getattr(spec, 'XML_CLASS', '') for spec in _specs()[each])])
    homes = [each for each in _nodes(root) if each.find(name) is not None] or [root]
    home = choice.choice([*homes, root])
    spec = choice.choice(_specs()[name])
    child = etree.SubElement(home, name, name=f'n{choice.randrange(9)}')
    if own := getattr(spec, 'XML_CLASS', ''):
        child.set('class', own)
    for each in entries(spec):
        if each.tag.required or choice.random() < 0.3:
            _fill(child, each, choice)


def _renumber(root: Any, choice: Random) -> None:
    node = choice.choice(_nodes(root))
    text = node.text or ''
    found = list(_NUMBER.finditer(text))
    if found:
        one = choice.choice(found)
        node.text = text[:one.start()] + choice.choice(NUMBERS) + text[one.end():]


def _remove(root: Any, choice: Random) -> None:
    node = choice.choice(_nodes(root))
    if node is not root:
        node.getparent().remove(node)


def _copy(root: Any, choice: Random) -> None:
    node = choice.choice(_nodes(root))
    if node is not root:
        copy = etree.fromstring(etree.tostring(node))
        choice.choice((node.getparent(), choice.choice(_nodes(root)))).append(copy)


def _other_class(root: Any, choice: Random) -> None:
    node = choice.choice([each for each in _nodes(root) if each.get('class')] or [root])
    specs = [own for each in _specs().get(node.tag, []) if (own := getattr(each, 'XML_CLASS', ''))]
    if specs:
        node.set('class', choice.choice(specs))


def _rename(root: Any, choice: Random) -> None:
    node = choice.choice([each for each in _nodes(root) if each.get('name')] or [root])
    node.set('name', choice.choice(NAMES))


_WAYS = (_add, _add, _add, _add, _add_whole, _add_whole, _renumber, _renumber, _remove, _copy,
         _other_class, _rename)
