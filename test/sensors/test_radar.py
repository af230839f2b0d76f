# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Radars: cross-sections, Doppler velocities, the radar equation, ghosts."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of

EXACT = '<noise>0</noise> '
BALL = '<block> <init_pose3d>20 0 0 0 0 0</init_pose3d> <static>true</static> ' \
    '<geometry type="sphere" radius="1"/> </block>'


def _simulation(folder: Path, things: str, more: str = EXACT) -> Simulation:
    file = folder / 'a.world.xml'
    file.write_text(f'<mvsim_world version="1.0">{things}<sensor class="radar" name="s">'
                    f'<pose_3d>0 0 0 0 0 0</pose_3d> {more}</sensor></mvsim_world>')
    return Simulation.from_file(file, seed=2)


def test_a_sphere_has_the_cross_section_of_its_closed_form(tmp_path: Path) -> None:
    far = BALL.replace('20 0 0', '250 0 0')  # where its waves are plane
    scan = _simulation(tmp_path, far, EXACT + '<fov_degrees>0.6</fov_degrees>'
                       '<vert_fov_degrees>0.6</vert_fov_degrees> <horz_nrays>300</horz_nrays>'
                       '<max_range>300</max_range>'
                       '<vert_nrays>300</vert_nrays> <range_resolution>999</range_resolution>'
                       '<azimuth_resolution_degrees>90</azimuth_resolution_degrees>').measure('s')
    assert scan.rcs.sum() == pytest.approx(8.0 / 3.0 * 0.2 * math.pi, rel=0.02)
    np.testing.assert_allclose(scan.distance, 249.3, atol=0.3)


def test_doppler_velocities_are_those_along_the_rays(tmp_path: Path) -> None:
    # the wall moves: by keyframes, 2 m/s towards +x and 1 m/s to the left
    wall = ('<block> <init_pose>10 0 0</init_pose> <static>true</static> <zmin>-3</zmin>'
            '<zmax>3</zmax> <shape> <pt>0 -4</pt> <pt>0.2 -4</pt> <pt>0.2 4</pt> <pt>0 4</pt>'
            '</shape> <animation type="keyframes"> <time_pose>0 0 0 0</time_pose>'
            '<time_pose>10 20 10 0</time_pose> </animation> </block>')
    simulation = _simulation(tmp_path, wall)
    scans = [each for each in simulation.step(400) if each.sensor == 's']
    scan = scans[-1]
    assert len(scan.distance) > 5
    expected = 2.0 * np.cos(scan.azimuth) + 1.0 * np.sin(scan.azimuth)
    np.testing.assert_allclose(scan.velocity, expected * np.cos(scan.elevation), atol=0.02)


def test_targets_are_detected_as_the_radar_equation_says(tmp_path: Path) -> None:
    """
    Radars detect a target as often as the radar equation says, within 5 %.

    :reference: radar equation, 400 sweeps at three distances
    """
    one_cell = ('<fov_degrees>8</fov_degrees> <vert_fov_degrees>8</vert_fov_degrees>'
                '<horz_nrays>60</horz_nrays> <vert_nrays>60</vert_nrays>'
                '<range_resolution>1000</range_resolution>'
                '<azimuth_resolution_degrees>90</azimuth_resolution_degrees> ')
    exact = _simulation(tmp_path, BALL, EXACT + one_cell).measure('s')
    assert len(exact.distance) == 2  # one on either side of azimuth 0
    section, away = exact.rcs.mean(), exact.distance.mean()
    for reach in (15.0, away, 30.0):
        simulation = _simulation(tmp_path, BALL, one_cell
                                 + f'<detection_range>{reach}</detection_range>'
                                 f'<detection_rcs>{10.0 * math.log10(section)}</detection_rcs>')
        seen = np.mean([len(simulation.measure('s').distance) / 2 for _ in range(400)])
        ratio = (math.log(1e-6) / math.log(0.5) - 1.0) * (reach / away) ** 4
        assert seen == pytest.approx(1e-6 ** (1.0 / (1.0 + ratio)), abs=0.05)


def test_a_ghost_stands_where_the_mirror_image_is(tmp_path: Path) -> None:
    # a wall at y = 6 along x; the ball at (20, 0) has its image at (20, 12)
    wall = ('<block> <init_pose>10 6.1 0</init_pose> <static>true</static> <zmin>-5</zmin>'
            '<zmax>5</zmax> <shape> <pt>-10 -0.1</pt> <pt>10 -0.1</pt> <pt>10 0.1</pt>'
            '<pt>-10 0.1</pt> </shape> </block>')
    more = EXACT + '<ghosts>0.8</ghosts> <horz_nrays>961</horz_nrays>'
    scan = _simulation(tmp_path, BALL + wall, more).measure('s')
    x, y = scan.distance * np.cos(scan.azimuth), scan.distance * np.sin(scan.azimuth)
    ghosts = scan.ghost & (np.hypot(x - 20.0, y - 12.0) < 1.5)
    assert ghosts.any()
    # the near side of the image, 1 m before its middle
    nearest = scan.distance[ghosts].min()
    assert nearest == pytest.approx(math.hypot(20.0, 12.0) - 1.0, abs=0.25)
    assert not _simulation(tmp_path, BALL + wall).measure('s').ghost.any()


def test_the_message_has_the_fields_of_radar_returns(tmp_path: Path) -> None:
    simulation = _simulation(tmp_path, BALL)
    scan = simulation.measure('s')
    channel, = channels_of(simulation.world.sensors[0])
    message = message_of(channel, TYPES, scan, '')
    names = [field.name for field in message.fields]
    assert names == ['x', 'y', 'z', 'range', 'azimuth', 'elevation', 'doppler_velocity',
                     'amplitude', 'rcs']
    points = np.frombuffer(bytes(message.data), [(name, '<f4') for name in names])
    np.testing.assert_allclose(np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2),
                               scan.distance, rtol=1e-5)
    np.testing.assert_allclose(10.0 ** (points['rcs'] / 10.0), scan.rcs, rtol=1e-4)


def test_errors_are_those_of_cells_and_signals(tmp_path: Path) -> None:
    fine = '<fov_degrees>0.5</fov_degrees> <vert_fov_degrees>0.5</vert_fov_degrees> ' \
        '<horz_nrays>2</horz_nrays> <vert_nrays>1</vert_nrays> ' \
        '<range_resolution>1000</range_resolution> <detection_range>90</detection_range>'
    simulation = _simulation(tmp_path, BALL, fine)
    scans = [simulation.measure('s') for _ in range(1500)]
    left = [each for scan in scans for each in zip(
        scan.azimuth, scan.velocity, scan.snr, strict=True)]
    azimuth, velocity, ratio = np.array(left).T
    error = 1.0 / np.sqrt(2.0 * ratio)
    assert np.std(velocity / error) == pytest.approx(0.1, rel=0.06)
    off = azimuth - np.sign(azimuth) * math.radians(0.125)
    assert np.median(np.abs(off / error)) < 0.06
