# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several things put elsewhere by one call."""

from dataclasses import replace

import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import ArgumentError, PhysicsError
from mvsim_ros2.world.spec import BlockSpec, DifferentialSpec, GeometrySpec, VehicleSpec, WorldSpec
from mvsim_ros2.world.spec.vehicle.controller import TwistIdealController

POSES = {'r1': Pose(1.0, 5.0, yaw=0.3), 'box': Pose(3.0, 1.0), 'r2': Pose(-2.0, -1.0),
         'wall': Pose(1.0, -3.0, yaw=1.0)}
TWISTS = {'r1': (0.5, 0.0, 0.2), 'box': (0.3, 0.0, 0.0)}


def simulation() -> Simulation:
    """Return two robots, a box that can be pushed and one that cannot."""
    return Simulation(WorldSpec(
        vehicles=tuple(VehicleSpec(name=f'r{i}', dynamics=DifferentialSpec(),
                                   init_pose=Pose(4.0 * i)) for i in (1, 2)),
        blocks=(BlockSpec(name='box', mass=3.0, init_pose=Pose(0.0, 2.0)),
                BlockSpec(name='wall', static=True, init_pose=Pose(0.0, 5.0)))))


@pytest.mark.parametrize('begun', [0, 3])
def test_is_the_same_as_one_by_one(begun: int) -> None:
    together, single = simulation(), simulation()
    together.step(begun)
    single.step(begun)
    together.set_poses(POSES, TWISTS)
    for name, pose in POSES.items():
        single.set_pose(name, pose, TWISTS.get(name))
    bearings = [0.1 * i for i in range(63)]
    for _ in range(4):
        for name in ('r1', 'r2'):
            assert together.vehicles[name].pose == single.vehicles[name].pose
        for name in ('box', 'wall'):
            assert together.blocks[name].pose == single.blocks[name].pose
        rays = together.cast_rays((0.0, 0.0), bearings, 20.0)
        assert rays.tolist() == single.cast_rays((0.0, 0.0), bearings, 20.0).tolist()
        together.step(10)
        single.step(10)


@pytest.mark.parametrize('poses, twists, error, message', [
    ({'r1': Pose(1.0), 'r9': Pose()}, {}, PhysicsError, "no vehicle or block 'r9'"),
    ({'r1': Pose(1.0), 'r2': Pose(float('nan'))}, {}, ArgumentError, "pose of 'r2'"),
    ({'r1': Pose(1.0)}, {'r1': (1e9, 0.0, 0.0)}, ArgumentError, "twist of 'r1'"),
    ({'r1': Pose(1.0)}, {'r2': (1.0, 0.0, 0.0)}, ArgumentError, "twist of 'r2', but no pose"),
    ({'r1': (1.0, 2.0)}, {}, ArgumentError, "pose of 'r1'"),
    ([('r1', Pose())], {}, ArgumentError, 'poses'),
])
def test_nothing_is_put_where_one_cannot_be(
        poses: object, twists: object, error: type[Exception], message: str) -> None:
    sim = simulation()
    with pytest.raises(error, match=message):
        sim.set_poses(poses, twists)  # type: ignore[arg-type]
    assert sim.vehicles['r1'].pose.x == 4.0


def test_things_that_are_added_one_by_one_are_ground_like_those_of_the_file() -> None:
    """Tops of blocks, boxes that were pushed, ramps: one by one as all at once."""
    ramp = BlockSpec(static=True, geometry=GeometrySpec('ramp', lx=2.0, ly=1.0, lz=0.3))
    blocks = [('low', BlockSpec(static=True, zmax=0.1), Pose(0.0, 3.0)),
              ('ramp', ramp, Pose(3.0, 0.0)), ('box', BlockSpec(mass=1.0), Pose(-3.0, 0.0))]
    every = WorldSpec(blocks=tuple(
        replace(spec, name=name, init_pose=pose) for name, spec, pose in blocks))
    robot = VehicleSpec(
        name='r', dynamics=DifferentialSpec(controller=TwistIdealController()))
    whole, grown = Simulation(every), Simulation(WorldSpec())
    for name, spec, pose in blocks:
        grown.spawn_block(name, spec, pose)
        grown.set_pose('low', Pose(0.0, 3.0))
    for sim in (whole, grown):
        sim.spawn_vehicle('r', robot, Pose(0.0, 3.0))
        sim.spawn_vehicle('climber', robot, Pose(1.0, 0.0))
        sim.vehicles['climber'].set_twist(0.5, 0.0)
        sim.step(300)
    for name in ('r', 'climber'):
        assert whole.vehicles[name].pose == grown.vehicles[name].pose
    assert whole.vehicles['r'].pose.z > 0.05
