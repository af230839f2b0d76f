# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Animated things and actors push, carry and are where they should be."""

import math

import pytest

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.scripted import KeyframeTrack
from mvsim_ros2.world.spec import (
    ActorSpec, AnimationSpec, BlockSpec, Keyframe, PathSpec, VerticalPlaneSpec, WaypointSpec)


def keys(*keys):
    """Return an animation with keys of time and pose."""
    return AnimationSpec(keys=tuple(Keyframe(*key) for key in keys))


THERE_AND_BACK = keys((0.0, Pose()), (4.0, Pose(4.0, 1.0, 0.5, 1.0, 0.1, 0.2)), (8.0, Pose()))


def walker(name, start, *ways, loop=False, **tags):
    """Return an actor with a path."""
    return ActorSpec(name, init_pose=start, path=PathSpec(
        loop=loop, waypoints=tuple(WaypointSpec(way) for way in ways)), **tags)


@pytest.mark.parametrize('kind', ['static', 'movable', 'intangible', 'vehicle'])
def test_is_exactly_on_its_track(physics, vehicle, kind):
    """Blocks and vehicles, however the steps are grouped; with the velocity of the track."""
    start = Pose(2.0, 1.0, 0.0, 0.5)
    if kind == 'vehicle':
        world = physics(vehicle('diff4', 'raw', init_pose=start, animation=THERE_AND_BACK))
        group = world.vehicles
    else:
        world = physics(blocks=(BlockSpec(
            'b', init_pose=start, animation=THERE_AND_BACK, static=kind == 'static',
            intangible=kind == 'intangible'),))
        group = world.blocks
    track = KeyframeTrack(start, THERE_AND_BACK)
    for count in (1, 299, 500, 1200):
        world.step(count)
        pose = track.pose(world.steps * 5_000_000)
        assert group.pose[0].tolist() == [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]
        before = track.pose((world.steps - 1) * 5_000_000)
        cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
        vx, vy = (pose.x - before.x) / 0.005, (pose.y - before.y) / 0.005
        assert group.twist_body[0] == pytest.approx(
            [cosine * vx + sine * vy, cosine * vy - sine * vx,
             (pose.yaw - before.yaw) / 0.005], abs=2e-3 if kind == 'vehicle' else 1e-9)
        body = group.bodies[0]
        if body is not None:
            assert body.place == pytest.approx([pose.x, pose.y, pose.yaw], abs=1e-5)


def test_pushes_a_robot_at_its_speed(physics, vehicle):
    """A robot without brakes rolls ahead of a block that moves at 0.5 m/s."""
    block = BlockSpec('pusher', init_pose=Pose(-1.5, 0.0), static=True,
                      animation=keys((0.0, Pose()), (10.0, Pose(5.0)), (20.0, Pose())))
    world = physics(vehicle('diff2', 'raw'), blocks=(block,))
    world.step(1000)
    gap = world.vehicles.pose[0, 0] - 0.4 - (world.blocks.pose[0, 0] + 0.5)
    assert gap == pytest.approx(0.0, abs=0.02)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(0.5, abs=0.02)
    assert world.vehicles.collided[0]


def test_a_jump_throws_nothing(physics, vehicle):
    """Back at its first key a block is suddenly there, with no velocity."""
    block = BlockSpec('b', init_pose=Pose(-9.0, 0.0), static=True, animation=keys(
        (0.0, Pose()), (1.0, Pose(1.0))))
    world = physics(vehicle('diff2', 'raw'), blocks=(block,))
    world.step(200)
    assert world.blocks.pose[0, 0] == -9.0
    assert world.blocks.twist_body[0].tolist() == [0.0, 0.0, 0.0]
    world.step()
    assert world.blocks.twist_body[0] == pytest.approx([1.0, 0.0, 0.0])
    assert not world.vehicles.twist_body[0].any()


def test_a_wall_closes_a_door(physics, vehicle):
    """An animated vertical plane is solid where it is now."""
    wall = VerticalPlaneSpec(
        name='gate', x0=2.0, y0=-1.0, x1=2.0, y1=1.0, init_pose=Pose(0.0, 5.0),
        animation=keys((0.0, Pose()), (1.0, Pose(0.0, -5.0)), (99.0, Pose(0.0, -5.0))))
    world = physics(vehicle('diff2', 'ideal'), elements=(wall,))
    world.step(220)
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(600)
    assert world.vehicles.pose[0, 0] == pytest.approx(2.0 - 0.6, abs=0.05)
    assert world.figures.pose[0, 1] == pytest.approx(0.0)


def test_an_actor_is_in_the_way(physics, vehicle):
    """A person who stands stops a robot, one who walks pushes it."""
    standing = ActorSpec('bob', init_pose=Pose(3.0, 0.0))
    world = physics(vehicle('diff2', 'ideal'), actors=(standing,))
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(800)
    assert world.vehicles.pose[0, 0] == pytest.approx(3.0 - 0.3 - 0.6, abs=0.05)
    assert world.vehicles.collided[0]
    world = physics(vehicle('diff2', 'raw'), actors=(
        walker('eve', Pose(-3.0, 0.0), Pose(9.0, 0.0)),))
    world.step(800)
    assert world.vehicles.pose[0, 0] == pytest.approx(
        world.figures.pose[0, 0] + 0.3 + 0.4, abs=0.05)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(1.4, abs=0.1)


def test_an_actor_walks_its_path(physics):
    """In any grouping of the steps; its body is where it says."""
    path = [Pose(2.8, 0.0), Pose(2.8, 2.8, yaw=1.0)]
    worlds = [physics(actors=(walker('eve', Pose(), *path, loop=True),)) for _ in range(2)]
    worlds[0].step(1700)
    for count in (1, 599, 400, 700):
        worlds[1].step(count)
    assert worlds[0].figures.pose.tobytes() == worlds[1].figures.pose.tobytes()
    one = physics(actors=(walker('eve', Pose(), *path),))
    one.step(300)
    assert one.figures.pose[0, :2] == pytest.approx([2.1, 0.0])
    assert one.figures.twist_body[0] == pytest.approx([1.4, 0.0, 0.0])
    one.step(600)
    assert one.figures.pose[0] == pytest.approx([2.8, 2.8, 0.0, 1.0, 0.0, 0.0])
    assert not one.figures.twist_body.any()


def test_an_actor_starts_on_the_ground(physics):
    """On the top of what is less than 1.5 m above it, unless it asks not to be."""
    stage = BlockSpec('stage', zmax=1.2, intangible=True)
    world = physics(blocks=(stage,), actors=(
        ActorSpec('a'), ActorSpec('b', skip_elevation_adjust=True)))
    assert world.figures.pose[:, 2].tolist() == [1.2, 0.0]


def test_what_is_animated_cannot_be_put_elsewhere(physics):
    """It is where its keys say; a new name must not be that of an actor."""
    world = physics(blocks=(BlockSpec('b', animation=THERE_AND_BACK),),
                    actors=(ActorSpec('eve', init_pose=Pose(5.0)),))
    with pytest.raises(PhysicsError, match='animation'):
        world.set_pose('b', Pose())
    with pytest.raises(PhysicsError, match='already'):
        world.add_block(BlockSpec('eve'))
    with pytest.raises(PhysicsError, match='no actor'):
        world.figures.index('adam')


def test_blocks_with_keyframes_come_and_go(physics):
    """One that comes later is where the time says; one that went leaves the others moving."""
    world = physics(blocks=(BlockSpec('a', animation=THERE_AND_BACK),))
    world.step(400)
    world.add_block(BlockSpec('b', init_pose=Pose(0.0, 9.0), animation=THERE_AND_BACK))
    assert world.blocks.pose[1] == pytest.approx(world.blocks.pose[0] + [0, 9, 0, 0, 0, 0])
    world.remove('a')
    world.step(400)
    assert world.blocks.pose[0, :2] == pytest.approx([4.0, 10.0])


def test_restore_continues_on_all_tracks(physics, vehicle):
    """Actors on their way, animated things and a robot nearby: the same bytes."""
    world = physics(
        vehicle('diff4'), vehicle('diff2', 'raw', 'v', init_pose=Pose(0.0, 20.0),
                                  animation=THERE_AND_BACK),
        blocks=(BlockSpec('b', init_pose=Pose(0.0, 9.0), animation=THERE_AND_BACK),),
        actors=(walker('eve', Pose(0.0, -9.0), Pose(3.0, -9.0), Pose(0.0, -12.0), loop=True),))
    world.vehicles.set_twist(0, 0.3, 0.2)
    world.step(777)
    state = world.snapshot()

    def numbers():
        return [world.vehicles.pose[:1].copy(), world.blocks.pose.copy(),
                world.figures.pose.copy(), world.figures.twist_body.copy()]

    here = numbers()
    world.step(500)
    expected = numbers()
    world.restore(state)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(numbers(), here, strict=True))
    world.step(500)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(numbers(), expected, strict=True))
    world.reset()
    assert world.figures.pose[0, :2].tolist() == [0.0, -9.0]
