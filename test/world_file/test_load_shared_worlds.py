# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds of the original, and those that its reference data was recorded in."""

from pathlib import Path

import pytest

from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import Differential4Spec, Lidar3dSpec

SHARED = Path(__file__).resolve().parents[3] / 'shared'
WORLDS = sorted((SHARED / 'worlds' / 'mvsim').rglob('*.world.xml'))
GOLDEN = sorted((SHARED / 'golden' / 'mvsim').glob('*/world*.xml'))
# faults that the shipped files really have
FAULTS = ('<drivetrain> is not known in <dynamics class="ackermann">',
          'closing tag </model_offset_z> closes <model_offset_x>')


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take no file from the cache of the user."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))


@pytest.mark.parametrize('path', [pytest.param(path, id=path.name) for path in WORLDS])
def test_world_of_the_original_loads(path: Path) -> None:
    world = load_world(path, offline=True)
    assert world.vehicles
    for warning in world.warnings:
        expected = 'is not available: it is not in the cache' in warning.message
        assert expected or warning.message.startswith(FAULTS), str(warning)


@pytest.mark.parametrize('path', [
    pytest.param(path, id=f'{path.parent.name}/{path.stem}') for path in GOLDEN])
def test_golden_world_loads_without_a_warning(path: Path) -> None:
    assert load_world(path, strict=True, offline=True).warnings == ()


def test_jackal_of_the_original(shared: Path) -> None:
    world = load_world(shared / 'worlds/mvsim/mvsim_tutorial/demo_warehouse.world.xml',
                       {'controller': 'twist_pid'}, offline=True)
    robot = world.vehicles[0]
    dynamics = robot.dynamics
    assert isinstance(dynamics, Differential4Spec)
    assert dynamics.controller.XML_CLASS == 'twist_pid'
    assert (dynamics.chassis.mass, dynamics.lf_wheel.pos) == (10, (0.13, 0.16, 0))
    assert robot.odometry.yaw_multiplier != 1
    scanner, lidar, camera = robot.sensors
    assert (scanner.name, lidar.name, camera.name) == ('scanner1', 'lidar1', 'cam1')
    assert isinstance(lidar, Lidar3dSpec)
    assert lidar.pose.z == pytest.approx(0.35)
    assert len(lidar.vertical_ray_angles) == lidar.vert_nrays == 32
    assert lidar.horz_nrays == 1808
    assert len(world.blocks) == 29
    assert world.blocks[-1].animation is not None
    assert len(world.actors) == 1
