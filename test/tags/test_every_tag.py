# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every tag of the manual: its value arrives, and something uses it, or a warning says why not.

The value of each tag is read from a text that the tables of the specs make, and must be another
one than the default. That it is used is looked up in the code: a field of a spec that nothing
outside the reader mentions would have no effect in silence.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
import re
from typing import Any

import pytest

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.binding.bind import Binder
from mvsim_ros2.world.file.binding.tags import entries, Entry, spec_classes
from mvsim_ros2.world.file.document.xml_repair import parse_nodes
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.file.resources.resources import Resources

PACKAGE = Path(__file__).resolve().parents[2] / 'mvsim_ros2'
READER = ('spec', 'world_file/binding', 'world_file/manual', 'world_file/compat')
TEXTS = {
    'text': 'word', 'uri': 'file.png', 'colour': '#123456', 'values': '0.5', 'angles': '1',
    'names': 'a b', 'axes': '1 2 3', 'point2': '1 2', 'point3': '1 2 3', 'pose': '1 2 3',
    'pose3': '1 2 3 4 5 6',
    'wheel_pos': '1.5 0.25', 'twist2': '1 2 3', 'matrix': '[1 0; 0 1]', 'name': 'somebody',
    'polygon': '<pt>0 0</pt><pt>3 0</pt><pt>0 2</pt>', 'segments': '<pt>0 0</pt><pt>3 0</pt>',
    'keyframes': '1 2 3 4', 'flag': 'true', 'choice': 'true',
    'spec': '<enabled>true</enabled>'}
# what a tag needs beside it, or a value that its rules ask for
OTHERS = {
    'elevation_data_matrix': '[1 2; 3 4]', 'points': '[0 0 0; 1 1 1]', 'apply_kernel': '[1]',
    'transformation': '[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]', 'version': '1.5',
    'topic': 'a/topic', 'frame_id': 'a_frame', 'textures': 'sky_%s.png',
    'geo_corner_sw': '1 2', 'geo_corner_ne': '3 4',
    'offset': '1 2 3', 'vertical_ray_angles': '1', 'texture_image_rotate': '90', 'size': '2 3 4',
    'date': '2026.5', 'tags': 'a b'}
# attributes, and tags, without which a group is not possible
COMPANIONS = {
    'TimedWaypointSpec': 't="1" x="1" y="1"', 'MotorSpec': 'max_torque="5"',
    'GeometrySpec': 'type="cylinder" radius="2" length="2"', 'LightGroupSpec': 'name="lamps"',
    'NamedPoseSpec': 'name="home"', 'JointSpec': 'type="revolute" body_a="a" body_b="b"'}
BESIDE = {
    'WaypointSpec': '1 2 3', 'ElevationMapSpec': (
        '<elevation_data_matrix>[1 2; 3 4]</elevation_data_matrix>'),
    'TrajectoryController': '<waypoint t="0" x="0" y="0"/> <waypoint t="1" x="1" y="0"/>',
    'PathSpec': '<waypoint>1 2 3</waypoint> <waypoint>2 2 3</waypoint>',
    'JointSpec': '<anchor_a>0 0</anchor_a> <anchor_b>0 0</anchor_b>',
    'SkidSteerSpec': '<l_wheel pos="0 1"/> <r_wheel pos="0 -1"/>',
    'EngineSpec': '<speeds>100 300</speeds> <torques>9 8</torques>',
    'LaserSpec': '<raytrace_3d>true</raytrace_3d>',
    'PropertyRegionSpec': '<value_double>1</value_double>',
    'WallsSpec': '<shape> <pt>0 0</pt> <pt>1 0</pt> </shape>',
    'PointCloudSpec': f'<file_txt_2d>{__file__}</file_txt_2d>'}
CASES = [pytest.param(spec, entry, id=f'{names[0]}-{getattr(spec, "XML_CLASS", "")}-{entry.field}')
         for spec, names in spec_classes().items() for entry in entries(spec)]


def samples(entry: Entry, default: Any) -> Iterator[str]:
    """Yield values of a tag, of which one should be possible and not the default."""
    tag, name = entry.tag, entry.names[0]
    if name in OTHERS:
        yield OTHERS[name]
    if tag.choices:
        yield from (choice for choice in tag.choices if choice and choice != default)
    elif tag.kind == 'bool':
        yield 'false' if default else 'true'
    elif tag.kind in ('float', 'int', 'angle', 'rate'):
        low = tag.minimum if tag.minimum is not None else tag.above or 0.0
        for number in (low + 1, low + 2, low + 0.001, low + 0.01, low + 0.1, low + 0.5, low + 30):
            if tag.maximum is None or number <= tag.maximum:
                yield f'{int(number) if tag.kind == "int" else number}'
        if tag.maximum is not None:
            yield str(tag.maximum)
    else:
        yield TEXTS[tag.kind]


def bound(spec: type, entry: Entry, text: str) -> Any:
    """Return a spec that was read from a text with one tag."""
    return bound_in(Report(), spec, entry, text)


def bound_in(report: Report, spec: type, entry: Entry, text: str) -> Any:
    """Return the same, with its warnings in a report."""
    name = entry.names[0]
    inner = text
    if entry.tag.kind not in ('polygon', 'segments', 'spec'):
        inner = text.replace('<', '&lt;')
    if entry.tag.content:
        node = f'<thing>{inner}</thing>'
    elif entry.tag.kind == 'name':
        node = f'<thing {name}="{inner}"/>'
    else:
        others = ' '.join(each for each in COMPANIONS.get(spec.__name__, '').split()
                          if not each.startswith(f'{name}='))
        beside = BESIDE.get(spec.__name__, '')
        beside = re.sub(f'<{name}>.*?</{name}>', '', beside)
        node = f'<thing {others}>{beside}<{name}>{inner}</{name}></thing>'
    (root,) = parse_nodes(node, 'a string')
    return Binder(report, Resources(True)).bind(spec, (root,), template=True)


@pytest.mark.parametrize('spec, entry', CASES)
def test_its_value_arrives(spec: type, entry: Entry) -> None:
    default = getattr(spec, entry.field, None)
    if entry.tag.kind in ('spec', 'specs'):
        assert entry.classes  # the tags in it are cases of their own
        return
    if len(entry.tag.choices) == 1:
        return  # there is but one way
    tried = []
    for text in samples(entry, default):
        try:
            value = getattr(bound(spec, entry, text), entry.field)
        except MvsimError as error:
            tried.append(str(error))
            continue
        if value != default:
            return
        tried.append(f'{text}: the default')
    # a rule about it, or a file that is not there, and the message names the tag
    assert any(name in each for each in tried for name in (*entry.names, entry.field)), tried


@cache
def mentioned() -> frozenset[str]:
    """Return all names of attributes and texts in the code outside the reader."""
    found: set[str] = set()
    for path in PACKAGE.rglob('*.py'):
        if str(path.relative_to(PACKAGE)).startswith(READER):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)


@cache
def used_by_specs() -> frozenset[str]:
    """Return the names that methods of specs read of themselves, for those who ask them."""
    found: set[str] = set()
    for path in (PACKAGE / 'world' / 'spec').rglob('*.py'):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.JoinedStr):  # a name that is put together
                found.update(part.value for part in node.values if isinstance(part, ast.Constant))
    return frozenset(found)


@pytest.mark.parametrize('spec, entry', CASES)
def test_it_is_used_or_says_why_not(spec: type, entry: Entry) -> None:
    """The code uses the field that a tag fills."""
    if entry.tag.idle or getattr(spec, 'IDLE', ''):
        why = entry.tag.idle or getattr(spec, 'IDLE', '')
        assert len(why) > 20 and not why.endswith('.')
        return
    ending = f'_{entry.field.rpartition("_")[2]}'  # of a name that is put together
    assert {entry.field, ending} & (mentioned() | used_by_specs()), (
        f'<{entry.names[0]}> is read, but nothing uses {entry.field}: let something act on it, or '
        'give its tag `idle`, the reason why not')
