# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Damaged world files end in a world or in an error of ours, soon, and in nothing else.

More examples: `MVSIM_FUZZ_EXAMPLES=20000 pytest test/world_file/test_fuzz_load.py`.
"""

from collections.abc import Iterator
import logging
from pathlib import Path
import re
import shutil

from drawn_examples import examples
from hypothesis import given, HealthCheck, settings, strategies as st
from PIL import Image
import pytest

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.binding.tags import collections, entries
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.fields import KINDS, Tag
from mvsim_ros2.world.spec.world import WorldSpec

PROJECT = Path(__file__).resolve().parents[2]
TUTORIAL = PROJECT.parent / 'shared' / 'worlds' / 'mvsim'
GOLDEN = PROJECT.parent / 'shared' / 'golden' / 'mvsim'
TOKENS = (
    '', '0', '-1', 'nan', 'inf', '1e999', '1e-320', '99999999999999999999', '0x7fffffff', 'true',
    'yes', '#123456', '1 2', '1 2 3', '[1 2; 3 4]', '[1;2 3]', '../..', 'a.zip/b', '\0', '\u2603',
    '<', '>', '</a>', '/>', '<!--', '-->', '<![CDATA[', ']]>', '&', '&#0;', '&amp;', '"', "'",
    '${', '}', '${NAME}', '${x|y}', '$f{1/0}', '$f{', '$f{2^9999}', '$env{HOME}', '$(ls)',
    '<include file="fuzz.xml"/>', '<for var="i" from="0" to="999999999">', '</for>',
    '<if condition="1">', '</if>', '<variable name="v" value="${v}${v}"/>', '<shape/>',
    '<block class="x"/>', '<vehicle name="r1"/>', '<sensor class="laser"/>', '<visual/>',
    'class="differential"', 'class=""', 'name="r1"')
NUMBERS = ('0', '1', '0.5', '3', '2', '1.5', '16')
GOOD = {  # kind of a tag, or of one whose name ends in 3d -> what it takes
    **dict.fromkeys(('float', 'int', 'angle', 'rate'), NUMBERS),
    **dict.fromkeys(('text', 'name', 'names', 'uri'), (
        'r', 'b', 'friction_mu', 'a %s', 'map.png', '')),
    **dict.fromkeys(('pose', 'twist2', 'wheel_pos', 'point3'), ('0 0 0', '1 2 3', '-1 0.5 90')),
    **dict.fromkeys(('pose3', 'pose3d'), ('0 0 0 0 0 0', '1 2 3 90 0 180')),
    'bool': ('true', '0'), 'choice': ('auto', 'true', '0'), 'flag': ('',),
    'colour': ('#ff0000', '#ff0000ff'),
    'keyframes': ('0 0 0 0', '1 2 3 4', '2 0 0 90'), 'keyframes3d': ('3 0 0 1 0 0 0',),
    'axes': ('0.1', '1 2 3'),
    'point2': ('0 0', '1 2'), 'angles': ('1 2',), 'values': ('0.1 0 0 0 0', '1 2 3 4'),
    'matrix': ('[1 2; 3 4]', '[0.5 0.5; 0 0]', '1 1 1\n2 2 2'),
}
BAD = ('', 'a', 'nan', '-1', '1e9', '1e-9', '1 2 3 4 5', '[1; 2 3]', '1 m')
PIECE = re.compile(r'[\w.+-]+|\s+|.', re.DOTALL)


def damaged(text: str, data: st.DataObject) -> str:
    """Return `text` with a few pieces lost, doubled, exchanged or replaced."""
    pieces = PIECE.findall(text)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(pieces) - 1))
        length = data.draw(st.sampled_from((1, 1, 1, 5, 50)))
        what = data.draw(st.sampled_from(('replace', 'drop', 'double', 'move', 'insert')))
        chunk = pieces[at:at + length]
        if what in ('drop', 'move'):
            del pieces[at:at + length]
        if what in ('double', 'move'):
            to = data.draw(st.integers(0, len(pieces)))
            pieces[to:to] = chunk
        if what in ('replace', 'insert'):
            end = at + (length if what == 'replace' else 0)
            pieces[at:end] = [data.draw(st.sampled_from(TOKENS))]
        if not pieces:
            break
    return ''.join(pieces)


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with copies of all world files, small enough to be read often."""
    logging.disable(logging.WARNING)
    copy = tmp_path_factory.mktemp('fuzz')
    Image.new('L', (4, 3)).save(copy / 'map.png')
    (copy / 'r').write_text('some file')
    shutil.copytree(PROJECT / 'worlds', copy / 'own')
    for path in sorted(GOLDEN.glob('*/*.xml')):
        shutil.copytree(path.parent, copy / 'golden' / path.parent.name, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns('dt*', 'obs', '*.csv'))
    if TUTORIAL.is_dir():
        shutil.copytree(TUTORIAL, copy / 'mvsim', dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns('models', '*.gridmap.gz'))
    yield copy
    logging.disable(logging.NOTSET)


@settings(max_examples=examples(150), suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_damaged_world(folder: Path, data: st.DataObject) -> None:
    files = sorted(folder.rglob('*.xml'))
    victim = data.draw(st.sampled_from(files))
    home = folder / victim.relative_to(folder).parts[0]
    worlds = [path for path in files if 'world' in path.name and path.is_relative_to(home)]
    world = victim if victim in worlds else data.draw(st.sampled_from(worlds))
    content = victim.read_text()
    victim.write_text(damaged(content, data))
    try:
        loaded = load_world(world, offline=True, strict=data.draw(st.booleans()))
    except MvsimError as error:
        assert str(error)
    else:
        assert isinstance(loaded, WorldSpec)
    finally:
        victim.write_text(content)


def test_there_is_a_value_of_every_kind() -> None:
    assert KINDS.keys() - GOOD.keys() == {'polygon', 'segments', 'spec', 'specs'}


def value(name: str, tag: Tag, data: st.DataObject) -> str:
    """Return a text for a tag, most often one that it takes."""
    if data.draw(st.integers(0, 19)) == 0:
        return data.draw(st.sampled_from(BAD))
    return data.draw(st.sampled_from(
        tag.choices or GOOD.get(tag.kind + '3d' * name.endswith('3d')) or GOOD[tag.kind]))


def element(name: str, spec: type, data: st.DataObject) -> str:
    """Return an element of a spec class, with what it needs and some of what it may have."""
    own_class = getattr(spec, 'XML_CLASS', '')
    content = []
    for entry in entries(spec):
        tag = data.draw(st.sampled_from(entry.names))
        if entry.tag.content:
            content.append(value(tag, entry.tag, data))
        elif not entry.tag.required and data.draw(st.integers(0, 3)):
            continue
        elif entry.classes:
            content.append(element(tag, data.draw(st.sampled_from(entry.classes)), data))
        elif entry.tag.kind in ('polygon', 'segments'):
            points = data.draw(st.permutations(('0 0', '1 0', '1 1', '0 2')))
            content.append(f'<{tag}>{"".join(f"<pt>{point}</pt>" for point in points)}</{tag}>')
        else:
            content.append(f'<{tag}>{value(tag, entry.tag, data)}</{tag}>')
    return f'<{name} class="{own_class}">{"".join(content)}</{name}>'


@settings(max_examples=examples(150), suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_any_values(folder: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(('mvsim_world', *collections())))
    if name == 'mvsim_world':
        world = element(name, WorldSpec, data)
    else:
        spec = data.draw(st.sampled_from(collections()[name][0]))
        world = f'<mvsim_world>{element(name, spec, data)}</mvsim_world>'
    path = folder / 'values.world'
    path.write_text(world.replace(' class=""', ''))
    try:
        loaded = load_world(path, offline=True)
    except MvsimError as error:
        files = path, folder / 'r', folder / 'map.png'  # a description may be of any of them
        assert any(str(each) in str(error) for each in files)
    else:
        assert isinstance(loaded, WorldSpec)


@settings(max_examples=examples(150))
@given(content=st.one_of(st.text(), st.binary()))
def test_any_content(folder: Path, content: str | bytes) -> None:
    path = folder / 'any.world'
    path.write_bytes(content if isinstance(content, bytes) else content.encode(errors='replace'))
    with pytest.raises(MvsimError):
        load_world(path, offline=True)
