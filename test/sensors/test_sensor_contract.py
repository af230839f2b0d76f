# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What every sensor keeps to, built in or from a plugin."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
import re
from typing import Any
from xml.etree import ElementTree

from making import simulate
from memory_growth import traced_leak
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.ros.messages.message_types import full_name
from mvsim_ros2.ros.messages.names import ENU, FrameNames, sensor_topics
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of, SENSOR_MESSAGES
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.sensors.factory import SENSOR_MODELS
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.file.manual import manual
from mvsim_ros2.world.spec.fields import entries
from mvsim_ros2.world.spec.sensors.base import sensor_specs, SensorSpec

WORLD = """
  <simul_timestep>0.01</simul_timestep>
  <georeference> <latitude>48</latitude> <longitude>11</longitude> </georeference>
  <element class="horizontal_plane">
    <x_min>-10</x_min> <x_max>10</x_max> <y_min>-10</y_min> <y_max>10</y_max>
  </element>
  <block name="wall">
    <static>true</static> <zmax>3</zmax> <init_pose>1.1 0 0</init_pose>
    <shape><pt>-0.05 -4</pt> <pt>0.05 -4</pt> <pt>0.05 4</pt> <pt>-0.05 4</pt></shape>
  </block>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 0.2" mass="2" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.2" mass="2" width="0.05" diameter="0.2"/>
      <controller class="twist_ideal"/>
    </dynamics>
    <sensor class="CLASS" name="s">
      <pose_3d>0.3 0 0.2 ANGLES</pose_3d> <sensor_period>0.1</sensor_period> TAGS
    </sensor>
  </vehicle>
"""
NAME = 'r1/s'
STEPS, MEASUREMENTS = 65, 6  # of 10 ms; one in 100 ms
OPTICAL = {'camera', 'thermal_camera', 'event_camera'}  # their poses look along z
TAGS = {  # what would take long as it is by default, and what has to be asked for
    'camera': '<ncols>16</ncols> <nrows>12</nrows> <cx>7.5</cx> <cy>5.5</cy> <fx>9</fx> '
              '<fy>9</fy> <renderer>cpu</renderer> <labels>true</labels> '
              '<exposure_time>0.01</exposure_time> <exposure_samples>2</exposure_samples> '
              '<image_noise>5</image_noise>',
    'rgbd_camera': ''.join(
        f'<{part}_ncols>16</{part}_ncols> <{part}_nrows>12</{part}_nrows> '
        f'<{part}_cx>7.5</{part}_cx> <{part}_cy>5.5</{part}_cy> '
        f'<{part}_fx>9</{part}_fx> <{part}_fy>9</{part}_fy>' for part in ('rgb', 'depth'))
    + '<renderer>cpu</renderer> '
      '<publish_ros_colored_pointcloud>true</publish_ros_colored_pointcloud>',
    'thermal_camera': '<ncols>16</ncols> <nrows>12</nrows> <cx>7.5</cx> <cy>5.5</cy> <fx>9</fx> '
                      '<fy>9</fy>',
    'event_camera': '<ncols>16</ncols> <nrows>12</nrows> <cx>7.5</cx> <cy>5.5</cy> <fx>9</fx> '
                    '<fy>9</fy> <renderer>cpu</renderer> <samples>2</samples> '
                    '<leak_rate>3</leak_rate>',
    'imu': '<measure_orientation>true</measure_orientation>',
    'lidar3d': '<vert_nrays>4</vert_nrays> <horz_nrays>90</horz_nrays>',
}
# numbers of observations that may be infinite or NaN where nothing is met (REP-117, REP-118)
UNMET = {'depth', 'distance', 'ranges'}
SPECS = sensor_specs()
ALL_HAVE = {entry.field for entry in entries(SensorSpec)}  # test_delivery.py has these
every_sensor = pytest.mark.parametrize(
    'spec', [pytest.param(spec, id=spec.XML_CLASS) for spec in SPECS])
every_noisy_sensor = pytest.mark.parametrize(
    'spec', [pytest.param(spec, id=spec.XML_CLASS) for spec in SPECS
             if any(each.tag.random and each.field not in ALL_HAVE for each in entries(spec))])


def text_of(spec: type[SensorSpec]) -> str:
    """Return a world with a sensor of a class, all of whose random errors are there."""
    tags = TAGS.get(spec.XML_CLASS, '')
    for entry in entries(spec):
        name = entry.names[0]
        if entry.tag.random and entry.field not in ALL_HAVE and f'<{name}>' not in tags:
            tags += f'<{name}>0.01</{name}>'
    return WORLD.replace('CLASS', spec.XML_CLASS).replace(
        'ANGLES', '-90 0 -90' if spec.XML_CLASS in OPTICAL else '0 0 0').replace(
        'TAGS', tags)


def start(spec: type[SensorSpec], seed: int = 0, noise: bool = True) -> Simulation:
    """Return a world with a sensor of a class, whose robot drives a curve."""
    sim = simulate(text_of(spec), seed)
    sim.set_noise(noise)
    sim.vehicles['r1'].set_twist(0.3, 0.2)
    return sim


def values_of(thing: Any, name: str = '') -> Iterator[tuple[str, Any]]:
    """Yield names and values of all that an observation holds."""
    if is_dataclass(thing):
        for each in fields(thing):
            yield from values_of(getattr(thing, each.name), each.name)
    elif isinstance(thing, np.ndarray) and thing.dtype.names:
        for column in thing.dtype.names:
            yield f'{name} {column}', thing[column]
    else:
        yield name, thing


def numbers_of(observation: Observation) -> Iterator[tuple[str, Any]]:
    """Yield names and values of the numbers in an observation."""
    for name, value in values_of(observation):
        if isinstance(value, (int, float, np.ndarray)):
            yield name, np.asarray(value, float)


def same(some: list[Observation], others: list[Observation]) -> bool:
    """Return whether measurements are the same, bit for bit."""
    pairs = [pair for one, other in zip(some, others, strict=True)
             for pair in zip(values_of(one), values_of(other), strict=True)]
    return all(name == other_name and (
        value.tobytes() == other.tobytes() if isinstance(value, np.ndarray)
        else repr(value) == repr(other)) for (name, value), (other_name, other) in pairs)


def test_all_rooms_know_all_sensors() -> None:
    assert {record.spec for record in SENSOR_MODELS} == set(SPECS)
    assert {record.spec for record in SENSOR_MESSAGES} == set(SPECS)


@every_sensor
def test_measures_when_it_is_due(spec: type[SensorSpec]) -> None:
    sim = start(spec)
    measured = sim.step(STEPS)
    assert len(measured) == MEASUREMENTS
    frames = {frame.name for frame in sim.sensors[NAME].frames}
    for observation in measured:
        assert isinstance(observation, Observation)
        assert observation.sensor == NAME and observation.frame_id in frames
        assert type(observation) is type(sim.measure(NAME))
    stamps = np.array([observation.stamp_ns for observation in measured])
    assert np.diff(stamps).tolist() == [100_000_000] * (MEASUREMENTS - 1)
    assert 0 <= stamps[0] and stamps[-1] <= sim.time_ns


@every_sensor
def test_numbers_are_finite(spec: type[SensorSpec]) -> None:
    for observation in start(spec).step(STEPS):
        dense = getattr(observation, 'is_dense', True)
        for name, values in numbers_of(observation):
            if name in UNMET or name.startswith('points ') and not dense:
                assert np.isfinite(values).any(), name
            elif name != 'cloud':
                assert np.isfinite(values).all(), name


@every_sensor
def test_frames_hang_together(spec: type[SensorSpec]) -> None:
    frames = start(spec).sensors[NAME].frames
    known = {''}
    for frame in frames:
        assert frame.parent in known and frame.name not in known
        known.add(frame.name)


@every_sensor
def test_messages_are_made_and_serialised(spec: type[SensorSpec]) -> None:
    serialiser = pytest.importorskip('mvsim_ros2.recording.serialiser')
    sim = start(spec)
    observation = sim.step(STEPS)[-1]
    channels = channels_of(sim.sensors[NAME].spec)
    assert channels and len({channel.ending for channel in channels}) == len(channels)
    for channel in channels:
        message = message_of(channel, serialiser.TYPES, observation, 'r1/')
        data = serialiser.serialise(message, channel.message_type)
        back = serialiser.STORE.deserialize_cdr(data, full_name(channel.message_type))
        assert bytes(serialiser.serialise(back, channel.message_type)) == bytes(data)
        if hasattr(back, 'header'):
            stamp = back.header.stamp
            assert stamp.sec * 1_000_000_000 + stamp.nanosec == observation.stamp_ns
            assert back.header.frame_id.removeprefix('r1/') in {
                ENU, *(frame.name for frame in sim.sensors[NAME].frames)}


@every_sensor
def test_node_and_recorder_make_the_same_messages(spec: type[SensorSpec]) -> None:
    rclpy = pytest.importorskip('rclpy.serialization')
    serialiser = pytest.importorskip('mvsim_ros2.recording.serialiser')
    of_ros = pytest.importorskip('mvsim_ros2.ros.publishers.topics').TYPES
    observation = start(spec).step(STEPS)[-1]
    for channel in channels_of(spec(name='s')):
        name = channel.message_type
        expected = bytes(serialiser.serialise(
            message_of(channel, serialiser.TYPES, observation, ''), name))
        made = message_of(channel, of_ros, observation, '')
        data = made if isinstance(made, bytes) else rclpy.serialize_message(made)
        # ROS may leave anything in the gaps between fields, and at the end
        message = serialiser.STORE.deserialize_cdr(data[:len(expected)], full_name(name))
        assert bytes(serialiser.serialise(message, name)) == expected
        assert 0 <= len(data) - len(expected) < 16


@every_sensor
def test_topics_are_its_own(spec: type[SensorSpec]) -> None:
    alone, (first, second) = sensor_topics([spec(name='a')]), sensor_topics(
        [spec(name='a'), spec(name='b')])
    assert alone == [SENSOR_MESSAGES[spec].usual_topic or 'a']
    assert (first, second) == ('a', 'b')
    assert sensor_topics([spec(name='a', topic='there')]) == ['there']


@every_sensor
def test_robot_description_has_it(spec: type[SensorSpec]) -> None:
    sim = start(spec)
    text = RobotModel(sim.vehicles['r1'], FrameNames(), [sim.sensors[NAME]]).description()
    robot = ElementTree.fromstring(text)
    links = {link.attrib['name'] for link in robot.iter('link')}
    assert {frame.name for frame in sim.sensors[NAME].frames} <= links
    write = SENSOR_MESSAGES[spec].gazebo
    assert [each.attrib['type'] for each in robot.iter('sensor')] == (
        [] if write is None else [write(sim.sensors[NAME].spec)[0]])


@every_sensor
def test_manual_has_it(spec: type[SensorSpec]) -> None:
    assert f'`<sensor class="{spec.XML_CLASS}">`' in manual()
    assert spec.__doc__


@every_sensor
def test_page_on_sensors_has_it(spec: type[SensorSpec], project: Path) -> None:
    if not spec.__module__.startswith('mvsim_ros2.'):
        pytest.skip('a plugin has pages of its own')
    page = (project / 'docs/sensors.md').read_text()
    name = spec.XML_CLASS
    row = re.search(rf'^\| \[`.*`{name}`.*\n|^\| \[`{name}`.*\n', page, re.MULTILINE)
    assert row, 'the table of all sensors has no row for it'
    link = re.search(r'\]\(([\w-]+\.md)?#([^)]*)\)', row[0])
    assert link, 'its row has no link to its section'
    page = (project / 'docs' / (link[1] or 'sensors.md')).read_text()
    assert f'<!-- tags of {name} -->' in page
    headings = [re.sub(r'[^\w\- ]', '', heading).strip().lower().replace(' ', '-')
                for heading in re.findall('^## (.*)$', page, re.MULTILINE)]
    assert link[2] in headings
    for channel in channels_of(spec(name='s')):
        assert channel.message_type.partition('/')[2] in row[0]


@every_sensor
def test_reset_begins_anew(spec: type[SensorSpec]) -> None:
    sim = start(spec)
    first = sim.step(STEPS)
    sim.reset()
    sim.vehicles['r1'].set_twist(0.3, 0.2)
    assert same(sim.step(STEPS), first)


@every_sensor
def test_repeats_by_seed(spec: type[SensorSpec]) -> None:
    """
    Every sensor class is reproducible by seed, bit for bit.

    :reference: each other
    """
    assert same(start(spec, seed=3).step(STEPS), start(spec, seed=3).step(STEPS))


@every_noisy_sensor
def test_other_seeds_have_other_noise(spec: type[SensorSpec]) -> None:
    assert not same(start(spec, seed=3).step(STEPS), start(spec, seed=4).step(STEPS))


@every_sensor
def test_goes_on_from_a_snapshot(spec: type[SensorSpec]) -> None:
    sim = start(spec)
    sim.step(STEPS // 2)
    state = sim.snapshot()
    rest = sim.step(STEPS)
    sim.restore(state)
    assert same(sim.step(STEPS), rest)
    fresh = simulate(text_of(spec))
    fresh.restore(state)
    assert same(fresh.step(STEPS), rest)


@every_sensor
def test_without_noise_seeds_make_no_difference(spec: type[SensorSpec]) -> None:
    assert same(start(spec, seed=3, noise=False).step(STEPS),
                start(spec, seed=4, noise=False).step(STEPS))


@every_noisy_sensor
def test_noise_stays_off_at_a_reset_and_comes_back(spec: type[SensorSpec]) -> None:
    runs = [start(spec, seed, noise=False) for seed in (3, 4)]
    for sim in runs:
        sim.restore(start(spec).snapshot() | {'streams': sim.snapshot()['streams']})
        sim.reset()
        sim.vehicles['r1'].set_twist(0.3, 0.2)
    first, other = (sim.step(STEPS) for sim in runs)
    assert same(first, other)
    for sim in runs:
        sim.set_noise(True)
    noisy, other = (sim.step(STEPS) for sim in runs)
    assert not same(noisy, other)
    assert np.diff([each.stamp_ns for each in first + noisy]).tolist() == [100_000_000] * (
        len(first + noisy) - 1)


@every_sensor
def test_what_is_called_noise_is_marked_as_random(spec: type[SensorSpec]) -> None:
    for entry in entries(spec):
        if re.search('noise|random_walk|dropout', entry.field):
            assert entry.tag.random, f'{entry.field}: set_noise(False) would leave it'


@every_sensor
def test_is_off_when_disabled(spec: type[SensorSpec]) -> None:
    sim = start(spec)
    sim.set_enabled(NAME, False)
    assert not sim.step(STEPS)
    sim.set_enabled(NAME, True)
    assert sim.step(STEPS)


CART = Path(__file__).resolve().parent / 'cart.vehicle.xml'
CART_WORLD = """<element class="horizontal_plane"/>
  <block name="box"><init_pose>3 1 0</init_pose><mass>5</mass>
    <geometry type="box" lx="1" ly="0.7" lz="2"/></block>
  <include file="{cart}"/>
  <vehicle name="cart" class="cart"><init_pose>0 0 0</init_pose>
    <sensor class="{kind}" name="eye">{content}</sensor></vehicle>"""
SMALL = '<ncols>80</ncols><nrows>60</nrows><fx>60</fx><fy>60</fy><cx>40</cx><cy>30</cy>'


@pytest.mark.parametrize('kind, content', [
    pytest.param('imu', '', id='imu'),
    pytest.param('gnss', '', id='gnss'),
    pytest.param('laser', '<rolling>true</rolling>', id='laser'),
    pytest.param('laser', '<raytrace_3d>true</raytrace_3d>', id='laser_in_space'),
    pytest.param('lidar3d', '', id='lidar3d'),
    pytest.param('camera', f'{SMALL}<renderer>cpu</renderer>', id='camera'),
    pytest.param('camera', f'{SMALL}<renderer>cpu</renderer><exposure_time>0.02</exposure_time>'
                 '<exposure_samples>2</exposure_samples><readout_time>0.02</readout_time>'
                 '<readout_bands>3</readout_bands>', id='slow_shutter')])
def test_measurements_leave_no_memory_behind(kind: str, content: str) -> None:
    """
    Measurements of IMU, GNSS, LiDARs and cameras leak no memory.

    :reference: allocated bytes over equal intervals
    """
    simulation = simulate(CART_WORLD.format(cart=CART, kind=kind, content=content))
    simulation.vehicles['cart'].set_twist(0.5, 0.3)
    sensor = simulation.sensors['cart/eye']

    def measure() -> None:
        for _ in range(60):
            simulation.step()
            sensor.measure()

    assert traced_leak(measure) < 20_000, 'bytes in 60 measurements'
