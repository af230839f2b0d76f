# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyres of wheels and axles, relaxation lengths, lag of the loads, friction ellipse, brakes."""

import math

import numpy as np
from oracles.slip import magic_formula as slip_curve
import pytest
from small_worlds import physical, physics, run, SUSPENDED, vehicle, world_with

from mvsim_ros2 import load_world
from mvsim_ros2.errors import PhysicsError, WorldFileError
from mvsim_ros2.physics.tyres import magic_formula
from mvsim_ros2.world.spec import BrakesSpec, DefaultTyre, LinearTyre, MagicFormulaTyre

G = 9.81

FILE = """<mvsim_world version="1.0"> <physics mode="MODE"/>
  <vehicle name="car">
    <init_pose>0 0 0</init_pose>
    <dynamics class="ackermann">
      <rl_wheel pos="-1.2 0.8"> <friction class="magic_formula"> <D>0.7</D> </friction> </rl_wheel>
    </dynamics>
    <friction class="default"> <mu>0.4</mu> </friction>
    <front_friction class="default"> <mu>0.9</mu> EXTRA </front_friction>
  </vehicle>
</mvsim_world>"""


def test_a_file_gives_tyres_to_wheels_and_axles(tmp_path):
    """The own tyre of a wheel goes before that of its axle, and that before that of all."""
    file = tmp_path / 'car.world.xml'
    file.write_text(FILE.replace('MODE', 'physical').replace('EXTRA', ''))
    spec = load_world(file, strict=True)
    tyres = spec.vehicles[0].tyres
    assert [type(tyre).__name__ for tyre in tyres] == ['MagicFormulaTyre'] + ['DefaultTyre'] * 3
    assert [getattr(tyre, 'mu', None) for tyre in tyres] == [None, 0.4, 0.9, 0.9]


@pytest.mark.parametrize(('mode', 'extra', 'message'), [
    ('mvsim', '', "friction model 'magic_formula'"),
    ('physical', '<relaxation_length>0</relaxation_length>', 'must be above 0'),
], ids=['law', 'range'])
def test_what_a_wheel_cannot_have_is_refused(tmp_path, mode, extra, message):
    file = tmp_path / 'car.world.xml'
    file.write_text(FILE.replace('MODE', mode).replace('EXTRA', extra))
    with pytest.raises((PhysicsError, WorldFileError), match=message):
        physics(*load_world(file).vehicles, mode=mode)


@pytest.mark.parametrize('fields', [
    {'friction': DefaultTyre(relaxation_length=0.3)}, {'chassis': {'load_transfer_lag': 0.0}}],
    ids=['relaxation', 'lag'])
def test_mode_mvsim_has_no_such_parameters(fields):
    with pytest.raises(PhysicsError, match="which physics mode 'mvsim' does not have"):
        physics(vehicle('ack', 'raw', **fields))


@pytest.mark.parametrize('fields, front, rear', [({}, 0.9, 0.4), (SUSPENDED, 0.5, 0.3)],
                         ids=['hard', 'suspended'])
def test_locked_axles_slide_at_their_own_friction(dt, fields, front, rear):
    """Front and rear tyres of their own mu: each force is mu N, 0.2 %."""
    world = world_with('ack', 'raw', dt, front_friction=DefaultTyre(mu=front, C_damping=0.0),
                       rear_friction=DefaultTyre(mu=rear, C_damping=0.0),
                       init_twist=(15.0, 0.0, 0.0), **fields)
    world.vehicles.wheels['brake'] = 1e5
    before, wheels = run(world, 0.8), world.vehicles.wheels
    assert -wheels['force_long'] / wheels['normal_load'] == pytest.approx(
        [rear, rear, front, front], rel=2e-3)
    if fields:
        assert wheels['normal_load'][2] > 1.2 * wheels['normal_load'][0]  # it dives
        return
    run(world, 0.2)
    body = world.vehicles.bodies[0]
    assert before - world.vehicles.twist_body[0, 0] == pytest.approx(
        -0.2 * float(wheels['force_long'].sum()) / body.mass, rel=5e-3)


@pytest.mark.parametrize('fields', [{}, SUSPENDED], ids=['hard', 'suspended'])
@pytest.mark.parametrize('along', [None, 0.25], ids=['by radius', 'given'])
@pytest.mark.parametrize('across', [None, 0.6], ids=['same', 'own'])
def test_slip_builds_up_over_the_relaxation_length(along, across, fields):
    """By 1 - exp(-way / length), after a step of the steering: 3 %, the error of the step."""
    tyre = LinearTyre(C_s=200.0, C_alpha=200.0, mu=1.0, C_damping=0.0, **{
        name: value for name, value in (
            ('relaxation_length', along), ('lateral_relaxation_length', across)) if value})
    world = world_with('ack', 'raw', 0.001, friction=tyre, init_twist=(4.0, 0.0, 0.0), **fields)
    assert world.vehicles.arrays.records['mass'] > 500.0  # its tyres do not turn it soon
    world.vehicles.set_torques(0, (0.0, 0.0), steering=math.radians(4.0))
    length = across or along or 0.2 * 0.31
    for way in (0.5, 1.0, 1.5):
        run(world, 0.5 * length / 4.0)
        built = world.vehicles.wheels['slip_y'][2:] / np.sin(world.vehicles.wheels['steer'][2:])
        done = 4.0 * world.steps * world.dt / length
        assert done == pytest.approx(way, rel=0.1)
        assert np.abs(built) == pytest.approx([1.0 - math.exp(-done)] * 2, rel=0.03)


@pytest.mark.parametrize('lag', [0.0, 0.3])
def test_loads_follow_with_their_lag(lag):
    """By 1 - exp(-t / lag) of what they reach, when all wheels lock; 3 %, and at once with 0."""
    world = physical(vehicle(
        'ack', 'raw', init_twist=(20.0, 0.0, 0.0), chassis={'load_transfer_lag': lag},
        friction=DefaultTyre(mu=0.6, C_damping=0.0, relaxation_length=1e-3)), dt=0.002)
    run(world, 0.01)
    wheels = world.vehicles.wheels
    rest = float(wheels['normal_load'][2])
    world.vehicles.wheels['brake'] = 1e6
    run(world, 0.1)
    soon = float(wheels['normal_load'][2]) - rest
    run(world, 1.4)
    last = float(wheels['normal_load'][2]) - rest
    assert last > 0.1 * rest
    assert soon / last == pytest.approx(1.0 - math.exp(-0.1 / lag) if lag else 1.0, rel=0.03)


def test_loads_follow_springs_and_not_the_lag():
    """The lag of load transfer is what a body on hard tyres has in their place."""
    ends = []
    for lag in (0.0, 0.3):
        chassis = SUSPENDED['chassis'] | {'load_transfer_lag': lag}
        world = world_with('ack', 'raw', **SUSPENDED | {'chassis': chassis},
                           init_twist=(12.0, 0.0, 0.0))
        world.vehicles.wheels['brake'] = 500.0
        run(world, 0.5)
        ends.append((world.vehicles.pose.tobytes(), world.vehicles.wheels.tobytes()))
    assert ends[0] == ends[1]


def test_load_transfer_is_stable_without_lag():
    """A car that stops and stands, at 20 ms."""
    world = physical(vehicle('ack', 'raw', init_twist=(10.0, 0.0, 0.0), chassis={
        'load_transfer_lag': 0.0}, friction=DefaultTyre(mu=0.8)), dt=0.02)
    world.vehicles.wheels['brake'] = 1e6
    run(world, 3.0)
    assert np.abs(world.vehicles.twist_body[0]).max() < 1e-4
    assert world.vehicles.pose[0, 0] == pytest.approx(100.0 / (2 * 0.8 * G), rel=0.03)


class TestFrictionEllipse:
    """Magic Formula with a curve for each direction."""

    along = magic_formula.SURFACES['dry']
    across = magic_formula.MagicFormula(14.0, 1.9, 0.7, 0.97)

    @pytest.mark.parametrize('slip', [0.01, 0.05, 0.1, 0.3, 0.9])
    def test_each_direction_alone_is_its_curve(self, slip):
        stiff, _ = magic_formula.combined(self.along, self.across, 3000.0, slip, 0.0)
        assert stiff * slip == pytest.approx(3000.0 * slip_curve(*self.along, slip))
        _, stiff = magic_formula.combined(self.along, self.across, 3000.0, 0.0, slip)
        assert stiff * slip == pytest.approx(3000.0 * slip_curve(*self.across, slip))

    @pytest.mark.parametrize('angle', [0.1, 0.6, 1.2, -2.5])
    @pytest.mark.parametrize('size', [0.3, 1.5, 5.0])
    def test_forces_of_one_shape_lie_on_the_ellipse(self, size, angle):
        """(F_x / D)^2 + (F_y / D_y)^2 is that of the curve at the length of the slip."""
        x = size * math.cos(angle) / (self.along.B * self.along.C)
        y = size * math.sin(angle) / (self.across.B * self.across.C)
        stiff, side_stiff = magic_formula.combined(self.along, self.across, 1.0, x, y)
        used = math.hypot(stiff * x / self.along.D, side_stiff * y / self.across.D)
        assert used == pytest.approx(
            slip_curve(*self.along, size / (self.along.B * self.along.C)))

    def test_equal_curves_are_one(self):
        """With the same numbers in both directions it is the isotropic tyre."""
        for x, y in ((0.03, 0.02), (-0.2, 0.5), (0.0, 0.1)):
            stiff = 2000.0 * magic_formula.secant(self.along, math.hypot(x, y))
            assert magic_formula.combined(self.along, self.along, 2000.0, x, y) == pytest.approx(
                (stiff, stiff))

    def test_a_car_slides_by_the_friction_of_its_direction(self, dt):
        """Locked wheels: ahead and aside each the coefficient at slip 1; 1 %."""
        tyre = MagicFormulaTyre(lateral='ellipse', B_y=14.0, D_y=0.7, C_damping=0.0)
        for k, (twist, curve) in enumerate((
                ((12.0, 0.0, 0.0), self.along), ((0.0, 12.0, 0.0), self.across))):
            world = world_with('ack', 'raw', dt, friction=tyre, init_twist=twist)
            world.vehicles.wheels['brake'] = 1e6
            run(world, 0.4)
            before = world.vehicles.twist_body[0, k]
            run(world, 0.4)
            after = world.vehicles.twist_body[0, k]
            assert (before - after) / 0.4 == pytest.approx(
                G * slip_curve(*curve, 1.0), rel=0.01)

    def test_numbers_across_need_the_ellipse(self, tmp_path):
        file = tmp_path / 'car.world.xml'
        file.write_text(FILE.replace('MODE', 'physical').replace('EXTRA', '').replace(
            '<D>0.7</D>', '<D_y>0.7</D_y>'))
        with pytest.raises(WorldFileError, match='D_y is given: it needs <lateral>ellipse'):
            load_world(file)


class TestBrakes:
    """Torque of axles, balance, handbrake."""

    @pytest.mark.parametrize(('brakes', 'expected'), [
        (BrakesSpec(torque=100.0), [100, 100, 100, 100]),
        (BrakesSpec(torque=100.0, balance=0.7), [60, 60, 140, 140]),
        (BrakesSpec(front_torque=150.0, rear_torque=20.0), [20, 20, 150, 150]),
        (BrakesSpec(torque=50.0, front_torque=80.0), [50, 50, 80, 80]),
        (BrakesSpec(torque=50.0, wheels='front'), [0, 0, 50, 50]),
    ], ids=['even', 'balance', 'axles', 'one axle', 'front'])
    @pytest.mark.parametrize('mode', ['mvsim', 'physical'])
    def test_axles_brake_by_their_torque(self, brakes, expected, mode):
        world = physics(vehicle('ack', 'raw', brakes=brakes), mode=mode)
        world.vehicles.set_brake(0, 1.0)
        assert world.vehicles.wheels['brake'].tolist() == pytest.approx(expected)
        world.vehicles.set_brake(0, 0.25)
        assert world.vehicles.wheels['brake'].tolist() == pytest.approx(
            [0.25 * each for each in expected])

    @pytest.mark.parametrize('options', [
        {'balance': 0.6, 'wheels': 'front'}, {'balance': 0.6, 'front_torque': 3.0},
        {'rear_torque': 3.0, 'wheels': 'rear'}], ids=['balance', 'both', 'axle'])
    def test_contradictions_are_refused(self, options):
        assert list(BrakesSpec(torque=1.0, **options).problems())

    @pytest.mark.parametrize('fields, speed, more', [({}, 9.0, 1.5), (SUSPENDED, 7.0, 1.3)],
                             ids=['hard', 'suspended'])
    def test_a_handbrake_brings_the_rear_round(self, fields, speed, more):
        """In a bend: rear wheels lock, the car turns far more than without."""
        turned = []
        for pulled in (0.0, 1.0):
            world = physical(vehicle(
                'ack', 'raw', init_twist=(speed, 0.0, 0.0), friction=DefaultTyre(mu=0.7), **fields,
                brakes=BrakesSpec(parking_torque=3000.0, parking_wheels='rear')))
            world.vehicles.set_torques(0, (0.0, 0.0), steering=0.1)
            run(world, 0.4)
            world.vehicles.set_parking_brake(0, pulled)
            run(world, 0.6)
            turned.append(float(world.vehicles.pose[0, 3]))
            spins = world.vehicles.wheels['omega']
            assert (np.abs(spins[:2]).max() < 1e-9) == bool(pulled)
            assert spins[2:].min() > 5.0
        assert turned[1] > more * turned[0] > 0.3

    def test_brakes_push_by_their_balance(self, dt):
        """Wheels that roll: brake torque over radius on each axle, 2 % for their own inertia."""
        world = world_with('ack', 'raw', dt, **SUSPENDED, init_twist=(15.0, 0.0, 0.0),
                           brakes=BrakesSpec(torque=100.0, balance=0.7))
        world.vehicles.set_brake(0, 1.0)
        run(world, 1.0)
        wheels = world.vehicles.wheels
        assert wheels['omega'].min() > 10.0
        assert -wheels['force_long'] * wheels['radius'] == pytest.approx(
            [60.0, 60.0, 140.0, 140.0], rel=0.05)
        assert wheels['force_long'][2] / wheels['force_long'][0] == pytest.approx(
            7.0 / 3.0, rel=0.04)
