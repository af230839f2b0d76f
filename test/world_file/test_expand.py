# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds are expanded: variables, loops, conditions and includes at world level."""

from pathlib import Path

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.expand import expand_text, expand_world
from mvsim_ros2.world.file.document.tree import ExpandedWorld
from mvsim_ros2.world.spec import Source

Warnings = list[tuple[Source, str]]


def _expand(body: str, folder: Path = Path(), warnings: Warnings | None = None,
            **variables: str) -> ExpandedWorld:
    said: Warnings = [] if warnings is None else warnings
    world = expand_text(f'<mvsim_world version="1.0">\n{body}\n</mvsim_world>',
                        str(folder / 'w.xml'), variables=variables,
                        warn=lambda *what: said.append(what))
    assert warnings is not None or not said
    return world


def _texts(body: str, folder: Path = Path(), **variables: str) -> list[str]:
    return [item.layers[0].text for item in _expand(body, folder, **variables).items]


def test_plain_world() -> None:
    world = _expand('<a x="1">2</a>\n<b><c/></b>')
    assert world.path == 'w.xml'
    assert (world.root.tag, world.root.attributes) == ('mvsim_world', {'version': '1.0'})
    assert [(item.tag, item.layers[0].source) for item in world.items] == [
        ('a', Source('w.xml', 2)), ('b', Source('w.xml', 3))]
    assert [len(item.layers) for item in world.items] == [1, 1]
    child = world.items[1].layers[0].child('c')
    assert child and child.source.line == 3


@pytest.mark.parametrize('body, texts', [
    ('<variable name="A" value="3"/><a>$f{A+1}</a>', ['4']),
    ('<variable name="A" value="3"/><variable name="A" value="${A}0"/><a>${A}</a>', ['30']),
    ('<variable name="A" value="$f{1/3}"/><a>$f{A*3}</a>', ['1']),
    ('<for var="i" from="1" to="3"><a>${i}</a></for>', ['1', '2', '3']),
    ('<for var="i" from="1" to="2"><a>a${i}</a><b>b${i}</b></for>', ['a1', 'b1', 'a2', 'b2']),
    ('<for var="i" from="3" to="2"><a/></for>', []),
    ('<for var="i" from="-1" to="$f{1-1}"><a>${i}</a></for>', ['-1', '0']),
    ('<for var="i" from="0" to="1"><for var="j" from="${i}" to="1"><a>${i}${j}</a></for></for>',
     ['00', '01', '11']),
    ('<for var="i" from="0" to="1"><a/></for><a>${i}</a>', ['', '', '1']),
    ('<for var="i" from="0" to="3"><if condition="$f{i>1}"><a>${i}</a></if></for>', ['2', '3']),
    ('<!-- ${NOTHING} --><a><!-- $f{1/0} -->1</a>', ['1']),
    ('<a>$f{rand() < 0}</a>', ['0']),
], ids=str)
def test_control_flow(body: str, texts: list[str]) -> None:
    assert _texts(body) == texts


@pytest.mark.parametrize('text, taken', [
    *((text, True) for text in (
        'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1', '-2',
        '0x10', '10', ' true ', '$f{2>1}', '${NONE|true}')),
    *((text, False) for text in ('0', '0x0', '000', 'no', 'No', 'false', 'OFF', 'n', '',
                                 '$f{1>2}')),
], ids=str)
def test_condition(text: str, taken: bool) -> None:
    assert bool(_texts(f'<if condition="{text}"><a/></if>')) is taken


@pytest.mark.parametrize('text, taken', [('maybe', False), ('0.5', False), ('1.5', True),
                                         ('tRuE', False)], ids=str)
def test_doubtful_condition(text: str, taken: bool) -> None:
    warnings: Warnings = []
    world = _expand(f'<if condition="{text}"><a/></if>', warnings=warnings)
    assert bool(world.items) is taken
    assert len(warnings) == 1
    assert repr(text) in warnings[0][1]


def test_loop_bounds_are_cut_with_a_warning() -> None:
    warnings: Warnings = []
    assert len(_expand('<for var="i" from="0" to="$f{5/2}"><a/></for>', warnings=warnings)
               .items) == 3
    assert warnings == [(Source('w.xml', 2), 'to="2.5" of <for> is not a whole number: 2 is used')]


@pytest.mark.parametrize('body, message', [
    ('<for var="i" from="0" to="1" step="2"><a/></for>',
     '<for> has an attribute step, which is not read'),
    ('<variable nam="x" name="a" value="1"/>',
     "<variable> has an attribute nam, which is not read; did you mean 'name'?"),
    ('<if condition="1">text<a/></if>', 'the text in <if> is not read'),
    ('<variable name="a" value="1"><b/></variable>', 'the elements in <variable> are not read'),
], ids=str)
def test_what_is_not_read(body: str, message: str) -> None:
    warnings: Warnings = []
    _expand(body, warnings=warnings)
    assert warnings == [(Source('w.xml', 2), message)]


def test_loop_without_body() -> None:
    warnings: Warnings = []
    _expand('<for var="i" from="0" to="1"> </for>', warnings=warnings)
    assert 'repeats nothing' in warnings[0][1]


def test_variables_of_the_caller() -> None:
    body = '<variable name="A" value="$f{1/0}"/><a>${A}</a><a>${B}</a>'
    world = _expand(body, A='5', B='$f{A+1}')
    assert [item.layers[0].text for item in world.items] == ['5', '6']
    assert world.variables == {'A': '5', 'B': '6'}


def test_variable_of_the_caller_that_nothing_uses() -> None:
    warnings: Warnings = []
    _expand('<a>${speed|1}</a>', warnings=warnings, sped='2')
    assert warnings == [(Source('w.xml', 1), 'variable sped is given, but nothing in the world '
                         "uses it; did you mean 'speed'?; there are speed")]


def test_include(tmp_path: Path) -> None:
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'sub' / 'one.xml').write_text(
        '<a>${x|0} $f{x} ${w} ${MVSIM_CURRENT_FILE_DIRECTORY}</a>\n'
        '<include file="two.xml" y="1"/>')
    (tmp_path / 'sub' / 'two.xml').write_text('<b>${x|none} ${y} ${w}</b>')
    body = ('<variable name="w" value="W"/><include file="sub/one.xml" x="$f{2*3}"/>'
            '<c>${x|none} ${MVSIM_CURRENT_FILE_DIRECTORY}</c>')
    world = _expand(body, tmp_path)
    assert [item.layers[0].text for item in world.items] == [
        f'6 6 W {tmp_path / "sub"}', 'none 1 W', f'none {tmp_path}']
    assert world.items[0].layers[0].source == Source(str(tmp_path / 'sub' / 'one.xml'), 1)


def test_names_defined_inside_an_included_file(tmp_path: Path) -> None:
    (tmp_path / 'i.xml').write_text(
        '<variable name="V" value="${k}"/>'
        '<for var="i" from="1" to="2"><a>${i} ${V} ${k}</a><!-- ${UNKNOWN} --></for>')
    assert _texts('<include file="i.xml" k="8" i="9"/><a>${V}</a>', tmp_path) == [
        '1 8 8', '2 8 8', '8']


@pytest.mark.parametrize('content', [
    '<a>${max_range|1}</a>', '<a b="${max_range|1}"/>', '<a>$f{2 * MAX_RANGE}</a>',
    '<if condition="0"><a>${ max_range }</a></if>', '<a>${none|${max_range}}</a>',
    '<include file="j.xml" far="${max_range}"/>', '<a>$f{${none|max_range} + 1}</a>',
    '<variable name="k" value="max"/><a>${${k}_range}</a>',
    '<a:class name="c"><b>${max_range|1}</b></a:class>',
], ids=str)
def test_attribute_of_an_include_that_is_used(content: str, tmp_path: Path) -> None:
    (tmp_path / 'i.xml').write_text(content)
    (tmp_path / 'j.xml').write_text('<a>${far|1}</a>')
    _expand('<include file="i.xml" max_range="2"/>', tmp_path)


@pytest.mark.parametrize('name, hint', [
    ('max_rage', "; did you mean 'max_range'?"), ('Max_Range', "; did you mean 'max_range'?"),
    ('other', ''),
], ids=str)
def test_attribute_of_an_include_that_is_not_used(name: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / 'i.xml').write_text(
        '<include file="j.xml"/><a>${max_range|1}</a><!-- ${other} -->')
    (tmp_path / 'j.xml').write_text('<a>${other|1}</a>')
    warnings: Warnings = []
    _expand(f'<include file="i.xml" {name}="2"/>', tmp_path, warnings)
    assert warnings == [(
        Source(str(tmp_path / 'w.xml'), 2), f'attribute {name} of <include> is not used: nothing '
        f'in {tmp_path / "i.xml"} uses ${{{name}}}{hint}')]


def test_include_in_a_loop(tmp_path: Path) -> None:
    (tmp_path / 'r.xml').write_text('<vehicle name="r${n}"/>')
    body = '<for var="i" from="0" to="2"><include file="r.xml" n="${i}"/></for>'
    world = _expand(body, tmp_path)
    assert [item.layers[0].attributes['name'] for item in world.items] == ['r0', 'r1', 'r2']


@pytest.mark.parametrize('body, line, part', [
    ('\n<variable name="A"/>', 3, '<variable> has no attribute value: write value="..."'),
    ('<for from="0" to="1"/>', 2, '<for> has no attribute var'),
    ('<for var="i" from="0" to="many"><a/></for>', 2, 'to="many" of <for> is not a whole number'),
    ('<for var="i" from="0" to="$f{inf}"><a/></for>', 2, 'is not a whole number'),
    ('<for var="i" from="0" to="1e300"><if condition="0"/></for>', 2, 'the world has more than'),
    ('<if><a/></if>', 2, '<if> has no attribute condition'),
    ('<include/>', 2, '<include> has no attribute file'),
    ('<include file="a/none.xml"/>', 2, "there is no file 'a/none.xml' to include; tried "),
    ('<include file="https://host/a.xml"/>', 2, 'an include takes plain files only'),
    ('<include file="."/>', 2, 'there is no file'),
    ('<a>\n<b x="${NOPE}"/></a>', 3, 'there is no variable NOPE'),
    ('<vehicle:class/>', 2, '<vehicle:class> has no name'),
], ids=str)
def test_errors(body: str, line: int, part: str, tmp_path: Path) -> None:
    with pytest.raises(WorldFileError) as caught:
        _expand(body, tmp_path)
    assert str(caught.value).startswith(f'{tmp_path / "w.xml"}:{line}: ')
    assert part in str(caught.value)


@pytest.mark.parametrize('text, message', [
    ('<world/>', 'w.xml:1: the root is <world>: a world begins with <mvsim_world>'),
    ('<mvsim_world/>\n<a/>', 'w.xml:2: <a> is outside of <mvsim_world>: move it inside'),
], ids=str)
def test_root(text: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        expand_text(text, 'w.xml', warn=lambda source, said: None)


@pytest.mark.parametrize('name, part', [
    ('none.xml', 'cannot read the world file: No such file'), ('.', 'Is a directory'),
    ('a\0b', 'cannot read the world file')], ids=repr)
def test_world_that_is_no_file(name: str, part: str, tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match=part):
        expand_world(str(tmp_path / name), warn=lambda source, said: None)


def test_seed() -> None:
    def values(seed: int, more: str = '') -> list[str]:
        text = f'<mvsim_world>{more}<a>$f{{rand()}}</a><a>$f{{randn()}}</a></mvsim_world>'
        world = expand_text(text, 'w.xml', seed=seed, warn=lambda source, said: None)
        return [item.layers[0].text for item in world.items[-2:]]

    assert values(1) == values(1)
    assert values(1) != values(2)
    assert values(1) == values(1, '<block:class name="c"><x>$f{rand()}</x></block:class>')
    fixed = '<variable name="unused" value="$f{randomize(5)}"/>'
    assert values(1, fixed) == values(2, fixed)
