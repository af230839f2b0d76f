# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Radars: cross-sections, Doppler velocities, the radar equation, ghosts."""

import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.world.spec.common import LABELS

EXACT = '<noise>0</noise> '
BALL = '<block> <init_pose3d>20 0 0 0 0 0</init_pose3d> <static>true</static> ' \
    '<geometry type="sphere" radius="1"/> </block>'


def _simulation(things: str, more: str = EXACT, pose: str = '0 0 0 0 0 0') -> Simulation:
    return simulate(f'{things}<sensor class="radar" name="s"><pose_3d>{pose}</pose_3d> {more}'
                    '</sensor>', seed=2)


def test_a_sphere_has_the_cross_section_of_its_closed_form() -> None:
    far = BALL.replace('20 0 0', '250 0 0')  # where its waves are plane
    scan = _simulation(far, EXACT + '<fov_degrees>0.6</fov_degrees>'
                       '<vert_fov_degrees>0.6</vert_fov_degrees> <horz_nrays>300</horz_nrays>'
                       '<max_range>300</max_range>'
                       '<vert_nrays>300</vert_nrays> <range_resolution>999</range_resolution>'
                       '<azimuth_resolution_degrees>90</azimuth_resolution_degrees>').measure('s')
    assert scan.rcs.sum() == pytest.approx(8.0 / 3.0 * 0.2 * math.pi, rel=0.02)
    np.testing.assert_allclose(scan.distance, 249.3, atol=0.3)


def test_doppler_velocities_are_those_along_the_rays() -> None:
    # the wall moves: by keyframes, 2 m/s towards +x and 1 m/s to the left
    wall = ('<block> <init_pose>10 0 0</init_pose> <static>true</static> <zmin>-3</zmin>'
            '<zmax>3</zmax> <shape> <pt>0 -4</pt> <pt>0.2 -4</pt> <pt>0.2 4</pt> <pt>0 4</pt>'
            '</shape> <animation type="keyframes"> <time_pose>0 0 0 0</time_pose>'
            '<time_pose>10 20 10 0</time_pose> </animation> </block>')
    scan = _simulation(wall).step(400)[-1]
    assert len(scan.distance) > 5
    expected = 2.0 * np.cos(scan.azimuth) + 1.0 * np.sin(scan.azimuth)
    np.testing.assert_allclose(scan.velocity, expected * np.cos(scan.elevation), atol=0.02)


def test_targets_are_detected_as_the_radar_equation_says() -> None:
    """
    Radars detect a target with the probability of the radar equation, within 5 %.

    :reference: radar equation, 400 sweeps at three distances
    """
    one_cell = ('<fov_degrees>8</fov_degrees> <vert_fov_degrees>8</vert_fov_degrees>'
                '<horz_nrays>60</horz_nrays> <vert_nrays>60</vert_nrays>'
                '<range_resolution>1000</range_resolution>'
                '<azimuth_resolution_degrees>90</azimuth_resolution_degrees> ')
    exact = _simulation(BALL, EXACT + one_cell).measure('s')
    (section,), (away,) = exact.rcs, exact.distance  # one, ahead as anywhere
    for reach in (15.0, away, 30.0):
        simulation = _simulation(BALL, one_cell
                                 + f'<detection_range>{reach}</detection_range>'
                                 f'<detection_rcs>{10.0 * math.log10(section)}</detection_rcs>')
        seen = np.mean([len(simulation.measure('s').distance) for _ in range(400)])
        assert seen == pytest.approx(chance_of((reach / away) ** 4), abs=0.05)


HALF = math.log(1e-6) / math.log(0.5) - 1.0  # ratio at which half of the targets are detected


def chance_of(share: float) -> float:
    """Return the probability of detection at a share of the power at which it is one half."""
    return 1e-6 ** (1.0 / (1.0 + HALF * share))


POLE = ('<block name="it"> {} <static>true</static> <geometry type="cylinder" radius="0.025" '
        'length="2"/> </block>')
PERSON = '<actor name="it"> {} </actor>'
CAR = ('<vehicle name="it"> {} <dynamics class="differential"> '
       '<l_wheel pos="2 0.5" diameter="0.1" width="0.02"/> '
       '<r_wheel pos="2 -0.5" diameter="0.1" width="0.02"/> <chassis mass="1000" zmin="0.25" '
       'zmax="1.75"> <shape> <pt>0 -0.9</pt> <pt>4 -0.9</pt> <pt>4 0.9</pt> <pt>0 0.9</pt>'
       '</shape> </chassis> </dynamics> </vehicle>')
CORNER = ('<block name="it"> {} <static>true</static> <zmin>0.8</zmin> <zmax>1</zmax>'
          '<material radar_section="7.5"/> <shape> <pt>0 -0.1</pt> <pt>0.2 -0.1</pt>'
          '<pt>0.2 0.1</pt> <pt>0 0.1</pt> </shape> </block>')
FLOOR = '<element class="horizontal_plane"> <x_min>-150</x_min> <x_max>150</x_max> ' \
    '<y_min>-150</y_min> <y_max>150</y_max> </element>'


def facing(simulation: Simulation, eye: np.ndarray, bearing: float, distance: float,
           share: float) -> float:
    """Return 4 g cos^2(b) A, summed over what is seen of a thing, by a picture of 4 m."""
    pose, side = np.eye(4), 1000
    pose[:3, :3] = np.array([[math.sin(bearing), 0.0, math.cos(bearing)],
                             [-math.cos(bearing), 0.0, math.sin(bearing)], [0.0, -1.0, 0.0]])
    pose[:3, 3], focal = eye, side * distance / 4.0
    frame = simulation.render(CameraView(
        pose, side, side, focal, focal, 0.5 * side, 0.5 * side), ('depth', 'ids', 'normals'))
    seen = np.isin(frame.label, [LABELS.index(each) for each in ('block', 'vehicle', 'person')])
    return float(4.0 * share * np.sum(-frame.normals[seen, 2] * (frame.depth[seen] / focal) ** 2))


@pytest.mark.parametrize('thing, distances, share', [
    pytest.param(POLE, (8.0, 20.0, 40.0), 0.2, id='pole'),
    pytest.param(PERSON, (12.0, 40.0, 80.0), 0.2, id='person'),
    pytest.param(CAR, (60.0, 80.0, 98.0), 1.0, id='car'),
    pytest.param(CORNER, (10.0, 60.0, 90.0), None, id='corner_reflector')])
def test_things_are_seen_wherever_they_stand(
        thing: str, distances: tuple[float, ...], share: float | None) -> None:
    """
    Radars detect poles, people, cars and corner reflectors as the radar equation says, within 3 %.

    :reference: radar equation, cross-sections summed over pixels
    :figure: images/sensors_radar.png
    """
    eye = np.array([0.0, 0.0, 0.9])
    for distance in distances:
        for bearing in (-0.9, -0.013, 0.0, 0.35):
            x, y = distance * math.cos(bearing), distance * math.sin(bearing)
            simulation = _simulation(thing.format(
                f'<init_pose>{x} {y} {math.degrees(bearing)}</init_pose>'),
                EXACT + '<vert_fov_degrees>20</vert_fov_degrees>', '0 0 0.9 0 0 0')
            scan = simulation.measure('s')
            assert (scan.rcs[1:] < 0.01 * scan.rcs[0]).all(), (distance, bearing)  # wheels
            assert scan.distance[0] == pytest.approx(distance, abs=0.4)
            assert scan.azimuth[0] == pytest.approx(bearing, abs=0.002)
            section = 10.0 ** 0.75 if share is None else facing(
                simulation, eye, bearing, distance, share)
            assert scan.rcs[0] == pytest.approx(section, rel=0.03)
            found = chance_of(scan.snr[0] / HALF)
            expected = chance_of(section / 10.0 * (80.0 / scan.distance[0]) ** 4)
            assert found == pytest.approx(expected, abs=0.03)


BACK = ('<block name="it"> {} <static>true</static> <zmin>0.25</zmin> <zmax>1.75</zmax> <shape>'
        '<pt>0 -0.9</pt> <pt>0.2 -0.9</pt> <pt>0.2 0.9</pt> <pt>0 0.9</pt> </shape> </block>')


@pytest.mark.parametrize('thing, distance, decibels', [
    pytest.param(POLE, 20.0, None, id='pole_of_5_cm'),
    pytest.param(PERSON, 80.0, None, id='person'),
    pytest.param(BACK, 80.0, 10.0 * math.log10(4.0 * 0.2 * 1.8 * 1.5), id='flat_rear')])
def test_nothing_is_missed_in_24_places(
        thing: str, distance: float, decibels: float | None) -> None:
    """
    A pole of 5 cm, a person and a flat rear of 3.3 dBsm are one target in each of 24 places.

    :reference: cross-sections by area and reflectivity
    """
    sections = []
    for place in range(24):
        bearing = math.radians(-50.0 + 100.0 * place / 23.0)
        x, y = distance * math.cos(bearing), distance * math.sin(bearing)
        scan = _simulation(thing.format(
            f'<init_pose>{x} {y} {math.degrees(bearing)}</init_pose>'), EXACT, '0 0 0.9 0 0 0',
            ).measure('s')
        assert (scan.rcs[1:] < 0.01 * scan.rcs[:1]).all()
        sections.append(10.0 * math.log10(scan.rcs[0]))
    expected = np.median(sections) if decibels is None else decibels
    assert sections == pytest.approx([expected] * 24, abs=0.15)


@pytest.mark.parametrize('height', [0.3, 0.5, 1.5])
def test_empty_ground_is_no_target(height: float) -> None:
    simulation = _simulation(FLOOR, '', f'0 0 {height} 0 0 0')
    assert sum(len(simulation.measure('s').distance) for _ in range(10)) == 0


def test_what_lies_in_the_clutter_of_the_ground_is_not_seen_unless_it_moves() -> None:
    stone = ('<block name="it"> <init_pose>9 0 0</init_pose> <static>true</static> <zmax>0.05'
             '</zmax> <shape> <pt>0 0</pt> <pt>0.05 0</pt> <pt>0.05 0.05</pt> <pt>0 0.05</pt>'
             '</shape> {} </block>')
    moving = ('<animation type="keyframes"> <time_pose>0 0 0 0</time_pose>'
              '<time_pose>10 20 0 0</time_pose> </animation>')
    ratios = []
    for content in ('', moving):
        simulation = _simulation(stone.format(content) + FLOOR, EXACT, '0 0 1.5 0 10 0')
        simulation.step(4)
        ratios.append(simulation.measure('s').snr[0])
    assert ratios[0] < 0.2 * ratios[1]


def test_a_ghost_stands_where_the_mirror_image_is() -> None:
    # a wall at y = 6 along x; the ball at (20, 0) has its image at (20, 12)
    wall = ('<block> <init_pose>10 6.1 0</init_pose> <static>true</static> <zmin>-5</zmin>'
            '<zmax>5</zmax> <shape> <pt>-10 -0.1</pt> <pt>10 -0.1</pt> <pt>10 0.1</pt>'
            '<pt>-10 0.1</pt> </shape> </block>')
    more = EXACT + '<ghosts>0.8</ghosts> <horz_nrays>961</horz_nrays>'
    scan = _simulation(BALL + wall, more).measure('s')
    x, y = scan.distance * np.cos(scan.azimuth), scan.distance * np.sin(scan.azimuth)
    ghosts = scan.ghost & (np.hypot(x - 20.0, y - 12.0) < 1.5)
    assert ghosts.any()
    # the near side of the image, 1 m before its middle
    nearest = scan.distance[ghosts].min()
    assert nearest == pytest.approx(math.hypot(20.0, 12.0) - 1.0, abs=0.25)
    assert not _simulation(BALL + wall).measure('s').ghost.any()


def test_the_message_has_the_fields_of_radar_returns() -> None:
    simulation = _simulation(BALL)
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


def test_errors_are_those_of_cells_and_signals() -> None:
    fine = '<range_resolution>1000</range_resolution> <detection_range>90</detection_range>' \
        '<azimuth_resolution_degrees>9</azimuth_resolution_degrees>'
    simulation = _simulation(BALL, fine)
    scans = [simulation.measure('s') for _ in range(1500)]
    azimuth, velocity, ratio = np.array([each for scan in scans for each in zip(
        scan.azimuth, scan.velocity, scan.snr, strict=True)]).T
    error = 1.0 / np.sqrt(2.0 * ratio)
    assert np.std(velocity / error) == pytest.approx(0.1, rel=0.06)
    assert np.std(azimuth / error) == pytest.approx(math.radians(9.0), rel=0.06)
