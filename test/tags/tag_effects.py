# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Tables of tags with two values each, and what a run with each of them shows.

A world has slots ``{title: usual tags}``, where a title is that of a table of the manual, as
``sensor laser``, and ``{@title: attributes}`` for what can be an attribute only. A table names a
title, then has rows of tags: ``tag ... | one | other | beside``. ``-`` leaves a tag out, ``!``
before the other value says that it is refused, and what stands beside it is in both worlds.
"""

import atexit
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
import re
import shutil
import tempfile
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.pictures.viewpoint import camera
from mvsim_ros2.recording.hashes import plain
from mvsim_ros2.recording.recorded_topics import RecordedTopics
from mvsim_ros2.ros.messages.names import Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.world.file.binding.tags import spec_classes
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import WorldSpec
from mvsim_ros2.world.spec.fields import entries, Entry

# what most worlds have: a robot that drives ahead, and a LiDAR above it
ROBOT = """
 <vehicle name="r"> <init_pose>0 0 10</init_pose>
  <dynamics class="differential">
   <l_wheel pos="0 0.3" mass="2" width="0.1" diameter="0.4"/>
   <r_wheel pos="0 -0.3" mass="2" width="0.1" diameter="0.4"/>
   <controller class="twist_pid"> <KP>100</KP> <max_torque>20</max_torque> </controller>
  </dynamics>
  <sensor class="laser" name="laser"> <range_std_noise>0</range_std_noise>
   <angle_std_noise_deg>0</angle_std_noise_deg> <sensor_period>0.35</sensor_period> </sensor>
 </vehicle>"""
LIDAR = """
 <sensor class="lidar3d" name="lidar"> <pose_3d>0.1 0.4 0.9 0 0 0</pose_3d>
  <vertical_ray_angles>-30 -20 -10 0 10</vertical_ray_angles> <vert_nrays>5</vert_nrays>
  <horz_nrays>60</horz_nrays>
  <range_std_noise>0</range_std_noise> <rolling>false</rolling>
  <sensor_period>0.35</sensor_period> </sensor>"""
ROBOT_URDF = """<robot name="robot">
 <link name="base_link"> <visual> <origin xyz="0 0 0.1"/> <geometry> <box size="0.4 0.3 0.1"/>
  </geometry> </visual> <collision> <origin xyz="0 0 0.1"/> <geometry> <box size="0.4 0.3 0.1"/>
  </geometry> </collision> <inertial> <mass value="8"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
 <link name="left"> <collision> <geometry> <sphere radius="0.1"/> </geometry> </collision> </link>
 <link name="right"> <collision> <geometry> <sphere radius="0.1"/> </geometry> </collision> </link>
 <joint name="left_joint" type="continuous"> <parent link="base_link"/> <child link="left"/>
  <origin xyz="0 0.2 0.1"/> <axis xyz="0 1 0"/> </joint>
 <joint name="right_joint" type="continuous"> <parent link="base_link"/> <child link="right"/>
  <origin xyz="0 -0.2 0.1"/> <axis xyz="0 1 0"/> </joint>
</robot>"""
WALL = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="6">1 0 -1 1 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<lines count="1"><input offset="0" semantic="VERTEX" source="#v"/><p>0 1</p></lines>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes></COLLADA>"""
_SLOT = re.compile(r'(?<!\$)\{(@?[a-z][\w ]*)(?::((?:[^{}]|\$\{\w+\})*))?\}')
# what worlds have that show effects: collisions, joints that pull, limits that turn
_ON_PURPOSE = re.compile(
    ' m deep in | m apart at the start|: its angle at load is |, and world_is_utm says ')
Look = Callable[[Simulation], Any]


@cache
def titled() -> dict[str, tuple[type, ...]]:
    """Return the classes that each title of the manual stands for."""
    found: dict[str, tuple[type, ...]] = {}
    for spec, names in spec_classes().items():
        own = getattr(spec, 'XML_CLASS', '')
        for name in names:
            title = f'{name} {own}'.strip()
            found[title] = (*found.get(title, ()), spec)
    return found


def entry_of(title: str, tag: str) -> Entry:
    """Return the entry of a tag in a table of the manual."""
    return next(entry for spec in titled()[title] for entry in entries(spec) if tag in entry.names)


@dataclass(frozen=True)
class Row:
    """A tag with two values."""

    title: str
    tag: str
    one: str
    other: str
    beside: str = ''

    def __str__(self) -> str:
        """Return the name of its test."""
        return f'{self.title}-{self.tag}-{self.other}'[:60]


def table(text: str) -> tuple[Row, ...]:
    """Return the rows of a table; lines without a bar are titles."""
    rows, title = [], ''
    for line in filter(None, map(str.strip, text.splitlines())):
        if ' | ' in line:
            tags, *cells = (cell.strip() for cell in line.split(' | '))
            rows += [Row(title, tag, *cells) for tag in tags.split()]
        else:
            title = line
    return tuple(rows)


def filled(world: str, row: Row, value: str) -> str:
    """Return the text of a world, in which the tag of a row has a value."""
    entry = entry_of(row.title, row.tag)
    is_name = entry.tag.kind == 'name'
    wanted = f'@{row.title}' if is_name else row.title
    found = False

    def fill(match: re.Match[str]) -> str:
        nonlocal found
        slot, usual = match[1], match[2] or ''
        if slot != wanted:
            return usual
        found = True
        if is_name:
            usual = ' '.join(each for each in usual.split() if not each.startswith(f'{row.tag}='))
            return usual if value == '-' else f'{usual} {row.tag}="{value}"'
        for tag in {row.tag, *entry.names, *re.findall(r'<(\w+)', row.beside)}:
            usual = re.sub(f'(?s)<{tag}(>| [^>]*[^/]>).*?</{tag}>|<{tag}[^>]*/>', '', usual)
        if entry.tag.content:
            return value
        if value == '-':
            return usual + row.beside
        return f'{usual}{row.beside}{_element(row.tag, value, entry.tag.kind)}'

    text = world
    while _SLOT.search(text):  # there are slots within slots
        text = _SLOT.sub(fill, text)
    assert found, f'the world has no slot for {row.title}'
    return text


def _element(tag: str, value: str, kind: str) -> str:
    """Return a tag; attributes of a group may stand before its tags: ``class="x"; <KP>1</KP>``."""
    if kind not in ('spec', 'specs'):
        return f'<{tag}>{value}</{tag}>'
    begin, _, inner = value.rpartition(';')
    return f'<{tag} {begin}>{inner}</{tag}>'


def differing(one: Any, other: Any) -> Iterator[tuple[type, str]]:
    """Yield class and field of what differs in two specs, as deep as both have the same parts."""
    for item in fields(one):
        a, b = getattr(one, item.name), getattr(other, item.name)
        if a is b or item.name == 'source' or isinstance(one, WorldSpec) and (
                item.name in ('warnings', 'path')):
            continue
        parts = list(zip(a, b)) if isinstance(a, tuple) and isinstance(b, tuple) and (
            len(a) == len(b)) else [(a, b)]
        alike = parts and all(type(x) is type(y) and is_dataclass(x) and hasattr(x, 'source')
                              for x, y in parts)
        if alike:
            for x, y in parts:
                yield from differing(x, y)
        elif plain(a) != plain(b):
            yield type(one), item.name


def bits(thing: Any) -> Any:
    """Return what was observed as values that can be compared to the last bit."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, np.ascontiguousarray(thing).tobytes()
    if isinstance(thing, memoryview):
        return thing.tobytes()
    if is_dataclass(thing):
        return type(thing).__name__, [bits(getattr(thing, item.name)) for item in fields(thing)]
    if isinstance(thing, (tuple, list)):
        return [bits(each) for each in thing]
    if isinstance(thing, dict):
        return {key: bits(each) for key, each in thing.items()}
    assert thing is None or isinstance(thing, (str, bytes, bool, int, float, np.generic)), thing
    return repr(thing)


@cache
def files() -> str:
    """Return a folder with small images, maps, points and meshes, ``${FILES}`` in the worlds."""
    folder = Path(tempfile.mkdtemp(prefix='tag_effects_'))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    rising = np.linspace(0, 255, 16).astype(np.uint8)
    images = {
        'slope.png': np.tile(rising, (16, 1)), 'hill.png': np.minimum.outer(rising, rising[::-1]),
        'stripes.png': np.tile(np.array([[0, 255, 128, 255]] * 2, np.uint8), (4, 4)),
        'bumps.png': np.tile(np.array([[[255, 128, 255], [0, 128, 255]]], np.uint8), (8, 4, 1)),
        'map.png': np.pad(np.full((28, 40), 255, np.uint8), 2),
        'other_map.png': np.pad(np.full((28, 20), 255, np.uint8), ((2, 2), (2, 22)))}
    for number, side in enumerate(('Front', 'Back', 'Down', 'Up', 'Left', 'Right')):
        images[f'day_{side}.png'] = np.full((2, 2, 3), 40 * number + 20, np.uint8)
        images[f'night_{side}.png'] = np.full((2, 2, 3), 30 * number, np.uint8)
    for name, pixels in images.items():
        Image.fromarray(pixels).save(folder / name)
    grid = [(x, y) for x in np.arange(-3.0, 3.1) for y in np.arange(-3.0, 3.1)]
    line = np.linspace(-1, 1, 41)
    texts = {
        'more.xy': '\n'.join(f'1 {y}' for y in line),
        'more.xyz': '\n'.join(f'1 {y} 0.6' for y in line),
        'hill.xyz': '\n'.join(f'{x} {y} {0.1 * x + 0.5} 0 200 0' for x, y in grid),
        'flat.xyz': '\n'.join(f'{x} {y} 0.2 200 0 0' for x, y in grid),
        'points.xy': '\n'.join(f'1.5 {y}' for y in line),
        'points.xyz': '\n'.join(f'1.2 {y} 0.5' for y in line),
        'pattern.csv': ''.join(f'{9 * k},{k % 3},{0.002 * k},{k % 3}\n' for k in range(40)),
        'other.csv': ''.join(f'{9 * k},{k % 5},{0.002 * k},{k % 5}\n' for k in range(40)),
        'box.obj': 'v 0 0 0\nv 0.4 0 0\nv 0 0.4 0\nv 0 0 0.8\n'
                   'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
        'wedge.obj': 'v 0 0 0\nv 0.2 0 0\nv 0 0.8 0\nv 0 0 0.3\n'
                     'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
        'wall.dae': WALL, 'other_wall.dae': WALL.replace('1 0 -1 1 0 1', '1 0 -1 1.3 0 1'),
        'robot.urdf': ROBOT_URDF, 'robot.urdf.xacro': ROBOT_URDF.replace(
            '<robot name="robot">', '<robot name="robot" '
            'xmlns:xacro="http://www.ros.org/wiki/xacro"> <xacro:arg name="size" default="0.4"/>'
        ).replace('0.4 0.3 0.1', '$(arg size) 0.3 0.1')}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return str(folder)


@cache
def _world(text: str) -> WorldSpec:
    world = load_world_text(text.replace('${FILES}', files()), 'a table', offline=True)
    for each in world.warnings:
        if not _ON_PURPOSE.search(each.message):
            raise MvsimError(str(each))
    return world


@cache
def _seen(text: str, look: Look) -> Any:
    return bits(look(Simulation(_world(text), seed=1)))


def check(world: str, row: Row, look: Look) -> None:
    """
    Check that the tag of a row arrives in its spec and changes what a run shows.

    :param look: runs a simulation and returns what it shows.
    """
    one = filled(world, row, row.one)
    if row.other.startswith('!'):
        refused = filled(world, row, row.other[1:].strip())
        _world(one)
        with pytest.raises(MvsimError, match=row.tag):
            look(Simulation(_world(refused)))
        return
    other = filled(world, row, row.other)
    specs, entry = titled()[row.title], entry_of(row.title, row.tag)
    found = list(differing(_world(one), _world(other)))
    assert any(field == entry.field and issubclass(spec, specs) or spec in entry.classes
               for spec, field in found), found
    assert _seen(one, look) != _seen(other, look), f'{row.tag} has no effect'


def effects(world: str | Callable[[str], str], text: str, look: Look) -> Any:
    """Return the test of the rows of a table; the world may depend on the title, less a word."""
    rows = table(text)

    @pytest.mark.parametrize('row', rows, ids=str)
    def test(row: Row) -> None:
        made = world if isinstance(world, str) else world(row.title.partition(' ')[2])
        check(made, row, look)

    test.rows = rows  # type: ignore[attr-defined]
    return test


def motion(simulation: Simulation) -> Any:
    """Return where everything is, how it moves, and what vehicles believe of it."""
    return [
        {name: (each.pose, each.twist_in_space, each.wheels, each.odometry, each.collided,
                each.tipped, each.is_touched) for name, each in simulation.vehicles.items()},
        {name: (each.pose, each.twist_body, each.footprint)
         for name, each in simulation.blocks.items()},
        {name: each.pose for name, each in simulation.actors.items()},
        list(simulation.elements), simulation.time_ns]


def picture(simulation: Simulation) -> CameraFrame:
    """Return what a small camera sees that stands in the south-west, with a bit of the sky."""
    return simulation.render(camera((-2.5, -3.0, 1.8), (0.6, 0.2, 0.6), 64, 48))


def drive_and_draw(simulation: Simulation) -> list[Any]:
    """Return names, what `drive` returns, and a picture of the end."""
    return [simulation.scene().thing_names, drive(simulation), picture(simulation)]


class _Sheet:
    """Keeps what a recording writes."""

    def __init__(self) -> None:
        self.written: dict[str, list[Any]] = {}

    def add(self, name: str, message_type: str, qos: Any) -> Any:
        """Return a new topic."""
        self.written[name] = [message_type]
        return SimpleNamespace(name=name)

    def write(self, topic: Any, time_ns: int, message: Any) -> None:
        """Keep a message."""
        self.written[topic.name].append((time_ns, message))


def messages(simulation: Simulation) -> dict[str, list[Any]]:
    """Return the messages of a short drive, by topic: all that a recording has."""
    sheet, settings = _Sheet(), Settings()
    names = Namespaces(settings, list(simulation.vehicles))
    topics = RecordedTopics(cast(Any, sheet), simulation, settings, names, ())
    topics.write_latched(0)
    for _ in range(2):
        for vehicle in simulation.vehicles.values():
            if vehicle.accepts_twist:
                vehicle.set_twist(1.0, 0.3)
        for observation in simulation.step(round(0.15 / simulation.dt)):
            topics.write_observation(simulation.time_ns, observation)
        topics.write_states(simulation.time_ns)
    for sensor in simulation.sensors.values():
        topics.write_observation(simulation.time_ns, sensor.measure())
    sheet.written['measured'] = [each.measure() for each in simulation.sensors.values()]
    return sheet.written


def drive(simulation: Simulation, vx: float = 1.0, wz: float = 0.3) -> list[Any]:
    """Let everything stand for a while and then drive; return motion and measurements."""
    seen = [motion(simulation), simulation.step(round(0.1 / simulation.dt)), motion(simulation)]
    for vehicle in simulation.vehicles.values():
        if vehicle.accepts_twist:
            vehicle.set_twist(vx, wz)
    seen += [simulation.step(round(0.6 / simulation.dt)), motion(simulation)]
    seen.append([sensor.measure() for sensor in simulation.sensors.values()])
    return seen
