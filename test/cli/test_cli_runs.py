# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The commands that run a world: `log`, `plot` and `tune`."""

from pathlib import Path

import pytest

from mvsim_ros2.cli import main

WORLD = """<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"/></dynamics></vehicle>
  <vehicle name="r2"><init_pose>0 5 0</init_pose>{extra}
    <dynamics class="differential"><controller class="raw"/></dynamics></vehicle>
  <vehicle name="car"><init_pose>0 9 0</init_pose>
    <dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics></vehicle>
</mvsim_world>"""


@pytest.fixture
def world(tmp_path: Path) -> str:
    """Return the path of a world with three vehicles."""
    path = tmp_path / 'runs.world.xml'
    path.write_text(WORLD.format(extra=''))
    return str(path)


@pytest.mark.parametrize(('vehicle', 'command'), [
    pytest.param('r1', ['--twist', '0.5', '-0.2'], id='twist'),
    pytest.param('car', ['--steering', '0.5', '0.1'], id='steering'),
    pytest.param('r2', ['--torque', '1', '1'], id='torque')])
def test_log_drives_and_writes(world: str, tmp_path: Path, vehicle: str, command: list[str],
                               capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / 'logs'
    assert main(['log', world, '--duration', '1', '-o', str(folder), '--vehicle', vehicle,
                 *command]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == str(folder / f'mvsim_{vehicle}_pose.csv')
    *_, names, last = Path(printed[0]).read_text().splitlines()[:3] + [
        Path(printed[0]).read_text().splitlines()[-1]]
    row = dict(zip(names.split(', '), map(float, last.split(', ')), strict=True))
    assert row['Timestamp'] == pytest.approx(1.0)
    assert row['q0x'] > 0.1


def test_log_drives_those_that_can(
        world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trailer among others goes without a command; alone or by its name that is an error."""
    run = ['log', world, '--duration', '0.1', '-o', str(tmp_path / 'logs'), '--twist', '1', '0']
    assert main(run) == 0
    warnings = capsys.readouterr().err.splitlines()
    assert [line[:22] for line in warnings] == 2 * ['warning: not commanded']
    assert main([*run, '--vehicle', 'r1', '--vehicle', 'r2']) == 1
    assert "'r2' does not take a twist" in capsys.readouterr().err


def test_log_writes_those_that_start_recording(
        world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(world).write_text(WORLD.format(
        extra='<auto_start_recording>true</auto_start_recording>'))
    assert main(['log', world, '--duration', '0.1', '-o', str(tmp_path / 'logs')]) == 0
    assert {path.name.split('_')[1] for path in (tmp_path / 'logs').iterdir()} == {'r2'}


def test_log_of_a_vehicle_that_is_not_there(
        world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['log', world, '--vehicle', 'r9', '-o', str(tmp_path)]) == 1
    assert "there is no vehicle 'r9', only r1, r2, car" in capsys.readouterr().err


def test_plot_draws_one_figure_a_vehicle(
        world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('matplotlib')
    folder = str(tmp_path / 'logs')
    main(['log', world, '--duration', '0.5', '-o', folder, '--vehicle', 'r1', '--vehicle',
          'car'])
    capsys.readouterr()
    assert main(['plot', folder, '-o', str(tmp_path / 'run.png')]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == [str(tmp_path / f'run_{name}.png') for name in ('car', 'r1')]
    assert all(Path(path).stat().st_size > 20000 for path in printed)
    assert main(['plot', f'{folder}/mvsim_r1_wheel_2.csv', '-o', str(tmp_path / 'one.svg')]) == 0
    assert '<svg' in (tmp_path / 'one.svg').read_text()


@pytest.mark.parametrize(('log', 'output', 'message'), [
    pytest.param('nothing.csv', 'a.png', 'the log cannot be read', id='no_log'),
    pytest.param('.', 'a.png', 'there is no log *_pose.csv in this folder', id='no_logs'),
    pytest.param('.', 'no/a.png', 'there is no folder', id='no_folder')])
def test_plot_reports_errors(tmp_path: Path, log: str, output: str, message: str,
                             capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['plot', str(tmp_path / log), '-o', str(tmp_path / output)]) == 1
    assert message in capsys.readouterr().err


def test_tune_prints_a_controller_to_paste(
        world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('matplotlib')
    figure = tmp_path / 'tune.png'
    assert main(['tune', world, 'r1', '-o', str(figure)]) == 0
    printed = capsys.readouterr().out
    assert figure.is_file()
    start, end = printed.index('<controller'), printed.index('</controller>')
    pasted = WORLD.format(extra='').replace(
        '<controller class="twist_pid"/>', printed[start:end] + '</controller>', 1)
    Path(world).write_text(pasted)
    assert main(['log', world, '--duration', '3', '-o', str(tmp_path / 'logs'), '--vehicle',
                 'r1', '--twist', '1', '0']) == 0


def test_tune_of_a_vehicle_that_is_not_there(
        world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['tune', world, 'r9']) == 1
    assert "no vehicle or vehicle class 'r9', only r1, r2, car" in capsys.readouterr().err
