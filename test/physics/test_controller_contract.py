# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What every controller does on every vehicle class that takes it, in each mode."""

from collections.abc import Callable
from dataclasses import replace
import math
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import HealthCheck
from hypothesis import settings
from hypothesis import strategies as st
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import ControllerError
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.commands import taken
from mvsim_ros2.physics.commands import torques_taken
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.controllers.record import Controller
from mvsim_ros2.physics.kinds import controller_of
from mvsim_ros2.physics.kinds import CONTROLLERS
from mvsim_ros2.physics.kinds import VEHICLE_CLASSES
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.world.manual import manual
from mvsim_ros2.world.spec.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.omni import OmniSpec
from mvsim_ros2.world.spec.omni import RollerWheelSpec
from mvsim_ros2.world.spec.skid_steer import SkidSteerSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec
from mvsim_ros2.world.spec.wheel import WheelSpec
from mvsim_ros2.world.spec.world import WorldSpec

DT = 0.005  # s
Worlds = Callable[..., PhysicsWorld]


def _three(side: float) -> tuple[WheelSpec, ...]:
    return tuple(WheelSpec((x, side, 0.0)) for x in (0.4, 0.0, -0.4))


# classes that their defaults alone do not make a vehicle of
COMPLETED: dict[type[DynamicsSpec], DynamicsSpec] = {
    SkidSteerSpec: SkidSteerSpec(l_wheels=_three(0.4), r_wheels=_three(-0.4)),
    OmniSpec: OmniSpec(roller_wheels=tuple(
        RollerWheelSpec(
            (0.3 * math.cos(angle), 0.3 * math.sin(angle), angle + 0.5 * math.pi),
            diameter=0.15, width=0.06)
        for angle in (0.0, 2.0 * math.pi / 3.0, -2.0 * math.pi / 3.0)))}


def vehicle_of(kind: VehicleClass, controller: Controller) -> VehicleSpec:
    """Return a vehicle of a class with a controller, both with their defaults."""
    dynamics = COMPLETED.get(kind.spec) or kind.spec()
    return VehicleSpec(
        name='r1', dynamics=replace(dynamics, controller=controller.spec()))


PAIRS = [(kind, controller) for kind in VEHICLE_CLASSES for controller in CONTROLLERS]
GOOD = [pair for pair in PAIRS if pair[0].form in pair[1].torques]
vehicles = pytest.mark.parametrize('spec', [
    pytest.param(vehicle_of(*pair), id='-'.join(part.spec.XML_CLASS for part in pair))
    for pair in GOOD])
modes = pytest.mark.parametrize('mode', MODES)


def give(world: PhysicsWorld, speed: float, turn: float = 0.0) -> None:
    """
    Command the vehicle by what its controller takes.

    :param speed: m/s; with torques what would accelerate it so in a second without losses.
    :param turn: yaw rate [rad/s], steering angle [rad], or share of the torques.
    """
    vehicle = world.vehicles.specs[0]
    command = controller_of(vehicle.dynamics).command
    if command == Command.TWIST:
        world.vehicles.set_twist(0, speed, turn)
    elif command == Command.STEERING:
        world.vehicles.set_steering(0, speed, turn)
    elif command == Command.TORQUES:
        world.vehicles.set_torques(0, torques(world, speed, turn))
    else:
        raise AssertionError(f'no test gives the command {command}')


def torques(world: PhysicsWorld, speed: float, turn: float) -> list[float]:
    """Return the torques of motors that together accelerate the vehicle to a speed in 1 s."""
    count, wheels = torques_taken(world.vehicles.specs[0]), world.vehicles.wheels
    driven = max(float(wheels['drive'].sum()), 1.0)
    # with rollers the rim goes with the cosine to the direction of the motion
    along = np.cos(wheels['toe'] + wheels['roller'])[:count]
    force = world.vehicles.bodies[0].mass * speed / (count if count > 2 else driven)
    radius = float(wheels['radius'][-1])
    share = along / np.mean(along ** 2) if count > 2 else np.ones(count)
    return [float(part) * force * radius * (1.0 + (-1) ** k * turn)
            for k, part in enumerate(share)]


def state(world: PhysicsWorld) -> bytes:
    """Return all numbers that a step changes."""
    v = world.vehicles
    return b''.join(value.tobytes() for value in (
        v.wheels, v.arrays.records, v.arrays.pids, v.pose, v.twist_body, v.arrays.odometers))


@modes
@vehicles
def test_it_moves_the_vehicle_ahead(physics: Worlds, spec: VehicleSpec, mode: str) -> None:
    world = physics(spec, options={'mode': mode})
    give(world, 0.6)
    world.step(400)
    x, y, _, yaw = world.vehicles.pose[0, :4]
    assert x > 0.1
    assert abs(y) < 0.02 and abs(yaw) < 0.02


@modes
@vehicles
def test_it_holds_the_vehicle_still(physics: Worlds, spec: VehicleSpec, mode: str) -> None:
    """At a zero command, given or not; to a micrometre where it has come to stand before."""
    world = physics(spec, options={'mode': mode})
    world.step(100)
    give(world, 0.0)
    world.step(100)
    assert np.abs(world.vehicles.pose[0]).max() < 1e-6
    assert not world.vehicles.wheels['torque'].any()


@modes
@vehicles
def test_a_snapshot_continues_to_the_last_bit(
        physics: Worlds, spec: VehicleSpec, mode: str) -> None:
    world = physics(spec, options={'mode': mode})
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
    straight = physics(spec, options={'mode': mode})
    give(straight, 0.5, 0.2)
    straight.step(110)
    give(straight, -0.3, 0.1)
    straight.step(50)
    assert ends == [state(straight)] * 2


@modes
@vehicles
def test_a_reset_repeats_the_run(physics: Worlds, spec: VehicleSpec, mode: str) -> None:
    world = physics(spec, options={'mode': mode})
    first, ends = state(world), []
    for _ in range(2):
        assert state(world) == first
        give(world, 0.4, -0.3)
        world.step(100)
        ends.append(state(world))
        world._streams.reset(0)
        world.reset()
    assert ends[0] == ends[1]


@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(commands=st.lists(
    st.tuples(st.floats(-1e3, 1e3), st.floats(-3.0, 3.0)), min_size=1, max_size=3),
    dt=st.sampled_from([0.001, 0.005, 0.02]))
@modes
@vehicles
def test_any_command_leaves_finite_numbers(
        physics: Worlds, spec: VehicleSpec, mode: str, commands: list[tuple[float, float]],
        dt: float) -> None:
    world = physics(spec, options={'mode': mode}, simul_timestep=dt)
    try:
        for speed, turn in commands:
            give(world, speed, turn)
            world.step(20)
    except PhysicsError as error:
        assert 'no finite position' in str(error)
        return
    for value in (world.vehicles.pose, world.vehicles.wheels['omega'],
                  world.vehicles.wheels['torque'], world.vehicles.arrays.pids):
        assert np.isfinite(value).all()


@vehicles
def test_it_takes_the_commands_that_it_says_and_no_other(
        physics: Worlds, spec: VehicleSpec) -> None:
    world = physics(spec)
    robots = world.vehicles
    calls: dict[Command, Callable[[], None]] = {
        Command.TWIST: lambda: robots.set_twist(0, 0.1, 0.0),
        Command.STEERING: lambda: robots.set_steering(0, 0.1, 0.0),
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
def test_it_is_logged(spec: VehicleSpec, tmp_path: Path) -> None:
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
    for pair in PAIRS if pair not in GOOD])
def test_a_class_refuses_a_controller_and_names_those_that_it_takes(
        physics: Worlds, kind: VehicleClass, controller: Controller) -> None:
    with pytest.raises(PhysicsError) as error:
        physics(vehicle_of(kind, controller))
    message = str(error.value)
    assert f'{controller.spec.XML_CLASS!r}, which it cannot have; use ' in message
    for other in CONTROLLERS:
        assert (repr(other.spec.XML_CLASS) in message.partition('; use ')[2]) == (
            (kind, other) in GOOD)


@pytest.mark.parametrize('tag, record', [
    pytest.param(tag, record, id=record.spec.XML_CLASS)
    for tag, registry in (('controller', CONTROLLERS), ('dynamics', VEHICLE_CLASSES))
    for record in registry])
def test_it_is_in_the_manual(tag: str, record: Any) -> None:
    assert f'## `<{tag} class="{record.spec.XML_CLASS}">`\n' in manual()
    assert record.spec.__doc__
