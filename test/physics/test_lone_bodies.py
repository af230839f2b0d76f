# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that nothing is near move without the engine as they do with it, to the last bit."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics import stepper
from mvsim_ros2.physics.engine.lone_bodies import synchronise_address
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.random_streams import RandomStreams
from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.vehicle.controllers import TwistIdealController
from mvsim_ros2.spec.vehicle.controllers import TwistPidController
from mvsim_ros2.spec.vehicle.dynamics import ChassisSpec
from mvsim_ros2.spec.vehicle.dynamics import DifferentialSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.spec.world import WorldSpec


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
