# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ground, and how vehicles stand on it."""

from dataclasses import replace
import logging
import math

import numpy as np
import pytest
from small_worlds import changed, physical, physics, slope, vehicle

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.ground.relief import ground_below
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.ground.vehicle_attitude import largest_eigenvector
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, ElevationMapSpec, GeometrySpec, HeightMap, HorizontalPlaneSpec,
    JointSpec, Keyframe, Source, WheelSpec)
from mvsim_ros2.world.spec.outlines import rectangle
from mvsim_ros2.world.spec.solids import block_footprint

RAMP = BlockSpec(
    'ramp', init_pose=Pose(1.0, 0.0), intangible=True, shape_from_visual=True,
    geometry=GeometrySpec('ramp', lx=4.0, ly=3.0, lz=1.0))


def short(vehicle):
    """Return a vehicle whose chassis is over no step of a slope, as mode mvsim sees it."""
    return changed(vehicle, {'shape': rectangle(-0.05, -0.05, 0.05, 0.05)})


def terrain(*things):
    """Return the ground of elements and of blocks at their initial poses."""
    blocks = [thing for thing in things if isinstance(thing, BlockSpec)]
    ground = Terrain([thing for thing in things if not isinstance(thing, BlockSpec)],
                     [(block, block_footprint(block)) for block in blocks])
    for i, block in enumerate(blocks):
        ground.put_block(i, block.init_pose)
    return ground


def test_stands_as_the_original_on_its_test_ground():
    """Height and attitude of the original's drift test, which ends where it begins."""
    matrix = np.array([[1, 0, -1], [1.5, 0, -1.5], [1, 0, -1]])
    wheels = {f'{name}_wheel': WheelSpec((x, y, 0.0), mass=1.0, diameter=0.2)
              for name, x, y in (('lr', -0.3, 0.6), ('rr', -0.3, -0.6), ('lf', 0.3, 0.6),
                                 ('rf', 0.3, -0.6))}
    world = physics(vehicle('diff4', **wheels), elements=(
        ElevationMapSpec(heights=HeightMap(matrix, 6.0, -8.0, -8.0)),))
    world.step(600)
    x, y, z, yaw, pitch, roll = world.vehicles.pose[0]
    assert z == pytest.approx(-0.357597, abs=2e-6)
    assert np.rad2deg([pitch, roll]) == pytest.approx([-2.3859, -11.7584], abs=2e-4)
    assert max(abs(x), abs(y)) < 1e-3 and abs(yaw) < 0.01


@pytest.mark.parametrize(('x', 'y', 'height'), [
    (0.25, 0.75, 0.75), (0.75, 0.25, 3.75), (0.5, 0.5, 0.5), (0.0, 0.0, 0.0),
    (0.999, 0.5, 3.993), (1.0, 0.5, 0.0), (-0.001, 0.5, 0.0)],
    ids=['left', 'right', 'diagonal', 'corner', 'near end', 'end', 'outside'])
def test_cells_are_cut_along_the_diagonal(x, y, height):
    """Two planes a cell; the far borders belong to nothing."""
    corners = np.array([[0.0, 1.0], [7.0, 1.0]])  # rows along x
    ground = terrain(ElevationMapSpec(heights=HeightMap(corners, 1.0, 0.0, 0.0)))
    assert ground.ground_below(x, y, 99.0) == pytest.approx(height)


@pytest.mark.parametrize(('things', 'x', 'limit', 'level'), [
    ((HorizontalPlaneSpec(),), 0.0, 1.0, True), ((HorizontalPlaneSpec(z=0.5),), 0.0, 1.0, False),
    ((HorizontalPlaneSpec(z=0.5),), 0.0, 0.4, True), ((RAMP,), 1.0, 0.1, False),
    ((RAMP,), 9.0, 0.1, True), ((slope(0.1),), 5.0, 0.1, False),
    ((slope(0.0),), 5.0, 0.1, True)],
    ids=['floor', 'deck', 'below a deck', 'ramp', 'far from a ramp', 'hill', 'flat map'])
def test_level_ground_is_known_at_a_glance(things, x, limit, level):
    """Where it is said to be level it is at height 0 wherever one looks closely."""
    ground = terrain(*things)
    assert ground.is_level(x, 0.0, 0.5, limit) == level
    if level:
        assert {ground_below(ground.everything, x + dx, dy, limit)
                for dx in (-0.5, 0.0, 0.5) for dy in (-0.5, 0.0, 0.5)} == {0.0}


def test_blocks_of_one_shape_share_their_outline():
    ground = terrain(*(
        BlockSpec(zmax=top, init_pose=Pose(2.0 * i, 0.0))
        for i, top in enumerate((0.1, 0.3, 0.1))))
    assert len(ground.everything.corners) == 8
    assert [ground.ground_below(2.0 * i, 0.4, 1.0) for i in range(3)] == [0.1, 0.3, 0.1]


def test_blocks_that_went_are_no_ground():
    blocks = [BlockSpec(zmax=0.1 + 0.01 * (i % 7), init_pose=Pose(0.3 * i, 0.0))
              for i in range(300)]
    ground = terrain(*blocks)
    random = np.random.default_rng(0)
    while not ground.is_sparse:
        i = int(random.integers(len(blocks)))
        ground.remove_block(i)
        del blocks[i]
        k = int(random.integers(len(blocks)))
        blocks[k] = replace(blocks[k], init_pose=Pose(90.0 * float(random.random()), 0.0))
        ground.put_block(k, blocks[k].init_pose)
    anew = terrain(*blocks)
    assert 80 < len(blocks) < 150 and not anew.is_sparse
    for x in random.uniform(0.0, 90.0, 300).tolist():
        assert ground.ground_below(x, 0.2, 1.0) == anew.ground_below(x, 0.2, 1.0)


def test_the_highest_ground_not_above_counts():
    """Storeys are kept apart; nothing below is height 0."""
    ground = terrain(HorizontalPlaneSpec(z=-1.0), HorizontalPlaneSpec(z=3.0),
                     HorizontalPlaneSpec(z=6.0, x_max=0.0))
    heights = [ground.ground_below(1.0, 0.0, limit) for limit in (9.0, 3.0, 2.9, -1.1)]
    assert heights == [3.0, 3.0, -1.0, 0.0]


def test_ramps_and_bumps_have_their_shape():
    """A ramp rises along its x, a bump is half an ellipse across; outside is nothing."""
    bump = replace(RAMP, name='bump', init_pose=Pose(-5.0, 0.0, 2.0, math.pi / 2),
                   geometry=GeometrySpec('semi_cylinder_bump', lx=3.0, ly=1.0, lz=0.2))
    ground = terrain(RAMP, bump)
    assert ground.ground_below(3.0, 1.4, 9.0) == pytest.approx(0.5)
    assert ground.ground_below(3.0, 1.6, 9.0) == 0.0
    assert ground.ground_below(-5.0, 1.4, 9.0) == pytest.approx(2.2)
    assert ground.ground_below(-5.3, 1.4, 9.0) == pytest.approx(2.0 + 0.2 * 0.8)


def test_drives_up_a_ramp():
    """On the ramp the pitch is that of the ramp, on top of it the robot is level again."""
    top = BlockSpec('top', init_pose=Pose(7.0, 0.0), zmax=1.0, intangible=True,
                    shape=((-2.0, -1.5), (2.0, -1.5), (2.0, 1.5), (-2.0, 1.5)))
    world = physics(vehicle('diff4', 'ideal'), blocks=(RAMP, top))
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(600)
    x, _, z, _, pitch, roll = world.vehicles.pose[0]
    assert z == pytest.approx((x - 1.0) / 4.0, abs=2e-3)
    assert [pitch, roll] == pytest.approx([-math.atan(0.25), 0.0], abs=1e-6)
    world.step(600)
    assert world.vehicles.pose[0, [2, 4, 5]] == pytest.approx([1.0, 0.0, 0.0])


def test_holds_on_a_slope_in_the_tyres():
    """The original cancels gravity along a slope in the tyre: friction is m g sin a in all."""
    world = physics(short(vehicle('diff4', 'raw')), elements=(slope(0.3),))
    world.step(400)
    total = world.vehicles.wheels['force_x'].sum()
    mass = world.vehicles.bodies[0].mass
    assert total == pytest.approx(mass * 9.81 * math.sin(math.atan(0.3)), rel=1e-6)
    assert np.abs(world.vehicles.pose[0, :2]).max() < 1e-6


def test_slides_where_it_is_too_steep():
    """Beyond asin(mu), mu 0.8 of the default tyre: the load is not that of the slope."""
    ends = []
    for rise in (1.28, 1.38):  # 52.0 and 54.1 degrees, asin(0.8) is 53.1
        robot = vehicle('diff4', 'raw', init_pose=Pose(yaw=math.pi / 2), wheels={'diameter': 2.0})
        world = physics(robot, elements=(slope(rise),))
        world.step(400)
        ends.append(world.vehicles.pose[0, 0])
    assert abs(ends[0]) < 1e-3 and ends[1] < -0.1


def test_two_wheels_do_not_tilt():
    """As in the original they keep their height unless both wheels are equally high."""
    across = vehicle('diff2', 'raw', init_pose=Pose(0.0, 0.0, 0.0, 1.0))
    along = vehicle('diff2', 'raw', 'r2', init_pose=Pose(0.2, 3.0))
    world = physics(across, along, elements=(slope(0.3),))
    world.step(2)
    assert world.vehicles.pose[0, [2, 4, 5]] == pytest.approx([0.0, 0.0, 0.0])
    assert world.vehicles.pose[1, [2, 4, 5]] == pytest.approx([0.06, 0.0, 0.0])


def test_a_hitch_is_a_third_wheel():
    """A two-wheeled trailer follows the ground by its wheels and its hitch."""
    world = physics(short(vehicle('diff4', 'raw', 'car')),
                    short(vehicle('diff2', 'raw', 'trailer', init_pose=Pose(-2.0, 0.0, -0.6))),
                    elements=(slope(0.3),), joints=(JointSpec(
                        'pin', 'car', 'trailer', anchor_a=(-0.5, 0.0), anchor_b=(1.5, 0.0)),))
    world.step(20)
    z, pitch, roll = world.vehicles.pose[1, [2, 4, 5]]
    assert [z, pitch, roll] == pytest.approx([-0.6, -math.atan(0.3), 0.0], abs=1e-3)


@pytest.mark.parametrize(('elements', 'blocks', 'active'), [
    ((), (), False),
    ((HorizontalPlaneSpec(),), (BlockSpec('crate', init_pose=Pose(5.0)),), False),
    ((), (BlockSpec('low', init_pose=Pose(5.0), zmax=0.05),), False),
    ((), (BlockSpec('table', init_pose=Pose(5.0), intangible=True),), False),
    ((), (BlockSpec('mat', init_pose=Pose(5.0), zmax=0.05, intangible=True),), True),
    ((HorizontalPlaneSpec(z=0.1), HorizontalPlaneSpec(z=3.0)), (), True),
    ((HorizontalPlaneSpec(z=3.0),), (), False),
], ids=['nothing', 'crate', 'pushed', 'too high', 'mat', 'floor', 'upstairs'])
def test_level_ground_costs_nothing(elements, blocks, active):
    """Where no robot can come upon anything but height 0 the ground is not looked up."""
    world = physics(vehicle(), elements=elements, blocks=blocks)
    assert (world._around.relief is not None) is active


def test_a_robot_in_the_air_falls():
    """Without a floor below the ground is at 0, within one step as in the original."""
    world = physics(vehicle(init_pose=Pose(z=2.0), skip_elevation_adjust=True))
    world.step()
    assert world.vehicles.pose[0, 2] == 0.0
    world.set_pose('r1', Pose(z=1.0, pitch=0.2))
    world.step()
    assert world.vehicles.pose[0, [2, 4]].tolist() == [0.0, 0.0]


def test_a_lift_takes_a_robot_upstairs():
    """A floor that moves by keyframes carries what stands on it to another floor."""
    lift = HorizontalPlaneSpec(
        name='lift', x_min=-1.0, x_max=1.0, y_min=-1.0, y_max=1.0, animation=AnimationSpec(
            keys=(Keyframe(0.0, Pose()), Keyframe(2.0, Pose(z=3.0)), Keyframe(9.0, Pose(z=3.0)))))
    upstairs = HorizontalPlaneSpec(z=3.0, x_min=1.0)
    world = physics(vehicle('diff4', 'ideal'), elements=(lift, upstairs))
    world.step(200)
    assert world.vehicles.pose[0, 2] == pytest.approx(1.5, abs=0.01)
    world.step(220)
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(500)
    assert world.vehicles.pose[0, [0, 2]] == pytest.approx([2.5, 3.0], abs=0.01)


def test_things_are_put_on_the_ground():
    """At the start, and when they come later: the highest ground below half their height."""
    table = BlockSpec('table', init_pose=Pose(-5.0, 0.0), zmax=0.4, static=True)
    world = physics(vehicle('diff4', init_pose=Pose(2.0, 10.0)), blocks=(
        table, BlockSpec('box', init_pose=Pose(-5.0, 0.0)),
        BlockSpec('kept', init_pose=Pose(-5.0, 0.0), skip_elevation_adjust=True)),
        elements=(slope(0.1),))
    assert world.vehicles.pose[0, 2] == pytest.approx(0.2)
    assert world.blocks.pose[:, 2] == pytest.approx([-0.5, -0.1, 0.0])
    world.add_block(BlockSpec('late', init_pose=Pose(2.0, 9.0)))
    assert world.blocks.pose[3, 2] == pytest.approx(0.2)
    for name in ('table', 'box', 'kept'):
        world.remove(name)
    world.add_block(BlockSpec('later', init_pose=Pose(-5.0, 0.0)))
    assert world.blocks.pose[-1, 2] == pytest.approx(-0.5)


def test_a_map_without_heights_is_an_error():
    """A spec that no file was read for says what it lacks."""
    with pytest.raises(PhysicsError, match='HeightMap'):
        physics(elements=(ElevationMapSpec(elevation_data_matrix=((0.0, 0.0), (0.0, 0.0))),))


@pytest.mark.parametrize('seed', range(5), ids=str)
def test_eigenvectors_are_those_of_numpy(seed):
    """The largest one of random symmetric matrices, and of one that is diagonal."""
    half = np.random.default_rng(seed).normal(size=(4, 4)) if seed else np.diag([1., 3., 2., 0.])
    matrix = half + half.T
    vector = np.array(largest_eigenvector(matrix.copy()))
    expected = np.linalg.eigh(matrix)[1][:, -1]
    assert abs(vector @ expected) == pytest.approx(1.0, abs=1e-14)


def test_a_plane_turned_any_way():
    """On a tilted plane turned any way, down is where the plane says."""
    rise, yaw = 0.2, 0.7
    world = physics(vehicle('diff4', 'raw', init_pose=Pose(yaw=yaw)), elements=(slope(rise),))
    world.step(30)
    pose = Pose(*world.vehicles.pose[0].tolist())
    normal = np.array([-rise, 0.0, 1.0]) / math.hypot(1.0, rise)
    assert pose.rotation[:, 2] == pytest.approx(normal, abs=1e-6)
    ahead = math.atan(rise * math.cos(yaw))
    assert [pose.pitch, pose.roll] == pytest.approx(
        [-ahead, -math.atan(rise * math.sin(yaw) * math.cos(ahead))], abs=1e-6)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('floor', [False, True], ids=['bare', 'with a floor'])
def test_warns_where_a_vehicle_is_put_below_the_map(mode, floor, caplog):
    """A map that climbs by 0.2 a metre, and height 0 where it is at 1 m: fine with a floor."""
    plane = HorizontalPlaneSpec(x_min=-20.0, x_max=20.0, y_min=-20.0, y_max=20.0)
    world = physics(vehicle('diff4', 'raw', source=Source('w.xml', 3)), mode=mode,
                    elements=(slope(0.2), *((plane,) if floor else ())))
    with caplog.at_level(logging.WARNING):
        world.set_pose('r1', Pose(5.0, 0.0, 1.0))
        assert not caplog.records
        world.set_pose('r1', Pose(5.0, 0.0))
    assert [record.getMessage()[:21] for record in caplog.records] == (
        [] if floor else ["w.xml:3: vehicle 'r1'"])


def cliff(height):
    """Return a map that is 0 up to x = 1 and rises to a height within a quarter of a metre."""
    heights = np.zeros((81, 81))
    heights[45:] = height
    return ElevationMapSpec(heights=HeightMap(heights, 0.25, -10.0, -10.0))


@pytest.mark.parametrize('height', [0.05, 0.5, 5.0])
def test_in_mode_mvsim_a_step_of_the_ground_stops_as_in_the_original(height):
    """
    A square is where a corner of the chassis is over ground higher than 0.55 wheel diameters.

    The nose is 0.6 m ahead of the origin, squares have half a size of 8 cm at 1 m/s.
    """
    world = physics(vehicle('diff4'), elements=(cliff(height),))
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(1200)
    x, _, z = world.vehicles.pose[0, :3]
    if height <= 0.55 * 0.2:
        assert x > 5.0 and z == pytest.approx(height)
        assert not world.vehicles.take_collided(0)
    else:
        assert 0.25 < x < 0.6 and z == 0.0
        assert world.vehicles.take_collided(0)


def test_in_mode_mvsim_only_corners_over_steps_have_squares():
    """They come and go with the step, and are gone where the vehicle is taken elsewhere."""
    robot = replace(vehicle('diff4'), init_pose=Pose(0.55, 0.0))
    world = physics(robot, elements=(cliff(1.0),))
    for x, count in ((0.55, 2), (-2.0, 0), (0.55, 2)):
        world.set_pose('r1', Pose(x, 0.0))
        world.step()
        assert len(world._around._steps._fixtures) == count


@pytest.mark.parametrize('yaw', [0.0, 0.7, 2.0])
@pytest.mark.parametrize('angle', [34.0, 40.0, 45.0])
def test_in_mode_mvsim_a_vehicle_stands_on_a_steep_plane(angle, yaw):
    """Its wheels are deeper in the ground there than half their diameter when it is put."""
    rise = math.tan(math.radians(angle))
    robot = short(replace(vehicle('diff4'), init_pose=Pose(5.0, 1.0, 5.0 * rise, yaw=yaw)))
    world = physics(robot, elements=(slope(rise),))
    for _ in range(20):
        world.step()
        x, _, z = world.vehicles.pose[0, :3]
        assert z == pytest.approx(rise * x, abs=0.02)
    if yaw == 0.0:  # askew the fit of the original turns the body too, and drops that
        assert world.vehicles.pose[0, 4] == pytest.approx(-math.radians(angle), abs=1e-6)


@pytest.mark.parametrize('dt', [0.001, 0.02], ids=['1ms', '20ms'])
@pytest.mark.parametrize('controller', ['pid', 'ideal'])
@pytest.mark.parametrize('height', [0.05, 0.5, 5.0])
def test_a_cliff_of_a_map_is_a_wall(height, controller, dt):
    """5 cm within 25 cm are climbed; a steeper foot stops the nose or the wheels, not under it."""
    world = physical(vehicle('diff4', controller), elements=(cliff(height),), dt=dt)
    world.vehicles.set_twist(0, 1.0, 0.0)
    for _ in range(round(3.0 / dt)):
        world.step()
        x, _, z = world.vehicles.pose[0, :3]
        assert z >= -1e-9
        if height > 0.1:
            assert x + 0.6 <= 1.0 + 0.25 * 0.1 / height + 1e-6  # the nose is 5 cm above the ground
    if height < 0.1:
        assert z == pytest.approx(height) and not world.vehicles.take_collided(0)
    else:
        assert x > 0.35 and abs(world.vehicles.twist_body[0, 0]) < 1e-6
        assert world.vehicles.take_collided(0)


def test_a_map_high_above_is_a_bridge():
    bridge = ElevationMapSpec(heights=HeightMap(np.full((5, 41), 2.0), 0.5, 2.0, -10.0))
    world = physical(vehicle('diff4'), elements=(slope(0.0), bridge))
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(1200)
    assert world.vehicles.pose[0, 0] > 5.0


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_the_order_of_a_file_does_not_decide_where_things_start(mode):
    """A robot and a box on a table, a crate on a lift that begins 1 m up: in both orders."""
    def line(k):
        return Source('w.xml', k)

    for robot, low, high in ((1, 2, 3), (3, 2, 1)):
        world = physics(
            vehicle('diff4', 'raw', init_pose=Pose(0.2, 0.0, 0.8), source=line(robot)),
            vehicle('diff4', 'raw', 'r2', init_pose=Pose(20.0, 0.0, 1.0), source=line(robot)),
            blocks=tuple(sorted((
                BlockSpec('table', zmax=0.8, static=True, source=line(low),
                          shape=rectangle(-2.0, -2.0, 2.0, 2.0)),
                BlockSpec('box', init_pose=Pose(-1.0, 0.0, 0.7), source=line(high))),
                key=lambda block: block.source.line)),
            elements=(HorizontalPlaneSpec(x_min=18.0, x_max=22.0, animation=AnimationSpec(
                keys=(Keyframe(0.0, Pose(z=1.0)), Keyframe(9.0, Pose(z=2.0))))),), mode=mode)
        box = world.blocks.index('box')
        assert world.blocks.pose[box, 2] == pytest.approx(0.8)
        assert world.vehicles.pose[:, 2] == pytest.approx([0.8, 1.0])
        world.step()
        assert world.vehicles.pose[:, 2] == pytest.approx([0.8, 1.0], abs=1e-3)
