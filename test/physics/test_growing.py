# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and indices that grow with a world; vehicles that are cache."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.ground.surfaces import SurfaceIndex
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.physics.state.vehicles import RecordCache
from mvsim_ros2.world.spec import (
    ChassisSpec, DefaultTyre, DifferentialSpec, Footprint, LaserSpec, TwistPidController,
    VehicleSpec, WorldSpec)


def test_arrays_grow_without_being_copied_each_time():
    array, copies = np.zeros((0, 2), np.float32), 0
    for i in range(1000):
        longer = appended(array, [(i, -i)])
        copies += not np.shares_memory(longer, array)
        array = longer
    assert copies < 12
    assert array.tolist() == [[i, -i] for i in range(1000)] and array.flags.c_contiguous


def test_part_of_an_array_is_not_appended_to_in_place():
    whole = appended(np.zeros(0), [1.0, 2.0, 3.0])
    assert appended(whole[1:], [4.0]).tolist() == [2.0, 3.0, 4.0]
    assert whole.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize('mode', MODES)
def test_vehicles_of_a_class_are_made_as_one_by_one(mode):
    robot = VehicleSpec(
        dynamics=DifferentialSpec(controller=TwistPidController(V=0.4, W=0.2)),
        init_twist=(0.3, 0.0, 0.1))
    cache = tuple(replace(robot, name=f'r{i}', init_pose=Pose(3.0 * i, 0.0)) for i in range(12))
    own = tuple(replace(each, class_name=each.name) for each in cache)
    together, apart = (
        PhysicsWorld(WorldSpec(vehicles=robots), RandomStreams(0), mode)
        for robots in (cache, own))
    for world in (together, apart):
        world.step(20)
    assert together.vehicles.wheels.tobytes() == apart.vehicles.wheels.tobytes()
    for name, value in vars(together.vehicles.arrays).items():
        assert value.tobytes() == getattr(apart.vehicles.arrays, name).tobytes(), name


def test_another_tyre_or_outline_is_not_cache():
    robot = VehicleSpec('a', dynamics=DifferentialSpec(controller=TwistPidController()))
    others = (replace(robot, name='b', friction=DefaultTyre(mu=0.2)),
              replace(robot, name='c', class_name='other'), replace(robot, name='d'),
              replace(robot, name='e', dynamics=replace(robot.dynamics), sensors=(LaserSpec(),)))
    footprint = Footprint(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), 0.0, 1.0)
    cache = RecordCache()
    cache.keep(robot, footprint, np.zeros(1), np.zeros(2))
    assert [cache.find(each, footprint) is None for each in others] == [True, True, False, False]
    assert cache.find(robot, replace(footprint, zmax=2.0)) is None


def test_a_vehicle_whose_specification_may_change_is_like_no_other():
    """One with a list in it, which a script may give in place of a tuple."""
    footprint = Footprint(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), 0.0, 1.0)
    shape = [(-0.3, -0.2), (0.3, -0.2), (0.0, 0.2)]
    robot = VehicleSpec('a', dynamics=DifferentialSpec(chassis=ChassisSpec(shape=shape)))
    cache = RecordCache()
    cache.keep(robot, footprint, np.zeros(1), np.zeros(2))
    assert cache.find(robot, footprint) is None


@pytest.mark.parametrize('reach', [0.0, 3.0, 100.0])
def test_surfaces_near_a_place_are_all_found(reach):
    random = np.random.default_rng(0)
    index, placed = SurfaceIndex(), {}
    for row in [*range(200), *range(0, 200, 3)]:
        radius = math.inf if row == 7 else float(random.uniform(0.1, 40.0))
        placed[row] = (*random.uniform(-60.0, 60.0, 2).tolist(), radius)
        index.put(row, *placed[row], 0.0, 1.0)
    for x, y in random.uniform(-70.0, 70.0, (50, 2)).tolist():
        wanted = {row for row, (at_x, at_y, radius) in placed.items()
                  if math.hypot(at_x - x, at_y - y) <= radius + reach}
        near = index.near(x, y, reach)
        assert wanted <= set(near) and near == sorted(near)


def test_surfaces_that_came_went_or_moved_since_the_last_look_are_where_they_are():
    index = SurfaceIndex()
    for row, x in ((0, 0.0), (1, 0.5), (2, 50.0), (3, math.nan)):
        index.put(row, x, 0.0, 1.0, 0.0, 1.0)
    index.remove(1)
    index.put(2, 0.3, 0.0, 1.0, 0.0, 1.0)
    assert index.near(0.0, 0.0) == [0, 2, 3] and index.near(50.0, 0.0) == [3]
    index.put(2, 50.0, 0.0, 1.0, 0.0, 1.0)
    index.put(1, 0.0, 0.0, 1.0, 0.0, 1.0)
    index.remove(0)
    assert index.near(0.0, 0.0) == [1, 3] and index.near(50.0, 0.0) == [2, 3]
