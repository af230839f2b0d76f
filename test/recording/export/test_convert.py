# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags become KITTI, EuRoC and COCO folders whose numbers are those of the run."""

from collections.abc import Callable
import csv
import json
import math
from pathlib import Path

import numpy as np
from PIL import Image
import pytest
import yaml

from mvsim_ros2.cli import main
from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import quaternions, rotations
from mvsim_ros2.recording.export.coco import annotations_of, run_lengths
from mvsim_ros2.recording.export.convert import convert
from mvsim_ros2.recording.export.trajectory import Trajectory

MakeBag = Callable[..., Path]

SPEED, TURN = 1.0, 0.5  # m/s, rad/s, as in conftest.py
PLACES = np.array([[5.0, 1.0, 0.3], [4.0, -2.0, 1.0], [-3.0, 2.0, 0.5], [0.5, 6.0, 2.0]])


def square(rows: np.ndarray) -> np.ndarray:
    """Return homogeneous matrices of rows of twelve numbers."""
    matrices = np.tile(np.eye(4), (len(rows), 1, 1))
    matrices[:, :3] = rows.reshape(-1, 3, 4)
    return matrices


def base_at(time: float) -> np.ndarray:
    c, s = math.cos(TURN * time), math.sin(TURN * time)
    return np.array([[c, -s, 0, SPEED / TURN * s], [s, c, 0, SPEED / TURN * (1 - c)],
                     [0, 0, 1, 0], [0, 0, 0, 1.0]])


@pytest.mark.parametrize('with_cameras', [
    pytest.param(True, id='cameras'), pytest.param(False, id='LiDAR alone')])
def test_kitti_points_lie_where_things_are(
        bag: MakeBag, tmp_path: Path, with_cameras: bool) -> None:
    skip = () if with_cameras else tuple(
        f'stereo/{side}/{kind}' for side in ('left', 'right')
        for kind in ('image_raw', 'camera_info', 'labels', 'instances'))
    counts = convert(bag(skip=skip), 'kitti', tmp_path / 'out')
    assert counts == {'frames': 12, 'scans': 12}
    sequence = tmp_path / 'out' / 'sequences' / '00'
    poses = square(np.loadtxt(tmp_path / 'out' / 'poses' / '00.txt'))
    times = np.loadtxt(sequence / 'times.txt')
    np.testing.assert_allclose(times, 0.1 * np.arange(12), atol=1e-9)
    lines = dict(line.split(': ') for line in
                 (sequence / 'calib.txt').read_text().splitlines())
    assert list(lines) == ['P0', 'P1', 'P2', 'P3', 'Tr']
    to_camera = square(np.array([lines['Tr'].split()], float))[0]
    np.testing.assert_allclose(poses[0], np.eye(4), atol=1e-12)
    first = 0.11 if with_cameras else 0.1  # a frame is at the time of its image
    on_base = np.eye(4)
    on_base[:3, 3] = 0.2, 0.0, 0.8
    start = base_at(first) @ on_base @ np.linalg.inv(to_camera)
    for number, pose in enumerate(poses):
        points = np.fromfile(sequence / 'velodyne' / f'{number:06d}.bin', '<f4').reshape(-1, 4)
        np.testing.assert_allclose(points[:, 3], np.array([7, 8, 9, 10]) / 255, rtol=1e-6)
        seen = start @ pose @ to_camera @ np.column_stack([points[:, :3], np.ones(4)]).T
        np.testing.assert_allclose(seen[:3].T, PLACES, atol=1e-4)
    assert (sequence / 'image_2').exists() == with_cameras


@pytest.mark.parametrize('one_frame', [
    pytest.param(True, id='pair in one frame'), pytest.param(False, id='frames of their own')])
def test_kitti_projections_and_images_are_those_of_the_cameras(
        bag: MakeBag, tmp_path: Path, one_frame: bool) -> None:
    convert(bag(one_frame=one_frame), 'kitti', tmp_path / 'out')
    sequence = tmp_path / 'out' / 'sequences' / '00'
    lines = dict(line.split(': ') for line in
                 (sequence / 'calib.txt').read_text().splitlines())
    left, right = (np.array(lines[key].split(), float).reshape(3, 4) for key in ('P2', 'P3'))
    np.testing.assert_allclose(left, [[100, 0, 15.5, 0], [0, 100, 11.5, 0], [0, 0, 1, 0]],
                               atol=1e-9)
    np.testing.assert_allclose(right - left, [[0, 0, 0, -12], [0, 0, 0, 0], [0, 0, 0, 0]],
                               atol=1e-9)
    for folder in ('image_2', 'image_3'):
        shades = [np.asarray(Image.open(path))[0, 0, 0]
                  for path in sorted((sequence / folder).iterdir())]
        assert shades == [11 + 10 * k for k in range(12)]


@pytest.mark.parametrize('bend', [pytest.param(0.0, id='no lens'), pytest.param(0.1, id='lens')])
def test_kitti_warns_of_lenses(bag: MakeBag, tmp_path: Path, bend: float,
                               caplog: pytest.LogCaptureFixture) -> None:
    convert(bag(lens=(bend, 0.0, 0.0, 0.0, 0.0)), 'kitti', tmp_path / 'out')
    assert [record.message.partition(' has a lens')[0] for record in caplog.records] == (
        ['/stereo/left', '/stereo/right'] if bend else [])


def test_one_camera_may_be_chosen(bag: MakeBag, tmp_path: Path) -> None:
    convert(bag(), 'kitti', tmp_path / 'out', cameras=['stereo/right'])
    names = {path.name for path in (tmp_path / 'out' / 'sequences' / '00').iterdir()}
    assert names == {'calib.txt', 'image_2', 'times.txt', 'velodyne'}


def rows_of(path: Path) -> np.ndarray:
    """Return the numbers of a CSV file with a header."""
    return np.loadtxt(path, delimiter=',')


def test_euroc_holds_the_motion_of_the_imu(bag: MakeBag, tmp_path: Path) -> None:
    assert convert(bag(), 'euroc', tmp_path / 'out') == {'samples': 260, 'images': 24}
    root = tmp_path / 'out' / 'mav0'
    samples = rows_of(root / 'imu0' / 'data.csv')
    np.testing.assert_array_equal(samples[:, 0], 5_000_000 * np.arange(1, 261))
    np.testing.assert_allclose(samples[0, 1:], [0, 0, 0.5, 0.5, 0, 9.81])
    truth = rows_of(root / 'state_groundtruth_estimate0' / 'data.csv')
    np.testing.assert_array_equal(truth[:, 0], samples[:, 0])
    for row in truth[::40]:
        pose = base_at(1e-9 * row[0])
        np.testing.assert_allclose(row[1:4], pose[:3, 3] + [0, 0, 0.3], atol=1e-8)
        w, z = row[4], row[7]
        assert 2 * math.atan2(z, w) == pytest.approx(TURN * 1e-9 * row[0] + math.pi / 2)
    middle = truth[120]
    np.testing.assert_allclose(middle[8:11], base_at(1e-9 * middle[0])[:3, 0], atol=1e-4)
    np.testing.assert_array_equal(middle[11:], np.zeros(6))


def test_euroc_cameras_are_given_on_the_imu(bag: MakeBag, tmp_path: Path) -> None:
    convert(bag(), 'euroc', tmp_path / 'out')
    folder = tmp_path / 'out' / 'mav0' / 'cam1'
    camera = yaml.safe_load((folder / 'sensor.yaml').read_text())
    pose = np.array(camera['T_BS']['data']).reshape(4, 4)
    # the IMU is turned to the left: its x is y of the base, its y is -x of the base
    np.testing.assert_allclose(pose[:3, 3], [0.1 - 0.12, -0.3, 0.2], atol=1e-9)
    np.testing.assert_allclose(pose[:3, 2], [0, -1, 0], atol=1e-9)  # looks ahead
    assert camera['intrinsics'] == [100, 100, 15.5, 11.5]
    assert camera['resolution'] == [32, 24]
    assert camera['distortion_coefficients'] == [0.1, 0, 0, 0]
    assert camera['rate_hz'] == pytest.approx(10.0)
    with (folder / 'data.csv').open() as file:
        names = [row[1] for row in list(csv.reader(file))[1:]]
    assert len(names) == 12
    assert all((folder / 'data' / name).is_file() for name in names)


def test_euroc_takes_biases_and_exact_poses_of_a_recording(
        bag: MakeBag, tmp_path: Path) -> None:
    path = bag()
    folder = path / 'ground_truth'
    folder.mkdir()
    (folder / 'base_link.tum').write_text(
        '0.000000000 1 2 3 0 0 0 1\n2.000000000 3 2 3 0 0 0 1\n')
    # the topic of the only IMU of a vehicle is `imu`, whatever it is called
    (folder / 'mems_bias.csv').write_text('#time\n0,1,2,3,4,5,6\n2000000000,3,2,3,4,5,6\n')
    imu = {'name': 'mems', 'angular_velocity_random_walk': 0.25,
           'linear_acceleration_random_walk': 0.5}
    (path / 'run.json').write_text(json.dumps({
        'topics': {'/imu': {'sensor': 'robot/mems', 'truth': ['ground_truth/mems_bias.csv']}},
        'world': {'spec': {'vehicles': [{'name': 'robot', 'sensors': [imu]}], 'sensors': []}}}))
    convert(path, 'euroc', tmp_path / 'out')
    sensor = yaml.safe_load((tmp_path / 'out' / 'mav0' / 'imu0' / 'sensor.yaml').read_text())
    assert {key: value for key, value in sensor.items() if key.startswith(('gyro', 'accel'))} == {
        'gyroscope_noise_density': pytest.approx(0.002 / math.sqrt(200)),
        'gyroscope_random_walk': 0.25,
        'accelerometer_noise_density': pytest.approx(0.02 / math.sqrt(200)),
        'accelerometer_random_walk': 0.5}
    row = rows_of(tmp_path / 'out' / 'mav0' / 'state_groundtruth_estimate0' / 'data.csv')[199]
    np.testing.assert_allclose(row[:4], [1e9, 2, 2, 3.3])
    np.testing.assert_allclose(row[8:], [1, 0, 0, 2, 2, 3, 4, 5, 6], atol=1e-9)


def test_euroc_takes_densities_of_an_imu_from_its_recording(
        bag: MakeBag, tmp_path: Path) -> None:
    path = bag()
    imu = {'name': 'mems', 'angular_velocity_noise_density': 1e-3,
           'linear_acceleration_noise_density': [1e-3, 1e-3, 2e-3]}  # as behind a filter
    (path / 'run.json').write_text(json.dumps({
        'topics': {'/imu': {'sensor': 'robot/mems', 'truth': []}},
        'world': {'spec': {'vehicles': [{'name': 'robot', 'sensors': [imu]}], 'sensors': []}}}))
    convert(path, 'euroc', tmp_path / 'out')
    sensor = yaml.safe_load((tmp_path / 'out' / 'mav0' / 'imu0' / 'sensor.yaml').read_text())
    assert sensor['gyroscope_noise_density'] == pytest.approx(1e-3)
    assert sensor['accelerometer_noise_density'] == pytest.approx(1e-3 * math.sqrt(2.0))


def test_euroc_has_no_more_than_four_numbers_for_a_lens(bag: MakeBag, tmp_path: Path) -> None:
    path = bag(lens=(0.1, 0.0, 0.0, 0.0, 0.2))
    with pytest.raises(ConversionError, match='stereo/left.*four numbers for a lens'):
        convert(path, 'euroc', tmp_path / 'out')


def test_the_truth_beside_a_bag_is_enough(bag: MakeBag, tmp_path: Path) -> None:
    path = bag(skip=('base_pose_ground_truth',))
    (path / 'ground_truth').mkdir()
    (path / 'ground_truth' / 'base_link.tum').write_text('0.0 1 2 3 0 0 0 1\n')
    assert convert(path, 'kitti', tmp_path / 'out')['frames'] == 12


def test_coco_boxes_and_masks_are_those_of_the_things(bag: MakeBag, tmp_path: Path) -> None:
    """
    COCO boxes, areas and masks match the labels in the images.

    :reference: a labelled image made by hand
    :figure: gallery/label_dataset.webp
    """
    assert convert(bag(), 'coco', tmp_path / 'out') == {'images': 24, 'annotations': 24}
    whole = json.loads((tmp_path / 'out' / 'annotations.json').read_text())
    assert all((tmp_path / 'out' / 'images' / each['file_name']).is_file()
               for each in whole['images'])
    first = whole['annotations'][0]
    assert first['bbox'] == [10, 5, 3, 4]
    assert first['area'] == 12
    assert {each['id']: each['name'] for each in whole['categories']}[first['category_id']] == (
        'block')
    mask = decoded(first['segmentation'])
    assert mask[5:9, 10:13].all()
    assert mask.sum() == 12


def decoded(code: dict[str, list[int]]) -> np.ndarray:
    """Return the mask of a run-length code."""
    rows, columns = code['size']
    ends = np.repeat(np.arange(len(code['counts'])) % 2, code['counts'])
    return ends.reshape(columns, rows).T.astype(bool)


@pytest.mark.parametrize('mask', [
    pytest.param(np.eye(3, dtype=bool), id='starts with the thing'),
    pytest.param(np.zeros((2, 3), bool), id='nothing'),
    pytest.param(np.ones((2, 3), bool), id='all'),
    pytest.param(np.arange(12).reshape(3, 4) % 5 == 3, id='spread')])
def test_masks_come_back(mask: np.ndarray) -> None:
    code = {'size': list(mask.shape), 'counts': run_lengths(mask)}
    np.testing.assert_array_equal(decoded(code), mask)


def test_surroundings_and_nothing_have_no_box() -> None:
    labels = np.array([[0, 1, 2, 6, 4]])
    assert [each['category_id'] for each in annotations_of(labels, labels)] == [4]


def test_quaternions_and_matrices_say_the_same() -> None:
    random = np.random.default_rng(0)
    q = random.standard_normal((500, 4))
    q[:4] = np.eye(4)  # half turns, and none
    q /= np.linalg.norm(q, axis=1)[:, None]
    q[q[:, 3] < 0] *= -1
    back = quaternions(rotations(q))
    np.testing.assert_allclose(rotations(back), rotations(q), atol=1e-12)
    assert (back[:, 3] >= 0).all()


def test_motion_stands_still_before_and_after() -> None:
    motion = Trajectory(np.array([10, 20]), np.array([[0.0, 0, 0], [1, 0, 0]]),
                        np.array([[0.0, 0, 0, 1], [0, 0, 0, -1]]))  # the same turn, written twice
    poses = motion.at([5, 10, 15, 25])
    np.testing.assert_allclose(poses[:, 0, 3], [0, 0, 0.5, 1])
    np.testing.assert_allclose(poses[:, :3, :3], np.tile(np.eye(3), (4, 1, 1)), atol=1e-12)
    alone = Trajectory(np.array([10]), np.ones((1, 3)), np.array([[0.0, 0, 0, 1]]))
    np.testing.assert_allclose(alone.at([0, 10, 20])[:, :3, 3], np.ones((3, 3)))


def test_one_of_several_vehicles_is_chosen(bag: MakeBag, tmp_path: Path) -> None:
    path = bag(prefixes=('r1/', 'r2/'))
    with pytest.raises(ConversionError, match='several vehicles, choose one of r1, r2'):
        convert(path, 'kitti', tmp_path / 'out')
    with pytest.raises(ConversionError, match="no vehicle 'r3'"):
        convert(path, 'kitti', tmp_path / 'out', vehicle='r3')
    assert convert(path, 'kitti', tmp_path / 'out', vehicle='r2')['frames'] == 12


@pytest.mark.parametrize('form, skip, message', [
    pytest.param('kitti', ('lidar_points',), 'no point cloud', id='no LiDAR'),
    pytest.param('kitti', ('tf_static',), 'does not contain the pose', id='no fixed frames'),
    pytest.param('kitti', ('base_pose_ground_truth',), 'no topic base_pose', id='no truth'),
    pytest.param('euroc', ('imu',), 'no IMU', id='no IMU'),
    pytest.param('coco', ('stereo/left/labels', 'stereo/right/instances'), 'no camera has labels',
                 id='no labels'),
    pytest.param('pcd', (), "no format 'pcd'", id='format')])
def test_what_is_missing_is_named(
        bag: MakeBag, tmp_path: Path, form: str, skip: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConversionError, match=message):
        convert(bag(skip=skip), form, tmp_path / 'out')
    assert {path.name for path in tmp_path.iterdir()} == {'bag'}


@pytest.mark.parametrize('count', ['many', None])
def test_a_count_of_messages_that_is_none_is_damage(
        bag: MakeBag, tmp_path: Path, count: str | None) -> None:
    path = bag() / 'metadata.yaml'
    about = yaml.safe_load(path.read_text())
    for topic in about['rosbag2_bagfile_information']['topics_with_message_count']:
        topic['message_count'] = count
    path.write_text(yaml.safe_dump(about))
    with pytest.raises(ConversionError, match='the bag is damaged'):
        convert(path.parent, 'kitti', tmp_path / 'out')


def test_the_command_converts_and_reports_errors(
        bag: MakeBag, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / 'out')
    command = ['convert', str(bag()), '--to', 'kitti', '-o', out]
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.out == f'{out}: 12 frames, 12 scans\n'
    assert said.err.startswith('warning: /stereo/left has a lens')
    assert main(command) == 1
    assert 'exists already' in capsys.readouterr().err
    assert main(['convert', str(tmp_path), '--to', 'kitti', '-o', f'{out}2']) == 1
    assert 'this is no bag' in capsys.readouterr().err
    assert main([*command[:-1], f'{out}3', '--camera', 'nose']) == 1
    assert "no camera '/nose'" in capsys.readouterr().err
