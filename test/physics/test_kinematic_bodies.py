# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Animated things and actors are where they should be, push and carry; keyframes; paths."""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.scripted import between, KeyframeTrack, Placed
from mvsim_ros2.world.spec import (
    ActorSpec, AnimationSpec, BlockSpec, Keyframe, PathSpec, VerticalPlaneSpec, WaypointSpec,
    WorldSpec)


def keys(*keys):
    """Return an animation with keys of time and pose."""
    return AnimationSpec(keys=tuple(Keyframe(*key) for key in keys))


THERE_AND_BACK = keys((0.0, Pose()), (4.0, Pose(4.0, 1.0, 0.5, 1.0, 0.1, 0.2)), (8.0, Pose()))


def walker(name, start, *ways, loop=False, **tags):
    """Return an actor with a path."""
    return ActorSpec(name, init_pose=start, path=PathSpec(
        loop=loop, waypoints=tuple(WaypointSpec(way) for way in ways)), **tags)


@pytest.mark.parametrize('kind', ['static', 'movable', 'intangible', 'vehicle'])
def test_is_exactly_on_its_track(kind):
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


def test_pushes_a_robot_at_its_speed():
    """A robot without brakes rolls ahead of a block that moves at 0.5 m/s."""
    block = BlockSpec('pusher', init_pose=Pose(-1.5, 0.0), static=True,
                      animation=keys((0.0, Pose()), (10.0, Pose(5.0)), (20.0, Pose())))
    world = physics(vehicle('diff2', 'raw'), blocks=(block,))
    world.step(1000)
    gap = world.vehicles.pose[0, 0] - 0.4 - (world.blocks.pose[0, 0] + 0.5)
    assert gap == pytest.approx(0.0, abs=0.02)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(0.5, abs=0.02)
    assert world.vehicles.collided[0]


def test_a_jump_throws_nothing():
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


def test_a_wall_closes_a_door():
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


def test_an_actor_is_in_the_way():
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


def test_an_actor_walks_its_path():
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


def test_an_actor_starts_on_the_ground():
    """On the top of what is less than 1.5 m above it, unless it asks not to be."""
    stage = BlockSpec('stage', zmax=1.2, intangible=True)
    world = physics(blocks=(stage,), actors=(
        ActorSpec('a'), ActorSpec('b', skip_elevation_adjust=True)))
    assert world.figures.pose[:, 2].tolist() == [1.2, 0.0]


def test_what_is_animated_cannot_be_put_elsewhere():
    """It is where its keys say; a new name must not be that of an actor."""
    world = physics(blocks=(BlockSpec('b', animation=THERE_AND_BACK),),
                    actors=(ActorSpec('eve', init_pose=Pose(5.0)),))
    with pytest.raises(PhysicsError, match='animation'):
        world.set_pose('b', Pose())
    with pytest.raises(PhysicsError, match='already'):
        world.add_block(BlockSpec('eve'))
    with pytest.raises(PhysicsError, match='no actor'):
        world.figures.index('adam')


def test_blocks_with_keyframes_come_and_go():
    """One that comes later is where the time says; one that went leaves the others moving."""
    world = physics(blocks=(BlockSpec('a', animation=THERE_AND_BACK),))
    world.step(400)
    world.add_block(BlockSpec('b', init_pose=Pose(0.0, 9.0), animation=THERE_AND_BACK))
    assert world.blocks.pose[1] == pytest.approx(world.blocks.pose[0] + [0, 9, 0, 0, 0, 0])
    world.remove('a')
    world.step(400)
    assert world.blocks.pose[0, :2] == pytest.approx([4.0, 10.0])


def test_restore_continues_on_all_tracks():
    """Actors on their way, animated things and a robot nearby: the same bytes."""
    world = physics(
        vehicle('diff4'),
        vehicle('diff2', 'raw', 'v', init_pose=Pose(0.0, 20.0), animation=THERE_AND_BACK),
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


S = 10 ** 9  # ns


def track(start, *keys):
    """Return a track with keys of time and pose."""
    return KeyframeTrack(start, AnimationSpec(keys=tuple(Keyframe(*key) for key in keys)))


def middle(a, b, share):
    """Return the pose at a share of the way from `a` to `b`."""
    return between(Placed(a, a.quaternion), Placed(b, b.quaternion), share)


def numbers(pose):
    """Return x y z yaw pitch roll."""
    return [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]


def test_keys_are_relative_to_the_start():
    """Halfway between two keys, in the frame of the initial pose."""
    moving = track(Pose(10.0, 0.0, 1.0, math.pi / 2), (0.0, Pose()),
                   (4.0, Pose(2.0, 1.0, 4.0, 0.5)))
    assert numbers(moving.pose(2 * S)) == pytest.approx(
        [9.5, 1.0, 3.0, math.pi / 2 + 0.25, 0.0, 0.0])


@pytest.mark.parametrize('share', [0.0, 0.3, 0.5, 1.0], ids=str)
def test_rotations_turn_at_constant_rate(share):
    """About a fixed axis, by a share of the angle; the short way round."""
    a, b = Pose(yaw=3.0), Pose(yaw=-3.0)
    turned = middle(a, b, share).yaw
    assert math.cos(turned - 3.0 - share * (2 * math.pi - 6.0)) == pytest.approx(1.0)
    a, b = Pose(yaw=0.4, pitch=0.2, roll=-1.0), Pose(yaw=-1.5, pitch=1.0, roll=0.3)
    step = a.rotation.T @ middle(a, b, share).rotation
    whole = a.rotation.T @ b.rotation
    angle, full = (math.acos(min((np.trace(m) - 1) / 2, 1.0)) for m in (step, whole))
    assert angle == pytest.approx(share * full, abs=1e-6)


def test_begins_anew_after_the_last_key():
    """The time of the last key is the period."""
    moving = track(Pose(), (0.0, Pose()), (1.0, Pose(1.0)), (2.0, Pose(5.0)))
    assert [moving.pose(round(t * S)).x for t in (0.5, 1.5, 2.0, 2.5, 7.5)] == pytest.approx(
        [0.5, 3.0, 0.0, 0.5, 3.0])
    assert moving.jumps(round(1.999 * S), round(2.001 * S))
    assert not moving.jumps(0, round(1.999 * S))
    closed = track(Pose(), (0.0, Pose()), (1.0, Pose(1.0)), (2.0, Pose()))
    assert not closed.jumps(round(1.999 * S), round(2.001 * S))


def test_stands_still_before_the_first_key():
    """At its initial pose at first, later where the lap before has ended."""
    moving = track(Pose(7.0), (1.0, Pose(2.0)), (3.0, Pose(4.0)))
    assert [moving.pose(round(t * S)).x for t in (0, 0.99, 1.0, 2.0, 3.0, 3.9, 4.0)
            ] == pytest.approx([7.0, 7.0, 9.0, 10.0, 11.0, 11.0, 9.0])
    assert moving.jumps(round(0.99 * S), S) and moving.jumps(round(3.99 * S), 4 * S)


def test_one_key_is_a_place():
    """And two keys at the same time are a step."""
    assert track(Pose(1.0), (2.0, Pose(3.0))).pose(5 * S).x == 4.0
    step = track(Pose(), (0.0, Pose()), (1.0, Pose()), (1.0, Pose(3.0)), (2.0, Pose(3.0)))
    assert [step.pose(round(t * S)).x for t in (0.99, 1.0, 1.5)] == [0.0, 3.0, 3.0]
    assert step.jumps(round(0.99 * S), S) and not step.jumps(S, round(1.01 * S))


DT = 0.01


def poses(actor, seconds, start):
    """Return x y z yaw of somebody after every step."""
    simulation = Simulation(WorldSpec(simul_timestep=DT, actors=(
        replace(actor, name='a', init_pose=start, skip_elevation_adjust=True),)))
    rows = []
    for _ in range(round(seconds / DT)):
        simulation.step()
        pose = simulation.actors['a'].pose
        rows.append((pose.x, pose.y, pose.z, pose.yaw))
    return np.array(rows)


def path(*waypoints, loop=True):
    """Return a path through waypoints."""
    return PathSpec(loop=loop, waypoints=waypoints)


@pytest.mark.parametrize(('animation', 'speed'), [('', 1.4), ('walk', 1.4), ('run', 3.5),
                                                  ('idle', 0.0)], ids=str)
def test_speeds(animation, speed):
    """The way of moving toward a waypoint gives the speed; idle never arrives."""
    actor = ActorSpec(path=path(WaypointSpec(Pose(7.0, 0.0), animation=animation)))
    assert poses(actor, 1.0, Pose())[-1, 0] == pytest.approx(speed)


def test_waits_goes_on_and_stops_at_the_end():
    """7 m at 1.4 m/s, 2 s pause, 3.5 m running, and there it stays."""
    actor = ActorSpec(path=path(
        WaypointSpec(Pose(7.0, 0.0), pause=2.0),
        WaypointSpec(Pose(7.0, 3.5, 1.0), animation='run'), loop=False))
    rows = poses(actor, 9.0, Pose())
    at = {t: rows[round(t / DT) - 1] for t in (4.99, 5.0, 7.0, 7.5, 8.99)}
    assert at[4.99][0] == pytest.approx(7.0 - 0.014)
    assert at[5.0][0] == at[7.0][0] == 7.0 and at[7.0][1] == 0.0
    length = math.hypot(3.5, 1.0)
    assert at[7.5][1:3] == pytest.approx([0.5 * 3.5 * 3.5 / length, 0.5 * 3.5 / length])
    assert at[8.99][:3].tolist() == [7.0, 3.5, 1.0]


def test_loops():
    """A square of 1.4 m takes 4 s a round; its corners are reached exactly."""
    corners = [(1.4, 0.0), (1.4, 1.4), (0.0, 1.4), (0.0, 0.0)]
    actor = ActorSpec(path=path(*(WaypointSpec(Pose(x, y)) for x, y in corners)))
    rows = poses(actor, 8.0, Pose())
    for k in range(8):
        assert rows[100 * (k + 1) - 1, :2] == pytest.approx(corners[k % 4])


def test_turns_at_the_ends_of_a_stretch():
    """From the first yaw to the way ahead in a tenth, to that of the waypoint in a fifth."""
    actor = ActorSpec(walking_speed=1.0, path=path(
        WaypointSpec(Pose(0.0, 10.0, yaw=math.pi)), loop=False))
    yaw = poses(actor, 10.5, Pose(yaw=0.0))[:, 3]
    expected = {0.5: 0.5, 1.0: 1.0, 5.0: 1.0, 8.0: 1.0, 9.0: 1.5}
    assert [yaw[round(t / DT) - 1] for t in expected] == pytest.approx(
        [share * math.pi / 2 for share in expected.values()])
    assert yaw[-1] == math.pi


def test_a_short_way_turns_nobody():
    """Below 10 cm the yaw stays until that of the waypoint is near."""
    actor = ActorSpec(walking_speed=0.1, path=path(
        WaypointSpec(Pose(0.0, 0.09, yaw=0.5)), loop=False))
    yaw = poses(actor, 1.0, Pose(yaw=0.3))[:, 3]
    assert yaw[:70] == pytest.approx(np.full(70, 0.3)) and yaw[-1] == 0.5


@pytest.mark.parametrize('actor', [
    ActorSpec(), ActorSpec(path=path(WaypointSpec(Pose()))),
    ActorSpec(walking_speed=0.0, path=path(WaypointSpec(Pose(1.0, 0.0))))],
    ids=['no path', 'there already', 'too slow'])
def test_stands(actor):
    """Who has nowhere to go stays."""
    assert not poses(actor, 1.0, Pose()).any()
