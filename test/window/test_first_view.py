# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a window begins where the world file has `<gui>`."""

import math

from making import simulate
import pytest

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.cameras import first_view
from mvsim_ros2.window.choices import first_choices

ROBOT = ('<vehicle name="{}"> <init_pose>0 0 0</init_pose> '
         '<dynamics class="differential"/></vehicle>')


def robots(gui: str) -> Simulation:
    return simulate(gui + ROBOT.format('a') + ROBOT.format('b'))


def test_the_camera_stands_where_the_file_says() -> None:
    view = first_view(robots(
        '<gui> <cam_distance>10</cam_distance> <cam_azimuth>90</cam_azimuth> '
        '<cam_elevation>30</cam_elevation> <cam_point_to>1 2 0.5</cam_point_to> '
        '<fov_deg>45</fov_deg> <clip_plane_min>0.2</clip_plane_min> '
        '<clip_plane_max>500</clip_plane_max> </gui>'))
    assert view.at.tolist() == [1.0, 2.0, 0.5]
    assert view.eye.tolist() == pytest.approx([1.0, 2.0 + 10.0 * math.cos(math.pi / 6), 5.5])
    assert (view.field, view.near, view.far) == (math.radians(45.0), 0.2, 500.0)
    assert view.farther(2.0).moved(0.1, 0.0).field == view.field


def test_without_it_the_robots_are_seen() -> None:
    near = first_view(robots(''))
    assert near.far == 0.0 and abs(near.eye[:2]).max() < 20.0


def test_the_switches_are_those_of_the_file() -> None:
    chosen = first_choices(robots(
        '<gui> <follow_vehicle>b</follow_vehicle> <show_forces>true</show_forces> '
        '<show_sensor_points>false</show_sensor_points> '
        '<show_sensor_previews>false</show_sensor_previews> </gui>').world, ('a', 'b'))
    assert (chosen.follow, chosen.selected, chosen.driven) == ('follow', 'b', 'b')
    assert chosen.forces and not (chosen.scans or chosen.clouds or chosen.images)


def test_without_any_the_switches_are_the_usual_ones() -> None:
    usual = first_choices(robots('').world, ('a', 'b'))
    assert (usual.follow, usual.driven, usual.forces) == ('free', 'a', False)
    assert usual.scans and usual.clouds and usual.images
