# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of vehicles, sensors and blocks have an effect: another value gives other observations."""

import re

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.world_file.load import load_world_text

WORLD = """<mvsim_world version="1.0">
 {world}
 <vehicle name="r">
  {vehicle}
  <dynamics class="differential">
   <l_wheel pos="0 0.3" mass="2" width="0.1" diameter="0.4" {wheel}>{wheel_tags}</l_wheel>
   <r_wheel pos="0 -0.3" mass="2" width="0.1" diameter="0.4"/>
   <chassis mass="15" zmin="0.05" zmax="0.6">{chassis}</chassis>
   <controller class="twist_pid">{controller}</controller>
  </dynamics>
  <friction class="default">{friction}</friction>
  <odometry>{odometry}</odometry>
  <sensor class="laser" name="laser">{laser}</sensor>
  <sensor class="imu" name="imu">{imu}</sensor>
 </vehicle>
 <block name="b">
  <shape><pt>-0.3 -0.3</pt><pt>-0.3 0.3</pt><pt>0.3 0.3</pt><pt>0.3 -0.3</pt></shape> {block}
 </block>
</mvsim_world>"""
USUAL = {
    'world': '<simul_timestep>0.005</simul_timestep>',
    'vehicle': '<init_pose>0 0 10</init_pose>', 'wheel': '', 'wheel_tags': '', 'chassis': '',
    'controller': '<KP>100</KP> <KI>5</KI> <max_torque>20</max_torque>',
    'friction': '<mu>0.8</mu>', 'odometry': '', 'imu': '',
    'laser': '<range_std_noise>0</range_std_noise> '
             '<angle_std_noise_deg>0</angle_std_noise_deg>',
    'block': '<init_pose>1.2 0.1 20</init_pose> <mass>20</mass>'}
# slot and its text with `#`, two values of this
ROWS = [
    ('world', '<gravity>#</gravity>', '9.81', '3'),
    ('world', '<simul_timestep>#</simul_timestep>', '0.005', '0.002'),
    ('wheel', 'inertia="#"', '0.1', '2'),
    ('wheel_tags', '<inertia>#</inertia>', '0.1', '2'),
    ('chassis', '<shape> <pt>-#</pt> <pt>0.4 0.3</pt> <pt>-0.4 0.3</pt> </shape>',
     '0.4 -0.3', '0.2 -0.3'),
    ('controller', '<KP>#</KP>', '100', '10'),
    ('controller', '<KI>#</KI>', '5', '0'),
    ('controller', '<KD>#</KD>', '0', '5'),
    ('controller', '<max_torque>#</max_torque>', '20', '1'),
    ('controller', '<V>#</V>', '0', '0.3'),
    ('controller', '<W>#</W>', '0', '30'),
    ('friction', '<mu>#</mu>', '0.8', '0.02'),
    ('friction', '<C_damping>#</C_damping>', '0.1', '3'),
    ('friction', '<C_rr>#</C_rr>', '0', '0.5'),
    ('odometry', '<x_multiplier>#</x_multiplier>', '1', '1.2'),
    ('odometry', '<y_multiplier>#</y_multiplier>', '1', '1.2'),
    ('odometry', '<yaw_multiplier>#</yaw_multiplier>', '1', '1.2'),
    ('laser', '<pose>#</pose>', '0 0 0', '0.1 0 30'),
    ('laser', '<fov_degrees>#</fov_degrees>', '180', '90'),
    ('laser', '<nrays>#</nrays>', '181', '91'),
    ('laser', '<range_std_noise>#</range_std_noise>', '0', '0.1'),
    ('laser', '<angle_std_noise_deg>#</angle_std_noise_deg>', '0', '3'),
    ('laser', '<sensor_period>#</sensor_period>', '0.1', '0.05'),
    ('laser', '<max_range>#</max_range>', '80', '0.5'),
    ('laser', '<min_range>#</min_range>', '0', '3'),
    ('laser', '<fov_degrees>360</fov_degrees> <closed_circle>#</closed_circle>', 'false', 'true'),
    ('laser', '<height>#</height>', '0.3', '5'),
    ('laser', '<bodies_visible>#</bodies_visible>', 'true', 'false'),
    ('imu', '<sensor_period>#</sensor_period>', '0.01', '0.02'),
    ('imu', '<angular_velocity_std_noise>#</angular_velocity_std_noise>', '0', '0.3'),
    ('imu', '<linear_acceleration_std_noise>#</linear_acceleration_std_noise>', '0', '0.3'),
    ('imu', '<pose_3d>#</pose_3d>', '0 0 0 0 0 0', '0 0.2 0 90 0 0'),
    ('vehicle', '<init_vel>#</init_vel>', '0 0 0', '0.5 0 20'),
    ('vehicle', '<init_pose>#</init_pose>', '0 0 10', '-0.5 0 10'),
    ('block', '<mass>#</mass>', '20', '400'),
    ('block', '<ground_friction>#</ground_friction>', '0.5', '0.01'),
    ('block', '<zmax>#</zmax>', '1', '0.02'),
    ('block', '<zmin>#</zmin>', '0', '0.9'),
    ('block', '<static>#</static>', 'false', 'true'),
    ('block', '<intangible>#</intangible>', 'false', 'true'),
    ('block', '<init_vel>#</init_vel>', '0 0 0', '-0.5 0 40'),
    ('block', '<init_pose>#</init_pose>', '1.2 0.1 20', '1.2 -0.3 0'),
]


def observed(slot: str, text: str, value: str) -> tuple[bytes, ...]:
    """Return what a run of a second shows, in which the robot pushes a block."""
    name = re.match(r'<(\w+)>', text)
    usual = re.sub(f'<{name[1]}>.*?</{name[1]}>', '', USUAL[slot]) if name else USUAL[slot]
    source = WORLD.format(**{**USUAL, slot: usual + text.replace('#', value)})
    simulation = Simulation(load_world_text(source, 'effects', strict=True), seed=1)
    robot, block = simulation.vehicles['r'], simulation.blocks['b']
    first = {name: sensor.measure() for name, sensor in simulation.sensors.items()}
    seen = simulation.step(round(0.1 / simulation.dt))
    begun = robot.pose
    robot.set_twist(1.0, 0.2)
    seen += simulation.step(round(1.2 / simulation.dt))
    last = {each.sensor: each for each in seen}
    numbers = np.array([
        begun.x, begun.yaw, *robot.twist_body, robot.pose.x, robot.pose.y, robot.pose.yaw,
        block.pose.x, block.pose.y, block.pose.yaw, *robot.odometry.pose])
    return (numbers.round(6).tobytes(), robot.wheels.tobytes(),
            repr([(each.sensor, each.stamp_ns) for each in seen]).encode(),
            *(repr(vars(each)).encode() for each in (*first.values(), *last.values())))


@pytest.mark.parametrize('slot, text, one, other', [
    pytest.param(*row, id=f'{row[0]}-{row[1]}') for row in ROWS])
def test_another_value_shows(slot: str, text: str, one: str, other: str) -> None:
    assert observed(slot, text, one) != observed(slot, text, other)
