# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Public SLAM packages on our recordings: they run unchanged, and their scores are gates.

:claim: Public SLAM packages run unchanged on a recording. Errors: KISS-ICP under 8 cm, RKO-LIO
    under 15 cm, yag-slam under a fifth of the odometry
:reference: ground truth, compared by evo
"""

from dataclasses import replace
from pathlib import Path

import pytest

from mvsim_ros2.base.package_files import share_directory, world_path
from mvsim_ros2.cli import main
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.studies.slam_benchmark.clients import (
    Client, known_clients, run_client, score, Topics)
from mvsim_ros2.studies.slam_benchmark.slam import benchmark_world, Result, write_tables

GATED = ('kiss-icp', 'kiss-icp-no-time', 'rko-lio', 'yag-slam')
TOPICS = Topics('/lidar_points', '/imu')
WORLD = """<mvsim_world>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose> SENSORS </vehicle>
  <block name="box"> <init_pose>3 1 20</init_pose> </block> MORE
</mvsim_world>"""


@pytest.fixture(scope='module')
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """Return what the clients made of a minute in a hall, in figures of eight."""
    for name in GATED:
        pytest.importorskip(
            known_clients()[name].module, reason='the packages of `slam` are missing')
    pytest.importorskip('evo')
    return {result.client: result for result in benchmark_world(
        Path(__file__).parent / 'hall.world.xml', 'eight,radius=3,speed=2,laps=9', 40.0, [1],
        [known_clients()[name] for name in GATED], tmp_path_factory.mktemp('slam'))}


@pytest.mark.slow
def test_points_have_their_true_time(results: dict[str, Result]) -> None:
    """KISS-ICP is exact by the time of each point, and much worse without."""
    exact = results['kiss-icp'].score.ape
    assert exact < 0.08
    assert results['kiss-icp-no-time'].score.ape > 2.0 * exact


@pytest.mark.slow
def test_imu_and_lidar_fit_together(results: dict[str, Result]) -> None:
    """RKO-LIO needs signs, gravity, stamps and places of both sensors to be right."""
    assert results['rko-lio'].score.ape < 0.15


@pytest.mark.slow
def test_planar_slam_mends_odometry(results: dict[str, Result]) -> None:
    assert 5.0 * results['yag-slam'].score.ape < results['odometry'].score.ape


@pytest.mark.slow
def test_table(results: dict[str, Result], tmp_path: Path) -> None:
    again = replace(results['kiss-icp'], seed=2)
    text = write_tables([*results.values(), again], tmp_path)
    rows = [line.split(' | ') for line in text.splitlines()]
    assert len(rows) == 2 + 5
    assert [row[1] for row in rows[2:4]] == ['odometry', 'kiss-icp']
    assert [row[3] for row in rows[2:4]] == ['1', '1, 2'] and rows[3][2] != '-'
    assert (tmp_path / 'table.csv').read_text().count('\n') == 6


def printed(world: str, client: str) -> list[str]:
    """Return a row of the tables of docs/benchmarks.md."""
    page = (Path(__file__).resolve().parents[3] / 'docs/benchmarks.md').read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f'| {world} | {client} |')]
    return [cell.strip() for cell in row.strip('|').split('|')]


@pytest.mark.slow
@pytest.mark.parametrize('client', ['odometry', *GATED])
def test_rows_of_the_hall_are_those_printed(results: dict[str, Result], client: str) -> None:
    """Seed 1 lies among the printed seeds, where the package has the printed version."""
    row = printed('hall', client)
    if client in GATED and known_clients()[client].version != row[2]:
        pytest.skip(f'the page has {client} {row[2]}')
    low, high = float(row[5]), float(row[6])
    assert 0.9 * low - 0.001 <= results[client].score.ape <= 1.1 * high + 0.001


@pytest.mark.slow
def test_a_row_of_the_office_is_that_printed(tmp_path: Path) -> None:
    """The odometry of the office with seed 1, which needs no package of SLAM."""
    pytest.importorskip('evo')
    row = printed('office', 'odometry')
    route = world_path('office').parent / 'paths/office.csv'
    (again,) = benchmark_world(
        world_path('office'), f'follow:{route}', 90.0, [1], [], tmp_path)
    assert float(row[5]) - 0.001 <= again.score.ape <= float(row[6]) + 0.001


def own_world(folder: Path, sensors: str, more: str = '') -> Path:
    """Return a world of a robot with some sensors."""
    world = folder / 'own.world.xml'
    world.write_text(WORLD.replace('SENSORS', sensors).replace('MORE', more))
    return world


def client(*command: str) -> Client:
    """Return a client that is a program of the shell."""
    return Client('mine', 'numpy', 'numpy', 'lidar', command, '*.tum')


def test_a_client_that_fails_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match='mine ended with code 3.*the reason'):
        run_client(client('sh', '-c', 'echo the reason; exit 3'), tmp_path, TOPICS,
                   tmp_path / 'out')


def test_a_client_without_a_trajectory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match='code 0 and no trajectory'):
        run_client(client('true'), tmp_path, TOPICS, tmp_path / 'out')


def test_a_path_along_a_line_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    """Nothing says how far such a path is turned about itself, so that evo aligns none."""
    pytest.importorskip('evo')
    files = tmp_path / 'truth.tum', tmp_path / 'odometry.tum'
    for file in files:
        file.write_text(''.join(f'{0.1 * k:.1f} {0.1 * k:.1f} 3.8 0 0 0 0 1\n' for k in range(90)))
    with pytest.raises(BenchmarkError, match='drive around a corner'):
        score(*files)


def test_a_missing_program_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r'pip install .mvsim_ros2\[slam\]'):
        run_client(client('no_such_program_here'), tmp_path, TOPICS, tmp_path / 'out')


def test_topics_may_have_any_name(tmp_path: Path) -> None:
    """A client that gives the truth back has no error."""
    pytest.importorskip('evo')
    world = own_world(tmp_path, """
        <sensor class="lidar3d" name="front"> <topic>velodyne_points</topic>
          <horz_nrays>20</horz_nrays> </sensor>
        <sensor class="laser" name="low"/> <sensor class="imu" name="mems"/>""")
    giver = Client('giver', 'json', 'giver', 'lidar', (
        'cp', '{bag}/ground_truth/front_end.tum', '{folder}/given_tum.txt'), '*_tum.txt')
    odometry, given = benchmark_world(
        world, 'eight,radius=1', 3.0, [1], [giver], tmp_path / 'scores')
    assert given.score.ape < 1e-6 < odometry.score.ape


@pytest.mark.parametrize(('sensors', 'more', 'message'), [
    pytest.param('<sensor class="lidar3d" name="a"/> <sensor class="laser" name="b"/>', '',
                 'the vehicle has no IMU', id='no IMU'),
    pytest.param('', '<vehicle name="other" class="small_robot"> <init_pose>5 5 0</init_pose> '
                     '</vehicle>', 'has 2 vehicles', id='two')])
def test_worlds_that_cannot_be_scored_say_so(
        tmp_path: Path, sensors: str, more: str, message: str) -> None:
    world = own_world(tmp_path, sensors, more)
    with pytest.raises(BenchmarkError, match=message):
        benchmark_world(world, 'eight', 1e5, [1], [], tmp_path / 'scores')


@pytest.mark.parametrize('arguments, message', [
    pytest.param(['--clients', 'orb'], "there is no client 'orb'", id='client'),
    pytest.param(['nowhere'], "there is no world 'nowhere'", id='world'),
    pytest.param(['empty', '--clients', 'mine'], 'give a controller', id='route')])
def test_wrong_options(arguments: list[str], message: str, tmp_path: Path,
                       monkeypatch: pytest.MonkeyPatch,
                       capsys: pytest.CaptureFixture[str]) -> None:
    import mvsim_ros2.studies.slam_benchmark.clients as clients
    monkeypatch.setattr(clients, 'known_clients', lambda: {'mine': client('true')})
    assert main(['benchmark', 'slam', *arguments, '-o', str(tmp_path)]) == 1
    assert message in capsys.readouterr().err


def test_programs_that_compare_are_looked_for_before_anything_is_recorded(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    import mvsim_ros2.studies.slam_benchmark.clients as clients
    monkeypatch.setattr(clients, 'known_clients', lambda: {'mine': client('true')})
    monkeypatch.setattr('sys.executable', str(tmp_path / 'python'))
    monkeypatch.setenv('PATH', '')
    folder = tmp_path / 'scores'
    assert main(['benchmark', 'slam', 'office', '--clients', 'mine', '-o', str(folder)]) == 1
    assert 'no program evo_ape' in capsys.readouterr().err and not folder.exists()


def test_the_adapter_of_yag_slam_is_shared() -> None:
    assert (share_directory() / 'benchmarks/slam/yag_slam_client.py').is_file()
