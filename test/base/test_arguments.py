# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions of the package say in a sentence what they cannot take."""

from collections.abc import Callable

import pytest

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.errors import MvsimError


@pytest.fixture(scope='module')
def sim() -> Simulation:
    """Return a simulation that no call of this file changes."""
    return Simulation.from_file('demo')


@pytest.mark.parametrize(('call', 'message'), [
    (lambda sim: Simulation('demo'), r"which is no WorldSpec: write Simulation.from_file\('demo'"),
    (lambda sim: Simulation(None), 'world is None, which is no WorldSpec'),
    (lambda sim: Simulation.from_file(3), 'path is 3, .* give the path of a world file'),
    (lambda sim: load_world('demo', 3), r"variables is 3, .* a dict such as \{'NAME': '1'\}"),
    (lambda sim: sim.set_pose('robot', (1, 2, 3)), r'pose is \(1, 2, 3\), .* write Pose\(x=1.0'),
    (lambda sim: sim.spawn_vehicle('a', 'small_robot', (1, 2)), r'write Pose\(x=1.0'),
    (lambda sim: sim.spawn_block('a', 3, Pose()), 'no block class 3'),
    (lambda sim: sim.set_noise('x'), "on is 'x': give True or False"),
    (lambda sim: sim.set_enabled('robot/scan', 'no'), "enabled is 'no': give True or False"),
    (lambda sim: sim.vehicles['robot'].set_twist('fast', 1), "'robot': give numbers"),
    (lambda sim: sim.step('a'), "n is 'a': give an integer"),
    (lambda sim: sim.run('a'), "duration_s is 'a': give a number"),
    (lambda sim: sim.restore(3), 'give what snapshot returned'),
    (lambda sim: sim.reset('a'), "seed is 'a': it must be an integer"),
    (lambda sim: sim.render(3), 'automatic_view'),
    (lambda sim: sim.cast_rays((0, 0), ['a'], 8), r"bearings is \['a'\]: give numbers"),
    (lambda sim: sim.cast_rays(0, [0.0], 8), 'origin is 0: give x and y'),
])
def test_what_cannot_be_taken(sim: Simulation, call: Callable[[Simulation], object],
                              message: str) -> None:
    with pytest.raises(MvsimError, match=message):
        call(sim)


@pytest.mark.parametrize('take', [
    lambda sim: sim, lambda sim: sim.vehicles['robot'], lambda sim: sim.sensors['robot/scan'],
    lambda sim: sim.blocks['meeting_table'], lambda sim: sim.vehicles])
@pytest.mark.parametrize('name', ['velocity', 'pose_', 'anything'])
def test_an_unknown_attribute_is_refused(sim: Simulation, take: Callable[[Simulation], object],
                                         name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        setattr(take(sim), name, 1.0)
