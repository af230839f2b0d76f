# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What no machine can do is refused at once, with file, line and limit."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2 import load_world, Simulation, world_path
from mvsim_ros2.cli import main
from mvsim_ros2.errors import ArgumentError, MemoryLimitError, MvsimError
from mvsim_ros2.simulation import memory
from mvsim_ros2.simulation.memory import memory_needed
from mvsim_ros2.studies.sweeps.plan import read_plan
from mvsim_ros2.trajectories.controllers_by_name import make_controller

WORLD = """<mvsim_world>{top}
<vehicle name="r1"><init_pose>{pose}</init_pose>
<dynamics class="differential"><chassis><mass>{mass}</mass></chassis></dynamics>
<sensor class="{kind}" name="s">{sensor}</sensor></vehicle></mvsim_world>"""
GIVEN = {'top': '', 'pose': '0 0 0', 'mass': '15', 'kind': 'laser', 'sensor': ''}
MANY_RAYS = '<vert_nrays>65535</vert_nrays><horz_nrays>100000</horz_nrays>'


def world_of(folder: Path, **given: str) -> Path:
    """Write a world and return its path."""
    path = folder / 'limits.world.xml'
    path.write_text(WORLD.format(**GIVEN | given))
    return path


@pytest.mark.parametrize(('given', 'line', 'limit'), [
    ({'sensor': '<sensor_period>1e-9</sensor_period>'}, 4, 'at least 1e-05 s'),
    ({'sensor': '<sensor_period>1e300</sensor_period>'}, 4, 'at most 1e+06 s'),
    ({'top': '<simul_timestep>1e-12</simul_timestep>'}, 1, 'at least 1e-06 s'),
    ({'top': '<simul_timestep>1e12</simul_timestep>'}, 1, 'at most 1 s'),
    ({'top': '<b2d_vel_iters>2000000000</b2d_vel_iters>'}, 1, 'at most 1000'),
    ({'top': '<gravity>1e300</gravity>'}, 1, 'at most 100000 m/s^2'),
    ({'mass': '1e300'}, 3, 'at most 1e+09 kg'),
    ({'mass': '1e-300'}, 3, 'at least 1e-06 kg'),
    ({'sensor': '<nrays>1000000000</nrays>'}, 4, 'at most 1e+06'),
    ({'kind': 'camera', 'sensor': '<ncols>100000</ncols><nrows>100000</nrows>'}, 4,
     'at most 16384 px'),
    ({'pose': '1e308 0 0'}, 2, 'at most 1e+07'),
    ({'pose': '0 0 -1e308'}, 2, 'at most 1e+07'),
    ({'sensor': '<pose>0 1e30 0</pose>'}, 4, 'at most 1e+07'),
    ({'sensor': '<max_range>1e300</max_range>'}, 4, 'at most 1e+07 m'),
    ({'top': '<block><init_pose>0 3 0</init_pose><init_vel>1e300 0 0</init_vel></block>'}, 1,
     'at most 1e+06'),
    ({'top': '<block><init_pose>0 3 0</init_pose><geometry type="cylinder" radius="1" '
             'length="1" vertex_count="1000000000"/></block>'}, 1, 'at most 10000'),
    ({'top': '<block><init_pose>0 3 0</init_pose><animation><time_pose>0 0 0 0</time_pose>'
             '<time_pose>1 1e300 0 0</time_pose></animation></block>'}, 1, 'at most 1e+07'),
])
def test_a_value_beyond_its_limit(tmp_path: Path, given: dict[str, str], line: int,
                                  limit: str) -> None:
    path = world_of(tmp_path, **given)
    with pytest.raises(MvsimError, match='must be at') as raised:
        load_world(path)
    assert str(raised.value).startswith(f'{path}:{line}: ')
    assert limit in str(raised.value)


def test_a_world_for_which_there_is_no_memory(tmp_path: Path) -> None:
    path = world_of(tmp_path, kind='lidar3d', sensor=MANY_RAYS)
    world = load_world(path)
    assert memory_needed(world) > 1e12
    with pytest.raises(MemoryLimitError, match="lidar3d 'r1/s' alone takes 1.31 TB") as raised:
        Simulation(world)
    assert str(raised.value).startswith(f'{path}:4: the world needs about 1.31 TB of memory, and ')


@pytest.mark.parametrize('run', [
    lambda simulation: simulation.step(10 ** 12), lambda simulation: simulation.run(1e99)],
    ids=['steps', 'time'])
def test_a_run_that_the_clock_cannot_count(run: Callable[[Simulation], object]) -> None:
    simulation = Simulation.from_file(world_path('empty'))
    with pytest.raises(ArgumentError, match=r'years of simulated time: the clock ends after 4.6'):
        run(simulation)
    assert simulation.steps == 0


@pytest.mark.parametrize('verb', ['log', 'record', 'view'])
def test_a_duration_that_the_clock_cannot_count(
        verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, 'empty', '--duration', '1e99'])
    assert "--duration: '1e99'" in capsys.readouterr().err


def test_observations_for_which_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is not ended by the system: it says what to do."""
    monkeypatch.setattr(memory, '_RESERVE', 1e18)
    simulation = Simulation.from_file(world_path('demo'))
    with pytest.raises(MemoryLimitError, match=r'call of step\(\) .* run\(on_observation='):
        simulation.step(2200)


def test_check_shows_the_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', str(world_of(tmp_path, kind='lidar3d'))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert '  memory: about 201 MB' in lines
    path = world_of(tmp_path, kind='lidar3d', sensor='<vert_nrays>128</vert_nrays>')
    assert main(['check', str(path)]) == 0
    assert "    5 MB lidar3d 'r1/s'" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize('seed', [-1, 2 ** 63, 1.5, True, 'one', None])
def test_a_seed_that_is_none(seed: object) -> None:
    with pytest.raises(MvsimError, match='must be an integer from 0 to 9223372036854775807'):
        Simulation.from_file('empty', seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize('seed', ['-1', '9223372036854775808', '1e9', '9' * 5000])
def test_a_seed_of_a_command(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(['log', 'empty', f'--seed={seed}'])
    assert ended.value.code == 2
    assert 'is not a whole number from 0 to 9223372036854775807' in capsys.readouterr().err


@pytest.mark.parametrize('text', ['seeds: 1000000000', 'seeds: [-1]', 'seeds: [1.5]',
                                  f'seeds: [{2 ** 63}]', 'seeds: 60000\nparameters: {A: [1, 2]}',
                                  f'parameters: {{A: {list(range(400))}, B: {list(range(400))}}}'])
def test_a_plan_of_too_many_runs(tmp_path: Path, text: str) -> None:
    path = tmp_path / 'plan.yaml'
    (tmp_path / 'one.world.xml').write_text(
        '<mvsim_world><block><init_pose>${A|0} ${B|0} 0</init_pose></block></mvsim_world>')
    path.write_text(f'worlds: [one.world.xml]\n{text}')
    with pytest.raises(MvsimError, match='at most 100000|integers, 0 or more'):
        read_plan(path)


@pytest.mark.parametrize(('text', 'limit'), [
    ('lawn_mower,spacing=1e-9', 'at most 10000'), ('lawn_mower,length=1e6', 'at most 200000 m'),
    ('eight,radius=1e6', 'at most 200000 m'), ('eight,radius=inf', 'give a number'),
    ('eight,speed=nan', 'give a number')])
def test_a_pattern_beyond_its_limit(text: str, limit: str) -> None:
    with pytest.raises(MvsimError, match=limit):
        make_controller(text)


@pytest.mark.parametrize(('row', 'limit'), [('1e9 0', 'at most 1e[+]07 m'),
                                            ('300000 0', 'at most 200000 m')])
def test_a_route_beyond_its_limit(tmp_path: Path, row: str, limit: str) -> None:
    path = tmp_path / 'far.csv'
    path.write_text(f'x y\n0 0\n1 0\n{row}\n')
    with pytest.raises(MvsimError, match=limit) as raised:
        make_controller(f'follow:{path}')
    assert str(raised.value).startswith(f'{path}:4: ')
