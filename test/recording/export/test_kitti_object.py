# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Labels of objects as in KITTI, against the definitions of its development kit."""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.errors import ConversionError
from mvsim_ros2.recording.export.convert import convert
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist

COLUMNS, ROWS, FOCAL = 160, 120, 100.0
# name -> x, y, yaw [degrees]; all 1 m long, 0.6 m wide, 0.8 m high on the ground
BOXES = {'turned': (4.0, 1.2, 30.0), 'ahead': (4.0, -0.2, 0.0), 'hidden': (7.0, -0.2, 90.0),
         'cut': (3.0, -2.5, 0.0), 'behind': (-4.0, 0.0, 0.0)}
EYE = (0.3, 0.0, 0.5)  # on the robot, level
BOX = """<block name="{}"> <init_pose>{} {} {}</init_pose> <static>true</static>
  <shape> <pt>-0.5 -0.3</pt> <pt>0.5 -0.3</pt> <pt>0.5 0.3</pt> <pt>-0.5 0.3</pt> </shape>
  <zmin>0</zmin> <zmax>0.8</zmax> </block>"""
WORLD = f"""<mvsim_world> <simul_timestep>0.01</simul_timestep>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose>
    <sensor class="camera" name="eye"> <pose_3d>{EYE[0]} {EYE[1]} {EYE[2]} -90 0 -90</pose_3d>
      <ncols>{COLUMNS}</ncols> <nrows>{ROWS}</nrows> <cx>{COLUMNS / 2}</cx> <cy>{ROWS / 2}</cy>
      <fx>{FOCAL}</fx> <fy>{FOCAL}</fy> <renderer>cpu</renderer> <labels>true</labels>
      <boxes_3d>true</boxes_3d> <sensor_period>0.1</sensor_period> </sensor>
    <sensor class="lidar3d" name="top"> <pose_3d>0 0 0.6 0 0 0</pose_3d>
      <sensor_period>0.1</sensor_period> <vert_nrays>8</vert_nrays> <horz_nrays>180</horz_nrays>
    </sensor>
  </vehicle> {''.join(BOX.format(name, *place) for name, place in BOXES.items())}
</mvsim_world>"""


@pytest.fixture(scope='module')
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a recording of a robot that stands before boxes."""
    folder = tmp_path_factory.mktemp('boxes')
    (folder / 'boxes.world.xml').write_text(WORLD)
    with Recorder(Simulation.from_file(folder / 'boxes.world.xml'), folder / 'run',
                  hold_twist(0.0, 0.0)) as recorder:
        recorder.run(0.3)
    return folder / 'run'


@pytest.fixture(scope='module')
def training(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the recording in KITTI's folders."""
    folder = tmp_path_factory.mktemp('kitti') / 'objects'
    assert main(['convert', str(run), '--to', 'kitti-object', '-o', str(folder)]) == 0
    return folder / 'training'


@pytest.fixture(scope='module')
def labels(training: Path) -> dict[str, NDArray[np.float64]]:
    """Return the numbers of the labels of the first image by the box that they are of."""
    found = {}
    for line in (training / 'label_2' / '000000.txt').read_text().splitlines():
        kind, *numbers = line.split()
        assert kind == 'Misc' and len(numbers) == 14
        values = np.array(numbers, float)
        x, z = values[10], values[12]
        name = min(BOXES, key=lambda each: math.hypot(
            BOXES[each][0] - EYE[0] - z, BOXES[each][1] + x))
        found[name] = values
    return found


def calibration(training: Path) -> dict[str, NDArray[np.float64]]:
    """Return the matrices of the first frame."""
    lines = (training / 'calib' / '000000.txt').read_text().splitlines()
    return {name: np.array(text.split(), float).reshape(3, -1)
            for name, text in (line.split(': ') for line in lines)}


def corners_of(label: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of a label in the camera frame, as computeBox3D of the kit does."""
    height, width, length = label[7:10]
    c, s = math.cos(label[13]), math.sin(label[13])
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    x = 0.5 * length * np.array([1, 1, -1, -1, 1, 1, -1, -1])
    y = height * np.array([0, 0, 0, 0, -1, -1, -1, -1])
    z = 0.5 * width * np.array([1, -1, -1, 1, 1, -1, -1, 1])
    return turn @ np.stack([x, y, z]) + label[10:13, None]


def test_boxes_are_where_the_world_has_them(labels: dict[str, NDArray[np.float64]]) -> None:
    """
    KITTI labels match the objects of the world, within 12 mm and 0.006 rad.

    :reference: the world, definitions of the development kit
    """
    assert set(labels) == set(BOXES) - {'behind'}
    for name, label in labels.items():
        x, y, yaw = BOXES[name]
        assert label[7:10] == pytest.approx([0.8, 0.6, 1.0], abs=0.006)
        assert label[10:13] == pytest.approx([-y, EYE[2], x - EYE[0]], abs=0.012)
        # a length along x of the world points along z of the camera, -90 degrees
        error = math.remainder(label[13] - math.radians(-yaw - 90.0), math.pi)
        assert error == pytest.approx(0.0, abs=0.006)
        alpha = label[13] - math.atan2(label[10], label[12])
        assert math.remainder(alpha - label[2], 2 * math.pi) == pytest.approx(0.0, abs=0.011)
        assert -math.pi <= label[2] <= math.pi and -math.pi <= label[13] <= math.pi


def test_corners_project_to_the_box_in_the_image(
        training: Path, labels: dict[str, NDArray[np.float64]]) -> None:
    projection = calibration(training)['P2']
    for label in labels.values():
        corners = corners_of(label)
        u, v, w = projection @ np.vstack([corners, np.ones(8)])
        left, top, right, bottom = (u / w).min(), (v / w).min(), (u / w).max(), (v / w).max()
        seen = (max(left, 0.0), max(top, 0.0), min(right, COLUMNS - 1), min(bottom, ROWS - 1))
        assert label[3:7] == pytest.approx(seen, abs=0.5)
        share = (seen[2] - seen[0]) * (seen[3] - seen[1]) / ((right - left) * (bottom - top))
        assert label[0] == pytest.approx(1.0 - share, abs=0.02)


def test_truncation_and_occlusion(labels: dict[str, NDArray[np.float64]]) -> None:
    assert {name: int(label[1]) for name, label in labels.items()} == {
        'turned': 0, 'ahead': 0, 'hidden': 2, 'cut': 0}
    assert 0.2 < labels['cut'][0] < 0.9
    assert all(label[0] == 0.0 for name, label in labels.items() if name != 'cut')


def test_scans_fall_into_the_boxes(training: Path, labels: dict[str, NDArray[np.float64]]) -> None:
    """By the calibration points of the LiDAR lie on the face of the box ahead."""
    points = np.fromfile(training / 'velodyne' / '000000.bin', '<f4').reshape(-1, 4)[:, :3]
    matrix = calibration(training)['Tr_velo_to_cam']
    seen = points @ matrix[:, :3].T + matrix[:, 3]
    inside = seen[(abs(seen[:, 0] - labels['ahead'][10]) < 0.29) & (seen[:, 2] > 1.0)
                  & (seen[:, 2] < 5.0) & (seen[:, 1] < EYE[2] - 0.02)
                  & (seen[:, 1] > EYE[2] - 0.79)]
    assert len(inside) > 5
    assert inside[:, 2] == pytest.approx(np.full(len(inside), 4.0 - 0.5 - EYE[0]), abs=0.05)


def test_names_and_classes_are_in_the_bag(run: Path) -> None:
    from rosbags.highlevel import AnyReader
    with AnyReader([run]) as reader:
        messages = {connection.topic: reader.deserialize(data, connection.msgtype)
                    for connection, _, data in reader.messages()
                    if connection.msgtype.startswith('vision_msgs')}
    names = {str(each.class_id): each.class_name for each in messages['/eye/label_info'].class_map}
    detections = messages['/eye/detections'].detections
    assert len(detections) >= 4
    assert names[detections[0].results[0].hypothesis.class_id] == 'block'


def test_a_bag_without_boxes_is_refused(run: Path, tmp_path: Path) -> None:
    (tmp_path / 'plain.world.xml').write_text(WORLD.replace('<boxes_3d>true</boxes_3d>', ''))
    with Recorder(Simulation.from_file(tmp_path / 'plain.world.xml'), tmp_path / 'run',
                  None) as recorder:
        recorder.run(0.2)
    with pytest.raises(ConversionError, match='no camera has boxes in space: give it <labels>'):
        convert(tmp_path / 'run', 'kitti-object', tmp_path / 'out')
