# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that people own follow commands of velocity at once; four steered wheels, tricycles."""

import math
from pathlib import Path
import re

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.vehicle.steering import course

FOLDER = Path(__file__).resolve().parents[3] / 'worlds/vehicles'
# file, class, forward velocity [m/s], velocity [m/s] and yaw rate [rad/s] of the turn
VEHICLES = [
    ('turtlebot3_burger', '', 0.2, 0.0, 1.5), ('turtlebot3_waffle', '', 0.25, 0.0, 1.2),
    ('turtlebot4', '', 0.3, 0.0, 1.5), ('jackal', '', 1.0, 0.5, 1.0), ('husky', '', 0.8, 0.4, 0.6),
    ('f1tenth', '', 2.0, 2.0, 1.0), ('agrobot', '', 1.5, 1.5, 0.5),
    ('forklift', '', 1.5, 1.5, 0.5),
    ('compact_tractor', '', 2.0, 2.0, 0.4),
    *((f'commonroad_{k}', kind, 8.0, 8.0, 0.3) for k in (1, 2, 3) for kind in ('', '_single'))]
EACH = pytest.mark.parametrize(
    ('file', 'kind', 'v', 'turning_v', 'w'), VEHICLES, ids=[a + b for a, b, *_ in VEHICLES])
STEP = 0.01  # s


@pytest.fixture
def alone(tmp_path):
    """Return a maker of a simulation of one vehicle of the library: file, rest of the class."""
    def make(file, kind='', more='', mode='physical'):
        world = tmp_path / 'one.world.xml'
        world.write_text(
            f'<mvsim_world version="1.0"> <physics mode="{mode}"/>'
            f'<include file="{FOLDER / file}.vehicle.xml"/>'
            f'<vehicle name="r" class="{file}{kind}"> <init_pose>0 0 0</init_pose>{more}</vehicle>'
            '</mvsim_world>')
        return Simulation(load_world(world, strict=True))
    return make


def followed(simulation, v, w, what):
    """Return three seconds of the velocity of a vehicle after a command, each STEP."""
    vehicle = simulation.vehicles['r']
    vehicle.set_twist(v, w)
    found = []
    for _ in range(300):
        simulation.run(STEP)
        found.append(vehicle.twist_body[what])
    return np.array(found)


def settled(values):
    """Return from when on values stay within 5 % of their end [s]."""
    end = values[-20:].mean()
    off = np.flatnonzero(np.abs(values - end) > 0.05 * abs(end))
    return STEP * (off[-1] + 1) if len(off) else 0.0


@EACH
def test_follows_commands_at_once(alone, file, kind, v, turning_v, w):
    """Overshoot below 10 %, settled within 2 s, at the end within 5 % of v and 7 % of w."""
    simulation = alone(file, kind)
    speeds = followed(simulation, v, 0.0, 0)
    assert speeds.max() < 1.1 * v
    assert settled(speeds) < 2.0
    assert speeds[-20:].mean() == pytest.approx(v, rel=0.05)
    followed(simulation, turning_v, 0.0, 0)
    rates = followed(simulation, turning_v, w, 2)
    assert rates.max() < 1.1 * w
    assert settled(rates) < 2.0
    assert rates[-20:].mean() == pytest.approx(w, rel=0.07)
    stop = followed(simulation, 0.0, 0.0, 0)
    assert abs(stop[-1]) < 0.02 * v and stop.min() > -0.1 * v


@EACH
def test_says_where_its_numbers_are_from(file, kind, v, turning_v, w):
    text = (FOLDER / f'{file}.vehicle.xml').read_text()
    assert re.match(r'<!--.*?(Sources?:|No one product).*?[Cc]hosen:.*?-->', text, re.DOTALL)


@pytest.mark.parametrize(('file', 'mass', 'inertia', 'height'), [
    ('commonroad_1', 1225.888, 1538.853, 0.5577840),
    ('commonroad_2', 1093.295, 1791.600, 0.5748690),
    ('commonroad_3', 1478.898, 2473.118, 0.7478167), ('f1tenth', 3.74, 0.04712, 0.074)])
@pytest.mark.parametrize('kind', ['', '_single'])
def test_masses_are_those_of_the_source(alone, file, kind, mass, inertia, height):
    """Of the whole vehicle, its centre of mass at the reference point."""
    if kind and file == 'f1tenth':
        pytest.skip('it has no single track')
    record = alone(file, kind)._physics.vehicles.arrays.records[0]
    assert record['mass'] == pytest.approx(mass, rel=1e-5)
    assert record['turn_inertia'] == pytest.approx(inertia, rel=1e-5)
    assert record['com_height'] == pytest.approx(height, rel=2e-3)
    assert record['com_x'] == pytest.approx(0.0, abs=1e-4)


@pytest.fixture
def farm(tmp_path):
    """Return a maker of the tractor with its trailer, 400 kg on that."""
    world = tmp_path / 'farm.world.xml'
    world.write_text(
        '<mvsim_world version="1.0">'
        f'<include file="{FOLDER}/compact_tractor.vehicle.xml"/>'
        f'<include file="{FOLDER}/farm_trailer.vehicle.xml" load="400"/>'
        '<vehicle name="tractor" class="compact_tractor"> <init_pose>0 0 0</init_pose> </vehicle>'
        '<vehicle name="trailer" class="farm_trailer"> <init_pose>-0.45 0 0</init_pose> </vehicle>'
        '<joint type="revolute" body_a="tractor" body_b="trailer" anchor_a="-0.45 0" '
        'anchor_b="0 0" height="0.40"/></mvsim_world>')
    return lambda: Simulation(load_world(world, strict=True))


def test_a_trailer_rests_on_its_tractor(farm):
    """660 kg 0.15 m before the axle, 1.6 m behind the ring: 607 N, more behind than that; 1 %."""
    simulation = farm()
    simulation.run(0.5)
    tractor, trailer = simulation.vehicles['tractor'], simulation.vehicles['trailer']
    tongue = 660.0 * 9.81 * 0.15 / 1.6
    assert trailer.wheels['normal_load'].sum() == pytest.approx(700.0 * 9.81 - tongue, rel=1e-3)
    loads, record = tractor.wheels['normal_load'], simulation._physics.vehicles.arrays.records[0]
    assert loads.sum() == pytest.approx(760.0 * 9.81 + tongue, rel=1e-3)
    assert loads[2:].sum() == pytest.approx(
        (760.0 * 9.81 * record['com_x'] - 0.45 * tongue) / 1.52, rel=1e-3)


def test_a_tractor_pulls_chisels(tmp_path):
    """Its rims at 1 m/s pull three of them, slipping by 7 %; they take ASABE D497; 1 %."""
    world = tmp_path / 'field.world.xml'
    world.write_text(
        '<mvsim_world version="1.0">'
        f'<include file="{FOLDER}/compact_tractor.vehicle.xml" draught="1911" '
        'draught_rise="408"/><vehicle name="r" class="compact_tractor"> '
        '<init_pose>0 0 0</init_pose> </vehicle></mvsim_world>')
    simulation = Simulation(load_world(world, strict=True))
    tractor = simulation.vehicles['r']
    tractor.set_twist(1.0, 0.0)
    simulation.run(15.0)
    speed = tractor.twist_body[0]
    assert speed == pytest.approx(0.93, abs=0.02)
    resists = 0.7 * (91.0 + 5.4 * 3.6 * speed) * 3.0 * 10.0
    assert tractor.wheels['force_long'].sum() == pytest.approx(resists, rel=0.01)


def test_a_trailer_follows_its_tractor(farm):
    """On a circle the trailer runs inside, by sqrt(r_hitch^2 - length^2); 3 %."""
    simulation = farm()
    tractor, trailer = simulation.vehicles['tractor'], simulation.vehicles['trailer']
    tractor.set_twist(1.5, 0.3)
    simulation.run(16.0)
    vx, _, w = tractor.twist_body
    hitch = math.hypot(vx / w, 0.45)
    axle = trailer.twist_body[0] / trailer.twist_body[2]
    assert axle == pytest.approx(math.sqrt(hitch ** 2 - 1.6 ** 2), rel=0.03)
    assert trailer.twist_body[2] == pytest.approx(w, rel=0.02)


def test_a_multiplier_needs_driven_sides(tmp_path):
    world = tmp_path / 'one.world.xml'
    vehicle = (FOLDER / 'forklift.vehicle.xml').read_text().replace(
        '<KP>', '<wheel_separation_multiplier>2</wheel_separation_multiplier> <KP>')
    world.write_text(
        f'<mvsim_world version="1.0">{vehicle.partition("-->")[2]}<vehicle name="r" '
        'class="forklift"> <init_pose>0 0 0</init_pose> </vehicle></mvsim_world>')
    with pytest.raises(PhysicsError, match='only vehicles with driven sides have it'):
        Simulation(load_world(world))


class TestByCourse:
    """Four steered wheels, and tricycles."""

    @pytest.mark.parametrize('v, vy, w', [(1.0, 0.0, 0.3), (1.0, 0.0, -0.3), (1.0, 0.4, 0.0),
                                          (-1.0, 0.0, 0.3), (1.0, 0.2, 0.2)])
    def test_every_wheel_rolls_where_it_points(self, alone, v, vy, w):
        """After a while no wheel slides: the velocity of its place has its direction."""
        simulation = alone('agrobot')
        vehicle = simulation.vehicles['r']
        vehicle.set_twist(v, w, vy)
        simulation.run(4.0)
        twist = vehicle.twist_body
        assert twist == pytest.approx((v, twist[1], w), rel=0.06, abs=0.02)
        if vy:
            assert twist[1] == pytest.approx(vy, rel=0.06)
        for wheel in vehicle.wheels:
            along = twist[0] - twist[2] * wheel['y']
            across = twist[1] + twist[2] * wheel['x']
            angle = math.atan2(across, along) - wheel['steer']
            assert abs(math.sin(angle)) < 0.02

    def test_both_axles_share_the_curve(self, alone):
        """tan(front) - tan(rear) = L w / v, one against the other."""
        simulation = alone('agrobot')
        simulation.vehicles['r'].set_twist(1.0, 0.4)
        simulation.run(2.0)
        record = simulation._physics.vehicles.arrays.records[0]
        front, rear = math.tan(record['steer_front']), math.tan(record['steer_rear'])
        assert (front, rear) == pytest.approx((0.5 * 1.3 * 0.4, -0.5 * 1.3 * 0.4))

    def test_a_truck_steers_behind(self, alone):
        """To the left with its wheel to the right; the load axle does not slide."""
        simulation = alone('forklift')
        truck = simulation.vehicles['r']
        truck.set_twist(1.0, 0.5)
        simulation.run(4.0)
        assert truck.twist_body == pytest.approx((1.0, 0.0, 0.5), rel=0.06, abs=0.01)
        assert truck.wheels['steer'][2] == pytest.approx(-math.atan(1.2 * 0.5), rel=1e-6)
        odometry = truck.odometry.twist
        assert odometry[:3:2] == pytest.approx(tuple(truck.twist_body[:3:2]), rel=0.01)

    @pytest.mark.parametrize('file', ['agrobot', 'forklift'])
    def test_odometry_follows_the_truth(self, alone, file):
        """In a bend of six seconds: 2 cm and 0.01 rad."""
        simulation = alone(file, more=(
            '<odometry linear_std_noise="0" yaw_std_noise="0" yaw_drift_std_noise="0"/>'))
        vehicle = simulation.vehicles['r']
        vehicle.set_twist(0.5, 0.15)
        simulation.run(6.0)
        odometry, true = vehicle.odometry.pose, vehicle.pose
        assert odometry[:2] == pytest.approx((true.x, true.y), abs=0.02)
        assert odometry[2] == pytest.approx(true.yaw, abs=0.01)

    def test_mirrored_commands_make_mirrored_paths(self, alone):
        for file in ('agrobot', 'forklift'):
            ends = []
            for side in (1.0, -1.0):
                simulation = alone(file)
                simulation.vehicles['r'].set_twist(1.0, 0.3 * side)
                simulation.run(3.0)
                pose = simulation.vehicles['r'].pose
                ends.append((pose.x, side * pose.y, side * pose.yaw))
            assert ends[0] == pytest.approx(ends[1], abs=1e-3)

    def test_the_angle_of_a_wheel_is_that_of_ackermann(self):
        """With a straight rear axle: cot(inner) = cot(angle) - track / (2 L)."""
        inner = course(1.3, 0.5, 1.3, 0.0, 0.3, 0.0)
        assert 1.0 / math.tan(inner) == pytest.approx(1.0 / math.tan(0.3) - 1.0 / 2.6)

    @pytest.mark.parametrize('change', [
        ('pos="-1.2 0"', 'pos="0 0"', 'stands on the fixed axle'),
        ('pos="-1.2 0"', 'pos="-1.2 0.1"', 'put it in the middle')])
    def test_impossible_tricycles_are_refused(self, tmp_path, change):
        old, new, message = change
        file = tmp_path / 'bad.world.xml'
        vehicle = (FOLDER / 'forklift.vehicle.xml').read_text().replace(old, new)
        file.write_text(
            f'<mvsim_world version="1.0">{vehicle.partition("-->")[2]}<vehicle name="r" '
            'class="forklift"> <init_pose>0 0 0</init_pose> </vehicle></mvsim_world>')
        with pytest.raises(Exception, match=message):
            Simulation(load_world(file))

    def test_mode_mvsim_has_them_with_its_tyres(self, alone):
        """The tricycle drives there too; the tyres of the robot are refused."""
        simulation = alone('forklift', mode='mvsim')
        simulation.vehicles['r'].set_twist(1.0, 0.3)
        simulation.run(4.0)
        assert simulation.vehicles['r'].twist_body[2] == pytest.approx(0.3, rel=0.1)
        with pytest.raises(PhysicsError, match="'linear'"):
            alone('agrobot', mode='mvsim')
