# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A sensor from a package of somebody else in a recording."""

from pathlib import Path

from bag_reader import check_whole, written
import pytest
from rosbags.highlevel import AnyReader
from rosbags.typesys import get_typestore, Stores

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.recorder import Recorder

WORLD = """
<mvsim_world version="1.0">
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="r1" class="small_robot">
    <init_pose>0 0 0</init_pose>
    <sensor class="thermometer" name="t"> <at_zero>20</at_zero> </sensor>
  </vehicle>
</mvsim_world>
"""


def simulation(tmp_path: Path) -> Simulation:
    file = tmp_path / 'warm.world.xml'
    file.write_text(WORLD)
    return Simulation.from_file(file)


def test_it_is_recorded_and_read_back(sensor_plugin: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'run'
    with Recorder(simulation(tmp_path), folder) as recorder:
        recorder.run(1.05)
    check_whole(folder)
    measured = simulation(tmp_path).step(210)
    with AnyReader([folder], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
        (connection,) = [each for each in reader.connections if each.topic == '/t']
        assert connection.msgtype == 'sensor_msgs/msg/Temperature'
        messages = [reader.deserialize(data, connection.msgtype)
                    for _, _, data in reader.messages([connection])]
    assert [message.temperature for message in messages] == [
        sample.temperature for sample in measured]
    assert messages[0].header.frame_id == 't' and messages[0].variance == pytest.approx(0.01)
    about = written(folder)['topics']['/t']
    assert about['sensor'] == 'r1/t' and about['type'] == 'sensor_msgs/msg/Temperature'
    assert about['truth'] == []


def test_messages_without_a_definition_are_refused(sensor_plugin: Path, tmp_path: Path) -> None:
    file = sensor_plugin / 'my_sensors/__init__.py'
    file.write_text(file.read_text().replace('sensor_msgs/Temperature', 'no_msgs/Temperature'))
    with pytest.raises(RecordingError, match='type no_msgs/msg/Temperature cannot be recorded'):
        Recorder(simulation(tmp_path), tmp_path / 'run')
    assert not (tmp_path / 'run').exists()
    with Recorder(simulation(tmp_path), tmp_path / 'run', topics=['/odom']) as recorder:
        recorder.run(0.1)
