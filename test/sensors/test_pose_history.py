# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements that take time follow the true motion, whatever that was."""

from itertools import pairwise
from pathlib import Path

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
from making import simulate
import numpy as np
from numpy.typing import NDArray
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import PhysicsError, SceneError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.lidar.motion_during_scan import planar_path
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.schedule import Schedule
from mvsim_ros2.sensors.views.pose_history import PoseHistory

Array = NDArray[np.float64]

WALL = 11.99  # m from the middle to a face
MOUNT = Pose(0.2, 0.1, 4.0, np.radians(10.0), np.radians(5.0))
DRIVE = """<dynamics class="differential">
<l_wheel pos="0 0.5" mass="4" width="0.2" diameter="0.4"/>
<r_wheel pos="0 -0.5" mass="4" width="0.2" diameter="0.4"/>
<chassis mass="15" zmin="0.05" zmax="0.6"/>
<controller class="twist_pid"><KP>100</KP><KI>5</KI><KD>0</KD><max_torque>50</max_torque>
</controller></dynamics>"""
WORLD = f"""<simul_timestep>0.005</simul_timestep>
<element class="elevation_map"><elevation_image>hills.png</elevation_image>
<elevation_image_min_z>0</elevation_image_min_z><elevation_image_max_z>2</elevation_image_max_z>
<resolution>0.5</resolution></element>
WALLS
<vehicle name="r"><init_pose3d>0 0 3 0 0 0</init_pose3d>{DRIVE}
SENSORS</vehicle>"""
WALL_OF = """<element class="vertical_plane"><cull_face>NONE</cull_face>
<z>-5</z><height>15</height>
<x0>{0[0]}</x0><y0>{0[1]}</y0><x1>{1[0]}</x1><y1>{1[1]}</y1></element>"""
CORNERS = (-12, -12), (12, -12), (12, 12), (-12, 12), (-12, -12)
LASER = """<sensor class="laser" name="s"><pose_3d>0.2 0.1 4 10 5 0</pose_3d><nrays>400</nrays>
<fov_degrees>360</fov_degrees><range_std_noise>0</range_std_noise><rolling>true</rolling>
<angle_std_noise_deg>0</angle_std_noise_deg><ignore_parent_body>true</ignore_parent_body>
<raytrace_3d>IN_SPACE</raytrace_3d></sensor>"""
LIDAR = """<sensor class="lidar3d" name="s"><pose_3d>0.2 0.1 4 10 5 0</pose_3d>
<vert_nrays>4</vert_nrays><horz_nrays>400</horz_nrays><range_std_noise>0</range_std_noise>
<ignore_parent_body>true</ignore_parent_body><labels>true</labels></sensor>"""
KINDS = [pytest.param(LASER.replace('IN_SPACE', 'false'), False, id='laser'),
         pytest.param(LASER.replace('IN_SPACE', 'true'), True, id='laser in space'),
         pytest.param(LIDAR, True, id='lidar3d')]


def start(folder: Path, sensors: str, seed: int = 0) -> Simulation:
    """Return a world of hills within walls; a planar laser sees the walls as segments."""
    x, y = np.meshgrid(np.arange(80), np.arange(80))
    hills = 127 + 100 * np.sin(x / 6) * np.cos(y / 7)
    Image.fromarray(hills.astype(np.uint8)).save(folder / 'hills.png')
    return simulate(WORLD.replace('SENSORS', sensors).replace('WALLS', ''.join(
        WALL_OF.format(*ends) for ends in pairwise(CORNERS))).replace(
            'hills.png', f'{folder}/hills.png'), seed)


def points(measured: LaserScan2D | PointCloud) -> tuple[Array, Array]:
    """Return points at walls in the sensor frame, shape (N, 3), and when they were measured."""
    if isinstance(measured, PointCloud):
        cloud = measured.points[measured.points['label'] == Scene.LABELS.index('wall')]
        return (np.stack([cloud['x'], cloud['y'], cloud['z']], axis=1).astype(float),
                1e-9 * measured.stamp_ns + cloud['time'].astype(float))
    ray = np.flatnonzero(np.isfinite(measured.ranges) & (measured.ranges > 3.0))
    angle = measured.angle_min + measured.angle_increment * ray
    range_ = measured.ranges[ray].astype(float)
    return (np.stack([range_ * np.cos(angle), range_ * np.sin(angle), 0.0 * angle], axis=1),
            1e-9 * measured.stamp_ns + measured.time_increment * ray)


def off_walls(measured: LaserScan2D | PointCloud, times: list[float], poses: list[Pose],
              in_space: bool) -> Array:
    """Return how far points are from the walls, without the true motion of the vehicle [m]."""
    local, when = points(measured)
    later = np.clip(np.searchsorted(times, when), 1, len(times) - 1)
    share = ((when - np.array(times)[later - 1])
             / (np.array(times)[later] - np.array(times)[later - 1]))[:, np.newaxis]
    table = np.array([[p.x, p.y, p.z, p.yaw, p.pitch, p.roll] for p in poses])
    way = table[later] - table[later - 1]
    way[:, 3] = np.angle(np.exp(1j * way[:, 3]))
    pose = table[later - 1] + share * way
    if in_space:
        turn = rotation_matrix(*pose[:, 3:].T)
        mounted = MOUNT.transform(local)
    else:
        turn = rotation_matrix(pose[:, 3])
        mounted = Pose(MOUNT.x, MOUNT.y, 0.0, MOUNT.yaw).transform(local)
    placed = np.einsum('nij,nj->ni', turn, mounted) + pose[:, :3]
    distance: Array = np.abs(np.abs(placed[:, :2]).max(axis=1) - WALL)
    # what is not at a wall is the ground
    return distance[np.abs(placed[:, :2]).max(axis=1) > WALL - 1.0]


@pytest.mark.parametrize('sensor, in_space', KINDS)
def test_a_sweep_without_the_true_motion_lies_on_the_walls(
        sensor: str, in_space: bool, tmp_path: Path) -> None:
    """
    Points of a moving LiDAR, corrected by its true motion, lie on the walls within 0.1 mm.

    :reference: equations of the walls
    """
    sim = start(tmp_path, sensor)
    robot = sim.vehicles['r']
    times, poses, scans, seen = [0.0], [robot.pose], 0, 0
    for forward, turn in ((0.0, 0.0), (1.0, 0.8), (-0.5, -1.0)):
        robot.set_twist(forward, turn)
        for _ in range(60):
            measured = sim.step()
            times.append(sim.time)
            poses.append(robot.pose)
            for each in measured:
                assert isinstance(each, LaserScan2D | PointCloud)
                distance = off_walls(each, times, poses, in_space)
                assert distance.max() < 1e-4
                scans, seen = scans + 1, seen + len(distance)
    assert scans == 9 and seen > 9 * 50
    assert np.ptp([pose.pitch for pose in poses]) > 0.03  # it tilts


@pytest.mark.parametrize('sensor, in_space', KINDS)
def test_sweeps_are_the_same_however_steps_are_grouped_and_after_a_restore(
        sensor: str, in_space: bool, tmp_path: Path) -> None:
    sim = start(tmp_path, sensor)

    def data(steps: list[int]) -> list[bytes]:
        return [points(each)[0].tobytes() for n in steps for each in sim.step(n)]

    sim.vehicles['r'].set_twist(1.0, 0.8)
    sim.step(33)  # within a sweep
    state = sim.snapshot()
    once = data([40])
    sim.restore(state)
    assert once and data([1] * 40) == once
    sim.restore(state)
    assert data([3, 17, 20]) == once


def test_a_leap_is_no_motion(tmp_path: Path) -> None:
    sim = start(tmp_path, LIDAR)
    sim.step(30)
    sim.set_pose('r', Pose(3.0, -2.0, 1.0, 1.0))
    scan, = sim.step(10)
    assert isinstance(scan, PointCloud)
    pose = sim.vehicles['r'].pose
    distance = off_walls(scan, [0.0, 1.0], [pose, pose], True)
    assert len(distance) and np.median(distance) < 0.02


def test_the_past_is_known_as_far_as_it_was_seen_without_a_gap(tmp_path: Path) -> None:
    physics = start(tmp_path, '')._physics
    past = PoseHistory(physics)

    def ages(span: float) -> list[float] | None:
        known = past.path(0, span)
        return None if known is None else known[0].tolist()

    def go(steps: int) -> None:
        for _ in range(steps):
            past.remember(10_000_000)
            physics.step()

    assert ages(1e-9) is None
    go(4)
    assert ages(0.01) == pytest.approx([0.0, 0.005, 0.01])
    assert ages(0.03) is None  # longer ago than anybody needs
    physics.step()
    assert ages(0.005) is None  # a step is missing
    go(1)
    assert ages(0.005) == [0.0, 0.005] and ages(0.01) is None
    past.remember(20_000_000)  # from now on a longer past, which is not lost for it
    past.remember(20_000_000)  # and the same state once more
    physics.step()
    assert ages(0.01) == pytest.approx([0.0, 0.005, 0.01])
    state = past.snapshot()
    past.forget()
    assert ages(0.005) is None
    past.restore(state)
    assert ages(0.01) == pytest.approx([0.0, 0.005, 0.01])


def test_steps_in_one_go_are_remembered_as_one_by_one(tmp_path: Path) -> None:
    """
    The past of many steps by one call of machine code is that of as many calls, to the bit.

    Also where the ring of states is passed, after vehicles came, and where one is lost.
    """
    use_machine_code()
    worlds = [start(tmp_path, '', seed=1) for _ in range(2)]
    together, apart = (PoseHistory(sim._physics) for sim in worlds)

    def go(steps: int, span_ns: int) -> None:
        together.step(steps, span_ns)
        for _ in range(steps):
            apart.remember(span_ns)
            worlds[1]._physics.step()

    def check(known: int) -> None:
        (step, rows), (same, expected) = together.snapshot(), apart.snapshot()
        assert step == same == worlds[0].steps - 1 and len(rows) == known
        assert rows.tobytes() == expected.tobytes()

    for sim in worlds:
        sim.vehicles['r'].set_twist(1.0, 0.8)
    go(7, 50_000_000)
    check(7)
    go(33, 50_000_000)
    check(11)
    go(5, 75_000_000)
    check(16)
    for sim, past in zip(worlds, (together, apart), strict=True):
        sim.spawn_vehicle('other', sim.world.vehicles[0], Pose(5.0, 5.0, 2.0, 1.0))
        past.forget()
    go(1, 50_000_000)
    go(9, 50_000_000)
    check(10)
    assert np.ptp(together.snapshot()[1][:, 0]) > 0.02
    worlds[0]._physics.vehicles.wheels['omega'] = np.nan
    with pytest.raises(PhysicsError, match="vehicle 'r' has no finite position"):
        together.step(9, 50_000_000)
    assert worlds[0].steps <= 56


PUSHED = f"""<simul_timestep>0.01</simul_timestep>
<block name="pushed"><mass>20</mass><zmin>0</zmin><zmax>1</zmax>
<shape><pt>-1 -1</pt><pt>-1 1</pt><pt>1 1</pt><pt>1 -1</pt></shape>
<init_pose>5 0 0</init_pose><init_vel>1 0.5 100</init_vel></block>
<block name="wall"><static>true</static><mass>20</mass><zmin>0</zmin><zmax>1</zmax>
<shape><pt>-1 -1</pt><pt>-1 1</pt><pt>1 1</pt><pt>1 -1</pt></shape>
<init_pose>9 9 45</init_pose></block>
<block name="ghost"><intangible>true</intangible><init_pose>-5 -5 0</init_pose>
<animation><time_pose>0 0 0 0</time_pose><time_pose>1 2 0 0</time_pose></animation></block>
<actor name="walker"><init_pose>1 6 0</init_pose>
<path><waypoint>1 6 0</waypoint><waypoint>6 6 0</waypoint></path></actor>
<vehicle name="r"><init_pose>0 0 175</init_pose>{DRIVE}</vehicle>"""


def test_what_moves_was_where_it_was() -> None:
    """
    Between two steps, poses of vehicles, wheels, blocks and people are interpolated.

    :reference: poses read at each step, interpolated by NumPy
    """
    simulation = simulate(PUSHED)
    simulation.vehicles['r'].set_twist(1.0, 2.0)
    past, seen = PoseHistory(simulation._physics), []
    for _ in range(40):
        seen.append(simulation.movers())
        past.remember(300_000_000)
        simulation.step()
    seen.append(simulation.movers())
    steps = 0.0, 0.4, 3.0, 17.25, 30.0
    found = past.at([0.01 * step for step in steps], seen[-1])
    assert found is not None
    for k, step in enumerate(steps):
        state = found.states(k)
        older, share = seen[-2 - int(step)] if step < 30 else seen[-31], step % 1.0
        younger = seen[-1 - int(step)]
        for name in ('vehicles', 'wheel_steer', 'wheel_angle', 'blocks', 'figures'):
            end = getattr(younger, name)
            way = getattr(older, name) - end
            if end.ndim == 2:
                way[:, 3:] = (way[:, 3:] + np.pi) % (2 * np.pi) - np.pi
            assert getattr(state, name) == pytest.approx(end + share * way, abs=1e-12), name
    moved = found.states(0), found.states(len(steps) - 1)
    assert np.abs(moved[1].blocks - moved[0].blocks)[0, 0] > 0.05
    assert np.abs(moved[1].blocks - moved[0].blocks)[2, 0] > 0.3
    assert np.abs(moved[1].figures - moved[0].figures).max() > 0.05
    assert np.abs(moved[1].wheel_angle - moved[0].wheel_angle).max() > 0.1


def test_the_scene_was_where_its_things_were() -> None:
    """
    Placing a scene at all times of a sweep at once equals placing it for each time, bit for bit.

    :reference: the same scene at one time after the other, and a new scene
    """
    simulation = simulate(PUSHED)
    simulation.vehicles['r'].set_twist(1.0, 2.0)
    past = PoseHistory(simulation._physics)
    for _ in range(40):
        past.remember(300_000_000)
        simulation.step()
    found = past.at([0.3, 0.21, 0.1, 0.03, 0.0], simulation.movers())
    assert found is not None
    scene = simulation.scene()
    rays, count = RayScene(scene), len(scene.mesh)
    at_once = scene.trace(found)
    one_by_one = np.empty((5, count, 4, 4))
    for k in range(5):
        scene.update(found.states(k))
        one_by_one[k] = scene.transform
    assert 0 < len(scene.movers) < count
    assert at_once.tobytes() == one_by_one[:, scene.movers].tobytes()
    assert len(np.unique(at_once[:, :, :3].reshape(5, -1), axis=0)) == 5
    rays.update(at_once, 0.3, scene.movers)
    whole = RayScene(scene)
    whole.update(one_by_one, 0.3)
    for part in ('forward', 'inverse', 'steps'):
        assert getattr(rays.target, part).tobytes() == getattr(whole.target, part).tobytes()
    with pytest.raises(SceneError, match=rf'\(K, {len(scene.movers)}, 4, 4\)'):
        rays.update(one_by_one, 0.3, scene.movers)


def test_a_sweep_is_waited_for_in_one_go() -> None:
    """A sensor that is swept from 10 to 30 ms, and each 30 ms again; another one at 25 ms."""
    schedule = Schedule([3e7, 1e8], [20_000_000, 0], [True, False], [(3e7, 0), (2.5e7, 0)])
    now, seen = 0, []
    while now < 60_000_000:
        sweeps = schedule.sweep_within(now + 5_000_000) > 0
        now += 5_000_000 * schedule.steps_until_due(now, 5_000_000, 100)
        seen.append((now // 1_000_000, sweeps, schedule.take_due(now)))
        if now == 30_000_000:
            schedule.enable(1, True)
    assert seen == [(5, False, []), (30, True, [0]), (35, False, []), (60, True, [0])]
    schedule = Schedule([3e7, 1e8], [20_000_000, 0], [True, True], [(3e7, 0), (2.5e7, 0)])
    assert [schedule.steps_until_due(now, 5_000_000, 100) for now in (0, 5_000_000)] == [1, 4]
    assert schedule.steps_until_due(5_000_000, 5_000_000, 3) == 3


@given(st.integers(0, 2 ** 32 - 1), st.integers(1, 30), st.integers(1, 400),
       st.sampled_from([0.01, 0.3, 2.0]))
@settings(max_examples=examples(60))
def test_the_way_of_a_planar_scan_is_that_of_numpy(
        seed: int, steps: int, rays: int, turn: float) -> None:
    """
    Positions at the times of rays are interpolated between steps, bit for bit as in NumPy.

    :reference: `numpy.interp` and `numpy.unwrap`
    """
    rng = np.random.default_rng(seed)
    ages = 1e-9 * (5_000_000 * np.arange(steps + 1.0))
    poses = np.cumsum(0.01 * rng.normal(size=(steps + 1, 6)), axis=0)
    yaw = np.pi + np.cumsum(turn * rng.normal(size=steps + 1))
    poses[:, 3] = np.angle(np.exp(1j * yaw))
    increment = ages[-1] * rng.choice([0.5, 0.999999999, 1.0]) / max(1, rays - 1)
    path = np.zeros((rays, 4))
    planar_path(ages, poses, increment, path)
    age = increment * np.arange(rays - 1, -1, -1)
    for axis in range(2):
        assert path[:, axis].tobytes() == np.interp(age, ages, poses[:, axis]).tobytes()
    yaws = np.interp(age, ages, np.unwrap(poses[:, 3]))
    np.testing.assert_allclose(path[:, 2:], np.stack([np.cos(yaws), np.sin(yaws)], 1), 0, 1e-15)
