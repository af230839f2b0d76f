# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""nuScenes folders: the schema of the development kit, its links, and boxes around points."""

import filecmp
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import rotations
from mvsim_ros2.recording.export.convert import convert
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist

SPEED = 0.5  # m/s, of both robots
VEHICLE = """<vehicle name="{}" class="small_robot"> <init_pose>{} 0</init_pose> {} </vehicle>"""
BLOCK = """<block name="{}"> <init_pose>{} 0</init_pose> <static>true</static>
  <shape> <pt>-0.5 -0.3</pt> <pt>0.5 -0.3</pt> <pt>0.5 0.3</pt> <pt>-0.5 0.3</pt> </shape>
  <zmin>0</zmin> <zmax>0.9</zmax> </block>"""
CAMERA = """<sensor class="camera" name="{}"> <pose_3d>0 0 0.5 {} 0 -90</pose_3d>
  <ncols>80</ncols> <nrows>60</nrows> <cx>40</cx> <cy>30</cy> <fx>50</fx> <fy>50</fy>
  <renderer>cpu</renderer> <labels>true</labels> <sensor_period>0.2</sensor_period> </sensor>"""
LIDAR = """<sensor class="lidar3d" name="top"> <pose_3d>0 0 0.6 0 0 0</pose_3d>
  <sensor_period>0.1</sensor_period> <vert_nrays>16</vert_nrays> <horz_nrays>360</horz_nrays>
  <range_std_noise>0</range_std_noise> </sensor>"""
DEPTH = """<sensor class="rgbd_camera" name="depth"> <pose_3d>0 0 0.5 -50 0 0</pose_3d>
  <rgb_ncols>16</rgb_ncols> <rgb_nrows>12</rgb_nrows> <rgb_cx>8</rgb_cx> <rgb_cy>6</rgb_cy>
  <rgb_fx>15</rgb_fx> <rgb_fy>15</rgb_fy> <depth_ncols>16</depth_ncols>
  <depth_nrows>12</depth_nrows> <depth_cx>8</depth_cx> <depth_cy>6</depth_cy>
  <depth_fx>15</depth_fx> <depth_fy>15</depth_fy> <renderer>cpu</renderer>
  <publish_ros_colored_pointcloud>true</publish_ros_colored_pointcloud>
  <sensor_period>0.2</sensor_period> </sensor>"""  # its cloud is not that of a LiDAR
WORLD = f"""<mvsim_world> <simul_timestep>0.01</simul_timestep>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  {VEHICLE.format('one', '0 0',
                  CAMERA.format('eye', -90) + CAMERA.format('tail', 90) + DEPTH + LIDAR)}
  {VEHICLE.format('other', '3 0', '')}
  {BLOCK.format('left', '4 2')} {BLOCK.format('back', '-3 0')} {BLOCK.format('hidden', '6 0')}
  {BLOCK.format('far', '300 0')} </mvsim_world>"""
COLUMNS = {  # docs/schema_nuscenes.md of the development kit
    'category': 'name description index', 'attribute': 'name description',
    'visibility': 'level description', 'sensor': 'channel modality',
    'instance': 'category_token nbr_annotations first_annotation_token last_annotation_token',
    'calibrated_sensor': 'sensor_token translation rotation camera_intrinsic',
    'ego_pose': 'translation rotation timestamp',
    'log': 'logfile vehicle date_captured location',
    'scene': 'name description log_token nbr_samples first_sample_token last_sample_token',
    'sample': 'timestamp scene_token next prev',
    'sample_data': 'sample_token ego_pose_token calibrated_sensor_token filename fileformat '
                   'width height timestamp is_key_frame next prev',
    'sample_annotation': 'sample_token instance_token attribute_tokens visibility_token '
                         'translation size rotation num_lidar_pts num_radar_pts next prev',
    'map': 'log_tokens category filename'}
LINKS = {  # names of tables and columns differ here
    'first_annotation': 'sample_annotation', 'last_annotation': 'sample_annotation',
    'first_sample': 'sample', 'last_sample': 'sample'}

Tables = dict[str, dict[str, dict[str, Any]]]  # table -> token -> row


@pytest.fixture(scope='module')
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a recording of a robot behind another one."""
    folder = tmp_path_factory.mktemp('nuscenes')
    (folder / 'two.world.xml').write_text(WORLD)
    with Recorder(Simulation.from_file(folder / 'two.world.xml'), folder / 'run',
                  hold_twist(SPEED, 0.0)) as recorder:
        recorder.run(1.3)
    return folder / 'run'


@pytest.fixture(scope='module')
def folder(run: Path) -> Path:
    made = run.with_name('made')
    assert main(['convert', str(run), '--to', 'nuscenes', '--vehicle', 'one',
                 '-o', str(made)]) == 0
    return made


@pytest.fixture(scope='module')
def tables(folder: Path) -> Tables:
    return {path.stem: {row['token']: row for row in json.loads(path.read_text())}
            for path in (folder / 'v1.0-trainval').iterdir()}


def test_noise_hides_no_points_of_a_labelled_scan(tmp_path: Path) -> None:
    """As many points of each box count with 10 mm of noise as without any."""
    counts = []
    for noise in (0, 0.01):
        file, run, made = (tmp_path / f'{name}{noise}' for name in ('world.xml', 'run', 'made'))
        file.write_text(WORLD.replace(
            '<range_std_noise>0<', f'<labels>true</labels><range_std_noise>{noise}<'))
        with Recorder(Simulation.from_file(file), run, hold_twist(0.0, 0.0)) as recorder:
            recorder.run(0.5)
        assert main(['convert', str(run), '--to', 'nuscenes', '--vehicle', 'one',
                     '-o', str(made)]) == 0
        rows = json.loads((made / 'v1.0-trainval/sample_annotation.json').read_text())
        counts.append(sorted(row['num_lidar_pts'] for row in rows))
    assert max(counts[0]) > 40
    assert counts[1] == pytest.approx(counts[0], abs=2)


def pose_of(row: dict[str, Any]) -> Any:
    w, x, y, z = row['rotation']
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotations([(x, y, z, w)])[0], row['translation']
    return pose


def of_name(tables: Tables, annotation: dict[str, Any]) -> str:
    instance = tables['instance'][annotation['instance_token']]
    return str(tables['category'][instance['category_token']]['name'])


def test_tables_have_the_columns_and_links_of_the_schema(tables: Tables) -> None:
    assert {name: {key for row in rows.values() for key in row} for name, rows in tables.items()
            } == {name: {'token', *text.split()} for name, text in COLUMNS.items()}
    for name, rows in tables.items():
        for row in rows.values():
            for key, value in row.items():
                table = {'prev': name, 'next': name}.get(key) or key.partition('_token')[0]
                tokens = value if key.endswith('_tokens') else [value] if (
                    key.endswith('_token') or key in ('prev', 'next') and value) else []
                assert all(token in tables[LINKS.get(table, table)] for token in tokens), key


def test_chains_are_in_the_order_of_time(tables: Tables) -> None:
    for name, group in (('sample', 'scene_token'), ('sample_data', 'calibrated_sensor_token'),
                        ('sample_annotation', 'instance_token')):
        firsts = [row for row in tables[name].values() if not row['prev']]
        assert len(firsts) == len({row[group] for row in tables[name].values()})
        count = 0
        for row in firsts:
            while True:
                count += 1
                after = tables[name].get(row['next'])
                if after is None:
                    break
                assert after['prev'] == row['token'] and after[group] == row[group]
                assert after.get('timestamp', 1) > row.get('timestamp', 0)
                row = after
        assert count == len(tables[name])


def test_key_frames_come_twice_a_second_with_a_file_of_each_sensor(
        folder: Path, tables: Tables) -> None:
    assert [each['timestamp'] for each in tables['sample'].values()] == [100000, 600000, 1100000]
    assert {each['channel'] for each in tables['sensor'].values()} == {
        'LIDAR_TOP', 'CAM_FRONT', 'CAM_FRONT_RIGHT', 'CAM_BACK'}
    keys = [each for each in tables['sample_data'].values() if each['is_key_frame']]
    assert len(keys) == 12 and len({(each['sample_token'], each['calibrated_sensor_token'])
                                   for each in keys}) == 12
    files = {path.relative_to(folder).as_posix() for path in folder.rglob('*__*')}
    assert files == {each['filename'] for each in tables['sample_data'].values()}
    assert {each['filename'].startswith('samples/') == each['is_key_frame']
            for each in tables['sample_data'].values()} == {True}


def test_points_lie_in_the_boxes(folder: Path, tables: Tables) -> None:
    """
    By calibration and pose of the vehicle, points of scans lie on the boxes that are seen.

    :claim: Boxes of nuScenes contain as many points as they say, and none lies just outside
    :reference: the world, schema of the development kit
    """
    scans = {row['sample_token']: row for row in tables['sample_data'].values()
             if row['is_key_frame'] and row['fileformat'] == 'pcd'}
    for box in tables['sample_annotation'].values():
        row = scans[box['sample_token']]
        points = np.fromfile(folder / row['filename'], '<f4').reshape(-1, 5)
        assert 7 < len(set(points[:, 4])) <= len(set(points[:, 4]) | set(range(16))) == 16
        assert (points[:, 3] >= 0.0).all() and 1.0 < points[:, 3].max() <= 255.0
        pose = (pose_of(tables['ego_pose'][row['ego_pose_token']])
                @ pose_of(tables['calibrated_sensor'][row['calibrated_sensor_token']]))
        places = points[:, :3] @ pose[:3, :3].T + pose[:3, 3]
        placed = pose_of(box)
        width, length, height = box['size']
        own = (places - placed[:3, 3]) @ placed[:3, :3]
        inside = (abs(own) <= 0.5 * np.array([length, width, height]) + 1e-3).all(axis=1)
        assert abs(inside.sum() - box['num_lidar_pts']) <= 1
        assert inside.sum() > 10
        beside = abs(own) - 0.5 * np.array([length, width, height])
        beside = beside[(beside <= 0.2).all(axis=1) & (places[:, 2] > 0.05)].max(axis=1)
        # a robot moves during the scan
        limit = 0.1 * SPEED if of_name(tables, box) == 'vehicle.car' else 0.005
        assert beside.max() < limit, (box, beside)


def test_boxes_move_as_their_objects_do(tables: Tables) -> None:
    boxes = list(tables['sample_annotation'].values())
    names = [of_name(tables, each) for each in boxes]
    assert set(names) == {'vehicle.car', 'movable_object.barrier'}  # not the robot itself
    assert len({each['instance_token'] for each in boxes}) == 4  # the far one is not seen
    cars = [each for each, name in zip(boxes, names, strict=True) if name == 'vehicle.car']
    times = [tables['sample'][each['sample_token']]['timestamp'] for each in cars]
    places = [each['translation'][0] for each in cars]
    assert places[2] - places[1] == pytest.approx(
        SPEED * 1e-6 * (times[2] - times[1]), rel=0.03)
    attributes = {tables['attribute'][token]['name'] for each in cars
                  for token in each['attribute_tokens']}
    assert attributes == {'vehicle.moving'}
    assert all(not each['attribute_tokens'] for each in boxes if each not in cars)


def test_hidden_objects_are_less_visible(tables: Tables) -> None:
    levels: dict[int, set[str]] = {}
    for each in tables['sample_annotation'].values():
        levels.setdefault(round(each['translation'][0]), set()).add(each['visibility_token'])
    assert levels[-3] == {'4'}  # behind, in the other camera
    assert levels[3] == {'4'}
    assert levels[4] == {'4'}
    assert '4' not in levels[6]


def test_the_same_recording_gives_the_same_bytes(run: Path, folder: Path) -> None:
    again = run.with_name('again')
    convert(run, 'nuscenes', again, 'one')
    files = [path.relative_to(folder) for path in folder.rglob('*') if path.is_file()]
    assert filecmp.cmpfiles(folder, again, files, shallow=False)[1:] == ([], [])


def test_a_bag_without_truth_is_refused(run: Path, tmp_path: Path) -> None:
    for path in (run / 'metadata.yaml', *run.glob('*.mcap')):
        (tmp_path / path.name).symlink_to(path)
    with pytest.raises(ConversionError, match='no ground truth of .* "mvsim_ros2 record"'):
        convert(tmp_path, 'nuscenes', tmp_path / 'out', 'one')


def test_the_development_kit_reads_it(folder: Path) -> None:
    pytest.importorskip('nuscenes', reason='needs nuscenes-devkit')
    from nuscenes_kit import check
    boxes, points, images = check(folder)
    assert boxes >= 10 and points > 20 * boxes and images >= 6
