# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Fuzzing: whatever a world file says, reading it ends in a world or in an error of the package.

MVSIM_FUZZ_EXAMPLES sets the number of examples of each test for a longer run.
"""

from collections.abc import Iterator
from functools import cache
import logging
from pathlib import Path
import string
from tempfile import TemporaryDirectory

from drawn_examples import examples
from hypothesis import given, HealthCheck, settings, strategies as st
import pytest

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.document.expand import expand_text
from mvsim_ros2.world.file.document.tree import decode, ExpandedWorld, Node, parse_nodes
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import Source

_FUZZ = settings(max_examples=examples(300), suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large])


def _ignore(source: Source, message: str) -> None:
    """Take no notice of a warning."""


@cache
def _world_files(folder: Path) -> list[Path]:
    return sorted(path for worlds in (folder / 'worlds' / 'mvsim', share_directory() / 'worlds')
                  for path in worlds.rglob('*.xml'))


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _check(world: ExpandedWorld) -> None:
    for item in world.items:
        assert item.layers
        for node in (inner for layer in item.layers for inner in _nodes(layer)):
            assert node.source.file
            assert node.source.line >= 1
            assert node.tag not in ('for', 'if', 'variable')


def _read(content: bytes, file: Path) -> None:
    try:
        text = decode(content, str(file))
        _check(expand_text(text, str(file), warn=_ignore))
        load_world_text(text, str(file), offline=True)
    except MvsimError as error:
        assert str(error)


def _mutated(content: bytes, draw: st.DataObject) -> bytes:
    """Return the content with one random change."""
    at = draw.draw(st.integers(0, max(len(content) - 1, 0)))
    kind = draw.draw(st.sampled_from(['flip', 'cut', 'delete', 'tag', 'insert', 'double']))
    if kind == 'flip' and content:
        return content[:at] + bytes([draw.draw(st.integers(0, 255))]) + content[at + 1:]
    if kind == 'cut':
        return content[:at]
    if kind == 'delete':
        return content[:at] + content[at + draw.draw(st.integers(1, 60)):]
    if kind == 'tag':
        start = content.find(b'<', at)
        end = content.find(b'>', start)
        return content[:start] + content[end + 1:] if start >= 0 <= end else content
    if kind == 'insert':
        piece = draw.draw(st.sampled_from([
            b'<', b'>', b'&', b'"', b'$f{', b'${', b'}', b'</x>', b'<for var="i" from="0" to="9">',
            b'<include file="jackal.vehicle.xml"/>', b'<!--', b']]>', b'<![CDATA[', b'\0',
            b'<?xml encoding="utf-16"?>', b'<!DOCTYPE x [', b'-', b'9' * 30, b'(', b'\xff\xfe']))
        return content[:at] + piece + content[at:]
    size = draw.draw(st.integers(1, 400))
    return content[:at] + content[at:at + size] * 2 + content[at + size:]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Leave out the warnings of damaged files."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize('included', [False, True], ids=['world', 'included'])
@_FUZZ
@given(draw=st.data())
def test_mutations_of_real_files(included: bool, shared: Path, draw: st.DataObject) -> None:
    file = draw.draw(st.sampled_from(_world_files(shared)))
    content = file.read_bytes()
    for _ in range(draw.draw(st.integers(1, 5))):
        content = _mutated(content, draw)
    if not included:
        return _read(content, file)
    with TemporaryDirectory() as folder:
        Path(folder, 'included.xml').write_bytes(content)
        _read(b'<mvsim_world><include file="included.xml"/><vehicle class="jackal"/>'
              b'<vehicle><include file="included.xml"/></vehicle></mvsim_world>',
              Path(folder, 'w.xml'))
    return None


_WORDS = st.sampled_from(['a', 'b', 'i', 'NAME', 'PARENT_NAME', 'x', '1', '3', '0.5', '', 'veh1'])
_VALUES = st.recursive(
    st.one_of(_WORDS, st.text(string.printable, max_size=8)),
    lambda inner: st.one_of(
        st.builds('${{{}}}'.format, inner), st.builds('${{{}|{}}}'.format, inner, inner),
        st.builds('$f{{{}}}'.format, inner), st.builds('$f{{{}*2+rand()}}'.format, inner),
        st.builds('$env{{{}}}'.format, inner), st.builds('$({})'.format, inner),
        st.builds('{}{}'.format, inner, inner)), max_leaves=4)
_ATTRIBUTE = st.tuples(st.sampled_from(['name', 'class', 'file', 'var', 'from', 'to', 'value',
                                        'condition', 'x']),
                       st.one_of(_VALUES, st.sampled_from(['1', '4', 'c', 'w.xml', 'i.xml'])))
_TAGS = st.sampled_from(['variable', 'for', 'if', 'include', 'vehicle', 'vehicle:class', 'block',
                         'block:class', 'sensor', 'element', 'a', 'actor', 'mvsim_world'])


def _element(tag: str, attributes: list[tuple[str, str]], content: list[str]) -> str:
    quoted = ''.join(f' {name}="{value.replace(chr(34), "")}"'
                     for name, value in dict(attributes).items())
    return f'<{tag}{quoted}>{"".join(content)}</{tag}>'


_ELEMENTS = st.recursive(
    st.builds(_element, _TAGS, st.lists(_ATTRIBUTE, max_size=4), st.lists(_VALUES, max_size=1)),
    lambda inner: st.one_of(
        st.builds(_element, _TAGS, st.lists(_ATTRIBUTE, max_size=4), st.lists(inner, max_size=4)),
        st.builds('<for var="i" from="0" to="2">{}</for>'.format, inner),
        st.builds('<if condition="1">{}</if>'.format, inner),
        st.builds('<block:class name="c">{}</block:class><block class="c"/>'.format, inner),
        st.builds('<vehicle name="{}">{}</vehicle>'.format, _WORDS, inner)), max_leaves=12)


@_FUZZ
@given(st.lists(_ELEMENTS, max_size=6), st.lists(_ELEMENTS, max_size=3))
def test_structured_documents(elements: list[str], included: list[str]) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, 'i.xml').write_text(''.join(included))
        text = f'<mvsim_world>{"".join(elements)}</mvsim_world>'
        _read(text.encode(), Path(folder, 'w.xml'))


@_FUZZ
@given(st.text(st.sampled_from('<>/!?-[]&;="\' \nab:${}|f()\0é'), max_size=80))
def test_any_characters(text: str) -> None:
    try:
        roots = parse_nodes(text, 'w.xml', _ignore)
    except MvsimError as error:
        assert str(error).startswith('w.xml:')
        return
    lines = text.split('\n')
    for node in (inner for root in roots for inner in _nodes(root)):
        assert f'<{node.tag}' in lines[node.source.line - 1]


@_FUZZ
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    _read(content, Path('w.xml'))
