# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of this package in formats with labels and depths."""

from pathlib import Path

import numpy as np
from PIL import Image
import pytest
import yaml

from mvsim_ros2 import Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.errors import ConversionError
from mvsim_ros2.recording.export.convert import convert
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist

WORLD = """<mvsim_world> <simul_timestep>0.01</simul_timestep>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose>
    <sensor class="rgbd_camera" name="eye"> <pose_3d>0.4 0 0.8 0 0 0</pose_3d>
      <rgb_ncols>16</rgb_ncols> <rgb_nrows>12</rgb_nrows> <rgb_cx>8</rgb_cx> <rgb_cy>6</rgb_cy>
      <rgb_fx>16</rgb_fx> <rgb_fy>16</rgb_fy>
      <depth_ncols>16</depth_ncols> <depth_nrows>12</depth_nrows> <depth_cx>8</depth_cx>
      <depth_cy>6</depth_cy> <depth_fx>16</depth_fx> <depth_fy>16</depth_fy>
      <depth_noise_sigma>0</depth_noise_sigma> <renderer>cpu</renderer> {rate} </sensor>
    <sensor class="lidar3d" name="top"> <pose_3d>0 0 0.6 0 0 0</pose_3d> {rate}
      <vert_nrays>4</vert_nrays> <horz_nrays>90</horz_nrays> <labels>true</labels> </sensor>
    <sensor class="imu" name="imu"/>
  </vehicle>
  <block name="box"> <init_pose>2 0 0</init_pose> <mass>50</mass> <zmax>2</zmax>
    <shape> <pt>-0.5 -2</pt> <pt>0.5 -2</pt> <pt>0.5 2</pt> <pt>-0.5 2</pt> </shape> </block>
</mvsim_world>""".format(rate='<sensor_period>0.1</sensor_period>')


@pytest.fixture(scope='module')
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a recording with depths and labels, in front of a block."""
    folder = tmp_path_factory.mktemp('own')
    (folder / 'rig.world.xml').write_text(WORLD)
    simulation = Simulation.from_file(folder / 'rig.world.xml')
    with Recorder(simulation, folder / 'run', hold_twist(0.2, 0.0)) as recorder:
        recorder.run(1.0)
    return folder / 'run'


def test_tum_rgbd(run: Path, tmp_path: Path) -> None:
    """Images by the lists that its tools read; a plane in front is where it is."""
    assert main(['convert', str(run), '--to', 'tum', '-o', str(tmp_path / 'tum')]) == 0
    root = tmp_path / 'tum'
    lists = {name: [line.split() for line in (root / f'{name}.txt').read_text().splitlines()
                    if not line.startswith('#')] for name in ('rgb', 'depth', 'groundtruth')}
    assert len(lists['rgb']) == len(lists['depth']) == len(lists['groundtruth']) == 10
    truth = np.array(lists['groundtruth'], float)
    assert truth[:, 0] == pytest.approx([float(row[0]) for row in lists['rgb']])
    assert np.linalg.norm(truth[:, 4:], axis=1) == pytest.approx(np.ones(10))
    for (_, file), row in zip(lists['depth'], truth, strict=True):
        image = Image.open(root / file)
        depth = np.asarray(image)
        assert depth.dtype == np.uint16 or image.mode.startswith('I')
        assert depth.shape == (12, 16)
        assert depth[6, 8] / 5000 == pytest.approx(1.5 - row[1], abs=3e-3)
    assert Image.open(root / lists['rgb'][0][1]).mode == 'RGB'
    rows = np.loadtxt(root / 'accelerometer.txt')
    assert rows[:, 3].mean() == pytest.approx(9.81, abs=0.2)


def test_labels_of_semantic_kitti(run: Path, tmp_path: Path) -> None:
    """One number for each point; those of the block are one object."""
    convert(run, 'kitti', tmp_path / 'kitti')
    sequence = tmp_path / 'kitti/sequences/00'
    scans = sorted((sequence / 'velodyne').iterdir())
    labels = sorted((sequence / 'labels').iterdir())
    assert [each.stem for each in scans] == [each.stem for each in labels] and scans
    for scan, label in zip(scans, labels, strict=True):
        points = np.fromfile(scan, '<f4').reshape(-1, 4)
        both = np.fromfile(label, '<u4')
        assert len(both) == len(points)
        block = (points[:, 0] > 1.0) & (points[:, 0] < 1.6) & (abs(points[:, 1]) < 1.9)
        assert block.sum() > 5 and len(set(both[block] >> 16)) == 1
        assert (both[block] & 0xffff).all()


def test_body_of_euroc(run: Path, tmp_path: Path) -> None:
    convert(run, 'euroc', tmp_path / 'euroc')
    about = yaml.safe_load((tmp_path / 'euroc/mav0/body.yaml').read_text())
    assert about == {'comment': 'base_link of run'}


def test_a_bag_without_depths(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match='there is no camera'):
        convert(run, 'tum', tmp_path / 'tum', cameras=['nothing'])
