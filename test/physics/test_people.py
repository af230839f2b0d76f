# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People who react: the models' published and closed-form properties, walls, robots, crowds."""

from dataclasses import replace
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Pose, Simulation, world_path
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.people.avoidance import (
    half_plane, HORIZON, MARGIN, nearest_in_all, repulsion, safe_velocity, social_force)
from mvsim_ros2.physics.people.crowd import REACTS, SEEN
from mvsim_ros2.physics.people.walkable import WalkableMap
from mvsim_ros2.world.spec import ActorSpec, CrowdSpec, PathSpec, WaypointSpec, WorldSpec
from mvsim_ros2.world.spec.outlines import rectangle, StaticOutline

MODELS = pytest.mark.parametrize('model', ['social_force', 'orca'])


@compiled
def pushed(x: float, y: float, vx: float, vy: float) -> tuple[float, float]:
    return repulsion(x, y, vx, vy)


@compiled
def alone(desired: float, speed: float, seen: np.ndarray) -> tuple[float, float]:
    return social_force(0, desired, 0.0, speed, 0.0, seen, 1, True, math.inf, 0.0, 0.0)


@compiled
def plane(x: float, y: float, vx: float, vy: float) -> tuple[float, float, float, float]:
    return half_plane(x, y, vx, vy, 0.6, 0.05)


@compiled
def best(lines: np.ndarray, x: float, y: float) -> tuple[int, float, float]:
    return nearest_in_all(lines, len(lines), 1.5, x, y, False)


def walker(name, start, goal, model, **more):
    """Return somebody who walks from a place to another one."""
    return ActorSpec(name=name, init_pose=Pose(*start), model=model, path=PathSpec(
        loop=False, waypoints=(WaypointSpec(Pose(*goal)),)), **more)


def places(people, seconds, world=None):
    """Return x, y of people each 0.1 s, shape (times, people, 2)."""
    simulation = Simulation(replace(world or WorldSpec(), actors=tuple(people)), sensors=False)
    seen = []
    for _ in range(round(seconds / 0.1)):
        simulation.run(0.1)
        seen.append([(each.pose.x, each.pose.y) for each in simulation.actors.values()])
    return np.array(seen)


def nearest(seen):
    """Return the least distance of two people."""
    ways = seen[:, :, None] - seen[:, None]
    away = np.hypot(ways[..., 0], ways[..., 1])
    return float((away + 1e3 * np.eye(seen.shape[1])).min())


def test_the_repulsion_is_the_gradient_of_its_potential():
    """
    The force between people is the gradient of the potential V(b) = 2.1 exp(-b/0.3).

    :reference: D. Helbing and P. Molnar, Physical Review E 51, 4282, equation 3
    """
    def potential(x, y):
        step = 2.0 * np.array([0.9, -0.4])
        b = 0.5 * math.sqrt((math.hypot(x, y) + math.hypot(x - step[0], y - step[1])) ** 2
                            - step @ step)
        return 2.1 * math.exp(-b / 0.3)
    for x, y in ((1.0, 0.3), (-0.7, 0.5), (0.4, -0.9)):
        numeric = [(potential(x - 1e-6, y) - potential(x + 1e-6, y)) / 2e-6,
                   (potential(x, y - 1e-6) - potential(x, y + 1e-6)) / 2e-6]
        assert pushed(x, y, 0.9, -0.4) == pytest.approx(numeric, rel=1e-6)


def test_somebody_alone_relaxes_to_the_desired_speed():
    """The driving force is (1.34 - v)/0.5 s; the whole model reaches 63 % after 0.5 s."""
    assert alone(1.34, 0.5, np.zeros(1, SEEN)) == pytest.approx((1.68, 0.0))
    seen = places([walker('a', (0, 0), (20, 0), 'social_force', walking_speed=1.34)], 6.0)
    speeds = np.diff(seen[:, 0, 0]) / 0.1
    assert speeds[-1] == pytest.approx(1.34, rel=0.01)
    assert speeds[4] == pytest.approx(1.34 * (1.0 - math.exp(-1.1)), rel=0.06)


def test_half_planes_are_tangent_to_the_velocity_obstacle():
    """
    Half-planes of ORCA touch the velocity obstacle; each of two people makes half of the change.

    :reference: J. van den Berg and others, Reciprocal n-body collision avoidance, 2011
    """
    ux, uy, dx, dy = plane(4.0, 0.0, 2.0, 0.0)  # in the cone, beyond its cut-off circle
    leg = math.sqrt(16.0 - 0.36)
    direction = np.array([dx, dy])
    assert abs(direction @ [leg / 4.0, 0.15]) == pytest.approx(1.0) or abs(
        direction @ [leg / 4.0, -0.15]) == pytest.approx(1.0)
    assert direction @ [ux, uy] == pytest.approx(0.0, abs=1e-12)
    assert math.hypot(ux, uy) == pytest.approx(2.0 * 0.15)
    ux, uy, _, _ = plane(4.0, 0.0, 4.0 / HORIZON - 0.2, 0.0)  # nearest to the circle
    assert (ux, uy) == pytest.approx((0.2 - 0.3, 0.0))


@MODELS
def test_many_who_share_a_goal_arrive_around_it(model):
    """Two dozen from a circle; who comes later stands beside those who are there already."""
    people = [walker(f'p{k}', (8 * math.cos(a), 8 * math.sin(a)), (0, 0), model)
              for k, a in enumerate(2.0 * math.pi * np.arange(24) / 24)]
    simulation = Simulation(replace(WorldSpec(), actors=tuple(people)), sensors=False)
    simulation.run(45.0)
    walkers = simulation._physics._around.people.people
    assert (walkers['goal'] >= walkers['count']).all()
    assert np.hypot(walkers['x'], walkers['y']).max() < 6.0


@pytest.mark.parametrize('seed', range(6))
def test_the_linear_program_finds_the_nearest_velocity(seed):
    """Against the best of a grid of velocities, for random lines that leave some."""
    random = np.random.default_rng(seed)
    angles = random.uniform(0, 2 * math.pi, 6)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    normals = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    lines = np.hstack([-random.uniform(0.05, 0.6, 6)[:, None] * normals, directions])
    desired = random.uniform(-1.5, 1.5, 2)
    count, vx, vy = best(lines, *desired)
    grid = np.stack(np.meshgrid(*[np.linspace(-1.5, 1.5, 601)] * 2), axis=-1).reshape(-1, 2)
    allowed = (np.hypot(*grid.T) <= 1.5) & (
        ((grid[:, None] - lines[:, :2]) * normals).sum(axis=2) >= 0.0).all(axis=1)
    least = np.hypot(*(grid[allowed] - desired).T).min()
    assert count == 6
    assert math.hypot(vx - desired[0], vy - desired[1]) == pytest.approx(least, abs=0.01)
    assert (((np.array([vx, vy]) - lines[:, :2]) * normals).sum(axis=1) >= -1e-9).all()


@MODELS
def test_two_who_meet_pass_symmetrically(model):
    """Each on the right of the other one, without touching."""
    seen = places([walker('a', (-4, 0), (4, 0), model), walker('b', (4, 0, math.pi), (-4, 0),
                                                               model)], 8.0)
    assert nearest(seen) > (0.6 if model == 'orca' else 0.5)
    assert seen[:, 0] == pytest.approx(-seen[:, 1], abs=0.02)
    assert seen[:, 0, 1].min() < -0.2 and np.hypot(*(seen[-1, 0] - [4, 0])) < 0.6


def test_a_hundred_on_a_circle_do_not_touch():
    """All cross the middle to the other side, and arrive."""
    ends = [(20.0 * math.cos(a), 20.0 * math.sin(a)) for a in np.arange(100) * math.pi / 50]
    seen = places([walker(f'p{i}', end, (-end[0], -end[1]), 'orca')
                   for i, end in enumerate(ends)], 60.0)
    assert nearest(seen) >= 0.6
    assert np.hypot(*(seen[-1] + ends).T).max() < 0.6


def test_distances_and_ways_are_those_of_geometry():
    """Beside a wall of 10 m with a gap at its end."""
    wall = StaticOutline('wall', rectangle(-5.0, -0.1, 5.0, 0.1), 0.0, 2.0)
    area = WalkableMap([wall, replace(wall, zmin=2.0, polygon=rectangle(-9, 3, 9, 4))],
                       np.array([[-8.0, -4.0], [8.0, 4.0]]))
    ends = area.at(area.clearance, np.array([[0.0, 2.1], [7.0, 0.0]]))
    assert ends == pytest.approx([2.0, 2.0], abs=0.1)
    way = area.at(area.ways_to(0.0, -1.0), np.array([[0.0, 1.0]]))[0]
    assert 2 * math.hypot(5.0, 1.0) < way < 2 * math.hypot(5.5, 1.0) + 1.5


@MODELS
def test_people_walk_around_walls(model):
    world = load_world(world_path('office'))
    seen = places([walker('a', (-5.0, 0.0), (5.0, 4.0), model)], 0.1, world)
    assert np.isfinite(seen).all()
    wall = replace(WorldSpec(), blocks=(replace(
        load_world(world_path('demo')).blocks[0], name='wall', static=True, shape=(
            (-0.1, -2.0), (0.1, -2.0), (0.1, 2.0), (-0.1, 2.0)), init_pose=Pose(),
        shape_from_visual=False, geometry=None, intangible=False),))
    seen = places([walker('a', (-3, 0.1), (3, 0.1), model)], 9.0, wall)[:, 0]
    assert np.hypot(*(seen[-1] - [3, 0.1])) < 0.6
    beside = seen[np.abs(seen[:, 1]) < 2.0]
    assert (np.abs(beside[:, 0]) > 0.1 + 0.25).all()


@pytest.mark.parametrize('robots, near, far', [
    ('ignore', 0.5, 0.75), ('avoid', 0.6, 1.3), ('stop', 0.6, 1.9), ('give_way', 0.7, 6.0)])
@MODELS
def test_people_see_robots(model, robots, near, far):
    """Head on with a robot that drives on: nearest distance between the middles."""
    world = load_world(world_path('empty'))
    start = Pose(4, 0, 0, math.pi)
    world = replace(world, vehicles=(replace(world.vehicles[0], init_pose=start),), actors=(
        walker('a', (-4, 0), (4, 0), model, robots=robots),))
    simulation = Simulation(world, sensors=False)
    robot = next(iter(simulation.vehicles.values()))
    least = 9.0
    for _ in range(60):
        robot.set_twist(0.8, 0.0)
        simulation.run(0.1)
        person = simulation.actors['a'].pose
        least = min(least, math.hypot(person.x - robot.pose.x, person.y - robot.pose.y))
    assert near <= least < far


@MODELS
def test_groups_stay_together(model):
    """A pair that starts 4 m apart closes up, others do not."""
    spread = {}
    for group in ('', 'pair'):
        seen = places([walker('a', (0, -2), (30, -2), model, group=group),
                       walker('b', (0, 2), (30, 2), model, group=group)], 10.0)
        spread[group] = np.hypot(*(seen[-1, 0] - seen[-1, 1]))
    assert spread['pair'] < 2.0 < 3.5 < spread['']


def test_a_crowd_is_drawn_by_the_seed_and_runs_the_same_however_it_is_stepped():
    world = replace(load_world(world_path('office')), crowds=(CrowdSpec(
        count=12, x_min=-8, x_max=8, y_min=-5, y_max=5, groups=1.0, source='crowd.xml:3'),))
    one, other = Simulation(world, 4, sensors=False), Simulation(world, 5, sensors=False)
    assert one.world.actors != other.world.actors and len(one.world.actors) == 12
    assert len({each.group for each in one.world.actors}) == 6
    again = Simulation(world, 4, sensors=False)
    assert one.world.actors == again.world.actors
    one.step(400)
    state = one.snapshot()
    for _ in range(40):
        again.step(10)
    pose = one._physics.figures.pose
    assert pose.tobytes() == again._physics.figures.pose.tobytes()
    one.step(200)
    later = pose.copy()
    one.restore(state)
    one.step(200)
    assert one._physics.figures.pose.tobytes() == later.tobytes()
    one.reset()
    one.step(600)
    assert one._physics.figures.pose.tobytes() == later.tobytes()
    dense = CrowdSpec(density=0.25, x_min=-8, x_max=8, y_min=-5, y_max=5)
    count = len(Simulation(replace(world, crowds=(dense,)), 4, sensors=False).world.actors)
    assert 15 <= count <= 40
    with pytest.raises(PhysicsError, match='has room for'):
        Simulation(replace(world, crowds=(replace(dense, density=5.0),)), sensors=False)


TABLE = np.loadtxt(Path(__file__).with_name('orca_circle.csv'), delimiter=',')
RADIUS, FASTEST, DT = 0.25, 1.5, 0.1  # m, m/s, s


@compiled
def walk(seen: np.ndarray, goals: np.ndarray, turn: float, steps: int,
         scratch: np.ndarray) -> None:
    """Let people walk at 1 m/s, each in the direction of a goal, turned to the right."""
    cosine, sine = math.cos(turn), math.sin(turn)
    count = len(seen)
    chosen = np.zeros((count, 2))
    for _ in range(steps):
        for i in range(count):
            x, y = goals[i, 0] - seen[i]['x'], goals[i, 1] - seen[i]['y']
            far = max(1.0, math.sqrt(x * x + y * y))
            chosen[i, 0], chosen[i, 1] = safe_velocity(
                i, (cosine * x + sine * y) / far, (cosine * y - sine * x) / far, seen[i]['vx'],
                seen[i]['vy'], FASTEST, seen, count, False, math.inf, 0.0, 0.0, DT, scratch[0],
                scratch[1])
        for i in range(count):
            seen[i]['vx'], seen[i]['vy'] = chosen[i, 0], chosen[i, 1]
            seen[i]['x'] += DT * chosen[i, 0]
            seen[i]['y'] += DT * chosen[i, 1]


@pytest.mark.parametrize('turn', [0.0, 0.2])
def test_people_on_a_circle_move_as_in_rvo2(turn):
    """
    Eight people who change sides on a circle are where RVO2 has them; without a turn they jam.

    :reference: RVO2 2.0.3 with double precision, github.com/snape/RVO2
    """
    number = np.arange(8)
    angle = 2.0 * math.pi * number / 8 + 0.3 * np.sin(3.0 * number)
    seen = np.zeros(8, SEEN)
    seen['x'], seen['y'] = 4.0 * np.cos(angle), 4.0 * np.sin(angle)
    seen['radius'], seen['kind'] = RADIUS - 0.5 * MARGIN, REACTS
    goals = -np.stack([seen['x'], seen['y']], axis=1)
    now = 0.0
    for _, time, *places in TABLE[TABLE[:, 0] == turn]:
        walk(seen, goals, turn, round((time - now) / DT), np.zeros((2, 9, 4)))
        now = time
        assert np.stack([seen['x'], seen['y']], 1).ravel() == pytest.approx(places, abs=2e-6)
    left = np.hypot(seen['x'] - goals[:, 0], seen['y'] - goals[:, 1])
    assert left.max() < 0.3 if turn else left.min() > 2.0
