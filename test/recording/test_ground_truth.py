# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The files of ground truth."""

from pathlib import Path

import numpy as np
import pytest
from rosbags.highlevel import AnyReader

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.recording.export.trajectory import seconds
from mvsim_ros2.recording.hashes import effective_world, fingerprint
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import TrajectoryFile

TOP = Pose(0.1, 0.0, 0.6, np.radians(10), np.radians(5))


@pytest.fixture(scope='module')
def truth(run: Path) -> Path:
    return run / 'ground_truth'


def poses(path: Path) -> tuple[np.ndarray, np.ndarray]:
    rows = np.loadtxt(path)
    x, y, z, w = rows[:, 4:].T
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    matrices = np.tile(np.eye(4), (len(rows), 1, 1))
    matrices[:, :3, :3] = np.moveaxis(rotation, -1, 0)
    matrices[:, :3, 3] = rows[:, 1:4]
    return rows[:, 0], matrices


def test_files(truth: Path) -> None:
    trajectories = {
        'base_link', 'eye_optical_frame', 'scan_start', 'scan_end', 'top_start', 'top_end'}
    assert {path.name for path in truth.iterdir()} == {
        *(f'{name}.{ending}' for name in trajectories for ending in ('tum', 'kitti')),
        'base_link.euroc.csv', 'velocities.csv', 'imu_bias.csv', 'boxes.csv', 'moving.csv',
        'eye_optical_frame_boxes.csv'}


def test_numbers_have_nine_decimals(truth: Path) -> None:
    for line in (truth / 'base_link.tum').read_text().splitlines():
        assert [len(word.partition('.')[2]) for word in line.split(' ')] == [9] * 8
    assert seconds(12_000_000_034) == '12.000000034'


def test_the_base_is_there_after_every_step(truth: Path) -> None:
    times, _ = poses(truth / 'base_link.tum')
    assert times.tolist() == pytest.approx(np.arange(1, 401) * 0.005, abs=1e-12)


def test_scans_end_and_start_on_the_path_of_the_base(truth: Path) -> None:
    base_times, base = poses(truth / 'base_link.tum')
    for ending in ('start', 'end'):
        times, sensor = poses(truth / f'top_{ending}.tum')
        assert len(times) == 20
        mount = sensor @ np.linalg.inv(TOP.matrix)
        for k in range(3):
            expected = np.interp(times, base_times, base[:, k, 3])
            assert mount[:, k, 3] == pytest.approx(expected, abs=2e-9)
        yaw, base_yaw = (np.unwrap(np.arctan2(each[:, 1, 0], each[:, 0, 0]))
                         for each in (mount, base))
        assert yaw == pytest.approx(np.interp(times, base_times, base_yaw), abs=1e-8)
    starts, ends = (poses(truth / f'top_{ending}.tum')[0] for ending in ('start', 'end'))
    assert ends - starts == pytest.approx(np.full(20, 0.1 * 59 / 60), abs=1e-9)
    assert ends == pytest.approx(np.arange(1, 21) * 0.1)


def points_of_scans(run: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return when all points of the LiDAR were measured [s], and where they were from it."""
    kind = np.dtype({'names': ['x', 'y', 'z', 'time'], 'formats': ['<f4'] * 4,
                     'offsets': [0, 4, 8, 20], 'itemsize': 24})
    times, places = [], []
    with AnyReader([run]) as reader:
        wanted = [each for each in reader.connections if each.topic == '/top_points']
        for connection, _, data in reader.messages(wanted):
            scan = reader.deserialize(data, connection.msgtype)
            points = np.frombuffer(scan.data.tobytes(), kind)
            stamp = scan.header.stamp
            times.append(stamp.sec + 1e-9 * stamp.nanosec + points['time'].astype(float))
            places.append(np.stack([points[axis].astype(float) for axis in 'xyz'], axis=1))
    return np.concatenate(times), np.concatenate(places)


def test_points_lie_on_the_walls_for_the_true_pose_of_the_lidar(
        run: Path, truth: Path) -> None:
    """
    Bag and files are of one run: stamps, times of points, mounting and poses fit together.

    :claim: With ground-truth poses, the points of a moving LiDAR lie on the walls, apart from
        noise
    :reference: equations of the walls
    """
    when, places = points_of_scans(run)
    on_base = places @ TOP.matrix[:3, :3].T + TOP.matrix[:3, 3]
    times, base = poses(truth / 'base_link.tum')
    yaw = np.unwrap(np.arctan2(base[:, 1, 0], base[:, 0, 0]))

    def off_the_walls(moments: np.ndarray) -> np.ndarray:
        turn = np.interp(moments, times, yaw)
        x, y = (np.interp(moments, times, base[:, axis, 3]) for axis in (0, 1))
        x = x + np.cos(turn) * on_base[:, 0] - np.sin(turn) * on_base[:, 1]
        y = y + np.sin(turn) * on_base[:, 0] + np.cos(turn) * on_base[:, 1]
        on_box = np.hypot(x - 3.0, y - 1.0) < 0.9
        return np.minimum(abs(x - 3.95), abs(y + 3.95))[~on_box]

    inside = off_the_walls(when)
    assert len(inside) > 500
    assert np.sqrt(np.mean(inside ** 2)) < 0.02  # the ranges have noise of 0.01 m
    assert np.sqrt(np.mean(off_the_walls(np.floor(when * 10) / 10) ** 2)) > 0.04


def test_the_camera_is_its_optical_frame(truth: Path) -> None:
    times, camera = poses(truth / 'eye_optical_frame.tum')
    base_times, base = poses(truth / 'base_link.tum')
    assert times.tolist() == [0.5, 1.0, 1.5, 2.0]
    for time, pose in zip(times, camera, strict=True):
        on_base = np.linalg.inv(base[np.searchsorted(base_times, time - 1e-6)]) @ pose
        assert on_base[:3, 2] == pytest.approx([1, 0, 0], abs=1e-6)  # looks along x
        assert on_base[:3, 1] == pytest.approx([0, 0, -1], abs=1e-6)  # rows go down
        assert on_base[:3, 3] == pytest.approx([0.1, 0, 0.5], abs=1e-6)


def test_one_pose_for_each_camera_and_measurement(tmp_path: Path) -> None:
    """Registered colours and depths share a frame, as the messages of a pair do."""
    path = tmp_path / 'w.world.xml'
    path.write_text("""<mvsim_world><vehicle name="r"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><controller class="twist_pid"/></dynamics>
        <sensor class="rgbd_camera" name="d"><registered>true</registered></sensor>
        <sensor class="camera" name="s"><stereo_baseline>0.3</stereo_baseline></sensor>
        </vehicle></mvsim_world>""")
    with Recorder(Simulation.from_file(path), tmp_path / 'out') as recorder:
        assert recorder.run(0.5)
    truth = tmp_path / 'out' / 'ground_truth'
    for name in ('d_color_optical_frame', 's_optical_frame', 's_right_optical_frame'):
        assert poses(truth / f'{name}.tum')[0].tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]
    left, right = (poses(truth / f's_{side}optical_frame.tum')[1] for side in ('', 'right_'))
    assert np.linalg.inv(left[0]) @ right[0] == pytest.approx(Pose(x=0.3).matrix, abs=1e-8)


def test_boxes_are_where_the_things_are(truth: Path) -> None:
    _, *lines = (truth / 'boxes.csv').read_text().splitlines()
    rows = [line.split(',') for line in lines]
    (box,) = [row for row in rows if row[-1] == 'box']  # static: one row
    assert box[0] == '100000000'  # the first scan
    assert [float(each) for each in box[3:-1]] == pytest.approx(
        [3, 1, 0.5, 1, 1, 1, np.radians(20), 0, 0], abs=1e-6)
    robot = np.array([row[:-1] for row in rows if row[-1] == 'robot'], float)
    assert robot[:, 0].tolist() == (100_000_000 * np.arange(1, 21)).tolist()
    times, base = poses(truth / 'base_link.tum')
    for row in robot:
        on_base = np.linalg.inv(base[np.searchsorted(times, 1e-9 * row[0] - 1e-6)]) @ Pose(
            row[3], row[4], row[5], row[9]).matrix
        assert on_base[:3, :3] == pytest.approx(np.eye(3), abs=1e-6)
        assert abs(on_base[:2, 3]).max() < 0.1
    assert {row[2] for row in rows if row[-1] in ('box', 'robot')} == {'3', '4'}


def test_boxes_in_images_are_those_of_the_things(truth: Path) -> None:
    things = {line.split(',')[1]: line.rsplit(',', 1)[1]
              for line in (truth / 'boxes.csv').read_text().splitlines()}
    _, *lines = (truth / 'eye_optical_frame_boxes.csv').read_text().splitlines()
    first = [line.split(',') for line in lines if line.startswith('500000000,')]
    ((_, _, label, *borders),) = [row for row in first if things[row[1]] == 'box']
    assert label == '3'
    left, top, right, bottom = (int(each) for each in borders)
    assert 0 <= left < right < 32 and 0 <= top < bottom < 24


def test_kitti_starts_at_the_identity_and_is_the_same_path(truth: Path) -> None:
    rows = np.loadtxt(truth / 'top_end.kitti').reshape(-1, 3, 4)
    assert rows[0].tolist() == np.eye(4)[:3].tolist()
    _, matrices = poses(truth / 'top_end.tum')
    relative = np.linalg.inv(matrices[0]) @ matrices
    assert rows == pytest.approx(relative[:, :3], abs=2e-8)


def test_kitti_in_space(tmp_path: Path) -> None:
    first, second = Pose(1, 2, 3, 0.4, -0.5, 0.6), Pose(-3, 2, 1, 2.0, 0.3, -0.2)
    file = TrajectoryFile(tmp_path / 'x')
    file.write(1, first)
    file.write(2, second)
    for each in file.files:
        each.close()
    rows = np.loadtxt(tmp_path / 'x.kitti').reshape(-1, 3, 4)
    assert rows[1] == pytest.approx((np.linalg.inv(first.matrix) @ second.matrix)[:3], abs=1e-9)


def test_euroc_has_velocity_and_biases(truth: Path) -> None:
    lines = (truth / 'base_link.euroc.csv').read_text().splitlines()
    assert lines[0].startswith('#timestamp') and len(lines[0].split(',')) == 17
    rows = np.loadtxt(lines[1:], delimiter=',')
    tum = np.loadtxt(truth / 'base_link.tum')
    assert rows[:, 0] == pytest.approx(tum[:, 0] * 1e9, abs=1)
    assert rows[:, 1:4].tolist() == tum[:, 1:4].tolist()
    assert rows[:, [5, 6, 7, 4]].tolist() == tum[:, 4:].tolist()
    biases = np.loadtxt(truth / 'imu_bias.csv', delimiter=',')
    assert rows[:, 11:].tolist() == biases[:, 1:].tolist()
    assert np.ptp(biases[:, 1:], axis=0).min() > 0.0
    moved = np.diff(rows[:, 1:4], axis=0) / 0.005
    assert rows[1:, 8:11] == pytest.approx(moved, abs=0.03)


def test_velocities(truth: Path) -> None:
    rows = np.loadtxt(truth / 'velocities.csv', delimiter=',')
    assert rows[-1, 4] == pytest.approx(0.8, abs=0.1)
    assert rows[-1, 9] == pytest.approx(0.9, abs=0.1)
    assert np.hypot(rows[:, 1], rows[:, 2]) == pytest.approx(
        np.hypot(rows[:, 4], rows[:, 5]), abs=1e-6)


def test_the_world_hash_is_that_of_its_content(tmp_path: Path, world: Path) -> None:
    elsewhere = tmp_path / 'moved.world.xml'
    elsewhere.write_text(f'<!-- said -->\n{world.read_text()}')
    changed = tmp_path / 'changed.world.xml'
    changed.write_text(world.read_text().replace('<mass>5<', '<mass>6<'))
    one, same, other = (fingerprint(effective_world(load_world(path)))
                        for path in (world, elsewhere, changed))
    assert one == same != other


def test_the_hash_of_a_world_does_not_depend_on_a_seed_that_it_does_not_use(
        tmp_path: Path) -> None:
    path = tmp_path / 'one.world.xml'
    for mass, differ in (('2', False), ('$f{1 + rand()}', True)):
        path.write_text(f'<mvsim_world><block><init_pose>0 0 0</init_pose><mass>{mass}</mass>'
                        '</block></mvsim_world>')
        one, other = (fingerprint(effective_world(load_world(path, seed=seed)))
                      for seed in (1, 2))
        assert (one != other) == differ
