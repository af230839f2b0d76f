# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of LiDARs against their data sheets, and when and from where their beams go."""

from dataclasses import replace
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.sensors.lidar.scan_pattern import rotating
from mvsim_ros2.world.spec import BlockSpec, Lidar3dSpec, WorldSpec

FOLDER = Path(__file__).resolve().parents[2] / 'worlds/sensors'


def shipped(name: str, tmp_path: Path, **variables: object) -> Lidar3dSpec:
    """Return the sensor of a definition."""
    path = tmp_path / 'w.world.xml'
    options = ' '.join(f'{key}="{value}"' for key, value in variables.items())
    path.write_text(f'<mvsim_world><include file="{FOLDER}/{name}.sensor.xml" {options}/>'
                    '</mvsim_world>')
    (spec,) = load_world(path, strict=True).sensors
    assert isinstance(spec, Lidar3dSpec)
    return spec


def test_vlp16_fires_as_its_manual_says(tmp_path: Path) -> None:
    """Laser k fires at 2.304 us k, even ones from -15, odd ones from 1 degree (63-9243, 9.3)."""
    spec = shipped('vlp16', tmp_path)
    beams = rotating(spec, spec.sensor_period)
    for laser in range(16):
        elevation = -15 + laser if laser % 2 == 0 else laser
        ring = (elevation + 15) // 2
        assert math.degrees(math.asin(beams.vectors[ring, 2])) == pytest.approx(elevation)
        assert beams.delays[ring] == pytest.approx(2.304e-6 * laser)
        # the head turns on, clockwise
        turned = -2 * math.pi * 2.304e-6 * laser / spec.sensor_period
        assert math.atan2(beams.vectors[ring, 1], beams.vectors[ring, 0]) == pytest.approx(turned)
    assert beams.columns[1, 2] == pytest.approx(55.296e-6, rel=3e-4)
    assert beams.origins[0, 2] == -beams.origins[15, 2] == 0.0112


@pytest.mark.parametrize('name, columns, near', [
    pytest.param('helios_70', 1800, np.arange(-6, 6) * 4 / 3, id='70'),
    pytest.param('helios_31', 1800, np.arange(-16, 16), id='31'),
    pytest.param('helios_26', 1800, np.arange(-14, 8) / 2, id='26'),
    pytest.param('hdl32', 2170, np.arange(-23, 9) * 4 / 3, id='hdl32')])
def test_rings_are_where_data_sheets_have_them(
        name: str, columns: int, near: np.ndarray, tmp_path: Path) -> None:
    """
    Rings of four shipped LiDARs have the elevations of their data sheets, within 0.01 degrees.

    :reference: data sheets of the makers
    """
    spec = shipped(name, tmp_path)
    rings = np.sort(np.degrees(spec.vertical_ray_angles))
    assert len(rings) == 32 and spec.horz_nrays == columns
    inside = rings[(rings > near[0] - 0.1) & (rings < near[-1] + 0.1)]
    assert inside == pytest.approx(near, abs=0.01)
    assert len(set(spec.firing_times)) == 32
    assert max(spec.firing_times) < spec.sensor_period / columns


def test_ouster_beams_begin_beside_the_axis(tmp_path: Path) -> None:
    """The formula of its maker, from range, encoder, azimuth and altitude to x and y."""
    spec = replace(shipped('ouster_os1', tmp_path, rings=32, columns=512), range_std_noise=0.0,
                   detection_range=0.0, rolling=False, pose=Pose(z=1.0))
    room = BlockSpec('room', static=True, init_pose=Pose(), zmin=-5.0, zmax=9.0, shape=(
        (-6.0, -4.0), (6.0, -4.0), (6.0, 4.0), (-6.0, 4.0)))
    cloud = Simulation(WorldSpec(blocks=(room,), sensors=(spec,))).measure('lidar').points
    n = 0.015806
    encoder = math.pi - 2 * math.pi * np.arange(512) / 512
    azimuth = -np.radians(np.resize([4.23, 1.41, -1.41, -4.22], 32))[:, None]  # from the top
    altitude = np.linspace(math.radians(22.5), -math.radians(22.5), 32)[:, None]
    r = cloud['range'] / 1000.0
    x = (r - n) * np.cos(encoder + azimuth) * np.cos(altitude) + n * np.cos(encoder)
    y = (r - n) * np.sin(encoder + azimuth) * np.cos(altitude) + n * np.sin(encoder)
    assert cloud['x'] == pytest.approx(x, abs=1e-3)  # the range is in millimetres
    assert cloud['y'] == pytest.approx(y, abs=1e-3)
    walls = np.minimum(abs(abs(cloud['x']) - 6.0), abs(abs(cloud['y']) - 4.0))
    low = (cloud['z'] > -5.9) & (cloud['z'] < 7.9)
    assert low.sum() > 10_000 and walls[low].max() < 1e-4


def test_points_lie_on_walls_at_the_times_of_their_lasers(tmp_path: Path) -> None:
    """A sensor on a fast turning vehicle: undo its motion at the time of each point."""
    spec = replace(shipped('vlp16', tmp_path), range_std_noise=0.0, detection_range=0.0,
                   pose=Pose(0.3, 0.1, 0.8), ignore_parent_body=True)
    path = tmp_path / 'w.world.xml'
    path.write_text("""<mvsim_world><simul_timestep>0.005</simul_timestep>
      <vehicle name="r"><init_pose>-8 0 0</init_pose><dynamics class="differential">
      <controller class="twist_ideal"/></dynamics></vehicle></mvsim_world>""")
    world = load_world(path)
    walls = tuple(BlockSpec(f'wall{k}', static=True, init_pose=pose, zmax=6.0, shape=(
        (0.0, -30.0), (0.1, -30.0), (0.1, 30.0), (0.0, 30.0))) for k, pose in enumerate(
            (Pose(15.0), Pose(-15.0, yaw=math.pi), Pose(0.0, 12.0, yaw=math.pi / 2),
             Pose(0.0, -12.0, yaw=-math.pi / 2))))
    simulation = Simulation(replace(
        world, blocks=walls, vehicles=(replace(world.vehicles[0], sensors=(spec,)),)))
    vehicle = simulation.vehicles['r']
    vehicle.set_twist(6.0, 1.5)
    poses, clouds = {}, []
    while not clouds or simulation.time < 0.45:
        clouds += simulation.step()
        poses[simulation.time_ns] = vehicle.pose
    cloud = clouds[-1]
    times = np.array(sorted(poses))
    rows = np.array([(poses[t].x, poses[t].y, poses[t].yaw) for t in times])
    when = cloud.stamp_ns + 1e9 * cloud.points['time'].astype(float)
    x, y, yaw = (np.interp(when, times, np.unwrap(row) if k == 2 else row)
                 for k, row in enumerate(rows.T))
    local = np.stack([cloud.points[each] for each in 'xyz'], axis=1) + spec.pose.position
    place = (rotation_matrix(yaw) @ local[:, :, None])[:, :2, 0] + np.stack([x, y], axis=1)
    off = np.minimum(abs(abs(place[:, 0]) - 15.0), abs(abs(place[:, 1]) - 12.0))
    assert len(off) > 10_000
    assert np.quantile(off, 0.99) < 2e-4
