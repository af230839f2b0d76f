# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encoders, bumper, range finders, magnetometer, barometer and UWB in a small world."""

from dataclasses import replace
import math
import sys

from making import simulate
from mounting import mounted
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import SensorError, WorldFileError
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.sensors.body.range_finder import cone
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.navigation.air_and_field import Barometer, Magnetometer, standard_pressure
from mvsim_ros2.world.spec import (
    BarometerSpec, BlockSpec, GeometrySpec, GeoreferenceSpec, MagnetometerSpec, SonarSpec,
    WorldSpec)

WORLD = """
  <element class="vertical_plane">
    <x0>5</x0> <y0>-5</y0> <x1>5</x1> <y1>5</y1> <thickness>0.1</thickness>
  </element>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 0.25" mass="1" width="0.05" diameter="0.2" />
      <r_wheel pos="0 -0.25" mass="1" width="0.05" diameter="0.2" />
      <chassis mass="10" zmin="0.05" zmax="0.5">
        <shape> <pt>-0.3 -0.2</pt> <pt>0.3 -0.2</pt> <pt>0.3 0.2</pt> <pt>-0.3 0.2</pt> </shape>
      </chassis>
      <controller class="twist_pid"> <KP>20</KP> <KI>20</KI> <max_torque>20</max_torque>
      </controller>
    </dynamics>
    <friction class="default"> <mu>0.8</mu> </friction>
    SENSORS
  </vehicle>
"""


def start(*sensors: str) -> Simulation:
    """Start the world with these sensors on the robot."""
    return simulate(WORLD.replace('SENSORS', '\n'.join(sensors)))


def test_encoders_name_the_joints_that_the_world_names() -> None:
    simulation = simulate(WORLD.replace('<l_wheel ', '<l_wheel joint_name="left" ').replace(
        'SENSORS', '<sensor class="wheel_encoders" name="w"/>'))
    assert simulation.step(200)[-1].names == ('left', 'r_wheel_joint')


def test_encoders_count_the_way():
    sim = start('<sensor class="wheel_encoders" name="w"> <ticks>100</ticks> '
                '<sensor_period>0.05</sensor_period> </sensor>')
    robot = sim.vehicles['r1']
    robot.set_twist(0.5, 0.0)
    samples = sim.step(400)
    wheels = robot.wheels
    last = samples[-1]
    assert len(samples) == 40 and last.names == ('l_wheel_joint', 'r_wheel_joint')
    tick = 2 * math.pi / 100
    assert np.all((wheels['angle'] - last.angle >= 0.0) & (wheels['angle'] - last.angle < tick))
    assert last.ticks == pytest.approx(last.angle / tick)
    assert last.rate == pytest.approx([5.0, 5.0], abs=1.01 * tick / 0.05)
    total = sum(sample.rate * 0.05 for sample in samples)
    assert total == pytest.approx(last.angle)


def test_encoders_asked_again_give_the_same_rate():
    tags = '<sensor class="wheel_encoders" name="w"> <sensor_period>0.05</sensor_period> </sensor>'
    sim = start(tags)
    assert sim.measure('r1/w').rate == pytest.approx([0.0, 0.0])  # nothing before
    sim.vehicles['r1'].set_twist(0.5, 0.0)
    last = sim.step(400)[-1]
    assert last.rate.min() > 4.0
    state = sim.snapshot()
    for _ in range(2):
        again = sim.measure('r1/w')
        assert again.stamp_ns == last.stamp_ns and again.rate.tolist() == last.rate.tolist()
    other = start(tags)
    other.restore(state)
    assert other.measure('r1/w').rate.tolist() == last.rate.tolist()


def test_bumper_feels_its_side():
    sim = start('<sensor class="bumper" name="front"> <fov_degrees>120</fov_degrees> </sensor>',
                '<sensor class="bumper" name="back"> <pose>0 0 180</pose> '
                '<fov_degrees>120</fov_degrees> </sensor>')
    assert not sim.measure('r1/front').pressed
    sim.set_pose('r1', Pose(4.6, 0.0, 0.0))
    sim.vehicles['r1'].set_twist(0.3, 0.0)
    sim.step(100)
    front, back = sim.measure('r1/front'), sim.measure('r1/back')
    assert front.pressed and not back.pressed
    assert front.points[:, 0] == pytest.approx(0.3, abs=0.02)
    assert not len(back.points)


@pytest.mark.parametrize('kind, fov, yaw, found', [
    pytest.param('sonar', 30, 0.0, 4.95 - 0.3, id='wall ahead'),
    pytest.param('infrared', 4, 0.0, 4.95 - 0.3, id='infrared'),
    pytest.param('sonar', 30, 20.0, (4.95 - 0.3) / math.cos(math.radians(5)), id='oblique wall'),
    pytest.param('sonar', 4, 70.0, math.inf, id='grazing wall sends no echo'),
    pytest.param('sonar', 30, 180.0, math.inf, id='nothing behind')])
def test_range_finders(kind, fov, yaw, found):
    sim = start(f'<sensor class="{kind}" name="eye"> <pose_3d>0.3 0 0.3 {yaw} 0 0</pose_3d> '
                f'<fov_degrees>{fov}</fov_degrees> <rays>401</rays> <max_range>20</max_range> '
                '<range_std_noise>0</range_std_noise> </sensor>')
    sample = sim.measure('r1/eye')
    assert sample.distance == pytest.approx(found, rel=2e-3)
    assert sample.infrared == (kind == 'infrared')


def test_range_finder_too_close():
    sim = start('<sensor class="sonar" name="eye"> <pose_3d>0.3 0 0.3 0 0 0</pose_3d> '
                '<min_range>0.2</min_range> </sensor>')
    sim.set_pose('r1', Pose(4.5, 0.0, 0.0))
    assert sim.measure('r1/eye').distance == -math.inf


def test_without_noise_what_is_systematic_stays():
    sim = start('<sensor class="imu" name="imu"> <linear_acceleration_bias>0.1 0 0'
                '</linear_acceleration_bias> <linear_acceleration_bias_std_noise>0.3'
                '</linear_acceleration_bias_std_noise> </sensor>',
                '<sensor class="wheel_encoders" name="wheels"/>')
    sim.vehicles['r1'].set_twist(0.5, 0.0)
    sim.step(100)
    before = sim.sensors['r1/wheels'].memory
    sim.set_noise(False)
    assert before['last_ns'] and sim.sensors['r1/wheels'].memory == before
    sim.reset()
    sim.step(10)
    sample = sim.measure('r1/imu')
    assert sample.linear_acceleration == pytest.approx([0.1, 0.0, 9.81])
    assert not sample.angular_velocity.any()


def test_rays_fill_the_cone():
    rays = cone(math.radians(60), 500)
    np.testing.assert_allclose(np.linalg.norm(rays, axis=1), 1.0)
    angles = np.degrees(np.arccos(np.clip(rays[:, 0], -1, 1)))
    assert rays[0].tolist() == [1.0, 0.0, 0.0]
    assert angles.max() == pytest.approx(30.0) and np.median(angles) == pytest.approx(21, abs=1)
    assert abs(rays[:, 1:].mean(axis=0)).max() < 0.01
    assert cone(0.1, 1).tolist() == [[1.0, 0.0, 0.0]]


def _world(latitude, longitude, **options):
    return WorldSpec(georeference=GeoreferenceSpec(
        latitude=latitude, longitude=longitude, **options))


def _state(yaw=0.0, pitch=0.0, roll=0.0, z=0.0):
    return BodyState(np.array([1.0, 2.0, z, yaw, pitch, roll]))


def test_magnetometer_points_as_it_is_told():
    spec = MagnetometerSpec(name='m', declination=0.1, inclination=1.0, strength=5e-5,
                            std_noise=0.0, hard_iron=(1e-6, 0.0, 0.0))
    sensor = Magnetometer(mounted(spec))
    # x east, y north: the field is in the plane of north, 0.1 to the east of it
    field = sensor.measure(1, _state()).field
    assert field == pytest.approx(5e-5 * np.array([
        math.cos(1.0) * math.sin(0.1), math.cos(1.0) * math.cos(0.1), -math.sin(1.0)])
        + [1e-6, 0.0, 0.0], abs=1e-12)
    north = sensor.measure(1, _state(yaw=math.pi / 2 - 0.1)).field
    assert north == pytest.approx(
        [5e-5 * math.cos(1.0) + 1e-6, 0.0, -5e-5 * math.sin(1.0)], abs=1e-12)


# published test values of WMM2025: year, height [km], latitude, longitude; north, east, down [nT]
@pytest.mark.parametrize('place, expected', [
    ((2025.0, 0.0, 80.0, 0.0), (6521.6, 145.9, 54791.5)),
    ((2025.0, 100.0, -80.0, 240.0), (5907.6, 14780.3, -49540.7)),
    ((2027.5, 0.0, 0.0, 120.0), (39701.6, -167.4, -10381.8)),
    ((2027.5, 100.0, 80.0, 0.0), (6196.7, 233.8, 52670.5))])
def test_magnetometer_of_a_place(place, expected):
    """
    A magnetometer measures the field at its place on the earth, within 0.06 nT.

    :reference: test values of the World Magnetic Model 2025
    :figure: images/sensors_field_air.png
    """
    date, height, latitude, longitude = place
    sensor = Magnetometer(mounted(
        MagnetometerSpec(name='m', std_noise=0.0, date=date), world=_world(
            latitude, longitude, height=1e3 * height, world_to_enu_rotation=0.5)))
    x, y, z = sensor.measure(1, _state(yaw=-0.5)).field  # looks east
    assert 1e9 * np.array([y, x, -z]) == pytest.approx(expected, abs=0.06)


def test_a_magnetometer_has_a_field_to_the_last_day():
    fields = [Magnetometer(mounted(
        MagnetometerSpec(name='m', std_noise=0.0, date=date), world=_world(60.0, 10.0))).measure(
            1, _state()).field for date in (2029.9, 2030.0)]
    assert 0.0 < np.linalg.norm(np.subtract(*fields)) < 5e-8


def test_magnetometer_without_the_model_says_so(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, 'pygeomag', None)
    x, y, z = Magnetometer(mounted(MagnetometerSpec(name='m', std_noise=0.0), world=_world(
        60.0, 10.0))).measure(1, _state()).field
    assert (x, z / y) == pytest.approx((0.0, -math.sqrt(3.0)))
    assert 'pip install pygeomag' in caplog.text


def test_magnetometer_noise():
    sensor = Magnetometer(mounted(MagnetometerSpec(name='m', std_noise=1e-6)))
    values = np.array([sensor.measure(1, _state()).field for _ in range(3000)])
    np.testing.assert_allclose(values.std(axis=0), 1e-6, rtol=0.06)


@pytest.mark.parametrize('height, pressure', [
    pytest.param(0.0, 101325.0, id='sea level'), pytest.param(1000.0, 89874.6, id='1 km'),
    pytest.param(5000.0, 54019.9, id='5 km'), pytest.param(11000.0, 22632.0, id='11 km')])
def test_standard_atmosphere(height, pressure):
    """
    A barometer measures the pressure at its height, within 0.002 %.

    :reference: table of the International Standard Atmosphere (ISO 2533)
    :figure: images/sensors_field_air.png
    """
    # tables of ISO 2533, over geopotential height
    assert standard_pressure(height) == pytest.approx(pressure, rel=2e-5)


def test_barometer():
    sensor = Barometer(mounted(BarometerSpec(name='b', std_noise=0.0, pose=Pose(z=0.5)),
                               world=_world(0.0, 0.0, height=519.0)))
    assert sensor.measure(1, _state(z=2.0)).pressure == standard_pressure(521.5)
    walking = Barometer(mounted(BarometerSpec(name='b', std_noise=0.0, drift_noise=10.0)))
    assert walking.measure(1, _state()).pressure != walking.measure(1, _state()).pressure


@pytest.mark.parametrize('kind', ['wheel_encoders', 'bumper'])
def test_what_needs_a_vehicle(kind):
    with pytest.raises(SensorError, match='test.world.xml:2.*put .* into a <vehicle>'):
        simulate(f'\n<sensor class="{kind}" name="s"/>\n')


@pytest.mark.parametrize('phase, first', [
    pytest.param(None, 35, id='after a period'), pytest.param(0, 5, id='at once'),
    pytest.param(0.012, 15, id='later')])
def test_thirty_samples_a_second(phase, first):
    tag = '' if phase is None else f'<sensor_phase>{phase}</sensor_phase>'
    sim = start(f'<sensor class="barometer" name="b"> <sensor_period>$f{{1/30}}</sensor_period> '
                f'{tag} </sensor>')
    stamps = [sample.stamp_ns // 1_000_000 for sample in sim.step(2000)]
    assert stamps[0] == first
    assert len(stamps) in (299, 300, 301)
    assert set(np.diff(stamps)) == {30, 35}
    sim.reset()
    assert [sample.stamp_ns // 1_000_000 for sample in sim.step(2000)] == stamps


@pytest.mark.parametrize('distance', [0.6, 1.5, 3.5])
def test_a_sonar_finds_a_thin_pole_in_all_its_cone(distance: float) -> None:
    pole = BlockSpec('pole', static=True,
                     geometry=GeometrySpec('cylinder', radius=0.02, length=2.0))
    sonar = SonarSpec('sonar', pose=Pose(z=0.5), range_std_noise=0.0)
    half = 0.5 * sonar.fov - 0.01
    for bearing in np.linspace(-half, half, 60):
        place = Pose(distance * math.cos(bearing), distance * math.sin(bearing))
        simulation = Simulation(WorldSpec(
            sensors=(sonar,), blocks=(replace(pole, init_pose=place),)))
        assert simulation.measure('sonar').distance == pytest.approx(
            distance - 0.02, abs=5e-3)


UWB_WORLD = """
  <block> <init_pose>5 0 0</init_pose> <static>true</static> <zmax>3</zmax> </block>
  <sensor class="uwb" name="u"> <pose_3d>0 0 1 0 0 0</pose_3d> MORE
    <anchor id="7" place="10 0 2"/> <anchor id="2" place="0 8 2"/>
    <anchor id="3" place="-45 0 1"/> <anchor id="4" place="40 0 1"/>
    <anchor id="5" place="70 0 9"/>
  </sensor>"""


def _uwb(more: str = '') -> Simulation:
    return simulate(UWB_WORLD.replace('MORE', more), seed=4)


def test_ranges_are_distances() -> None:
    """
    UWB ranges are distances between antennas.

    :reference: geometry
    """
    sample = _uwb('<range_std_noise>0</range_std_noise> <nlos_bias>0</nlos_bias>').measure('u')
    # 4 is hidden and farther than half of the reach, 5 is out of reach
    assert sample.anchors.tolist() == [7, 2, 3]
    np.testing.assert_allclose(sample.ranges, [np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0])
    assert sample.in_view.tolist() == [False, True, True]


def test_noise_and_excess_are_those_of_the_spec() -> None:
    simulation = _uwb('<range_std_noise>0.04</range_std_noise><nlos_bias>0.5</nlos_bias>')
    errors = np.array([simulation.measure('u').ranges for _ in range(3000)]) - [
        np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0]
    np.testing.assert_allclose(errors.mean(axis=0), [0.5, 0.0, 0.0], atol=0.03)
    # an exponential excess has the deviation of its mean
    np.testing.assert_allclose(errors.std(axis=0), [np.hypot(0.5, 0.04), 0.04, 0.04], rtol=0.06)
    assert np.median(errors[:, 0]) == pytest.approx(0.5 * np.log(2.0), abs=0.03)


def test_without_noise_ranges_are_distances_behind_things_too() -> None:
    simulation = _uwb()
    simulation.set_noise(False)
    np.testing.assert_allclose(simulation.measure('u').ranges, [
        np.hypot(10.0, 1.0), np.hypot(8.0, 1.0), 45.0])


def test_the_message_has_the_anchors_with_their_ranges() -> None:
    simulation = _uwb('<range_std_noise>0</range_std_noise>')
    channel, = channels_of(simulation.world.sensors[0])
    message = message_of(channel, TYPES, simulation.measure('u'), '')
    assert message.header.frame_id == 'u' and message.width == 3
    points = np.frombuffer(bytes(message.data), [
        ('range', '<f4'), ('anchor', '<u4'), ('place', '<f4', 3)])
    assert points['anchor'].tolist() == [7, 2, 3]
    assert points['range'][1] == pytest.approx(np.hypot(8.0, 1.0), rel=1e-6)
    assert points['place'][2].tolist() == [-45.0, 0.0, 1.0]


def test_anchors_need_numbers_of_their_own() -> None:
    with pytest.raises(WorldFileError, match='different ids'):
        _uwb('<anchor id="2" place="1 1 1"/>')
