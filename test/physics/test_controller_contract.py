# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What every controller does on every vehicle class that takes it, in each mode."""

import sys

from controller_pairs import BAD, give, GOOD, state, vehicle_of
from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured
from processes import python, ROOT
import pytest
from small_worlds import physics

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.physics.vehicle.commands import taken, torques_taken
from mvsim_ros2.physics.vehicle.vehicle_kinds import controller_of, CONTROLLERS, VEHICLE_CLASSES
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.world.file.manual import manual
from mvsim_ros2.world.spec import WorldSpec

DT = 0.005  # s

vehicles = pytest.mark.parametrize('spec', [
    pytest.param(vehicle_of(*pair), id='-'.join(part.spec.XML_CLASS for part in pair))
    for pair in GOOD])
modes = pytest.mark.parametrize('mode', MODES)


@modes
@vehicles
def test_it_moves_the_vehicle_ahead(spec, mode):
    world = physics(spec, mode=mode)
    give(world, 0.6)
    world.step(400)
    x, y, _, yaw = world.vehicles.pose[0, :4]
    assert x > 0.1
    assert abs(y) < 0.02 and abs(yaw) < 0.02


@modes
@vehicles
def test_it_holds_the_vehicle_still(spec, mode):
    """At a zero command, given or not; to a micrometre where it has come to stand before."""
    world = physics(spec, mode=mode)
    world.step(100)
    give(world, 0.0)
    world.step(100)
    assert np.abs(world.vehicles.pose[0]).max() < 1e-6
    assert not world.vehicles.wheels['torque'].any()


@modes
@vehicles
def test_a_snapshot_continues_to_the_last_bit(spec, mode):
    world = physics(spec, mode=mode)
    give(world, 0.5, 0.2)
    world.step(60)
    kept, noise = world.snapshot(), world._streams.snapshot()
    ends = []
    for _ in range(2):
        world.restore(kept)
        world._streams.restore(noise)
        world.step(50)
        give(world, -0.3, 0.1)
        world.step(50)
        ends.append(state(world))
    straight = physics(spec, mode=mode)
    give(straight, 0.5, 0.2)
    straight.step(110)
    give(straight, -0.3, 0.1)
    straight.step(50)
    assert ends == [state(straight)] * 2


@modes
@vehicles
def test_a_reset_repeats_the_run(spec, mode):
    world = physics(spec, mode=mode)
    first, ends = state(world), []
    for _ in range(2):
        assert state(world) == first
        give(world, 0.4, -0.3)
        world.step(100)
        ends.append(state(world))
        world._streams.reset(0)
        world.reset()
    assert ends[0] == ends[1]


@settings(max_examples=examples(8))
@given(commands=st.lists(
    st.tuples(st.floats(-1e3, 1e3), st.floats(-3.0, 3.0)), min_size=1, max_size=3),
    dt=st.sampled_from([0.001, 0.005, 0.02]))
@modes
@vehicles
def test_any_command_leaves_finite_numbers(spec, mode, commands, dt):
    world = physics(spec, mode=mode, dt=dt)
    try:
        for speed, turn in commands:
            give(world, speed, turn)
            world.step(20)
    except PhysicsError as error:
        assert 'no finite position' in str(error)
        return
    for value in (world.vehicles.pose, world.vehicles.wheels['omega'],
                  world.vehicles.wheels['torque'],
                  structured_to_unstructured(world.vehicles.arrays.pids)):
        assert np.isfinite(value).all()


def test_it_gives_the_same_numbers_without_numba():
    pytest.importorskip('numba')
    compiled, plain = (
        python(ROOT / 'test/physics/controller_pairs.py', *words, paths=sys.path,
               ).stdout.splitlines() for words in ((), ('plain',)))
    assert compiled == plain
    assert len({line.split()[-1] for line in plain}) > len(GOOD)


@vehicles
def test_it_takes_the_commands_that_it_says_and_no_other(spec):
    world = physics(spec)
    robots = world.vehicles
    calls = {
        Command.TWIST: lambda: robots.set_twist(0, 0.1, 0.0),
        Command.STEERING: lambda: robots.set_steering(0, 0.1, 0.0),
        Command.JOINTS: lambda: robots.set_joints(0, [0.1] * len(spec.dynamics.driven_wheels)),
        Command.TORQUES: lambda: robots.set_torques(0, [0.1] * (torques_taken(spec) or 2))}
    assert calls.keys() == set(Command)
    first, *_ = taken(spec)
    assert first == controller_of(spec.dynamics).command
    for command, call in calls.items():
        if command in taken(spec):
            call()
        else:
            with pytest.raises(ControllerError, match=f'use {first.value}'):
                call()


@vehicles
def test_it_is_logged(spec, tmp_path):
    """A PID with its set point, measurement, error and torque, which belong together."""
    simulation = Simulation(WorldSpec(simul_timestep=DT, vehicles=(spec,)), sensors=False)
    handle = simulation.vehicles['r1']
    assert set(handle.commands) == {command.value for command in taken(spec)}
    with CsvLog(simulation, tmp_path) as log:
        if handle.accepts_twist:
            handle.set_twist(0.5, 0.0)
        log.run(0.1)
    (first,) = tmp_path.glob('*wheel_1.csv')
    names, *rows = [line.split(', ') for line in first.read_text().splitlines()[2:]]
    row = dict(zip(names, map(float, rows[-1]), strict=True))
    assert {'torque', 'omega', 'steer'} <= row.keys()
    assert handle.has_pid == ('pid_sp_vel_l' in row)
    if handle.has_pid:
        assert row['pid_sp_vel_l'] - row['pid_act_vel_l'] == pytest.approx(
            row['pid_error_l'], abs=1e-6)


@pytest.mark.parametrize('kind, controller', [
    pytest.param(*pair, id='-'.join(part.spec.XML_CLASS for part in pair))
    for pair in BAD])
def test_a_class_refuses_a_controller_and_names_those_that_it_takes(kind, controller):
    with pytest.raises(PhysicsError) as error:
        physics(vehicle_of(kind, controller))
    message = str(error.value)
    assert f'{controller.spec.XML_CLASS!r}, which it cannot have; use ' in message
    for other in CONTROLLERS:
        assert (repr(other.spec.XML_CLASS) in message.partition('; use ')[2]) == (
            kind.form in other.torques)


@pytest.mark.parametrize('tag, record', [
    pytest.param(tag, record, id=record.spec.XML_CLASS)
    for tag, registry in (('controller', CONTROLLERS), ('dynamics', VEHICLE_CLASSES))
    for record in registry])
def test_it_is_in_the_manual(tag, record):
    assert f'## `<{tag} class="{record.spec.XML_CLASS}">`\n' in manual()
    assert record.spec.__doc__
