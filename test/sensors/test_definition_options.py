# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The definitions of sensors take the same options."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.spec.sensors.base import SensorSpec
from mvsim_ros2.spec.sensors.camera import CameraSpec
from mvsim_ros2.spec.sensors.camera import ImagerSpec
from mvsim_ros2.spec.sensors.contact_and_encoders import WheelEncodersSpec
from mvsim_ros2.spec.sensors.lidar import LaserSpec
from mvsim_ros2.spec.sensors.lidar import Lidar3dSpec

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
                 'ignore_parent_body': ('true', True)}}
RENAMED = {'range_std_noise': 'sensor_std_noise'}


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


def test_a_camera_that_is_tilted_and_rolled_looks_where_it_says(tmp_path: Path) -> None:
    spec = included(FOLDER / 'camera.sensor.xml', tmp_path, sensor_yaw='30', sensor_pitch='-15',
                    sensor_roll='25')
    simulation = Simulation.from_file(tmp_path / 'w.world.xml')
    body, optical = simulation.sensors[spec.name].frames
    expected = Pose(0.1, 0.0, 0.5, *np.radians([30.0, -15.0, 25.0]).tolist())
    np.testing.assert_allclose(body.pose.matrix, expected.matrix, atol=1e-12)
    assert optical.parent == body.name
