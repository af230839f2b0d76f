# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that nothing is near move without the engine as they do with it, to the last bit."""

import ctypes
from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld, stepper
from mvsim_ros2.physics.engine.lone_bodies import contact_functions, synchronise_address
from mvsim_ros2.physics.engine.native_step import step_address
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.vehicle.controllers import TwistIdealController, TwistPidController
from mvsim_ros2.world.spec.vehicle.dynamics import ChassisSpec, DifferentialSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec


def run(mode: str, engine_only: bool, movable: bool, monkeypatch: pytest.MonkeyPatch,
        ) -> list[bytes]:
    """Return the state after each of many calls: robots drive, meet, run into blocks, stand."""
    with monkeypatch.context() as patched:
        if engine_only:
            patched.setattr(stepper, 'synchronise_address', lambda: 0)
        pid = TwistPidController(KP=15.0, KI=6.0, max_torque=10.0)
        robots = tuple(
            VehicleSpec(
                name=f'r{i}', init_pose=Pose(4.0 * (i % 4), 3.0 * (i // 4), yaw=0.7 * i),
                dynamics=DifferentialSpec(
                    controller=TwistIdealController() if i % 5 == 4 else pid,
                    chassis=replace(ChassisSpec(), linear_damping=0.2 * (i % 3))))
            for i in range(12))
        blocks = tuple(
            BlockSpec(
                name=f'b{i}', init_pose=Pose(2.0 + 2.5 * i, 1.5), static=i == 0 or not movable)
            for i in range(4))
        world = PhysicsWorld(
            WorldSpec(simul_timestep=0.005, vehicles=robots, blocks=blocks), RandomStreams(0),
            mode)
        seen = []
        for call in range(40):
            for i in range(len(robots)):
                speed = 0.0 if (call // 8 + i) % 4 == 0 else 1.5 * math.sin(0.1 * call + i)
                world.vehicles.set_twist(i, speed, 0.8 * math.cos(0.3 * call + i))
            if call == 20:
                world.set_pose('r3', Pose(1.0, 7.0), (1.0, 0.0, 0.0))
            world.step(20)
            seen.append(b''.join((
                world.vehicles.pose.tobytes(), world.vehicles.twist_body.tobytes(),
                world.vehicles.wheels.tobytes(), world.vehicles.collided.tobytes(),
                world.blocks.pose.tobytes(),
                np.array([body.awake for body in world.vehicles.bodies]).tobytes())))
        assert world.vehicles.collided.any() and not world.vehicles.collided.all()
        return seen


@pytest.mark.parametrize('movable', [True, False])
@pytest.mark.parametrize('mode', MODES)
def test_numbers_are_those_of_the_engine(
        mode: str, movable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where blocks cannot move, the engine's step is left out as long as nothing is near."""
    pytest.importorskip('numba')
    use_machine_code()
    assert synchronise_address()
    alone, engine = (run(mode, only, movable, monkeypatch) for only in (False, True))
    assert alone == engine


def pass_by(aside: float, left_out: bool, count: int, monkeypatch: pytest.MonkeyPatch,
            ) -> tuple[list[bytes], list[int]]:
    """
    Let robots drive past blocks, those of even numbers `aside` from one [m].

    :param left_out: whether steps of the engine are left out beside contacts that do not touch.
    :returns: the state after each step; in each step contacts, those that touch, engine steps.
    """
    engine = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_float, ctypes.c_int, ctypes.c_int)
    step, calls = engine(step_address()), [0]

    def counted(*arguments: float) -> None:
        calls[0] += 1
        step(*arguments)

    through = engine(counted)
    with monkeypatch.context() as patched:
        patched.setattr(
            stepper, 'step_address', lambda: ctypes.cast(through, ctypes.c_void_p).value)
        if not left_out:
            patched.setattr(stepper, 'contact_functions', lambda: (0, 0))
        robots = tuple(
            VehicleSpec(
                name=f'r{i}', init_pose=Pose(0.0, 5.0 * i), init_twist=(1.0, 0.0, 0.0),
                dynamics=DifferentialSpec(controller=TwistPidController(
                    KP=15.0, KI=6.0, max_torque=10.0)))
            for i in range(count))
        blocks = tuple(
            BlockSpec(name=f'b{i}', static=True, init_pose=Pose(1.5, 5.0 * i + aside),
                      shape=((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)))
            for i in range(0, count, 2))
        world = PhysicsWorld(
            WorldSpec(simul_timestep=0.005, vehicles=robots, blocks=blocks), RandomStreams(0))
        for i in range(count):
            world.vehicles.set_twist(i, 1.0, 0.0)
        states, seen = [], []
        for _ in range(400):
            calls[0] = 0
            world.step()
            contacts = [edge.contact for body in world.vehicles.bodies for edge in body.contacts]
            seen += [len(contacts), sum(each.touching for each in contacts), calls[0]]
            states.append(b''.join((
                world.vehicles.pose.tobytes(), world.vehicles.twist_body.tobytes(),
                world.vehicles.wheels.tobytes(), world.vehicles.collided.tobytes())))
        return states, seen


@pytest.mark.parametrize('count', [1, 3])
@pytest.mark.parametrize('aside', [0.95, 0.3])
def test_a_step_beside_something_is_that_of_the_engine(
        aside: float, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is near a robot without touching it costs no step of the engine, to the same bits."""
    pytest.importorskip('numba')
    use_machine_code()
    assert all(contact_functions())
    states, seen = pass_by(aside, True, count, monkeypatch)
    others, known = pass_by(aside, False, count, monkeypatch)
    assert states == others
    near, touching, calls = np.array(seen).reshape(-1, 3)[1:].T  # the first step is the engine's
    expected = np.array(known).reshape(-1, 3)[1:].T
    assert near.tolist() == expected[0].tolist() and touching.tolist() == expected[1].tolist()
    beside = (near > 0) & (touching == 0)
    assert beside.sum() > 20 and (touching.any() if aside < 0.5 else not touching.any())
    assert expected[2][beside].all() and not calls[beside].any()
    assert calls[touching > 0].all()
