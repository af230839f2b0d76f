# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A sensor from a package of somebody else: the thermometer of docs/extending.md."""

from collections.abc import Iterator
import os
from pathlib import Path
import subprocess
import sys

import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.base import registry
from mvsim_ros2.errors import PluginError, WorldFileError
from mvsim_ros2.ros.messages.names import sensor_topics
from mvsim_ros2.ros.messages.sensor_channels import channels_of
from mvsim_ros2.world.file.manual import manual, with_tables
from mvsim_ros2.world.spec.sensors.base import sensor_specs, SensorSpec

WORLD = """
<mvsim_world version="1.0">
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="r1" class="small_robot">
    <init_pose>0 0 0</init_pose>
    <sensor class="thermometer" name="t">
      <pose_3d>0 0 0.5 0 0 0</pose_3d> <at_zero>20</at_zero> TAGS
    </sensor>
  </vehicle>
</mvsim_world>
"""


def world(tmp_path: Path, tags: str = '') -> Path:
    """Return a world whose robot has a thermometer."""
    file = tmp_path / 'warm.world.xml'
    file.write_text(WORLD.replace('TAGS', tags))
    return file


def test_measures(sensor_plugin: Path, tmp_path: Path) -> None:
    sim = Simulation.from_file(world(tmp_path))
    first, second = (sim.measure('r1/t') for _ in range(2))
    assert first.temperature != second.temperature
    sim.set_noise(False)
    assert sim.measure('r1/t').temperature == pytest.approx(20.0 - 0.0065 * 0.5)
    assert [each.sensor for each in sim.step(50)] == ['r1/t'] * 2


def test_its_lag_is_reset_and_restored(sensor_plugin: Path, tmp_path: Path) -> None:
    sim = Simulation.from_file(world(tmp_path))
    sim.step(100)
    state, reading = sim.snapshot(), sim.sensors['r1/t'].memory['reading']
    sim.reset()
    assert sim.sensors['r1/t'].memory['reading'] is None
    sim.restore(state)
    assert sim.sensors['r1/t'].memory['reading'] == reading


@pytest.mark.parametrize('tags, said', [
    pytest.param('<std_noise>-1</std_noise>', 'warm.world.xml:7.*std_noise.*-1', id='limit'),
    pytest.param('<topic>no topic</topic>', 'warm.world.xml:6.*topic .* is not possible',
                 id='rule'),
])
def test_its_values_are_checked(
        sensor_plugin: Path, tmp_path: Path, tags: str, said: str) -> None:
    with pytest.raises(WorldFileError, match=said):
        load_world(world(tmp_path, tags))


def test_its_tags_are_checked(sensor_plugin: Path, tmp_path: Path) -> None:
    warnings = load_world(world(tmp_path, '<at_zeros>3</at_zeros>')).warnings
    assert any('<at_zeros> is not known' in str(each) and 'at_zero' in str(each)
               for each in warnings)


def test_manuals_describe_it(sensor_plugin: Path) -> None:
    text = manual()
    assert '## `<sensor class="thermometer">`' in text
    row = ('| `<time_constant>` | float | s | 5 | > 0 | time in which a difference falls to 1/e |')
    assert row in text
    assert row in with_tables('<!-- tags of thermometer -->\n<!-- end -->\n')


def test_it_has_topics_and_frames(sensor_plugin: Path, tmp_path: Path) -> None:
    sim = Simulation.from_file(world(tmp_path))
    spec = sim.sensors['r1/t'].spec
    assert [channel.message_type for channel in channels_of(spec)] == ['sensor_msgs/Temperature']
    assert sensor_topics([spec]) == ['t']
    assert [frame.name for frame in sim.sensors['r1/t'].frames] == ['t']


@pytest.mark.slow
def test_it_keeps_the_contract_of_all_sensors(sensor_plugin: Path, project: Path) -> None:
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'no:xdist',
         '-k', 'thermometer', 'test/sensors/test_sensor_contract.py'],
        cwd=project, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ' passed' in done.stdout and 'failed' not in done.stdout


def test_without_it_its_class_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match="warm.world.xml:6.*class 'thermometer': there are "
                                             '.*barometer'):
        load_world(world(tmp_path))


@pytest.fixture
def record(sensor_plugin: Path) -> Iterator[Path]:
    """Return the file with the record of the plugin; what it holds is read in the test."""
    yield sensor_plugin / 'my_sensors/__init__.py'


@pytest.mark.parametrize('before, after, said', [
    pytest.param('SensorKind(', 'object(', "'my_sensors'.*cannot be loaded: TypeError",
                 id='no record'),
    pytest.param('spec=ThermometerSpec, ', 'spec=int, ', 'no class of parameters of a sensor',
                 id='no spec'),
    pytest.param('make=Thermometer, ', '', "argument: 'make'", id='no model'),
    pytest.param('gazebo=None,', '', "argument: 'gazebo'", id='no word on Gazebo'),
    pytest.param("'sensor_msgs/Temperature'", "'Temperature'",
                 "'Temperature' is no type of a message", id='no package'),
])
def test_what_its_record_lacks_is_named(
        record: Path, before: str, after: str, said: str) -> None:
    text = record.read_text()
    assert before in text
    record.write_text(text.replace(before, after))
    with pytest.raises(PluginError, match=said):
        sensor_specs()


def test_half_a_record_is_refused(record: Path, tmp_path: Path) -> None:
    record.write_text("""
from my_sensors.model import Thermometer
from my_sensors.spec import ThermometerSpec
from mvsim_ros2.sensors.model import SensorModel
THERMOMETER = SensorModel(spec=ThermometerSpec, make=Thermometer)
""")
    spec: SensorSpec = Simulation.from_file(world(tmp_path)).sensors['r1/t'].spec
    with pytest.raises(PluginError, match="'thermometer' is a SensorModel: make it a .*"
                                          r'\.SensorMessages'):
        channels_of(spec)


def test_a_class_of_the_house_cannot_be_replaced(sensor_plugin: Path, tmp_path: Path) -> None:
    file = sensor_plugin / 'my_sensors/spec.py'
    file.write_text(file.read_text().replace("'thermometer'", "'barometer'"))
    registry.plugins.cache_clear()
    with pytest.raises(PluginError, match="class 'barometer' is defined twice"):
        Simulation.from_file(world(tmp_path))
