# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every tag of the manual has a row in a table of this folder, or does nothing and says so.

:claim: Every tag changes the result of a run, or a warning says why not
:reference: runs with two values of each tag
"""

from collections.abc import Iterator
import importlib
import logging
from pathlib import Path
import re
from typing import Any

import pytest
from tag_effects import Row, titled
from test_tags_outside import ELSEWHERE

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.binding.bind import Binder
from mvsim_ros2.world.file.binding.tags import spec_classes
from mvsim_ros2.world.file.document.tree import parse_nodes
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec.fields import entries, Entry

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
ALL = [(spec, entry) for spec in spec_classes() for entry in entries(spec)]


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


def bound(report: Report, spec: type, entry: Entry, text: str) -> Any:
    """Return a spec that was read from a text with one tag, its warnings in a report."""
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


def has_no_effect(spec: type, entry: Entry) -> str:
    """Return why nothing acts on a tag, '' where something does."""
    return entry.tag.idle or getattr(spec, 'IDLE', '')


def rows() -> Iterator[Row]:
    """Yield the rows of all tables of this folder."""
    for path in Path(__file__).parent.glob('test_tags_*.py'):
        if path.name != Path(__file__).name:
            module = importlib.import_module(path.stem)
            for name in dir(module):
                yield from getattr(getattr(module, name), 'rows', ())
                if name.isupper() and isinstance(getattr(module, name), tuple):
                    yield from (each for each in getattr(module, name) if isinstance(each, Row))


def test_every_tag_has_a_row() -> None:
    shown = {(spec, row.tag) for row in rows() for spec in titled()[row.title]}
    shown |= {(spec, tag) for title, tags in ELSEWHERE.items()
              for spec in titled()[title] for tag in tags}
    missing = [f'{title}: {entry.names[0]}' for title, specs in titled().items()
               for spec in specs for entry in entries(spec)
               if not has_no_effect(spec, entry)
               and not any((spec, name) in shown for name in entry.names)]
    assert not missing, f'{len(missing)} tags without a row: {missing}'


@pytest.mark.parametrize('spec, entry', [
    pytest.param(spec, entry, id=f'{spec.__name__}-{entry.names[0]}')
    for spec, entry in ALL if has_no_effect(spec, entry)])
def test_tags_without_effect_say_why(
        spec: type, entry: Entry, caplog: pytest.LogCaptureFixture) -> None:
    default, arrived = getattr(spec, entry.field, None), len(entry.tag.choices) == 1
    for text in samples(entry, default):
        report = Report()
        try:
            with caplog.at_level(logging.WARNING), report:
                value = getattr(bound(report, spec, entry, text), entry.field)
        except MvsimError as error:  # a rule about it
            arrived = arrived or any(name in str(error) for name in entry.names)
            continue
        arrived = arrived or value != default
        if arrived and (entry.names[0] in caplog.text or 'without effect' in caplog.text):
            break
    why = has_no_effect(spec, entry)
    assert arrived and why in caplog.text and len(why) > 20 and not why.endswith('.')


def test_there_are_many_tags() -> None:
    assert len(ALL) > 1000
