# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Velocities in space integrate to the pose, and readings of an ideal IMU to these."""

import math

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.recording.read_log import pose_row

G = 9.81  # m/s^2
MOUNTING = rotation_matrix(*np.radians((30.0, 20.0, 10.0)))  # of the IMU on its robot
PLACE = np.array((0.1, 0.05, 0.2))  # m; of the IMU on its robot
WHEEL = 'mass="0.5" width="0.05" diameter="0.2"/>'
WORLD = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
<block name="stage"><init_pose>0 0 0</init_pose><static>true</static>
  <intangible>true</intangible><zmax>{height}</zmax>
  <shape><pt>-9 -5</pt><pt>{end} -5</pt><pt>{end} 5</pt><pt>-9 5</pt></shape>
  {keys}</block>
<vehicle name="r"><init_pose3d>0 0 {height} 10 0 0</init_pose3d>
  <init_vel>{speed} 0 0</init_vel>
  <dynamics class="differential_4_wheels">
    <chassis mass="20" zmin="0.08" zmax="0.3"/><controller class="raw"/>
    <lf_wheel pos="0.15 0.2" {wheel}<rf_wheel pos="0.15 -0.2" {wheel}
    <lr_wheel pos="-0.15 0.2" {wheel}<rr_wheel pos="-0.15 -0.2" {wheel}</dynamics>
  <sensor class="imu" name="imu"><pose_3d>0.1 0.05 0.2 30 20 10</pose_3d>
    <sensor_period>{period}</sensor_period></sensor></vehicle></mvsim_world>"""
LIFT = """<animation><time_pose3d>0.2 0 0 0 0 0 0</time_pose3d>
<time_pose3d>1.2 0 0 0.5 0 0 0</time_pose3d>
<time_pose3d>9 0 0 0.5 0 0 0</time_pose3d></animation>"""


@pytest.mark.parametrize('samples', [1, 4])
@pytest.mark.parametrize(('mode', 'height', 'end', 'speed', 'keys'), [
    ('physical', 1.5, 0.6, 4.0, ''), ('mvsim', 1.5, 0.6, 4.0, ''), ('physical', 0.3, 0.6, 2.0, ''),
    ('physical', 0.02, 0.6, 1.0, ''), ('mvsim', 0.02, 0.6, 1.0, ''),
    ('physical', 0.5, 9.0, 0.0, LIFT), ('mvsim', 0.5, 9.0, 0.0, LIFT)])
def test_an_imu_tells_how_it_moves(tmp_path, mode, height, end, speed, keys, samples, dt):
    """
    On a lever, turned, over edges: what it feels adds up to its velocity, that to its place.

    :claim: Over cliffs, kerbs and lifts, at 1 to 20 ms, an integrated ideal IMU gives the true
        motion within 0.02 m/s. The true velocity gives the pose within 1 mm/s
    :reference: the true pose
    """
    file = tmp_path / 'stage.world.xml'
    file.write_text(WORLD.format(dt=dt, period=samples * dt, height=height, end=end, speed=speed,
                                 keys=keys, wheel=WHEEL))
    simulation = Simulation.from_file(file, physics=mode)
    robot = simulation.vehicles['r']

    def velocity():
        twist = robot.twist_in_space
        return np.asarray(robot.pose.rotation @ (twist[:3] + np.cross(twist[3:], PLACE)))
    felt, before, offs, gaps = None, robot.pose, [0.0], []
    for _ in range(round(1.5 / dt)):
        for observation in simulation.step():
            force = robot.pose.rotation @ MOUNTING @ observation.linear_acceleration
            gained = samples * dt * (force - (0.0, 0.0, G))
            felt = velocity() if felt is None else felt + gained
            offs.append(np.abs(felt - velocity()).max())
        now = robot.pose
        gaps.append(np.abs((now.position - before.position) / dt
                           - now.rotation @ robot.twist_in_space[:3]).max())
        before = now
    assert max(offs) < 0.02
    assert max(gaps) < 1e-3


SLOPE = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
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


def on_slope(folder, degrees, yaw, dt=0.005):
    """Return a robot on a plane that rises along x."""
    rise = 10.0 * math.tan(math.radians(degrees))
    file = folder / 'slope.world.xml'
    file.write_text(SLOPE.format(dt=dt, yaw=yaw, rows='; '.join(
        ' '.join([f'{rise * i:.9f}'] * 7) for i in range(-3, 4))))
    return Simulation(load_world(file))


@pytest.mark.parametrize('degrees', [0.0, 20.0, 30.0])
def test_what_climbs_as_told_has_that_velocity(tmp_path, degrees):
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
def test_twist_is_how_the_pose_changes(tmp_path, yaw):
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


def test_a_tilted_block_moves_in_its_own_frame(tmp_path):
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
def test_twist_of_a_block_is_how_its_pose_changes(tmp_path, thing, seconds):
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
