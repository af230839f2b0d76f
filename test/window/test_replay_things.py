# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks, people, collisions and estimated trajectories of recorded runs."""

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import WindowError
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.window.replay.bag import read_bag
from mvsim_ros2.window.replay.playback import Playback
from mvsim_ros2.window.view import recordings, replay

WORLD = """
<mvsim_world version="1.0">
  <vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential">
    <chassis mass="20" zmin="0.05" zmax="0.4"/><controller class="twist_ideal"/></dynamics>
  </vehicle>
  <block name="crate, small"><init_pose>1.5 0 0</init_pose>
    <shape_from_visual>false</shape_from_visual> <mass>5</mass> <zmin>0</zmin> <zmax>0.4</zmax>
    <shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block>
  <block name="still"><init_pose>0 5 0</init_pose> <mass>5</mass> <zmin>0</zmin> <zmax>0.4</zmax>
    <shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block>
  <actor name="walker"><init_pose>0 -3 0</init_pose>
    <trajectory><waypoint>0 0 -3 0</waypoint><waypoint>4 4 -3 0</waypoint></trajectory></actor>
</mvsim_world>
"""


@pytest.fixture(scope='module')
def pushed(tmp_path_factory):
    """Return a bag of a cart that pushes a crate past a walker, and what was where when."""
    folder = tmp_path_factory.mktemp('pushed')
    file = folder / 'push.world.xml'
    file.write_text(WORLD)
    simulation = Simulation.from_file(file)
    simulation.vehicles['r'].set_twist(0.8, 0.0)
    seen = []

    def look() -> bool:
        if round(simulation.time * 1e3) % 500 == 0:
            seen.append((simulation.time, *(thing.pose.position for thing in (
                simulation.blocks['crate, small'], simulation.blocks['still'],
                simulation.actors['walker']))))
        return True

    with Recorder(simulation, folder / 'bag') as recorder:
        recorder.run(3.0, look)
    return folder, seen


def test_blocks_and_people_move_as_they_did(pushed):
    folder, seen = pushed
    playback = Playback([read_bag(str(folder / 'bag'), str(folder / 'push.world.xml'), {})])
    assert seen[-1][1][0] > seen[0][1][0] + 0.3, 'nothing was pushed'
    for time, crate, still, walker in seen:
        frame = playback.frame(time)
        np.testing.assert_allclose(frame.blocks['crate, small'].position, crate, atol=0.01)
        np.testing.assert_allclose(frame.blocks['still'].position, still, atol=1e-6)
        np.testing.assert_allclose(frame.actors['walker'].position, walker, atol=0.01)
        np.testing.assert_allclose(frame.states.blocks[0, :3], crate, atol=0.01)
    text = (folder / 'bag' / 'ground_truth' / 'moving.csv').read_text()
    assert text.count('still') == 1  # what rests is written once


def test_jumps_go_to_collisions_and_stand_there(pushed):
    folder, _ = pushed
    bag = str(folder / 'bag')
    (first, *_) = read_bag(bag, str(folder / 'push.world.xml'), {}).collisions
    with replay([bag], str(folder / 'push.world.xml'), port=0) as playing:
        playing.jump(True)
        assert not playing.running and playing.time == pytest.approx(first - 0.1)
        frame = playing.playback.frame(first)
        gap = frame.blocks['crate, small'].x - frame.vehicles['r'].pose.x
        assert 0.2 < gap < 1.3
        playing.time = playing.playback.end
        playing.jump(False)
        assert playing.time < playing.playback.end


@pytest.fixture
def slam(project, tmp_path):
    """Return a folder as `benchmark slam` writes it, with an estimate that is turned away."""
    simulation = Simulation.from_file(project / 'worlds' / 'demo.world.xml', sensors=False)
    folder = tmp_path / 'demo' / 'seed_1'
    (folder / 'ground_truth').mkdir(parents=True)
    (folder / 'some_slam').mkdir()
    away = Pose(5.0, -3.0, 1.0, 2.0)
    (vehicle,) = simulation.vehicles.values()
    vehicle.set_twist(0.6, 0.5)
    rows = {'ground_truth/base_link.tum': [], 'some_slam/run_tum.txt': []}
    for number in range(60):
        simulation.run(0.05)
        for name, pose in zip(rows, (vehicle.pose, away.compose(vehicle.pose)), strict=True):
            if number % 3 == 0 or name.startswith('ground'):
                rows[name].append(' '.join(f'{value:.9f}' for value in (
                    simulation.time, *pose.position, *pose.quaternion)))
    for name, lines in rows.items():
        (folder / name).write_text('\n'.join(lines) + '\n')
    return folder, vehicle.pose


def test_estimate_lies_on_the_truth_as_a_ghost(slam):
    folder, last = slam
    playback = recordings([str(folder)], None, {})
    assert playback.estimated and [each.label for each in playback.recordings] == ['', 'some_slam']
    frame = playback.frame(playback.end, with_scene=True)
    assert set(frame.vehicles) == {'robot', 'robot (some_slam)'}
    assert frame.vehicles['robot (some_slam)'].ghost == 1 and not frame.vehicles['robot'].ghost
    (_, estimate) = (each.tracks['robot'] for each in playback.recordings)
    truth = playback.recordings[0].tracks['robot'].at(estimate.times[7]).poses[0]
    np.testing.assert_allclose(estimate.poses[7, :4], truth[:4], atol=1e-3)


def test_estimate_of_a_straight_way_is_not_turned_about_it(slam):
    """Places on a line leave the turn about it free; the attitudes of both do not."""
    folder, _ = slam
    times, noise = np.linspace(0.0, 10.0, 60), np.random.default_rng(3).normal(0.0, 0.02, (60, 2))
    turn = 0.5  # rad, of the estimate about the way
    for name, sideways, roll in (('ground_truth/base_link.tum', 0.0 * noise, 0.0),
                                 ('some_slam/run_tum.txt', noise, turn)):
        (folder / name).write_text(''.join(
            f'{t:.3f} {t:.6f} {y:.6f} {z:.6f} {np.sin(roll / 2):.9f} 0 0 {np.cos(roll / 2):.9f}\n'
            for t, (y, z) in zip(times, sideways, strict=True)))
    _, estimate = recordings([str(folder)], None, {}).recordings
    poses = estimate.tracks['robot'].poses
    np.testing.assert_allclose(poses[:, 0], times, atol=0.02)
    np.testing.assert_allclose(poses[:, 1:3], 0.0, atol=0.08)
    np.testing.assert_allclose(poses[:, 3:], 0.0, atol=0.02)  # yaw, pitch, roll


def test_estimate_is_shown_over_a_run_that_is_named_first(slam):
    folder, _ = slam
    file = str(folder / 'some_slam' / 'run_tum.txt')
    playback = recordings([str(folder), file], None, {})
    assert [each.label for each in playback.recordings] == ['', 'some_slam', 'run_tum']
    with pytest.raises(WindowError, match='give the recording that it belongs to'):
        recordings([file], None, {})


@pytest.mark.parametrize('text, words', [
    pytest.param('1 2 3\n', 'eight numbers', id='three columns'),
    pytest.param('hello\n', 'format of TUM', id='words'),
    pytest.param('900 0 0 0 0 0 0 1\n901 0 0 0 0 0 0 1\n', 'belong to this run', id='apart')])
def test_what_is_no_estimate_is_refused(slam, tmp_path, text, words):
    file = tmp_path / 'bad.tum'
    file.write_text(text)
    with pytest.raises(WindowError, match=words):
        recordings([str(slam[0]), str(file)], None, {})
