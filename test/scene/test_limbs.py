# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People with limbs: how they step, sit and look."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation

LIDAR = ('<sensor class="laser" name="low"> <pose_3d>0 0 0.2 0 0 0</pose_3d> <nrays>1441</nrays> '
         '<fov_degrees>90</fov_degrees> <range_std_noise>0</range_std_noise> '
         '<angle_std_noise_deg>0</angle_std_noise_deg> <max_range>20</max_range> </sensor>')
WALKER = ('<actor name="anna"> <init_pose>3 -3 90</init_pose> <walking_speed>1.37</walking_speed>'
          '<path loop="false"> <waypoint>3 9 90</waypoint> </path> </actor>')


def simulation_of(things: str) -> Simulation:
    return simulate(f'<simul_timestep>0.01</simul_timestep> {things}', physics='physical')


def arcs(simulation: Simulation) -> list[float]:
    """Return where the arcs that a planar LiDAR sees are, along the way of the walker [m]."""
    scan = simulation.measure('low')
    bearing = np.linspace(-np.pi / 4, np.pi / 4, len(scan.ranges))
    y = np.where(np.isfinite(scan.ranges), scan.ranges, np.nan) * np.sin(bearing)
    hit = np.flatnonzero(np.isfinite(y))
    parts = np.split(hit, np.flatnonzero(
        (np.diff(hit) > 1) | (np.abs(np.diff(scan.ranges[hit])) > 0.03)) + 1)
    return [float(y[part].mean()) for part in parts if len(part) > 2]


def test_planar_lidars_see_two_legs_that_step_as_far_as_published() -> None:
    """
    A planar LiDAR at 20 cm sees two legs, one at rest; adults at 1.37 m/s take strides of 1.44 m.

    :reference: J. Perry, Gait analysis (1992): 1.44 m at 82 m a minute, 60 % of it on the ground
    """
    simulation = simulation_of(LIDAR + WALKER)
    simulation.step(100)
    seen, stands = [], []
    for _ in range(110):
        simulation.step(2)
        seen.append(arcs(simulation))
        if len(seen) > 1:
            stands += [now for now in seen[-1]
                       if any(abs(now - before) < 0.005 for before in seen[-2])]
    assert sum(len(each) == 2 for each in seen) > 85  # now and then a leg hides the other one
    places = np.sort(stands)
    groups = np.split(places, np.flatnonzero(np.diff(places) > 0.25) + 1)
    steps = np.diff([np.median(group) for group in groups])
    assert len(steps) >= 3
    assert 2.0 * steps.mean() == pytest.approx(1.44, rel=0.04)


def height_of(simulation: Simulation, name: str) -> float:
    scene = simulation.scene()
    return max(float((scene.meshes[scene.mesh[i]].vertices @ scene.transform[i, 2, :3]
                      + scene.transform[i, 2, 3]).max())
               for i in np.flatnonzero(scene.thing == scene.thing_names.index(name)))


def test_people_sit_where_they_wait_and_rise_before_they_go_on() -> None:
    simulation = simulation_of(
        '<actor name="bob"> <init_pose>0 0 0</init_pose> <posture>sit</posture>'
        '<path> <waypoint pause="4">2 0 0</waypoint> <waypoint>0 0 0</waypoint> </path> </actor>'
        '<actor name="eve"> <init_pose>5 0 0</init_pose> <posture>sit</posture> </actor>')
    assert height_of(simulation, 'eve') == pytest.approx(1.75 * (1.0 - 0.245), abs=0.03)
    simulation.step(100)
    assert height_of(simulation, 'bob') > 1.65
    simulation.step(250)
    assert simulation.actors['bob'].pose.x == 2.0
    assert height_of(simulation, 'bob') == pytest.approx(1.75 * (1.0 - 0.245), abs=0.03)
    while simulation.actors['bob'].pose.x == 2.0:
        simulation.step()
    assert height_of(simulation, 'bob') > 1.65


def test_looks_follow_from_a_number_or_the_name() -> None:
    simulation = simulation_of(''.join(
        f'<actor name="{name}"> <init_pose>{i} 0 0</init_pose> {look} </actor>'
        for i, (name, look) in enumerate((
            ('a', '<look>7</look>'), ('b', '<look>7</look>'), ('c', ''), ('d', ''), ('e', '')))))
    scene = simulation.scene()
    meshes = {name: scene.mesh[scene.thing == number].tolist()
              for number, name in enumerate(scene.thing_names) if name in tuple('abcde')}
    assert meshes['a'] == meshes['b']
    assert len({tuple(each) for each in meshes.values()}) > 2
