# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`convert-urdf` drives what it made, measures with it and says what does not hold."""

from pathlib import Path

import pytest
from test_urdf_drives import BALL, BASE, commands, FOUR, limits, pair, plugin

from mvsim_ros2.cli import main

MAST = """<link name="mast"><collision><geometry><box size="0.04 0.04 0.4"/></geometry></collision>
  </link><joint name="m" type="fixed"><parent link="base_link"/><child link="mast"/>
  <origin xyz="0.1 0 0.4"/></joint><gazebo reference="base_link"><sensor name="eye" type="{kind}">
  <pose>-0.1 0 {height} 0 0 0</pose>{inside}<update_rate>5</update_rate></sensor></gazebo>"""
SCAN = """<lidar><scan><horizontal><samples>90</samples><min_angle>-1</min_angle>
  <max_angle>1</max_angle></horizontal><vertical><samples>2</samples><min_angle>0</min_angle>
  <max_angle>0.1</max_angle></vertical></scan></lidar>"""


@pytest.mark.parametrize(('robot', 'code', 'lines'), [
    pytest.param(pair() + BALL, 0, [
        'drive: differential_3_wheels, by the joints of its wheels',
        'mass 8.6 kg, 3 wheels, 2 driven, track 0.36 m, wheel radius 0.08 m',
        'receipt: straight: 0.5', 'receipt: on the spot: 0.5'], id='good'),
    pytest.param(pair(extra=limits(0.4)) + BALL + commands('lj rj'), 0, [
        # 2 x 0.4 N m at a radius of 0.08 m against 8.6 kg x 9.81 m/s^2
        'climbs: 6.81 degrees, by the torque of its motors\n'], id='steep for its torque'),
    pytest.param(FOUR.replace('<axis', limits(0.2) + '<axis'), 0, [
        'degrees, by the torque of its motors, to which twist_ideal does not keep'], id='ideal'),
    pytest.param(FOUR + plugin('libgazebo_ros_planar_move.so'), 0, [
        'drive: mecanum, by the plugin libgazebo_ros_planar_move.so (/', 'sideways: 0.500 of 0.5'],
                 id='sideways'),
    pytest.param(pair(extra=limits(1.0, 1.0)) + BALL + commands('lj rj', 'effort'), 1, [
        'does not hold: straight: it reaches 0.080 of 0.5 m/s'], id='too weak'),
    pytest.param(pair() + BALL + MAST.format(kind='gpu_lidar', height=0.4, inside=SCAN), 0, [
        'sensor eye: lidar3d in the frame eye, 90 x 2 rays, 5 Hz; '], id='sees itself'),
    pytest.param(pair() + BALL + MAST.format(kind='camera', height=0.7, inside=''), 0, [
        'sensor eye: camera in the frame eye, 320 x 240 pixels, 5 Hz\n'], id='camera')])
def test_what_the_receipt_says(tmp_path: Path, capsys: pytest.CaptureFixture[str], robot: str,
                               code: int, lines: list[str]) -> None:
    path = tmp_path / 'robot.urdf'
    path.write_text(f'<robot name="r">{BASE}{robot}</robot>')
    assert main(['convert-urdf', str(path), '-o', str(tmp_path / 'r.xml')]) == code
    said = capsys.readouterr().err
    assert [line for line in lines if line not in said] == [], said
    assert (tmp_path / 'r.xml').is_file()
    assert ('meet the robot itself' in said) == ('gpu_lidar' in robot)
