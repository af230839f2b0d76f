# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drag, wind, lift, and engines with gears, against closed forms.

:claim: Drag, wind, lift, and engines with gears follow their equations, within 0.3 to 3 %
:reference: closed forms
"""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physical, physics, run, vehicle

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.vehicle.drivetrain import engine_torque
from mvsim_ros2.world.spec import AerodynamicsSpec, AirSpec, DefaultTyre, EngineSpec, MotorSpec

G, DENSITY = 9.81, 1.225
DRAG = AerodynamicsSpec(drag_area=0.7, side_area=2.0)


def car(dt=0.005, wind=(0.0, 0.0), C_rr=0.0, mu=0.9, mode='physical', speed=0.0, **fields):
    """Return a world with a car in the wind, which rolls at a speed."""
    tyre = DefaultTyre(mu=mu, C_damping=0.0, C_rr=C_rr)
    spec = vehicle('open_4wd', 'raw', friction=tyre, init_twist=(speed, 0.0, 0.0),
                   **{'aerodynamics': DRAG} | fields)
    return physics(spec, dt=dt, mode=mode, air=AirSpec(wind=wind))


def inert(world):
    """Return the mass with that of turning wheels [kg]."""
    wheels = world.vehicles.wheels
    return float(world.vehicles.arrays.records[0]['mass']
                 + (wheels['inertia'] / wheels['radius'] ** 2).sum())


def test_coasts_down_by_drag(dt):
    """Speed: v = v0 / (1 + k v0 t / m); 0.3 %."""
    world = car(dt, speed=40.0)
    k = 0.5 * DENSITY * 0.7
    for t in (5.0, 10.0):
        assert run(world, 5.0) == pytest.approx(
            40.0 / (1.0 + k * 40.0 * t / inert(world)), rel=3e-3)


def test_coasts_down_by_drag_and_rolling(dt):
    """With rolling resistance a: v = sqrt(a / k) tan(atan(v0 sqrt(k / a)) - sqrt(a k) t); 1 %."""
    world = car(dt, speed=30.0, C_rr=0.015)
    m = inert(world)
    k = 0.5 * DENSITY * 0.7 / m
    a = 0.015 * G * world.vehicles.arrays.records[0]['mass'] / m
    for t in (6.0, 12.0):
        expected = math.sqrt(a / k) * math.tan(
            math.atan(30.0 * math.sqrt(k / a)) - math.sqrt(a * k) * t)
        assert run(world, 6.0) == pytest.approx(expected, rel=0.01)


def test_top_speed_of_a_torque_and_of_a_power(dt):
    """T / R = k v^2 and P = k v^3; 0.5 %."""
    k = 0.5 * DENSITY * 0.7
    world = car(dt, speed=25.0)
    world.vehicles.set_torques(0, (93.0,))
    assert run(world, 60.0) == pytest.approx(math.sqrt(93.0 / 0.31 / k), rel=5e-3)
    power = MotorSpec(max_torque=400.0, max_power=20e3)  # of its one motor
    world = car(dt, speed=35.0, motor=power)
    world.vehicles.set_torques(0, (400.0,))
    assert run(world, 60.0) == pytest.approx((20e3 / k) ** (1.0 / 3.0), rel=0.01)


def test_wind_blows_a_free_vehicle_along():
    """Velocity against the air: u = u0 / (1 + k u0 t / m); against the wind the same."""
    k = 0.5 * DENSITY * 0.7
    for wind in (20.0, -20.0):
        world = car(wind=(wind, 0.0))
        expected = wind - wind / (1.0 + k * abs(wind) * 20.0 / inert(world))
        assert run(world, 20.0) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(('share', 'slides'), [(0.97, False), (1.03, True)])
def test_a_side_wind_slides_what_friction_cannot_hold(share, slides):
    """Force rho / 2 A V^2 against mu m g, without leverage."""
    world = car(mu=0.3)
    limit = 0.3 * G * world.vehicles.arrays.records[0]['mass']
    wind = share * math.sqrt(limit / (0.5 * DENSITY * 2.0))
    world = car(wind=(0.0, wind), mu=0.3, aerodynamics=replace(DRAG, z=0.0))  # no moment
    world.vehicles.wheels['brake'] = 1e6
    run(world, 2.0)
    assert (abs(world.vehicles.twist_body[0, 1]) > 0.01) == slides


@pytest.mark.parametrize('height', [None, 0.0, 1.4])
def test_loads_balance_drag_and_downforce(height):
    """Sum m g + rho / 2 A v^2; front axle by the moments about the rear one; 0.5 %."""
    shape = AerodynamicsSpec(drag_area=1.0, lift_area=-2.0, x=1.0, z=height)
    world = car(speed=50.0, aerodynamics=shape)
    v = run(world, 1.0)
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    down, drag = DENSITY * v * v, 0.5 * DENSITY * v * v
    mass, high = float(record['mass']), float(record['com_height'])
    assert wheels['normal_load'].sum() == pytest.approx(mass * G + down, rel=5e-3)
    front = (mass * G * record['com_x'] + down * 1.0 - drag * (
        (high if height is None else height) - high)
        - high * float(wheels['force_x'].sum())) / 1.3
    assert wheels['normal_load'][2:].sum() == pytest.approx(front, rel=5e-3)


def test_a_side_force_before_the_centre_of_mass_turns():
    """On ice without friction: moment F (x - x_com) over the inertia."""
    world = car(wind=(0.0, 15.0), mu=0.0, aerodynamics=AerodynamicsSpec(side_area=2.0, x=1.5))
    run(world, 0.2)
    record = world.vehicles.arrays.records[0]
    force = 0.5 * DENSITY * 2.0 * 15.0 ** 2
    assert world.vehicles.twist_body[0, 2] == pytest.approx(
        0.2 * force * (1.5 - record['com_x']) / record['turn_inertia'], rel=0.02)


ENGINE = EngineSpec(speeds=(1000.0, 3000.0, 6000.0), torques=(100.0, 150.0, 90.0),
                    gears=(3.5, 2.0, 1.2), final_drive=4.0, efficiency=0.9)


class TestEngine:
    """Curve and gears."""

    def test_gives_its_best_gear(self):
        """Largest over the gears of T(w i) i eta, straight lines between the points."""
        record = car(engine=ENGINE).vehicles.arrays.records[0]
        for spin in (0.0, 3.0, 20.0, 45.0, 60.0, 100.0, 125.0, 140.0):
            best = 0.0
            for gear in (14.0, 8.0, 4.8):
                speed = spin * gear * 30.0 / math.pi
                if speed <= 6000.0:
                    best = max(best, gear * 0.9 * float(
                        np.interp(speed, ENGINE.speeds, ENGINE.torques)))
            assert engine_torque(record, 1e4, spin) == pytest.approx(best)
            assert engine_torque(record, 0.5 * best, spin) == pytest.approx(0.5 * best)
            assert engine_torque(record, -1e4, -spin - 1e-9) == pytest.approx(-best, rel=1e-6)

    def test_brakes_by_its_own_limit(self):
        record = car(engine=replace(ENGINE, braking_torque=200.0)).vehicles.arrays.records[0]
        assert engine_torque(record, -1e4, 50.0) == -200.0

    def test_top_speed_is_where_the_curve_meets_the_drag(self):
        """T(v) / R = k v^2 on the falling branch of the last gear; 0.5 %."""
        engine = replace(ENGINE, gears=(3.5, 2.0, 0.8))
        world = car(0.01, speed=45.0, engine=engine, aerodynamics=replace(DRAG, drag_area=1.2))
        world.vehicles.set_torques(0, (1e4,))
        v = run(world, 120.0)
        speed = float(world.vehicles.wheels['omega'].mean()) * 0.8 * 4.0 * 30.0 / math.pi
        force = 0.8 * 4.0 * 0.9 * float(np.interp(speed, engine.speeds, engine.torques)) / 0.31
        assert force == pytest.approx(0.5 * DENSITY * 1.2 * v * v, rel=0.01)
        assert v > 30.0

    @pytest.mark.parametrize(('change', 'message'), [
        ({'speeds': (1000.0,)}, 'give as many of both'),
        ({'speeds': (1000.0, 500.0, 6000.0)}, 'do not rise'),
        ({'torques': (1.0, -1.0, 1.0)}, 'below 0'), ({'gears': ()}, 'ratios above 0')])
    def test_impossible_curves_are_refused(self, change, message):
        assert message in ' '.join(replace(ENGINE, **change).problems())

    def test_needs_one_torque(self):
        with pytest.raises(PhysicsError, match='cannot have an <engine>'):
            physical(vehicle('diff2', 'raw', engine=ENGINE))


@pytest.mark.parametrize('dynamics', [{'engine': ENGINE, 'aerodynamics': None}, {}])
def test_mode_mvsim_refuses_both(dynamics):
    with pytest.raises(PhysicsError, match="which physics mode 'mvsim' does not have"):
        car(mode='mvsim', **dynamics)


def test_files_have_all_of_it(tmp_path):
    file = tmp_path / 'car.world.xml'
    file.write_text("""<mvsim_world version="1.0"> <air density="1.1" wind="-3 2"/>
      <vehicle name="car"> <init_pose>0 0 0</init_pose>
        <dynamics class="ackermann_drivetrain">
          <aerodynamics drag_area="0.7" side_area="2" lift_area="-0.5" x="0.6" z="0.5"/>
          <engine> <speeds>900 3000 6000</speeds> <torques>90 140 100</torques>
            <gears>3.4 1.9 1.2</gears> <final_drive>4.1</final_drive> </engine>
        </dynamics>
      </vehicle>
    </mvsim_world>""")
    world = load_world(file, strict=True)
    assert world.air.wind == (-3.0, 2.0)
    assert world.vehicles[0].dynamics.engine == EngineSpec(
        (900.0, 3000.0, 6000.0), (90.0, 140.0, 100.0), (3.4, 1.9, 1.2), 4.1,
        source=world.vehicles[0].dynamics.engine.source)


@pytest.mark.parametrize(('mode', 'said'), [
    ('physical', 'no <dynamics> of a vehicle has an <aerodynamics>'),
    ('mvsim', "acts in physics mode 'physical' only")])
def test_air_that_nothing_feels_is_a_warning(tmp_path, caplog, mode, said):
    file = tmp_path / 'calm.world.xml'
    file.write_text("""<mvsim_world version="1.0"> <air wind="-3 2"/>
      <vehicle name="car"> <init_pose>0 0 0</init_pose>
        <dynamics class="differential"/> </vehicle> </mvsim_world>""")
    Simulation.from_file(file, physics=mode)
    assert any('calm.world.xml:1: <air>' in each.message and said in each.message
               for each in caplog.records)
