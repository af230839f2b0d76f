# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2 check` finds what would stop the node."""

from pathlib import Path

import pytest

from mvsim_ros2.cli import main

EARTH = '<georeference><latitude>48.1</latitude><longitude>11.6</longitude></georeference>'
DEFINITIONS = sorted((Path(__file__).resolve().parents[2] / 'worlds/sensors').glob('*.xml'))
VEHICLE = """<vehicle name="r1"><init_pose>0 0 0</init_pose>
  <dynamics class="differential"><controller class="twist_pid"/></dynamics> {} </vehicle>"""


def checked(tmp_path: Path, content: str) -> int:
    path = tmp_path / 'w.world.xml'
    path.write_text(f'<mvsim_world>{EARTH}{content}</mvsim_world>')
    return main(['check', '--strict', '--offline', str(path)])


@pytest.mark.parametrize(
    'path', [pytest.param(path, id=path.name.partition('.')[0]) for path in DEFINITIONS])
def test_every_definition_starts_as_it_is(path: Path, tmp_path: Path) -> None:
    assert checked(tmp_path, VEHICLE.format(f'<include file="{path}"/>')) == 0


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param(VEHICLE.format('<sensor class="wheel_encoders" name="joint_states"/>'),
                 "'joint_states' of sensor 'joint_states' is taken by the simulator itself",
                 id='topic of the vehicle'),
    pytest.param(VEHICLE.format('<sensor class="imu" name="a"/><sensor class="imu" name="b">'
                                '<topic>a</topic></sensor>'),
                 "'a' of sensor 'a' is taken by another sensor", id='topic of another sensor'),
    pytest.param(VEHICLE.format('<sensor class="imu" name="runtime_objects"/>'
                                '<sensor class="imu" name="a"/>'),
                 "of sensor 'runtime_objects' is taken by the simulator itself",
                 id='topic of the node'),
    pytest.param(VEHICLE.format(f'<sensor class="camera" name="{"a" * 101}"/>'),
                 'of a sensor has 101 characters', id='long topic'),
    pytest.param(VEHICLE.replace('r1', 'a' * 101).format(''),
                 "the name of vehicle 'aaaaaaaaaaaaaaaaaaaa'... has 101 characters",
                 id='long name of a vehicle'),
    pytest.param('<sensor class="bumper" name="b"/>', 'put it into a <vehicle>',
                 id='sensor without a vehicle'),
    pytest.param(VEHICLE.format('<sensor class="lidar3d" name="a"><horz_nrays>2</horz_nrays>'
                                '<azimuth_min_degrees>10</azimuth_min_degrees>'
                                '<azimuth_max_degrees>20</azimuth_max_degrees></sensor>'),
                 'has no column between azimuth_min and azimuth_max', id='no column'),
    pytest.param(VEHICLE.format('<sensor class="imu" name="a"><frame_id>odom</frame_id></sensor>'),
                 "the frame 'odom' of sensor 'r1/a' is somewhere else already",
                 id='frame of the vehicle'),
    pytest.param(VEHICLE.format('<sensor class="imu" name="base_link"/>'),
                 "the frame 'base_link' of sensor 'r1/base_link' is", id='sensor like a frame'),
    pytest.param(VEHICLE.format('<sensor class="imu" name="a"/><sensor class="laser" name="b">'
                                '<frame_id>a</frame_id></sensor>'),
                 "the frame 'a' of sensor 'r1/b' is somewhere else already",
                 id='frame of another sensor')])
def test_what_stops_the_node_is_an_error(
        content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, content) == 1
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_sensors_at_one_place_may_share_a_frame(tmp_path: Path) -> None:
    shared = '<pose_3d>0 0 1 0 0 0</pose_3d> <frame_id>mast</frame_id> </sensor>'
    assert checked(tmp_path, VEHICLE.format(
        f'<sensor class="imu" name="a">{shared}<sensor class="laser" name="b">{shared}')) == 0
