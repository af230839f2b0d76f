# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Maps that are drawn at random: what they promise, and that each belongs to its seed."""

from collections.abc import Callable
import copy
import inspect
import math
from pathlib import Path
import pickle
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import check_env
import numpy as np
import pytest

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.gym import (
    Cross, LearningError, maps, Navigate, Race, varied, VehicleEnv, VehicleVectorEnv)
from mvsim_ros2.world.spec.world import WorldSpec

MAKERS = {'rooms': maps.rooms(6.0), 'field': maps.field(), 'mazes': maps.mazes(6.0),
          'forests': maps.forests(6.0, trees=20), 'barn': maps.barn()}


def cells(world: WorldSpec) -> np.ndarray:
    return world.elements[-1].occupancy.values > 50  # type: ignore[attr-defined]


@pytest.mark.parametrize('name', MAKERS)
def test_a_map_belongs_to_its_seed(name: str) -> None:
    """The same for the same seed, another one for another, in environments of any number."""
    first, same, other = (cells(MAKERS[name](np.random.default_rng(seed))) for seed in (1, 1, 2))
    assert np.array_equal(first, same) and not np.array_equal(first, other)
    assert first[0].all() and first[-1].all() and first[:, 0].all() and first[:, -1].all()
    seen = []
    for count in (1, 3):
        envs = VehicleVectorEnv(count, Navigate(), MAKERS[name], rays=12, seed=5)
        envs.reset(seed=7)
        for _ in range(3):
            observation = envs.step(np.full((count, 2), 0.4))[0]
        seen.append({key: value[0].tobytes() for key, value in observation.items()})
        for agent in envs.arena.agents:  # it can be crossed
            free = ~cells(agent.simulation.world)
            assert len(agent.space.middles) > 0.2 * free.sum()
    assert seen[0] == seen[1]


def test_all_of_a_maze_can_be_reached() -> None:
    """With as few openings as that takes, and more with loops."""
    from scipy.ndimage import label
    counts = []
    for loops in (0.0, 0.5):
        solid = cells(maps.mazes(9.0, 1.4, loops)(np.random.default_rng(3)))
        parts, number = label(~solid)
        assert number == 1
        rooms = (len(solid) - 1) // 15  # of 14 free cells and a wall
        doors = sum(not solid[15 * i + 7, 15 * j] for i in range(rooms) for j in range(1, rooms))
        doors += sum(not solid[15 * i, 15 * j + 7] for i in range(1, rooms) for j in range(rooms))
        counts.append(doors)
    assert counts[0] == rooms ** 2 - 1 < counts[1]


def test_trunks_stand_apart() -> None:
    """No two nearer than the gap, less a cell for drawing."""
    from scipy.ndimage import distance_transform_edt, label
    solid = cells(maps.forests(10.0, 60, gap=0.8)(np.random.default_rng(3)))[1:-1, 1:-1]
    parts, number = label(solid)
    assert number > 15
    for k in range(1, number + 1):
        others = (parts > 0) & (parts != k)
        if (parts == k)[1:-1, 1:-1].any() and others.any():
            assert 0.1 * distance_transform_edt(~others)[parts == k].min() > 0.8 - 0.15


def test_barn_by_its_rule() -> None:
    """The automaton against a plain reading of the rule; kinds differ; a way leads through."""
    solid = np.random.default_rng(1).random((9, 11)) < 0.4
    expected = solid.copy()
    for i in range(9):
        for j in range(11):
            around = sum(
                1 if not 0 <= a < 9 else solid[a, b] if 0 <= b < 11 else 0
                for a in range(i - 1, i + 2) for b in range(j - 1, j + 2) if (a, b) != (i, j))
            expected[i, j] = around > 4 or (around >= 2 and solid[i, j])
    assert np.array_equal(maps.smoothed(solid, 1, walls=True), expected)
    thin, dense = (np.mean([cells(maps.barn(number)(np.random.default_rng(seed))).mean()
                            for seed in range(4)]) for number in (0, 299))
    assert dense > 1.1 * thin
    with pytest.raises(LearningError, match='maps.barn: number is 300'):
        maps.barn(300)
    env = VehicleEnv(Cross(), maps.barn(20), rays=12, seed=0)
    observation, _ = env.reset(seed=1)
    assert np.linalg.norm(observation['goal']) == pytest.approx(10.05, abs=0.01)
    assert abs(np.arctan2(*observation['goal'][::-1])) < 0.2
    home, space = env.arena.agents[0].home, env.arena.agents[0].space
    assert np.isfinite(space.path_length(space.lengths_to(home.x, home.y), -home.x, -home.y))


def test_a_track_closes_between_its_walls() -> None:
    """A car that is put anywhere on the route touches nothing; tracks differ by seed."""
    world, route = maps.track(3, 40.0, 3.0)
    assert route.closed and route.length == pytest.approx(40.0, rel=0.01)
    assert not np.array_equal(route.points, maps.track(4)[1].points)
    envs = VehicleVectorEnv(6, Race(route), world, rays=36)
    seen, _ = envs.reset(seed=1)
    assert (seen['scan'].min(axis=1) > 0.8).all() and (seen['scan'].min(axis=1) < 2.0).all()
    assert not envs.step(np.zeros((6, 2)))[4]['collided'].any()
    envs.close()
    with pytest.raises(LearningError, match='make length larger'):
        maps.track(1, 12.0, 6.0)


def test_worlds_are_pickled_and_copied() -> None:
    """Of each kind, so that Gymnasium keeps what an environment was made of, and checks it."""
    world, route = maps.track(3)
    for made in (world, *(make(np.random.default_rng(1)) for make in MAKERS.values())):
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert np.array_equal(cells(again), cells(made))
            assert again.vehicles == made.vehicles and again.variables == made.variables
    env = gymnasium.make('mvsim_ros2/Race-v0', world=world, route=route, rays=8)
    check_env(env.unwrapped, skip_render_check=True)
    assert env.spec is not None
    again = env.spec.make()
    seen = [each.reset(seed=1)[0]['scan'].tobytes() for each in (env, again)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize('make, said', [
    (lambda: maps.rooms(door=-1), 'maps.rooms: door is -1: give'),
    (lambda: maps.rooms(smallest=0), 'maps.rooms: smallest is 0: give'),
    (lambda: maps.rooms(size='10'), "maps.rooms: size is '10': give"),
    (lambda: maps.rooms(clutter=2.5), 'maps.rooms: clutter is 2.5: give a whole number'),
    (lambda: maps.mazes(loops=5), 'maps.mazes: loops is 5: give'),
    (lambda: maps.forests(gap=math.nan), 'maps.forests: gap is nan: give'),
    (lambda: maps.forests(thinnest=0.4), 'maps.forests: thinnest is 0.4, and thickest 0.3: '),
    (lambda: maps.field(fill=2), 'maps.field: fill is 2: give'),
    (lambda: maps.track(3, width=-1), 'maps.track: width is -1: give'),
    (lambda: maps.track(None), 'maps.track: seed is None: give a whole number'),
    (lambda: maps.rooms(base=None), 'base is None: give a world file')])
def test_what_is_no_map_is_refused(make: Callable[[], object], said: str) -> None:
    """When it is asked for, by the name of the argument, its value and the remedy."""
    with pytest.raises(LearningError) as caught:
        make()
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize('make, said', [
    (maps.rooms(size=2), r'maps.rooms\(size=2, .* no room of 0.60 m around robot .* make size'),
    (maps.rooms(5.0, clutter=99), r'clutter=99\) has no room .* or clutter smaller'),
    (maps.field(fill=0.6), r'maps.field\(size=6, fill=0.6, .* or fill smaller'),
    (maps.field(fill=1.0), r'fill=1, .* or fill smaller'),
    (maps.forests(3.0, thinnest=2, thickest=9), r'thinnest=2, thickest=9\) .* thickest smaller'),
    (maps.mazes(corridor=0.6), r'corridor=0.6, .* make corridor larger'),
    (maps.barn(5, 'yard'), r'maps.barn\(5\) has no room of 1.22 m around tractor at its start'),
    (lambda random: maps.track(3, width=0.3), r'width=0.3\) has no room .* make width larger'),
    (lambda random: maps.rooms()(3), 'random is 3: give a generator')])
def test_no_room_is_said_by_the_map(make: maps.MakeWorld, said: str) -> None:
    """And not of the file that the vehicle is from."""
    with pytest.raises(LearningError, match=said):
        make(np.random.default_rng(1))


@pytest.mark.parametrize('make', [
    maps.rooms(size=2.5, clutter=3), maps.rooms(5.0, clutter=20), maps.field(fill=0.4),
    maps.forests(size=3, gap=0.1), maps.mazes(3.0, 1.3), maps.rooms(4.0, 4.0, base='robots')])
def test_where_a_map_is_made_there_is_room(make: maps.MakeWorld) -> None:
    """For the environment too, which looks in finer cells; its errors name the map."""
    for seed in range(8):
        VehicleEnv(Navigate(0.1), make(np.random.default_rng(seed)), rays=8).close()
    assert Path(make(np.random.default_rng(1)).path).name.split(' with maps.')[0] in (
        'empty.world.xml', 'robots.world.xml')


def test_the_room_is_that_of_the_wheels_too(tmp_path: Path) -> None:
    """The map says what lacks, where wheels reach farther out than the chassis."""
    file = tmp_path / 'wide.world.xml'
    file.write_text("""<mvsim_world><vehicle name="wide">
        <init_pose>0 0 0</init_pose><dynamics class="differential">
        <l_wheel pos="0 0.9" diameter="0.4" width="0.2"/>
        <r_wheel pos="0 -0.9" diameter="0.4" width="0.2"/>
        <chassis mass="15"><shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt>
        <pt>0.2 -0.2</pt></shape></chassis><controller class="twist_pid"/>
        </dynamics></vehicle></mvsim_world>""")
    said = f'no room of {math.hypot(0.2, 1.0) + 0.2:.2f} m around wide in any'
    with pytest.raises(LearningError, match=said):
        maps.rooms(2.6, 2.6, clutter=0, base=file)(np.random.default_rng(2))
    made = maps.rooms(6.0, 6.0, clutter=0, base=file)(np.random.default_rng(2))
    VehicleEnv(Navigate(0.1), made).close()


ODD = [math.nan, math.inf, -math.inf, -1, -0.5, 0, 0.04, 0.3, 1, 3.7, 300, 1e300, 10 ** 400, 'a',
       '', None, [], (1.0, 2.0), True, np.float32(2.0), np.int8(3), 1j]


@pytest.mark.parametrize('function', [
    maps.rooms, maps.mazes, maps.forests, maps.field, maps.barn, maps.track])
def test_odd_arguments(function: Callable[..., object]) -> None:
    """Give a world, or an error of one line that names the argument or the call."""
    names = inspect.signature(function).parameters
    small = {'size': 3.0, 'length': 60.0, 'seed': 3, 'width': 1.5, 'trees': 5}
    for name in names:
        for value in ODD:
            given = {each: small[each] for each in names if each in small} | {name: value}
            try:
                made = function(**given)
                world = made[0] if isinstance(made, tuple) else made(np.random.default_rng(1))
            except LearningError as error:
                assert '\n' not in str(error) and name in str(error), given
            except ResourceError:
                assert name == 'base' and isinstance(value, str)
            else:
                assert cells(world).any(), given


@pytest.mark.parametrize('made', [
    maps.rooms(8.0, clutter=3), maps.mazes(loops=0.2), maps.forests(trees=9), maps.field(),
    maps.barn(7), varied(maps.rooms(size=8.0), mass=(0.5, 1.5))], ids=str)
def test_other_processes_draw_the_same(made: Any) -> None:
    """What draws worlds is pickled, as `multiprocessing` does with arguments."""
    again = pickle.loads(pickle.dumps(made))
    one, other = (each(np.random.default_rng(3)) for each in (made, again))
    assert repr(again) == repr(made) and one.vehicles == other.vehicles
    assert (cells(one) == cells(other)).all()


def test_what_draws_worlds_prints_as_it_was_written() -> None:
    made = varied(maps.rooms(8.0, clutter=3), mass=(0.5, 1.5))
    assert repr(made) == 'varied(rooms(8.0, clutter=3), mass=(0.5, 1.5))'
