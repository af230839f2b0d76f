# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The IMU on uneven ground: what it feels, added up, is how the robot moved."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import rotation_matrix

ROWS = '; '.join(' '.join(
    f'{0.5 * np.sin(0.8 * x) * np.cos(0.4 * y):.6f}' for y in range(-12, 13))
    for x in range(-12, 13))
WORLD = f"""
  <simul_timestep>0.005</simul_timestep>
  <element class="elevation_map">
    <elevation_data_matrix>[{ROWS}]</elevation_data_matrix> <resolution>1</resolution>
  </element>
  <vehicle name="r1">
    <init_pose>-6 -3 10</init_pose>
    <dynamics class="differential_4_wheels">
      <lf_wheel pos="0.3 0.3" mass="1" width="0.1" diameter="0.3" />
      <rf_wheel pos="0.3 -0.3" mass="1" width="0.1" diameter="0.3" />
      <lr_wheel pos="-0.3 0.3" mass="1" width="0.1" diameter="0.3" />
      <rr_wheel pos="-0.3 -0.3" mass="1" width="0.1" diameter="0.3" />
      <chassis mass="20" zmin="0.1" zmax="0.5"/>
      <controller class="twist_pid"> <KP>15</KP> <KI>8</KI> <max_torque>30</max_torque>
      </controller>
    </dynamics>
    <sensor class="imu" name="imu">
      <sensor_period>0.005</sensor_period>
      <pose_3d>PLACE</pose_3d>
      <angular_velocity_std_noise>0</angular_velocity_std_noise>
      <linear_acceleration_std_noise>0</linear_acceleration_std_noise>
    </sensor>
  </vehicle>
"""


def rotation_of_vector(vector):
    """Return the matrix of a turn about `vector` by its length (Rodrigues)."""
    x, y, z = vector
    angle = np.linalg.norm(vector)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]) / max(angle, 1e-30)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def start(place: str) -> Simulation:
    """Start the world with the IMU at a place (x y z yaw pitch roll)."""
    return simulate(WORLD.replace('PLACE', place), physics='physical')


@pytest.mark.parametrize('place', [
    pytest.param('0 0 0 0 0 0', id='at the reference point'),
    pytest.param('0.4 -0.2 0.6 30 20 -10', id='on a mast, oblique')])
def test_samples_add_up_to_the_motion(place: str) -> None:
    """
    An IMU on hills, integrated for 3 s, gives the path of 3 m within 0.1 m.

    :reference: true poses
    """
    sim = start(place)
    robot, mounting = sim.vehicles['r1'], sim.sensors['r1/imu'].pose
    robot.set_twist(1.0, 0.2)
    sim.step(100)
    dt = sim.dt

    def truth():
        pose = robot.pose
        return (pose.rotation @ mounting.rotation,
                pose.position + pose.rotation @ mounting.position)

    _, before = truth()
    sim.step()
    rotation, place_now = truth()
    velocity = (place_now - before) / dt
    pitches = []
    for _ in range(600):
        sample, = sim.step()
        rotation = rotation @ rotation_of_vector(sample.angular_velocity * dt)
        velocity = velocity + dt * (rotation @ sample.linear_acceleration - [0, 0, 9.81])
        place_now = place_now + dt * velocity
        pitches.append(robot.pose.pitch)
    assert np.ptp(pitches) > 0.1  # it went up and down
    end, here = truth()
    off = rotation.T @ end
    assert np.arccos(np.clip((np.trace(off) - 1) / 2, -1, 1)) < 0.01
    # 3 s and 3 m: height is twice integrated, and the ground has edges
    assert place_now == pytest.approx(here, abs=0.1)


def test_rates_on_a_slope_turn_with_the_robot() -> None:
    """Whoever turns on the spot on a slope has a rate about its own axes, not the vertical."""
    sim = start('0 0 0 0 0 0')
    robot = sim.vehicles['r1']
    robot.set_twist(0.0, 3.0)
    sim.step(200)
    before = robot.pose.rotation
    samples = sim.step(20)
    after = robot.pose.rotation
    turned = before
    for sample in samples:
        turned = turned @ rotation_of_vector(sample.angular_velocity * sim.dt)
    assert turned == pytest.approx(after, abs=2e-4)
    assert max(abs(sample.angular_velocity[:2]).max() for sample in samples) > 1e-3


def test_at_rest_on_a_slope_it_feels_gravity_alone() -> None:
    sim = start('0.4 -0.2 0.6 0 0 0')
    sample = sim.step(300)[-1]
    pose = sim.vehicles['r1'].pose
    assert abs(pose.roll) > 0.02
    up = rotation_matrix(pose.yaw, pose.pitch, pose.roll) @ sample.linear_acceleration
    assert up == pytest.approx([0.0, 0.0, 9.81], abs=1e-6)
    assert sample.angular_velocity == pytest.approx([0.0, 0.0, 0.0], abs=1e-7)
