# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A reset that keeps the bodies gives, bit by bit, what a new simulation gives."""

import hashlib
import math

import numpy as np
import pytest

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.jit.kernel import use_machine_code

ROOM = """
<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <element class="vertical_plane"> <x0>-2</x0> <y0>-2</y0> <x1>-2</x1> <y1>2</y1> </element>
  <element class="vertical_plane"> <x0>2</x0> <y0>2</y0> <x1>2</x1> <y1>-2</y1> </element>
  <element class="vertical_plane"> <x0>-2</x0> <y0>2</y0> <x1>2</x1> <y1>2</y1> </element>
  <element class="vertical_plane"> <x0>2</x0> <y0>-2</y0> <x1>-2</x1> <y1>-2</y1> </element>
  <block name="box"> <static>true</static> <init_pose>1.2 1.1 20</init_pose> </block>
  {blocks}
  <vehicle name="one"> <init_pose>-1 0 30</init_pose> {one} </vehicle>
  <vehicle name="two"> <init_pose>0.5 -0.9 170</init_pose> {one} </vehicle>
</mvsim_world>
"""
TWO_WHEELS = ('<dynamics class="differential"><controller class="twist_ideal"/></dynamics>',
              '<dynamics class="differential"><controller class="twist_pid"/></dynamics>')
STEERED = ('<dynamics class="ackermann"><chassis mass="30"><shape><pt>-0.2 -0.2</pt>'
           '<pt>0.5 -0.2</pt><pt>0.5 0.2</pt><pt>-0.2 0.2</pt></shape></chassis>'
           '<rl_wheel pos="0 0.2"/><rr_wheel pos="0 -0.2"/><fl_wheel><x>0.4</x><y>0.2</y>'
           '</fl_wheel><fr_wheel><x>0.4</x><y>-0.2</y></fr_wheel>'
           '<controller class="twist_front_steer_pid"/></dynamics>')


PUSHED = """
  <block name="crate"> <mass>3</mass> <init_pose>-0.3 0.3 10</init_pose> </block>
  <block name="light"> <mass>0.5</mass> <init_pose>0.2 -0.3 0</init_pose>
    <shape><pt>-0.1 -0.1</pt><pt>0.2 -0.1</pt><pt>0 0.2</pt></shape> </block>
  <block name="turning"> <mass>2</mass> <init_pose>1.3 -0.4 0</init_pose>
    <init_vel>-0.5 0.2 90</init_vel> </block>
"""


def room(dynamics, tmp_path_factory, blocks=''):
    """Return a room with two vehicles of a kind, close to walls, a box and each other."""
    path = tmp_path_factory.mktemp('room') / 'room.world.xml'
    path.write_text(ROOM.format(one=dynamics, blocks=blocks))
    return load_world(path)


def driven(simulation, steps):
    """Drive all vehicles about, into whatever there is; return a hash of all that was."""
    random, digest = np.random.default_rng(7), hashlib.sha256()
    touched = False
    for _ in range(steps):
        for vehicle in simulation.vehicles.values():
            try:
                vehicle.set_twist(random.uniform(-0.5, 3.0), random.uniform(-2.0, 2.0))
            except MvsimError:
                pass
        for seen in simulation.step(23):
            digest.update(repr(seen).encode())
        for vehicle in simulation.vehicles.values():
            touched |= vehicle.collided
            digest.update(repr((vehicle.pose, vehicle.twist_body, vehicle.odometry)).encode())
        for block in simulation.blocks.values():
            digest.update(repr((block.pose, block.twist_body)).encode())
    return f'{touched} {digest.hexdigest()}'


@pytest.mark.parametrize('mode', ['physical', 'mvsim'])
@pytest.mark.parametrize('blocks', ['', PUSHED], ids=['alone', 'pushing'])
@pytest.mark.parametrize('dynamics', [*TWO_WHEELS, STEERED], ids=['ideal', 'pid', 'steered'])
def test_as_a_new_simulation(dynamics, blocks, mode, tmp_path_factory):
    """After collisions, in the middle of others, as often as one likes."""
    use_machine_code()
    world = room(dynamics, tmp_path_factory, blocks)
    expected = driven(Simulation(world, 3, mode), 60)
    assert expected.startswith('True')
    simulation = Simulation(world, 1, mode)
    engine = simulation._physics._space
    for count in (37, 5, 60):
        driven(simulation, count)
        simulation.reset(3)
        assert simulation._physics._space is engine
        assert driven(simulation, 60) == expected


def test_from_another_place(tmp_path_factory):
    """Put elsewhere after the reset, as learning environments do."""
    world = room(TWO_WHEELS[1], tmp_path_factory)
    here, found = Pose(0.2, 1.4, yaw=math.radians(100.0)), []
    simulation = Simulation(world, 3)
    for trial in range(3):
        if trial == 2:
            simulation = Simulation(world, 3)
        simulation.reset(3)
        simulation.set_pose('one', here)
        found.append(driven(simulation, 60))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize('mode', ['physical', 'mvsim'])
def test_a_block_that_was_put_elsewhere(mode, tmp_path_factory):
    """It is back, at rest, with the same engine."""
    world = room(TWO_WHEELS[1], tmp_path_factory, PUSHED)
    expected = driven(Simulation(world, 3, mode), 30)
    simulation = Simulation(world, 3, mode)
    engine = simulation._physics._space
    for at in (Pose(-1.4, 0.1, yaw=0.4), Pose(1.4, -1.2)):
        simulation.set_pose('crate', at)
        driven(simulation, 10)
        simulation.reset(3)
        assert simulation._physics._space is engine
        assert driven(simulation, 30) == expected


def test_what_came_and_went_is_made_anew(tmp_path_factory):
    """A block that was put elsewhere, a vehicle that is gone, a state that was restored."""
    world = room(TWO_WHEELS[1], tmp_path_factory)
    expected = driven(Simulation(world, 3), 20)
    for change in (lambda each: each.set_pose('box', Pose(0.0, 0.5)),
                   lambda each: each.remove('two'),
                   lambda each: each.restore(each.snapshot())):
        simulation = Simulation(world, 3)
        driven(simulation, 3)
        change(simulation)
        driven(simulation, 3)
        simulation.reset(3)
        assert driven(simulation, 20) == expected


@pytest.mark.parametrize('name', ['two_robots', 'occupancy_map', 'robots'])
def test_shipped_worlds(name):
    """With all that there is in them."""
    expected = driven(Simulation.from_file(name, 3), 15)
    simulation = Simulation.from_file(name, 1)
    driven(simulation, 9)
    simulation.reset(3)
    assert driven(simulation, 15) == expected


def test_equal_worlds_keep_one_first_state(tmp_path_factory):
    """Worlds go back to one state where it is the same, whatever became of the others."""
    use_machine_code()
    world = room(TWO_WHEELS[1], tmp_path_factory)
    one, other = Simulation(world, 1), Simulation(world, 2)
    moved = Simulation(room(TWO_WHEELS[1], tmp_path_factory, PUSHED), 1)
    first = one._physics._first_state
    assert first is not None and other._physics._first_state is first
    assert moved._physics._first_state is not first
    begins = driven(other, 40)
    one.reset(2)
    assert driven(one, 40) == begins
    other.reset(2)
    assert driven(other, 40) == begins
