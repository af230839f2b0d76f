# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Starts and goals in worlds that no walls enclose."""

import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mvsim_ros2 import gym, load_world, Simulation
from mvsim_ros2.errors import LearningError

WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"><x_min>{x_min}</x_min><x_max>{x_max}</x_max>
    <y_min>-8</y_min><y_max>8</y_max></element>
  <vehicle name="robot"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><chassis mass="15" zmin="0.05" zmax="0.6">
      <shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt><pt>0.2 -0.2</pt></shape></chassis>
      <controller class="twist_ideal"/></dynamics></vehicle>
  {blocks}
</mvsim_world>"""
BLOCK = """<block name="b{number}"><init_pose>{x} {y} {yaw}</init_pose><zmax>1</zmax>{static}
  <shape><pt>-0.5 -0.5</pt><pt>-0.5 0.5</pt><pt>0.5 0.5</pt><pt>0.5 -0.5</pt></shape></block>"""
places = st.tuples(st.floats(1.6, 6.0), st.floats(-math.pi, math.pi), st.booleans())


def world_with(tmp_path, blocks, x_min=-8.0, x_max=8.0):
    text = ''.join(BLOCK.format(
        number=number, x=distance * math.cos(angle), y=distance * math.sin(angle), yaw=17 * number,
        static='<static>true</static>' if static else '')
        for number, (distance, angle, static) in enumerate(blocks))
    path = tmp_path / 'open.world.xml'
    path.write_text(WORLD.format(blocks=text, x_min=x_min, x_max=x_max))
    return Simulation(load_world(path), sensors=False)


@settings(max_examples=examples(25), deadline=None)
@given(blocks=st.lists(places, max_size=4), seed=st.integers(0, 1000))
def test_starts_are_free_and_goals_in_range(tmp_path_factory, blocks, seed):
    simulation = world_with(tmp_path_factory.mktemp('open'), blocks)
    space = gym.FreeSpace.of(simulation, 'robot')
    random = np.random.default_rng(seed)
    for _ in range(5):
        start, goal = space.sample_pair(2.0, 6.0, random)
        assert start in space and goal in space
        assert 2.0 <= math.dist(start, goal) <= 6.0
        for x, y in (start, goal):
            assert max(abs(x), abs(y)) < 8.0 - 0.2
            for distance, angle, _ in blocks:
                assert math.hypot(x - distance * math.cos(angle),
                                  y - distance * math.sin(angle)) > 0.7
    covered = len(space.free) * 0.05 ** 2
    assert 40.0 < covered < 16.0 ** 2


def test_the_edges_of_a_floor_are_no_place_to_stand(tmp_path):
    space = gym.FreeSpace.of(world_with(tmp_path, [(1.6, 0.0, True)], -2.0, 4.0), 'robot')
    x = space.middles[:, 0]
    assert x.min() == pytest.approx(-1.2, abs=0.1) and x.max() == pytest.approx(3.2, abs=0.1)


def test_a_range_without_any_goal_is_an_error(tmp_path):
    space = gym.FreeSpace.of(world_with(tmp_path, [(2.0, 0.0, False)]), 'robot')
    with pytest.raises(LearningError, match=r'no free place is 30 to 40 m from .*: the free space '
                                            r'covers \d+\.\d+ m\^2'):
        space.sample_pair(30.0, 40.0, np.random.default_rng(1))
