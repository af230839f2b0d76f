# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machines that lack something: the same bytes, or a sentence."""

from pathlib import Path
import subprocess

from processes import python, ROOT
import pytest

PROGRAM = Path(__file__).with_name('other_machine.py')
SECONDS = '0.3'
WORLD = """
<mvsim_world version="1.0">
  <element class="horizontal_plane"/>
  <block name="pillar"><static>true</static><init_pose>3 1 10</init_pose>
    <geometry type="cylinder" radius="0.4" length="2"/></block>
  <block name="crate"><init_pose>0.9 0 20</init_pose><mass>4</mass>
    <geometry type="box" lx="0.5" ly="0.4" lz="0.6"/></block>
  <block name="ball"><static>true</static><init_pose>-2 1 0</init_pose>
    <geometry type="sphere" radius="0.7"/></block>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <for var="i" from="1" to="2">
    <vehicle name="r${i}" class="small_robot"> <init_pose>0 $f{i-1} 15</init_pose>
      <sensor class="laser" name="scan"><pose_3d>0 0 0.3 0 0 0</pose_3d>
        <nrays>61</nrays><sensor_period>0.1</sensor_period><raytrace_3d>true</raytrace_3d>
        <fov_degrees>270</fov_degrees></sensor>
      <sensor class="lidar3d" name="points"><pose_3d>0 0 0.5 0 2 0</pose_3d>
        <sensor_period>0.1</sensor_period><horz_nrays>40</horz_nrays><vert_nrays>4</vert_nrays>
        <vert_fov_degrees>30</vert_fov_degrees><range_std_noise>0</range_std_noise></sensor>
      <sensor class="imu" name="imu"/>
    </vehicle>
  </for>
</mvsim_world>
"""


def run(without: str, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the program without something."""
    return python(PROGRAM, without, *words, code=code, MVSIM_ROS2_TRACEBACK='')


@pytest.fixture(scope='module')
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a world with sensors that cast rays, a push and solids of all kinds."""
    path = tmp_path_factory.mktemp('world') / 'one.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture(scope='module')
def usual(world: Path) -> str:
    """Return the hashes of a run as usual."""
    done = run('nothing', 'hash', str(world), SECONDS)
    assert len(done.stdout.splitlines()) == 7
    return done.stdout


@pytest.mark.parametrize('without', ['numba', 'embree', 'numba,embree'])
def test_what_a_machine_lacks_changes_no_byte(without: str, world: Path, usual: str) -> None:
    """
    A machine without numba or Embree gives the same results, bit for bit.

    :reference: the usual run
    """
    assert run(without, 'hash', str(world), SECONDS).stdout == usual


@pytest.mark.parametrize('words', [
    pytest.param(('check', 'demo'), id='check'),
    pytest.param(('record', 'demo', '--duration', '0.2', '-o', 'run'), id='record'),
    pytest.param(('log', 'demo', '--duration', '0.2', '-o', 'logs'), id='log'),
    pytest.param(('picture', 'demo', '--top', '-o', 'plan.png'), id='picture')])
def test_commands_need_nothing_of_posix(words: tuple[str, ...], tmp_path: Path,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run('windows', *words).stderr == ''


def test_a_sweep_says_that_it_cannot_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'plan.yaml').write_text('worlds: [demo]\nduration: 0.2\n')
    done = run('windows', 'sweep', 'plan.yaml', '-o', 'runs', '--workers', '0')
    assert (tmp_path / 'runs/summary.csv').is_file()
    assert len([line for line in done.stderr.splitlines()
                if line.startswith('warning: ') and 'one sweep at a time' in line]) == 1


def test_xacro_is_refused_where_it_cannot_be_confined(tmp_path: Path) -> None:
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text((ROOT / 'worlds/descriptions/car.urdf.xacro').read_text())
    done = run('windows', 'convert-urdf', str(path), code=1)
    assert done.stderr.count('\n') == 1
    assert 'expand the file first' in done.stderr
