# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""CSV logs: columns, units, files, failures."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.recording.read_log import (
    PID_UNITS, POSE_UNITS, read_columns, read_vehicle_logs, WHEEL_UNITS)

WORLD = """<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="r1"><init_pose>1 2 90</init_pose>{extra}
    <dynamics class="differential"><controller class="twist_pid"/></dynamics></vehicle>
  <vehicle name="car"><init_pose>9 0 0</init_pose>
    <dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics></vehicle>
</mvsim_world>"""


@pytest.fixture
def simulation(tmp_path: Path) -> Simulation:
    """Return a robot that drives and a car that stands."""
    return make(tmp_path)


def make(folder: Path, extra: str = '') -> Simulation:
    """Return the same with further tags of the robot."""
    path = folder / 'two.world.xml'
    path.write_text(WORLD.format(extra=extra))
    simulation = Simulation.from_file(path, physics='mvsim')
    simulation.vehicles['r1'].set_twist(0.5, 0.0)
    return simulation


def test_one_file_of_poses_and_one_a_wheel(simulation: Simulation, tmp_path: Path) -> None:
    with CsvLog(simulation, tmp_path / 'logs') as log:
        log.run(0.1)
    assert sorted(path.name for path in log.paths) == sorted(
        path.name for path in (tmp_path / 'logs').iterdir()) == [
        'mvsim_car_pose.csv', *(f'mvsim_car_wheel_{k}.csv' for k in range(1, 5)),
        'mvsim_r1_pose.csv', 'mvsim_r1_wheel_1.csv', 'mvsim_r1_wheel_2.csv']
    for path in log.paths:
        assert len(path.read_text().splitlines()) == 3 + 20


def test_header_names_units_in_alphabetical_order(
        simulation: Simulation, tmp_path: Path) -> None:
    with CsvLog(simulation, tmp_path, ['r1']) as log:
        log.run(0.005)
    for path, units in zip(log.paths, (
            POSE_UNITS, {**WHEEL_UNITS, **PID_UNITS}, WHEEL_UNITS), strict=True):
        title, unit_line, names, row = path.read_text().splitlines()
        assert 'of vehicle r1' in title and 'physics mode mvsim, seed 0' in title
        assert names.split(', ') == sorted(units)
        assert unit_line == '# units: ' + ', '.join(units[name] for name in sorted(units))
        assert len(row.split(', ')) == len(units)


def test_rows_are_the_state(simulation: Simulation, tmp_path: Path) -> None:
    with CsvLog(simulation, tmp_path, ['r1']) as log:
        log.run(2.0)
    robot = simulation.vehicles['r1']
    logged, = read_vehicle_logs(tmp_path)
    assert logged.name == 'r1'
    pose, wheel = logged.pose, logged.wheels[0]
    assert pose['Timestamp'][-1] == pytest.approx(2.0)
    assert pose['q0x'][-1] == pytest.approx(robot.pose.x)
    assert pose['q1y'][-1] == pytest.approx(robot.pose.y)
    assert pose['q3yaw'][0] == pytest.approx(0.5 * math.pi)
    assert pose['dqx'][-1] == pytest.approx(robot.twist_body[0])
    assert wheel['torque'][-1] == pytest.approx(robot.wheels['torque'][0])
    assert wheel['wheel_pos_y'][-1] == robot.wheels['y'][0]
    # columns belong together: the PID, the spin, the slip
    np.testing.assert_allclose(
        wheel['pid_sp_vel_l'][100:], wheel['pid_act_vel_l'][100:] + wheel['pid_error_l'][100:],
        atol=1e-8)
    np.testing.assert_allclose(
        np.diff(wheel['omega']), 0.005 * wheel['actual_wheel_alpha'][1:], atol=1e-6)
    np.testing.assert_allclose(
        np.hypot(wheel['friction_x'], wheel['friction_y']),
        np.hypot(wheel['wheel_long_friction'], wheel['wheel_lateral_friction']), atol=1e-5)
    np.testing.assert_allclose(wheel['pid_sp_vel_l'], 0.5, atol=1e-8)


KINDS = '<vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class={}</dynamics></vehicle>'
PID = '<controller class="{}"><KP>{}</KP><KI>2</KI><max_torque>300</max_torque></controller>'


@pytest.mark.parametrize(('dynamics', 'controller', 'left', 'right'), [
    ('"mecanum">', 'twist_pid', 0.5 * math.sqrt(0.5), 0.5 * math.sqrt(0.5)),
    ('"single_track" driven="all">', 'twist_front_steer_pid', 0.5, 0.5),
    ('"ackermann_drivetrain"><drivetrain type="open_rear"/>', 'twist_front_steer_pid', 0.5, 0.5),
    ('"ackermann">', 'twist_front_steer_pid', 0.4206, 0.6139)],
    ids=['mecanum', 'single track', 'drivetrain', 'ackermann'])
def test_columns_of_the_pid_are_those_of_its_wheels(
        tmp_path: Path, dynamics: str, controller: str, left: float, right: float) -> None:
    """Command, torque, and wheels that roll with next to no slip, rollers included."""
    world = tmp_path / 'kind.world.xml'
    world.write_text('<mvsim_world><simul_timestep>0.005</simul_timestep>' + KINDS.format(
        dynamics + PID.format(controller, 2 if 'mecanum' in dynamics else 300))
        + '</mvsim_world>')
    simulation = Simulation.from_file(world, physics='physical')
    vehicle = simulation.vehicles['r1']
    vehicle.set_twist(0.5, 0.1 if 'ackermann">' in dynamics else 0.0)
    with CsvLog(simulation, tmp_path) as log:
        log.run(4.0)
    wheels = read_vehicle_logs(tmp_path)[0].wheels
    first, torques = wheels[0], vehicle.wheels['torque']
    assert first['pid_sp_vel_l'][-1] == pytest.approx(left, abs=0.01)
    assert first['pid_sp_vel_r'][-1] == pytest.approx(right, abs=0.01)
    one = 'single' in dynamics or 'drivetrain' in dynamics
    ends = (torques.sum(), torques.sum()) if one else (
        torques[:2] if 'mecanum' in dynamics else torques[2:])
    assert first['pid_torque_l'][-1] == pytest.approx(ends[0], abs=1e-6)
    assert first['pid_torque_r'][-1] == pytest.approx(ends[1], abs=1e-6)
    for wheel in wheels:
        assert abs(wheel['slip_ratio'][-1]) < 0.01
        assert wheel['wheel_ground_point_vel'][-1] < 0.01


def test_rate_is_the_number_of_rows_per_second(simulation: Simulation, tmp_path: Path) -> None:
    with CsvLog(simulation, tmp_path, ['r1'], rate=50.0) as log:
        log.run(1.0)
    _, columns = read_columns(log.paths[0])
    np.testing.assert_allclose(columns['Timestamp'], 0.02 * np.arange(1, 51))
    assert simulation.time == pytest.approx(1.0)


def test_log_path_is_the_start_of_the_names(tmp_path: Path) -> None:
    simulation = make(tmp_path, '<log_path>run7/a_</log_path>')
    with CsvLog(simulation, tmp_path / 'logs', ['r1']) as log:
        log.run(0.01)
    assert log.paths[0] == tmp_path / 'logs/run7/a_mvsim_r1_pose.csv'
    assert log.paths[0].is_file()


@pytest.mark.parametrize('path', ['/tmp/a', '../a', 'b/../../a'])
def test_log_path_stays_in_the_folder(tmp_path: Path, path: str) -> None:
    simulation = make(tmp_path, f'<log_path>{path}</log_path>')
    with pytest.raises(RecordingError, match='two.world.xml:3: log_path .* leads out'):
        CsvLog(simulation, tmp_path / 'logs')


def test_rows_reach_the_disk_while_it_runs(simulation: Simulation, tmp_path: Path) -> None:
    log = CsvLog(simulation, tmp_path, ['r1'])
    log.run(2.5)
    title, columns = read_columns(log.paths[0])  # not closed yet
    assert columns['Timestamp'][-1] >= 2.0
    log.close()
    log.close()
    assert read_columns(log.paths[0])[1]['Timestamp'][-1] == pytest.approx(2.5)


def test_an_interrupt_leaves_whole_files(simulation: Simulation, tmp_path: Path) -> None:
    def interrupt(now: object) -> None:
        raise KeyboardInterrupt
    log = CsvLog(simulation, tmp_path, ['r1'])
    with pytest.raises(KeyboardInterrupt):
        with log:
            log.run(0.1)
            interrupt(None)
    assert len(read_columns(log.paths[0])[1]['Timestamp']) == 20


def test_a_full_disk_is_one_clear_error(simulation: Simulation, tmp_path: Path) -> None:
    full = Path('/dev/full')
    if not full.exists():
        pytest.skip('no /dev/full')
    (tmp_path / 'mvsim_r1_wheel_2.csv').symlink_to(full)
    with pytest.raises(RecordingError, match='wheel_2.csv: the log cannot be written: No space '
                                             'left on device: free disk space'):
        with CsvLog(simulation, tmp_path, ['r1']) as log:
            log.run(3.0)
    assert read_columns(tmp_path / 'mvsim_r1_pose.csv')[1]['Timestamp'].size > 20


def test_a_folder_that_cannot_be_is_an_error(simulation: Simulation, tmp_path: Path) -> None:
    (tmp_path / 'file').write_text('')
    with pytest.raises(RecordingError, match='the log cannot be written'):
        CsvLog(simulation, tmp_path / 'file' / 'logs')


def test_vehicles_that_go_get_no_more_rows(simulation: Simulation, tmp_path: Path) -> None:
    with CsvLog(simulation, tmp_path) as log:
        log.run(0.1)
        simulation.remove('car')
        log.run(0.1)
    assert len(read_columns(tmp_path / 'mvsim_car_pose.csv')[1]['Timestamp']) == 20
    assert len(read_columns(tmp_path / 'mvsim_r1_pose.csv')[1]['Timestamp']) == 40


def test_a_last_row_that_is_not_whole_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / 'a_pose.csv'
    path.write_text('Timestamp, q0x\n0.1, 1\n0.2, 2\n0.3')
    title, columns = read_columns(path)
    assert title == ''
    assert {name: values.tolist() for name, values in columns.items()} == {
        'Timestamp': [0.1, 0.2], 'q0x': [1.0, 2.0]}


@pytest.mark.parametrize(('text', 'message'), [
    pytest.param('a,b\n1,2\n', 'no column Timestamp', id='other_file'),
    pytest.param('', 'no column Timestamp', id='empty'),
    pytest.param('Timestamp\nx\n1\n', 'not all numbers', id='words')])
def test_what_is_no_log_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / 'a_pose.csv'
    path.write_text(text)
    with pytest.raises(RecordingError, match=message):
        read_columns(path)
