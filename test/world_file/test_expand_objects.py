# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles, blocks, actors and sensors are expanded: classes, layers, names, nested includes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.expand import expand_text
from mvsim_ros2.world.file.document.tree import ExpandedWorld, Item, Node
from mvsim_ros2.world.spec import Source

Expand = Callable[..., ExpandedWorld]
Warnings = list[tuple[Source, str]]


@pytest.fixture
def expand(tmp_path: Path) -> Expand:
    """Return a function that expands a world beside the given files."""
    def run(body: str, warnings: Warnings | None = None, **files: str) -> ExpandedWorld:
        for name, text in files.items():
            path = tmp_path / f'{name.replace("__", "/")}.xml'
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        said: Warnings = [] if warnings is None else warnings
        world = expand_text(f'<mvsim_world>\n{body}\n</mvsim_world>', str(tmp_path / 'w.xml'),
                            warn=lambda *what: said.append(what))
        assert warnings is not None or not said
        return world
    return run


def _of(world: ExpandedWorld, tag: str) -> list[Item]:
    return [item for item in world.items if item.tag == tag]


def _texts(node: Node) -> list[str]:
    return [child.text for child in node.children]


def _names(world: ExpandedWorld, tag: str) -> list[str]:
    return [item.layers[0].attributes['name'] for item in _of(world, tag)]


def test_layers_in_order_of_precedence(expand: Expand, tmp_path: Path) -> None:
    world = expand(
        '<vehicle:class name="c"><x>class</x><include file="k.xml"/></vehicle:class>\n'
        '<vehicle name="v" class="c"><include file="i.xml"/><x>inline</x><include file="j.xml"/>'
        '</vehicle>', i='<x>i</x>\n<y>i</y>', j='<if condition="1"><x>j</x></if>', k='<z>k</z>')
    vehicle = _of(world, 'vehicle')[0]
    assert [_texts(layer) for layer in vehicle.layers] == [
        ['inline'], ['i', 'i'], ['j'], ['class', 'k']]
    assert [layer.source for layer in vehicle.layers] == [
        Source(str(tmp_path / 'w.xml'), 3), Source(str(tmp_path / 'i.xml'), 1),
        Source(str(tmp_path / 'j.xml'), 1), Source(str(tmp_path / 'w.xml'), 2)]
    assert vehicle.layers[1].children[1].source == Source(str(tmp_path / 'i.xml'), 2)
    assert vehicle.layers[3].children[1].source == Source(str(tmp_path / 'k.xml'), 1)


def test_layer_of_an_include_holds_what_it_includes(expand: Expand) -> None:
    world = expand('<block><for var="i" from="1" to="2"><include file="i.xml"/></for></block>',
                   i='<a>${i}</a><include file="j.xml"/><c/>', j='<b/>')
    layers = _of(world, 'block')[0].layers
    assert [[child.tag for child in layer.children] for layer in layers] == [
        [], ['a', 'b', 'c'], ['a', 'b', 'c']]
    assert [layer.children[0].text for layer in layers[1:]] == ['1', '2']


def test_control_flow_at_any_depth(expand: Expand) -> None:
    world = expand(
        '<vehicle name="v"><dynamics><for var="i" from="1" to="2"><if condition="$f{i == 2}">'
        '<w${x|}>${i}</w></if></for><include file="d.xml" m="4"/></dynamics></vehicle>'
        .replace('${x|}', ''), d='<chassis mass="${m}"/>')
    dynamics = _of(world, 'vehicle')[0].layers[0].children[0]
    assert [(child.tag, child.text, child.attributes) for child in dynamics.children] == [
        ('w', '2', {}), ('chassis', '', {'mass': '4'})]


def test_variables_of_an_object_are_its_own(expand: Expand) -> None:
    world = expand('<block><variable name="s" value="2"/><a>${s}</a></block><b>${s|none}</b>')
    assert _texts(_of(world, 'block')[0].layers[0]) == ['2']
    assert _of(world, 'b')[0].layers[0].text == 'none'


def test_class_sees_its_file_and_its_include(expand: Expand, tmp_path: Path) -> None:
    world = expand(
        '<variable name="w" value="then"/><include file="sub/c.xml" x="1"/>'
        '<variable name="w" value="now"/><variable name="late" value="late"/>'
        '<vehicle name="v" class="c"/>',
        sub__c='<vehicle:class name="c"><a>${x} ${w} ${late}</a>'
               '<m>${MVSIM_CURRENT_FILE_DIRECTORY}</m><include file="s.xml" y="${x}"/>'
               '</vehicle:class>',
        sub__s='<s>${y} ${x|none}</s>')
    layer = _of(world, 'vehicle')[0].layers[1]
    assert _texts(layer) == ['1 then late', str(tmp_path / 'sub'), '1 none']


def test_class_is_evaluated_for_each_instance(expand: Expand) -> None:
    world = expand('<block:class name="c"><a>$f{rand()}</a><n>${NAME}</n></block:class>'
                   '<for var="i" from="1" to="3"><block class="c"/></for>')
    layers = [item.layers[1] for item in _of(world, 'block')]
    assert len({layer.children[0].text for layer in layers}) == 3
    assert [layer.children[1].text for layer in layers] == ['block001', 'block002', 'block003']


def test_class_of_variables_is_evaluated_where_they_change(expand: Expand) -> None:
    world = expand('<block:class name="c"><x>${a|0} ${b|none}</x></block:class>'
                   '<block class="c"/><block class="c"/>'
                   '<variable name="a" value="1"/><block class="c"/><block class="c"/>'
                   '<variable name="a" value="$f{1+1}"/><block class="c"/>')
    layers = [item.layers[1] for item in _of(world, 'block')]
    assert [layer.children[0].text for layer in layers] == [
        '0 none', '0 none', '1 none', '1 none', '2 none']
    assert layers[0] is layers[1] and layers[2] is layers[3]


@pytest.mark.parametrize('text', [
    '${NAME}', '${ NAME |x}', '${PARENT_NAME}', '$f{rand()}', '${${b|NAME}}', '${b|${NAME}}'])
def test_class_that_may_differ_for_each_instance_is_not_shared(expand: Expand, text: str) -> None:
    world = expand(f'<block:class name="c"><x>{text}</x></block:class>'
                   '<block class="c" name="p"/><block class="c" name="q"/>')
    first, second = (item.layers[1].children[0].text for item in _of(world, 'block'))
    assert first != second


def test_class_alone_is_an_item(expand: Expand) -> None:
    world = expand('<a/><actor:class name="c"><x>$f{1+1}</x></actor:class><b/>')
    assert [item.tag for item in world.items] == ['a', 'actor:class', 'b']
    assert len(world.items[1].layers) == 1
    assert _texts(world.items[1].layers[0]) == ['2']


def test_class_may_come_after_its_use(expand: Expand) -> None:
    world = expand('<block name="b" class="c"><x>1</x></block><a/>'
                   '<block:class name="c"><x>2 ${NAME}</x></block:class>')
    assert [item.tag for item in world.items] == ['block', 'a', 'block:class']
    assert [_texts(layer) for layer in world.items[0].layers] == [['1'], ['2 b']]


def test_class_defined_again(expand: Expand) -> None:
    warnings: Warnings = []
    world = expand('<block:class name="c"><x>1</x></block:class><block class="c"/>\n'
                   '<block:class name="c"><x>2</x></block:class><block class="c"/>', warnings)
    assert [item.tag for item in world.items] == ['block', 'block:class', 'block']
    assert [_texts(item.layers[-1]) for item in world.items] == [['1'], ['2'], ['2']]
    assert len(warnings) == 1
    assert warnings[0][1].startswith('class c is defined again, first at ')


def test_class_included_again_is_no_fault(expand: Expand) -> None:
    world = expand('<for var="i" from="1" to="2"><include file="c.xml"/><block class="c"/></for>',
                   c='<block:class name="c"><x>${i}</x></block:class>')
    assert [_texts(item.layers[1]) for item in _of(world, 'block')] == [['1'], ['2']]


def test_classes_of_one_name(expand: Expand) -> None:
    world = expand('<block:class name="c"><x>b</x></block:class><vehicle name="v" class="c"/>'
                   '<vehicle:class name="c"><x>v</x></vehicle:class><block class="c"/>')
    assert _texts(_of(world, 'vehicle')[0].layers[1]) == ['v']
    assert _texts(_of(world, 'block')[0].layers[1]) == ['b']


def test_names(expand: Expand) -> None:
    world = expand('<vehicle/><vehicle name="veh2"/><vehicle/><block/><block name="b${x|7}"/>'
                   '<actor/><for var="i" from="1" to="2"><vehicle name="r${i}"/></for>')
    assert _names(world, 'vehicle') == ['veh1', 'veh2', 'veh3', 'r1', 'r2']
    assert _names(world, 'block') == ['block001', 'b7']
    assert _names(world, 'actor') == ['actor001']


def test_names_of_sensors(expand: Expand) -> None:
    world = expand(
        '<vehicle:class name="c"><sensor class="imu"><t>${PARENT_NAME}/${NAME}</t></sensor>'
        '<t>${PARENT_NAME}/${NAME}</t></vehicle:class>'
        '<for var="i" from="1" to="2"><vehicle name="r${i}" class="c">'
        '<include file="s.xml" sensor_name="${NAME}_s" topic="/${PARENT_NAME}/${NAME}/x"/>'
        '<sensor class="imu" frame="${NAME}"/></vehicle></for>'
        '<sensor class="laser"><t>${PARENT_NAME}/${NAME}</t></sensor>',
        s='<sensor class="laser" name="${sensor_name}"><t>${topic}</t><u>${NAME}</u></sensor>')
    vehicle = _of(world, 'vehicle')[1]
    inline, include, of_class = vehicle.layers
    assert inline.children[0].attributes == {'class': 'imu', 'frame': 'imu1', 'name': 'imu1'}
    assert include.children[0].attributes['name'] == 'r2_s'
    assert _texts(include.children[0]) == ['/r2/r2_s/x', 'r2_s']
    assert _texts(of_class.children[0]) == ['r2/imu2']
    assert of_class.children[1].text == 'r2/r2'
    assert _texts(_of(world, 'sensor')[0].layers[0]) == ['__standaloneSensorHost/laser1']


def test_include_beside_the_file_or_the_class(expand: Expand) -> None:
    world = expand('<include file="k/c.xml"/><vehicle name="v" class="c"/>',
                   k__c='<vehicle:class name="c"><include file="../s/a.xml"/></vehicle:class>',
                   s__a='<include file="b.xml"/><include file="d.xml"/>',
                   s__b='<b>beside the file</b>', k__b='<b/>', k__d='<d>beside the class</d>')
    assert _texts(_of(world, 'vehicle')[0].layers[1]) == ['beside the file', 'beside the class']


def test_unknown_class(expand: Expand) -> None:
    with pytest.raises(WorldFileError, match=r'w.xml:3: there is no <block:class name="bx">: '
                       r"define or <include> it; did you mean 'box'\?"):
        expand('<block:class name="box"/>\n<block class="bx"/>')


def test_error_in_a_class_names_the_instance(expand: Expand) -> None:
    with pytest.raises(WorldFileError) as caught:
        expand('<block:class name="c">\n<x>${y}</x></block:class>\n<block name="b" class="c"/>')
    assert 'w.xml:3: there is no variable y' in str(caught.value)
    assert '(read for the block b of ' in str(caught.value)
    assert str(caught.value).endswith('w.xml:4)')
