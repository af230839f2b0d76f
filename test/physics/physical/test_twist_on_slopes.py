# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The true velocity of a vehicle is that in its own, tilted frame."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.recording.read_log import pose_row
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world

WORLD = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
<element class="elevation_map">
  <elevation_data_matrix>[{rows}]</elevation_data_matrix> <resolution>10</resolution>
</element>
<vehicle name="r1"><init_pose>-20 -5 {yaw}</init_pose>
  <dynamics class="differential_4_wheels">
    <lf_wheel pos="0.3 0.3" mass="1" width="0.1" diameter="0.3"/>
    <rf_wheel pos="0.3 -0.3" mass="1" width="0.1" diameter="0.3"/>
    <lr_wheel pos="-0.3 0.3" mass="1" width="0.1" diameter="0.3"/>
    <rr_wheel pos="-0.3 -0.3" mass="1" width="0.1" diameter="0.3"/>
    <chassis mass="20" zmin="0.1" zmax="0.5"/>
    <controller class="twist_pid"><KP>50</KP> <KI>80</KI> <max_torque>30</max_torque></controller>
  </dynamics><friction class="default"><mu>2</mu></friction></vehicle></mvsim_world>"""


def on_slope(folder: Path, degrees: float, yaw: float, dt: float = 0.005) -> Simulation:
    """Return a robot on a plane that rises along x."""
    rise = 10.0 * math.tan(math.radians(degrees))
    file = folder / 'slope.world.xml'
    file.write_text(WORLD.format(dt=dt, yaw=yaw, rows='; '.join(
        ' '.join([f'{rise * i:.9f}'] * 7) for i in range(-3, 4))))
    return Simulation(load_world(file))


@pytest.mark.parametrize('degrees', [0.0, 20.0, 30.0])
def test_what_climbs_as_told_has_that_velocity(tmp_path: Path, degrees: float) -> None:
    """Not its projection, which is 0.940 of it at 20 degrees and 0.866 at 30."""
    simulation = on_slope(tmp_path, degrees, 0.0)
    robot = simulation.vehicles['r1']
    robot.set_twist(1.0, 0.0)
    simulation.run(3.0)
    rims = robot.wheels['omega'] * robot.wheels['radius']
    slip = 0.04 if degrees else 0.001  # the tyres pull it up
    assert robot.twist_body[0] == pytest.approx(rims.mean(), rel=slip)
    assert robot.twist_body[0] == pytest.approx(1.0, rel=slip)
    assert robot.twist_in_plan[0] == pytest.approx(
        robot.twist_body[0] * math.cos(math.radians(degrees)), rel=1e-4)
    assert np.abs(robot.twist_in_space[1:]).max() < 2e-4
    assert pose_row(0.0, robot)['dqx'] == robot.twist_body[0]


@pytest.mark.parametrize('yaw', [0.0, 60.0, 200.0])
def test_twist_is_how_the_pose_changes(tmp_path: Path, yaw: float) -> None:
    """In a curve across a slope: against differences of the poses around."""
    simulation = on_slope(tmp_path, 15.0, yaw, 0.001)
    robot = simulation.vehicles['r1']
    robot.set_twist(0.8, 0.5)
    simulation.run(2.0)
    poses = []
    for k in range(21):
        poses.append(robot.pose)
        if k == 10:
            twist = robot.twist_in_space
        simulation.step()
    first, middle, last = poses[0], poses[10], poses[20]
    velocity = (last.position - first.position) / 0.02
    assert middle.rotation @ twist[:3] == pytest.approx(velocity, abs=2e-3)
    turn = first.rotation.T @ last.rotation / 0.02
    rate = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    assert twist[3:] == pytest.approx(0.5 * rate, abs=2e-3)
    assert robot.twist_body.tolist() == robot.twist_in_space[[0, 1, 5]].tolist()


def test_a_tilted_block_moves_in_its_own_frame(tmp_path: Path) -> None:
    file = tmp_path / 'block.world.xml'
    file.write_text("""<mvsim_world version="1.0"><block name="b"><mass>1</mass>
        <init_pose3d>0 0 0 0 0 30</init_pose3d></block></mvsim_world>""")
    simulation = Simulation(load_world(file))
    block = simulation.blocks['b']
    simulation.set_pose('b', block.pose, (0.0, 1.0, 0.0))
    roll = rotation_matrix(0.0, 0.0, block.pose.roll)
    assert block.twist_in_space[:3] == pytest.approx(roll.T @ (0.0, 1.0, 0.0), abs=1e-6)
    assert block.twist_in_plan.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize('thing, seconds', [
    pytest.param('<init_pose>0 0 60</init_pose> <init_vel>1 0.5 20</init_vel>'
                 '<ground_friction>0.1</ground_friction>', 0.3, id='slides down'),
    pytest.param('<init_pose>0 0 30</init_pose> <static>true</static> <animation type="keyframes">'
                 '<time_pose3d>0 0 0 0 0 0 0</time_pose3d>'
                 '<time_pose3d>2 2 1 1 0 0 0</time_pose3d></animation>', 0.5, id='lift'),
    pytest.param('<init_pose>0 0 30</init_pose> <static>true</static> <animation type="keyframes">'
                 '<time_pose3d>0 0 0 0 0 10 0</time_pose3d>'
                 '<time_pose3d>2 2 1 1 40 -50 60</time_pose3d></animation>', 0.5, id='tilts')])
def test_twist_of_a_block_is_how_its_pose_changes(
        tmp_path: Path, thing: str, seconds: float) -> None:
    """On a plane of 22 degrees: climbing and tilting count; in plan along the yaw."""
    rows = '; '.join(' '.join([f'{4.0 * i:.6f}'] * 7) for i in range(-3, 4))
    file = tmp_path / 'slope.world.xml'
    file.write_text(f"""<mvsim_world version="1.0"><simul_timestep>0.001</simul_timestep>
        <element class="elevation_map"><resolution>10</resolution>
        <elevation_data_matrix>[{rows}]</elevation_data_matrix></element>
        <block name="b">{thing}</block></mvsim_world>""")
    simulation = Simulation(load_world(file))
    block = simulation.blocks['b']
    simulation.run(seconds)
    poses = [block.pose]
    simulation.run(0.01)
    twist, plan, middle = block.twist_in_space, block.twist_in_plan, block.pose
    simulation.run(0.01)
    velocity = (block.pose.position - poses[0].position) / 0.02
    assert middle.rotation @ twist[:3] == pytest.approx(velocity, abs=2e-3)
    turn = poses[0].rotation.T @ block.pose.rotation / 0.02
    rate = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    assert twist[3:] == pytest.approx(0.5 * rate, abs=2e-3)
    assert plan[2] == pytest.approx((block.pose.yaw - poses[0].yaw) / 0.02, abs=2e-3)
    assert np.hypot(*plan[:2]) == pytest.approx(np.hypot(*velocity[:2]), abs=2e-3)
    heading = middle.yaw + math.atan2(plan[1], plan[0])
    assert math.cos(heading - math.atan2(velocity[1], velocity[0])) == pytest.approx(
        1.0, abs=1e-5)
