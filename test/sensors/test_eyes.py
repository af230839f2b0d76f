# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What sensors look with is made when it is needed, and kept up to date."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Pose
from mvsim_ros2 import Simulation
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.sensors.eyes import Eye
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.scene_eye import SceneEye
from mvsim_ros2.world.spec.world import WorldSpec

WORLD = """
<mvsim_world version="1.0">
  <block:class name="post">
    <static>true</static> <zmax>2</zmax>
    <shape> <pt>-0.1 -0.1</pt> <pt>0.1 -0.1</pt> <pt>0.1 0.1</pt> <pt>-0.1 0.1</pt> </shape>
  </block:class>
  <block:class name="crate">
    <mass>5</mass> <zmax>2</zmax>
    <shape> <pt>-0.1 -0.1</pt> <pt>0.1 -0.1</pt> <pt>0.1 0.1</pt> <pt>-0.1 0.1</pt> </shape>
  </block:class>
  <block name="ahead" class="post"> <init_pose>3 0 0</init_pose> </block>
  <sensor class="sonar" name="eye"> <pose_3d>0 0 1 0 0 0</pose_3d>
    <range_std_noise>0</range_std_noise> <max_range>20</max_range> <rays>1</rays> </sensor>
</mvsim_world>
"""


class Counting(Eye):
    """Counts what it is asked for."""

    rebuilt = looked = 0

    def rebuild(self) -> None:
        """Count."""
        self.rebuilt += 1
        self.eyes.use(Other)

    def look(self) -> None:
        """Count."""
        self.looked += 1
        self.eyes.use(Other)


class Other(Counting):
    """Another one, that the first one uses."""

    def rebuild(self) -> None:
        """Count."""
        self.rebuilt += 1

    def look(self) -> None:
        """Count."""
        self.looked += 1


def test_once_an_instant_and_once_a_change() -> None:
    world = WorldSpec()
    eyes = Eyes(world, PhysicsWorld(world, RandomStreams(0)), {})
    eye = eyes.use(Counting)
    for _ in range(3):
        assert eyes.use(Counting) is eye
    other = eyes.use(Other)
    assert (eye.rebuilt, eye.looked, other.rebuilt, other.looked) == (1, 1, 1, 1)
    eyes.begin(1)
    assert (eyes.use(Counting).looked, other.looked) == (2, 2)
    eyes.change({})
    eyes.use(Counting)
    assert (eye.rebuilt, eye.looked, other.rebuilt, other.looked) == (2, 3, 2, 3)


@pytest.fixture
def sim(tmp_path: Path) -> Simulation:
    """Return a world with a sensor of its own, 2.9 m before a post."""
    path = tmp_path / 'posts.world.xml'
    path.write_text(WORLD)
    return Simulation.from_file(path)


def seen(sim: Simulation) -> float:
    """Return what the sensor sees at this instant."""
    return float(sim.measure('eye').distance)


def test_what_comes_and_goes_is_seen(sim: Simulation) -> None:
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)
    sim.spawn_block('nearer', 'post', Pose(2.0))
    assert seen(sim) == pytest.approx(1.9, abs=1e-6)
    sim.set_pose('nearer', Pose(1.0))
    assert seen(sim) == pytest.approx(0.9, abs=1e-6)
    sim.remove('nearer')
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)
    sim.remove('ahead')
    assert seen(sim) == np.inf
    sim.reset()
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)


def test_what_moves_is_seen_where_it_is(sim: Simulation) -> None:
    sim.spawn_block('crate', 'crate', Pose(2.0))
    assert seen(sim) == pytest.approx(1.9, abs=1e-6)
    sim.set_pose('crate', Pose(1.5))
    assert seen(sim) == pytest.approx(1.4, abs=1e-6)
    state = sim.snapshot()
    sim.set_pose('crate', Pose(1.5), (-1.0, 0.0, 0.0))
    sim.step(20)
    assert seen(sim) == pytest.approx(float(sim.blocks['crate'].pose.x) - 0.1, abs=1e-5)
    assert seen(sim) < 1.39
    sim.restore(state)
    assert seen(sim) == pytest.approx(1.4, abs=1e-6)


def test_nothing_is_built_that_nobody_needs(sim: Simulation) -> None:
    sim.set_enabled('eye', False)
    sim.step(100)
    assert SceneEye not in sim._suite._eyes._eyes
