# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are only seen: by cameras, in pictures, not by LiDARs, not by bodies."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import SceneError
from mvsim_ros2.pictures import automatic_view
from mvsim_ros2.world.spec import RuntimeObject

WORLD = """
  <element class="horizontal_plane"/>
  <block name="post"><static>true</static><init_pose>4 0 0</init_pose>
    <geometry type="box" lx="0.2" ly="2" lz="2"/></block>
  <vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential">
    <controller class="twist_ideal"/></dynamics>
    <sensor class="lidar3d" name="cloud"><pose_3d>0 0 0.5 0 0 0</pose_3d>
      <sensor_period>0.1</sensor_period></sensor>
    <sensor class="camera" name="eye"><pose_3d>0.7 0 0.5 -90 0 -90</pose_3d>
      <renderer>cpu</renderer><ncols>32</ncols><nrows>24</nrows><cx>15.5</cx><cy>11.5</cy><fx>20</fx><fy>20</fy>
      <labels>true</labels><sensor_period>0.1</sensor_period></sensor>
    <sensor class="sonar" name="ping"><pose_3d>0.7 0 0.5 0 0 0</pose_3d>
      <sensor_period>0.1</sensor_period></sensor>
  </vehicle>"""
SQUARE = np.array([[[0, -1, -1], [0, 1, -1], [0, 1, 1]], [[0, -1, -1], [0, 1, 1], [0, -1, 1]]],
                  float)
RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def screen(name: str = 'screen', x: float = 2.0, colour: tuple[float, ...] = RED) -> RuntimeObject:
    """Return a square that stands across the way."""
    return RuntimeObject(name, Pose(x=x, z=1.1), SQUARE, np.array([colour] * 2))


@pytest.fixture
def simulation() -> Simulation:
    """Return a robot before a post."""
    return simulate(WORLD)


def measured(simulation: Simulation) -> dict[str, object]:
    """Return the next measurement of each sensor."""
    while len(samples := {each.sensor: each for each in simulation.step()}) < 3:
        pass
    return samples


def test_cameras_see_them_and_lidars_do_not(simulation: Simulation) -> None:
    simulation.set_noise(False)
    before = measured(simulation)
    simulation.show_objects([screen()])
    seen = measured(simulation)
    assert np.array_equal(before['r/cloud'].points, seen['r/cloud'].points)
    assert before['r/ping'].distance == seen['r/ping'].distance
    middle = seen['r/eye'].pixels[12, 16].tolist()
    assert middle[0] > 2 * max(middle[1:]) and before['r/eye'].pixels[12, 16].tolist() != middle
    assert simulation.scene().LABELS[seen['r/eye'].labels.label[12, 16]] == 'marker'
    simulation.show_objects([screen('near', 1.5, BLUE), screen()])
    red, _, blue = measured(simulation)['r/eye'].pixels[12, 16].tolist()
    assert blue > 2 * red
    simulation.show_objects([])
    assert np.array_equal(measured(simulation)['r/eye'].pixels, before['r/eye'].pixels)


def test_a_vehicle_drives_through_them_and_a_reset_keeps_them(simulation: Simulation) -> None:
    simulation.show_objects([screen(x=1.0)])
    simulation.vehicles['r'].set_twist(1.0, 0.0)
    simulation.step(400)
    assert simulation.vehicles['r'].pose.x == pytest.approx(simulation.time, abs=0.02)
    simulation.reset()
    assert [each.name for each in simulation.runtime_objects] == ['screen']


def test_pictures_show_them_and_overlays_are_in_no_sensor(simulation: Simulation) -> None:
    view = automatic_view(simulation, 64, 48)
    plain = simulation.render(view, ('colour',)).colour
    assert simulation.scene([screen()]).thing_names[-1] == 'screen'
    assert np.array_equal(simulation.render(view, ('colour',)).colour, plain)
    simulation.show_objects([screen()])
    assert not np.array_equal(simulation.render(view, ('colour',)).colour, plain)


def test_what_cannot_be_shown(simulation: Simulation) -> None:
    with pytest.raises(SceneError, match='each its own name'):
        simulation.show_objects([screen(), screen()])
    with pytest.raises(SceneError, match=r'shapes \(F, 3, 3\) and \(F, 4\)'):
        RuntimeObject('a', Pose(), SQUARE, np.ones((1, 4)))
    with pytest.raises(SceneError, match='not finite'):
        RuntimeObject('a', Pose(), SQUARE * np.nan, np.ones((2, 4)))
