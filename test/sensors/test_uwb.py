# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ultra-wideband ranging: distances, noise, and what stands between."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of

WORLD = """<mvsim_world version="1.0">
  <block> <init_pose>5 0 0</init_pose> <static>true</static> <zmax>3</zmax> </block>
  <sensor class="uwb" name="u"> <pose_3d>0 0 1 0 0 0</pose_3d> MORE
    <anchor id="7" place="10 0 2"/> <anchor id="2" place="0 8 2"/>
    <anchor id="3" place="-45 0 1"/> <anchor id="4" place="40 0 1"/>
    <anchor id="5" place="70 0 9"/>
  </sensor>
</mvsim_world>"""


def _simulation(folder: Path, more: str = '') -> Simulation:
    file = folder / 'a.world.xml'
    file.write_text(WORLD.replace('MORE', more))
    return Simulation.from_file(file, seed=4)


def test_ranges_are_distances(tmp_path: Path) -> None:
    """
    UWB ranges are distances between antennas.

    :reference: geometry
    """
    sample = _simulation(tmp_path, '<range_std_noise>0</range_std_noise>'
                         '<nlos_bias>0</nlos_bias>').measure('u')
    # 4 is hidden and farther than half of the reach, 5 is out of reach
    assert sample.anchors.tolist() == [7, 2, 3]
    np.testing.assert_allclose(sample.ranges, [np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0])
    assert sample.in_view.tolist() == [False, True, True]


def test_noise_and_excess_are_those_of_the_spec(tmp_path: Path) -> None:
    simulation = _simulation(tmp_path, '<range_std_noise>0.04</range_std_noise>'
                             '<nlos_bias>0.5</nlos_bias>')
    errors = np.array([simulation.measure('u').ranges for _ in range(3000)]) - [
        np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0]
    np.testing.assert_allclose(errors.mean(axis=0), [0.5, 0.0, 0.0], atol=0.03)
    # an exponential excess has the deviation of its mean
    np.testing.assert_allclose(errors.std(axis=0), [np.hypot(0.5, 0.04), 0.04, 0.04], rtol=0.06)
    assert np.median(errors[:, 0]) == pytest.approx(0.5 * np.log(2.0), abs=0.03)


def test_without_noise_ranges_are_distances_behind_things_too(tmp_path: Path) -> None:
    simulation = _simulation(tmp_path)
    simulation.set_noise(False)
    np.testing.assert_allclose(simulation.measure('u').ranges, [
        np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0])


def test_the_message_has_the_anchors_with_their_ranges(tmp_path: Path) -> None:
    simulation = _simulation(tmp_path, '<range_std_noise>0</range_std_noise>')
    channel, = channels_of(simulation.world.sensors[0])
    message = message_of(channel, TYPES, simulation.measure('u'), '')
    assert message.header.frame_id == 'u' and message.width == 3
    points = np.frombuffer(bytes(message.data), [
        ('range', '<f4'), ('anchor', '<u4'), ('place', '<f4', 3)])
    assert points['anchor'].tolist() == [7, 2, 3]
    assert points['range'][1] == pytest.approx(np.hypot(8.0, 1.0), rel=1e-6)
    assert points['place'][2].tolist() == [-45.0, 0.0, 1.0]


def test_anchors_need_numbers_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match='different ids'):
        _simulation(tmp_path, '<anchor id="2" place="1 1 1"/>')
