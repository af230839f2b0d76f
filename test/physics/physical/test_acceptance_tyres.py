# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Acceptance list of mode physical, numbers 8, 10, 12 and 15: what holds for every tyre."""

from dataclasses import replace
import math

from drawn_examples import examples
from hypothesis import example, given, settings, strategies as st
import numpy as np
from oracles.slip import magic_formula
import pytest
from small_worlds import physical, run, tilt, vehicle, world_with

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.physical.transient_slip import LEAST, LENGTH, STIFFNESS
from mvsim_ros2.physics.tyres.on_ground import PSI
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, BakkerTyre, ChassisSpec, ClayTyre, DefaultTyre, Differential4Spec,
    DifferentialSpec, DrivetrainSpec, EllipseTyre, LinearTyre, MagicFormulaTyre,
    PropertyRegionSpec, RawController, SandTyre, VehicleSpec, WardIagnemmaTyre, WheelSpec)
from mvsim_ros2.world.spec.elements.property_region import SURFACES

G = 9.81

TYRES = {
    'default': DefaultTyre(C_rr=0.01), 'wardiagnemma': WardIagnemmaTyre(),
    'ellipse': EllipseTyre(C_rr=0.02), 'linear': LinearTyre(C_s=3000.0, C_alpha=2000.0),
    'magic formula': MagicFormulaTyre(), 'magic formula, ice': MagicFormulaTyre(surface='ice'),
    'magic formula, crolla': MagicFormulaTyre(lateral='crolla'), 'bakker': BakkerTyre(),
    'bakker, document': BakkerTyre(preset='document_kN'), 'clay': ClayTyre(cone_index=4e5),
    'clay, vti': ClayTyre(cone_index=2e5, mode='vti'), 'sand': SandTyre(cone_index=8e5),
    'sand, brixius': SandTyre(cone_index=4e5, reading='brixius')}
every_tyre = pytest.mark.parametrize('tyre', [
    pytest.param(tyre, id=name) for name, tyre in TYRES.items()])
KINDS_OF_DRIVE = ('diff2', 'diff_x03', 'diff3', 'diff4', 'ack', 'open_front', 'open_rear',
                  'open_4wd', 'torsen_front', 'torsen_rear', 'torsen_4wd', 'single', 'skid6',
                  'chain6', 'tracked', 'mecanum', 'omni3')


def region(what, number=None, text=None):
    """Return a region that is everywhere."""
    return PropertyRegionSpec(
        property_name=what, value_double=number, value_string=text, x_min=-1e6, x_max=1e6,
        y_min=-1e6, y_max=1e6)


def controller_of(kind):
    """Return what drives a vehicle of this kind."""
    steered = kind in ('single', 'ack') or kind[:4] in ('open', 'tors')
    return 'twist_front' if steered else 'pid'


@every_tyre
@pytest.mark.parametrize('kind', [k for k in KINDS_OF_DRIVE if k != 'diff3'])
def test_acceptance_10_left_and_right(kind, tyre):
    """The opposite yaw rate gives the path on the other side (single precision of the engine)."""
    paths = []
    for side in (1, -1):
        world = world_with(kind, controller_of(kind), 0.01, friction=tyre,
                           init_twist=(1.0, 0.0, side * 0.3))
        world.vehicles.set_twist(0, 1.0, side * 0.6)
        run(world, 1.0)
        paths.append(world.vehicles.pose[0] * (1, side, 1, side, 1, 1))
    assert np.allclose(*paths, atol=2e-5)


def alike(kind):
    """Return a vehicle that is the same before and behind its middle, on this drive."""
    box = ChassisSpec(mass=60.0, shape=((-0.5, -0.3), (-0.5, 0.3), (0.5, 0.3), (0.5, -0.3)))
    wheel = WheelSpec(mass=2.0, diameter=0.3, width=0.1)

    def at(x, y):
        return replace(wheel, pos=(x, y, 0.0))
    if kind == 'diff2':
        return DifferentialSpec(chassis=box, controller=RawController(), l_wheel=at(0.0, 0.4),
                                r_wheel=at(0.0, -0.4))
    if kind == 'diff4':
        return Differential4Spec(
            chassis=box, controller=RawController(), lr_wheel=at(-0.4, 0.4),
            rr_wheel=at(-0.4, -0.4), lf_wheel=at(0.4, 0.4), rf_wheel=at(0.4, -0.4))
    return AckermannDrivetrainSpec(
        chassis=box, controller=RawController(), rl_wheel=at(-0.4, 0.4),
        rr_wheel=at(-0.4, -0.4), fl_wheel=wheel, fr_wheel=wheel, f_wheels_x=0.4, f_wheels_d=0.8,
        drivetrain=DrivetrainSpec(kind=kind))


@every_tyre
@pytest.mark.parametrize('ahead, back', [
    ('diff2', 'diff2'), ('diff4', 'diff4'), ('open_4wd', 'open_4wd'),
    ('torsen_4wd', 'torsen_4wd'), ('open_rear', 'open_front'), ('torsen_rear', 'torsen_front')])
def test_acceptance_10_ahead_and_back(ahead, back, tyre):
    """The opposite torques drive backward what others drive forward."""
    paths = []
    for kind, way in ((ahead, 1), (back, -1)):
        world = physical(VehicleSpec('r1', dynamics=alike(kind), friction=tyre,
                                     init_twist=(way * 0.5, 0.1, way * -0.2)), dt=0.01)
        torques = (3.0, 6.0) if kind.startswith('diff') else (20.0,)
        world.vehicles.set_torques(0, tuple(way * torque for torque in torques))
        run(world, 1.0)
        paths.append(world.vehicles.pose[0] * (way, 1, 1, way, 1, 1))
    assert np.allclose(*paths, atol=2e-5)


@pytest.mark.parametrize('kind', ['diff4', 'ack'])
def test_acceptance_08_an_ellipse_drives_as_told(dt, kind):
    """The curves on which the original runs away: speed as told, odometry near the truth."""
    told = 1.0 if kind == 'diff4' else 2.0
    paths = []
    for side in (1, -1):
        world = world_with(kind, controller_of(kind), dt, friction=EllipseTyre())
        world.vehicles.set_twist(0, told, side * 0.4)
        fastest = 0.0
        for _ in range(40):
            run(world, 0.25)
            fastest = max(fastest, float(np.hypot(*world.vehicles.twist_body[0, :2])))
        assert world.vehicles.twist_body[0, 0] == pytest.approx(told, rel=0.05)
        assert fastest < 1.3 * told
        assert world.odometry(0).twist[0] == pytest.approx(
            world.vehicles.twist_body[0, 0], rel=0.05)
        paths.append(world.vehicles.pose[0] * (1, side, 1, side, 1, 1))
    assert np.allclose(*paths, atol=1e-4)


def moving_energy(world):
    """Return the energy of motion and spin of vehicle 0 [J]."""
    record, motion = world.vehicles.arrays.records[0], world.vehicles.arrays.motion[0]
    wheels = world.vehicles.wheels
    return float(
        0.5 * record['mass'] * (motion[7] ** 2 + motion[8] ** 2)
        + 0.5 * record['turn_inertia'] * motion[9] ** 2
        + 0.5 * (wheels['inertia'] * wheels['omega'] ** 2).sum())


@settings(max_examples=examples(100))
@given(kind=st.sampled_from(KINDS_OF_DRIVE), tyre=st.sampled_from(list(TYRES.values())),
       dt=st.sampled_from([0.001, 0.005, 0.01, 0.02]), spin=st.floats(-1.0, 1.5),
       twist=st.tuples(st.floats(-8, 8), st.floats(-3, 3), st.floats(-3, 3)),
       surface=st.sampled_from([None, *SURFACES]), scale=st.floats(0.0, 2.0))
@example(kind='mecanum', tyre=TYRES['default'], dt=0.001, spin=0.0, twist=(0.0, 0.0, 2.0),
         surface='clay', scale=2.0)  # traction beyond the load
@example(kind='diff4', tyre=TYRES['sand'], dt=0.005, spin=0.0, twist=(2.0, 0.0, 0.0),
         surface='clay', scale=1.5)
def test_acceptance_08_and_12_no_tyre_gains_energy(kind, tyre, dt, spin, twist, surface, scale):
    """
    From tyres that are not bent: motion and spin never exceed what they were.

    :claim: Tyres add no energy to a vehicle without torque: at most 0.2 % above the start
    :reference: the energy at the start, in 100 random runs
    """
    elements = [region('mu_scale', scale)]
    if surface is not None:
        elements.append(region('surface_type', text=surface))
    world = physical(vehicle(kind, 'raw', friction=tyre, init_twist=twist), dt=dt,
                     elements=tuple(elements))
    world.vehicles.wheels['omega'] *= spin
    first = moving_energy(world)
    for _ in range(60):
        world.step(round(0.02 / dt))
        assert moving_energy(world) <= first * (1.0 + 2e-3) + 1e-6


@pytest.mark.parametrize('kind', ['ack', 'diff4'])
def test_acceptance_15_stops_on_four_roads(dt, kind):
    """Distances v^2 / (2 mu_slide g), the longer the slipperier, 1 % and half a step."""
    found = []
    for name, curve in (('dry', (10.0, 1.9, 1.0, 0.97)), ('wet', (12.0, 2.3, 0.82, 1.0)),
                        ('snow', (5.0, 2.0, 0.3, 1.0)), ('ice', (4.0, 2.0, 0.1, 1.0))):
        world = physical(vehicle(kind, controller_of(kind), friction=MagicFormulaTyre(),
                                 init_twist=(15.0, 0.0, 0.0)),
                         elements=(region('surface_type', text=name),), dt=dt)
        world.vehicles.arrays.records['stopped'] = 100.0
        world.vehicles.arrays.records['com_height'] = 0.2  # else one tips over its front axle
        world.vehicles.wheels['omega'] = 0.0
        slide = magic_formula(*curve, 1.0)
        run(world, 15.0 / (slide * G) + 1.0)
        assert world.vehicles.pose[0, 0] == pytest.approx(
            15.0 ** 2 / (2.0 * slide * G), rel=0.01 + dt * slide * G / 15.0)
        assert np.abs(world.vehicles.twist_body[0]).max() < 1e-3
        found.append(world.vehicles.pose[0, 0])
    assert found == sorted(found)


def steepest(tyre, mass, cone_index):
    """Return the steepest slope that a vehicle with spinning wheels climbs [rad]."""
    dynamics = alike('diff4')
    dynamics = replace(dynamics, chassis=replace(dynamics.chassis, mass=mass))
    low, high = -0.5, 0.8
    for _ in range(8):
        angle = 0.5 * (low + high)
        world = physical(VehicleSpec('r1', dynamics=dynamics, friction=tyre, init_pose=Pose(),
                                     init_twist=(1.0, 0.0, 0.0)), dt=0.01,
                         elements=(region('cone_index', cone_index),))
        world.vehicles.arrays.records['com_height'] = 0.0
        tilt(world, angle)
        world.vehicles.set_torques(0, (mass, mass))
        world.step(100)
        first = world.vehicles.twist_body[0, 0]
        world.step(50)
        gained = world.vehicles.twist_body[0, 0] - first
        low, high = (angle, high) if gained > 1e-3 else (low, angle)
    return low


@pytest.mark.parametrize('tyre', [
    ClayTyre(section_height=0.06), ClayTyre(section_height=0.06, mode='vti'),
    SandTyre(section_height=0.06), SandTyre(section_height=0.06, reading='brixius')],
    ids=['clay', 'clay, vti', 'sand', 'sand, brixius'])
def test_acceptance_15_climbs_soil_the_harder_and_the_lighter(tyre):
    """Gradeability rises with the cone index and falls with the load."""
    harder = [steepest(tyre, 400.0, psi * PSI) for psi in (40.0, 60.0, 120.0)]
    lighter = [steepest(tyre, mass, 60.0 * PSI) for mass in (600.0, 400.0, 200.0)]
    assert harder == sorted(harder) and harder[0] < harder[-1]
    assert lighter == sorted(lighter) and lighter[0] < lighter[-1]


@every_tyre
def test_stands_on_a_slope(tyre):
    """Held wheels do not creep, whatever the tyre, as far as its friction goes."""
    world = world_with('ack', 'twist_front', 0.01, friction=tyre)
    limit = {'magic formula, ice': 0.1, 'bakker, document': 0.08}
    grip = next((limit[name] for name, own in TYRES.items() if own is tyre and name in limit), 0.3)
    tilt(world, 0.9 * math.atan(grip))
    run(world, 30.0)
    settled = world.vehicles.pose[0].copy()
    run(world, 60.0)
    assert np.abs(world.vehicles.pose[0] - settled).max() < 1e-9
    assert np.abs(settled[:2]).max() < 5e-3


@pytest.mark.parametrize('name, tyre, expected', [
    ('dry', DefaultTyre(mu=0.8), 0.8), ('ice', DefaultTyre(mu=0.8), 0.08),
    ('snow', LinearTyre(mu=0.8), 0.24), ('wet', MagicFormulaTyre(surface='ice'), 0.637),
    ('ice', ClayTyre(), 0.0962), ('snow', EllipseTyre(), 0.3 * 0.75)],
    ids=['default', 'default on ice', 'linear', 'magic formula', 'clay', 'ellipse'])
def test_a_surface_scales_friction(name, tyre, expected):
    """Wheels that spin at rest push with the friction of the road; regions in file order."""
    world = physical(vehicle('diff4', 'raw', friction=tyre), dt=0.005,
                     elements=(region('surface_type', text=name),
                               region('surface_type', text='dry'), region('friction_C_rr', 0.0)))
    world.vehicles.set_torques(0, (30.0, 30.0))
    run(world, 0.5)
    wheels = world.vehicles.wheels
    assert wheels['force_long'] / wheels['normal_load'] == pytest.approx(
        np.full(4, expected), rel=0.02)


@pytest.mark.parametrize('soil', ['clay', 'sand'])
def test_any_tyre_sinks_into_soil(soil):
    """On soil each tyre has its law: soft ground stops what coasts sooner than hard ground."""
    ways = []
    for strength in (2.0, 300.0):
        world = physical(vehicle('ack', 'raw', friction=DefaultTyre(), init_twist=(3.0, 0.0, 0.0)),
                         elements=(region('surface_type', text=soil),
                                   region('cone_index_psi', strength)), dt=0.005)
        run(world, 2.0)
        ways.append(world.vehicles.pose[0, 0])
    assert ways[0] < 0.7 * ways[1]
    assert ways[1] > 4.0


KINDS = ('diff2', 'diff_x03', 'diff3', 'diff4', 'ack', 'open_front', 'torsen_rear', 'torsen_4wd',
         'single', 'skid6', 'chain6', 'tracked', 'mecanum', 'omni3')
STEERED = ('ack', 'open_front', 'torsen_rear', 'torsen_4wd', 'single')
SPEEDS = st.sampled_from([0.001, 0.005, 0.01, 0.02])


def stored_energy(limit, stiffness, slip, length):
    """Return the energy in the deflected brush [J], ``length`` times the integral of F ds."""
    if limit < LEAST:
        return 0.0
    full = 3.0 * limit / stiffness
    part = min(slip / full, 1.0)
    left = 1.0 - part
    return length * limit * (slip - 0.25 * full * (1.0 - left * left * left * left))


def energy(world):
    """Return the energy of motion, spin and tyres of vehicle 0 [J]."""
    v = world.vehicles
    record, motion, wheels = v.arrays.records[0], v.arrays.motion[0], v.wheels
    total = 0.5 * record['mass'] * (motion[7] ** 2 + motion[8] ** 2)
    total += 0.5 * record['turn_inertia'] * motion[9] ** 2
    for wheel in wheels:
        total += 0.5 * wheel['inertia'] * wheel['omega'] ** 2
        total += stored_energy(
            wheel['mu'] * wheel['normal_load'], STIFFNESS * wheel['normal_load'],
            float(np.hypot(wheel['slip_x'], wheel['slip_y'])), LENGTH * wheel['radius'])
    return float(total)


@settings(max_examples=examples(60))
@given(kind=st.sampled_from(KINDS), dt=SPEEDS, twist=st.tuples(
    st.floats(-8, 8), st.floats(-3, 3), st.floats(-3, 3)), mu=st.floats(0.05, 1.5),
    brake=st.sampled_from([0.0, 1.0, 30.0]))
def test_acceptance_12_energy_is_never_gained(kind, dt, twist, mu, brake):
    """
    On level ground without torque: motion, spin and bent tyres together only lose.

    :claim: On level ground, a vehicle without torque ends at most 0.1 % above its initial energy
    :reference: the energy at the start, in 60 random runs of 14 drives
    """
    world = world_with(kind, 'raw', dt, mu, init_twist=twist)
    world.vehicles.wheels['omega'] *= 0.7
    world.vehicles.wheels['brake'] = brake
    first = before = energy(world)
    for _ in range(60):
        world.step(round(0.02 / dt))
        now = energy(world)
        # single precision of the engine, load that moves between bent tyres, angle of the step
        assert now <= before + 2e-3 * first + 1e-6
        before = now
    assert now <= first * (1.0 + 1e-3) + 1e-6
