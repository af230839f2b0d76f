# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The definitions of sensors take the same options."""

from pathlib import Path
import re

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import (
    CameraSpec, ImagerSpec, ImuSpec, LaserSpec, Lidar3dSpec, SensorSpec, WheelEncodersSpec)

FOLDER = Path(__file__).resolve().parents[2] / 'worlds/sensors'
DEFINITIONS = [pytest.param(path, id=path.name.partition('.')[0])
               for path in sorted(FOLDER.glob('*.xml')) if not path.name.startswith('wheel')]
# other than the default, and what the spec then holds
OPTIONS: dict[type[SensorSpec], dict[str, tuple[str, object]]] = {
    LaserSpec: {'rolling': ('true', True), 'raytrace_3d': ('true', True),
                'ignore_parent_body': ('true', True), 'renderer': ('cpu', 'cpu'),
                'range_std_noise': ('0.5', 0.5)},
    Lidar3dSpec: {'rolling': ('false', False), 'ignore_parent_body': ('true', True),
                  'layout': ('mvsim', 'mvsim'), 'labels': ('true', True),
                  'renderer': ('cpu', 'cpu'), 'range_std_noise': ('0.5', 0.5)},
    ImagerSpec: {'labels': ('true', True), 'image_noise': ('7', 7.0), 'renderer': ('cpu', 'cpu'),
                 'ignore_parent_body': ('true', True), 'antialiasing': ('true', True)},
    ImuSpec: {'angular_velocity_bias_noise': ('0.5', 0.5), 'measure_orientation': ('true', True),
              'linear_acceleration_bias_noise': ('0.25', 0.25)}}
RENAMED = {'range_std_noise': 'sensor_std_noise', 'angular_velocity_bias_noise': 'gyro_bias',
           'linear_acceleration_bias_noise': 'accel_bias'}
# options that belong to one device: what its maker lets be set
OWN = {'laser': {'fov_degrees', 'sensor_hz', 'sensor_nrays'},
       'lidar3d': {'columns', 'rings', 'sensor_hz', 'sensor_rpm', 'vert_fov_degrees'},
       'camera': {'baseline', 'focal_length', 'ncols', 'nrows'},
       'imu': {f'{part}_{what}' for part in ('gyro', 'accel')
               for what in ('bandwidth', 'density', 'limit', 'noise', 'walk')},
       'gnss': {'fix'}}


def included(path: Path, tmp_path: Path, **variables: str) -> SensorSpec:
    """Return the sensor of a definition."""
    world = tmp_path / 'w.world.xml'
    options = ' '.join(f'{key}="{value}"' for key, value in variables.items())
    world.write_text(f'<mvsim_world><include file="{path}" {options}/></mvsim_world>')
    (spec,) = load_world(world, strict=True).sensors
    return spec


@pytest.mark.parametrize('path', DEFINITIONS)
def test_place_and_name(path: Path, tmp_path: Path) -> None:
    spec = included(path, tmp_path, sensor_name='it', sensor_x='1', sensor_y='2', sensor_z='3',
                    sensor_yaw='40', sensor_pitch='20', sensor_roll='-10')
    pose = spec.pose
    if isinstance(spec, CameraSpec):  # the pose is optical, that of the definition is not
        pose = pose.compose(Pose(yaw=-np.pi / 2, roll=-np.pi / 2).inverse())
    expected = Pose(1.0, 2.0, 3.0, *np.radians([40.0, 20.0, -10.0]).tolist())
    np.testing.assert_allclose(pose.matrix, expected.matrix, atol=1e-12)
    assert spec.name == 'it'
    assert not isinstance(spec, WheelEncodersSpec)


@pytest.mark.parametrize('path', DEFINITIONS)
def test_options_of_the_class(path: Path, tmp_path: Path) -> None:
    spec = included(path, tmp_path)
    options = next((each for kind, each in OPTIONS.items() if isinstance(spec, kind)), {})
    changed = included(path, tmp_path, **{
        RENAMED.get(name, name): text for name, (text, _) in options.items()})
    for name, (_, value) in options.items():
        assert getattr(changed, name) == value, name


def test_definitions_of_a_class_have_the_same_options() -> None:
    options: dict[str, list[set[str]]] = {}
    for path in FOLDER.glob('*.xml'):
        text = path.read_text()
        # gnss_rtk includes gnss
        kind = re.findall('<(?:sensor class|include file)="([a-z0-9_]+)', text)[0]
        options.setdefault(kind, []).append(
            set(re.findall(r'\$\{(\w+)', text)) - OWN.get(kind, set()))
    for kind, sets in options.items():
        assert not set.union(*sets) - set.intersection(*sets), kind
        assert {'sensor_name', 'sensor_period_sec'} < sets[0], kind


@pytest.mark.parametrize('path', DEFINITIONS)
def test_the_period_may_be_chosen(path: Path, tmp_path: Path) -> None:
    usual = included(path, tmp_path)
    period = 0.004 if isinstance(usual, ImuSpec) else 0.05  # above twice its bandwidth
    spec = included(path, tmp_path, sensor_period_sec=str(period))
    assert spec.sensor_period == period
    if isinstance(spec, Lidar3dSpec) and 'ouster' not in path.name:  # beams follow the period
        assert spec.horz_nrays == pytest.approx(
            usual.horz_nrays * period / usual.sensor_period, abs=1.0)


def test_a_camera_that_is_tilted_and_rolled_looks_where_it_says(tmp_path: Path) -> None:
    spec = included(FOLDER / 'camera.sensor.xml', tmp_path, sensor_yaw='30', sensor_pitch='-15',
                    sensor_roll='25')
    simulation = Simulation.from_file(tmp_path / 'w.world.xml')
    body, optical = simulation.sensors[spec.name].frames
    expected = Pose(0.1, 0.0, 0.5, *np.radians([30.0, -15.0, 25.0]).tolist())
    np.testing.assert_allclose(body.pose.matrix, expected.matrix, atol=1e-12)
    assert optical.parent == body.name
