# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Contact forces, torques, currents, the battery, radio tags and line sensors by closed forms."""

from dataclasses import replace
import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import SensorError, WorldFileError
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.world.spec import (
    BatterySpec, BlockSpec, ContactForceSpec, HorizontalPlaneSpec, LineSensorSpec, RfidSpec,
    RfidTagSpec, SensorSpec, WorldSpec)

RADIUS = 0.1
WORLD = """
  <simul_timestep>0.005</simul_timestep>
  <physics mode="MODE"/>
  <block name="wall">
    <static>true</static> <init_pose>0.5 0 0</init_pose> <zmax>1</zmax>
    <shape> <pt>-0.1 -1</pt> <pt>0.1 -1</pt> <pt>0.1 1</pt> <pt>-0.1 1</pt> </shape>
  </block>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 0.25" mass="1" width="0.05" diameter="0.2" />
      <r_wheel pos="0 -0.25" mass="1" width="0.05" diameter="0.2" />
      <chassis mass="10" zmin="0.05" zmax="0.5">
        <shape> <pt>-0.3 -0.2</pt> <pt>0.3 -0.2</pt> <pt>0.3 0.2</pt> <pt>-0.3 0.2</pt> </shape>
      </chassis>
      <controller class="raw"/>
    </dynamics>
    <friction class="default"> <mu>0.8</mu> </friction>
    <sensor class="contact_force" name="skin"> <pose>0.1 0.05 90</pose> </sensor>
    <sensor class="contact_force" name="back"> <pose>0 0 180</pose> <fov_degrees>90</fov_degrees>
    </sensor>
    <sensor class="joint_effort" name="torques"/>
    <sensor class="motor_current" name="currents"> <gear_ratio>10</gear_ratio>
      <torque_constant>0.02</torque_constant> <no_load_current>0.3</no_load_current> </sensor>
    <sensor class="battery" name="battery"> <gear_ratio>10</gear_ratio>
      <torque_constant>0.02</torque_constant> <no_load_current>0.3</no_load_current>
      <capacity>0.02</capacity> <idle_power>12</idle_power> <sensor_period>0.005</sensor_period>
      <internal_resistance>0.4</internal_resistance> <regeneration>0.5</regeneration> </sensor>
  </vehicle>
"""


def start(mode: str = 'physical') -> Simulation:
    """Start the world without noise."""
    sim = simulate(WORLD.replace('MODE', mode))
    sim.set_noise(False)
    return sim


def alone(*sensors: SensorSpec, seed: int = 0) -> Simulation:
    """Return the same robot with other sensors, without the wall."""
    robot = replace(start().vehicles['r1'].spec, sensors=sensors)
    return Simulation(WorldSpec(vehicles=(robot,)), seed=seed)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_impulses_of_contacts_are_those_that_the_vehicle_loses(mode: str) -> None:
    """
    Forces of contacts in a crash add up to the change of momentum, less the part of the ground.

    :reference: closed form
    """
    sim = start(mode)
    robot = sim.vehicles['r1']
    robot.set_torques(0.4, 0.4)
    pushed = ground = most = 0.0
    for _ in range(400):
        sim.step(1)
        force = sim.measure('r1/skin').force[1]  # its y axis looks back
        pushed += sim.dt * force
        ground += sim.dt * float(robot.wheels['force_x'].sum())
        most = max(most, force)
    assert most > 100.0
    assert ground - pushed == pytest.approx(12.0 * robot.twist_body[0], abs=0.01 * pushed)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_wrench_torques_and_currents_of_a_robot_that_pushes(mode: str) -> None:
    """
    At rest against a wall the force is torque over radius, at its arm; currents are T / (n k).

    :reference: closed form
    """
    sim = start(mode)
    sim.vehicles['r1'].set_torques(0.4, 0.4)
    sim.run(6.0)
    wrench, back = sim.measure('r1/skin'), sim.measure('r1/back')
    force = 0.8 / RADIUS
    assert wrench.force == pytest.approx([0.0, force, 0.0], abs=0.02)
    assert wrench.torque == pytest.approx([0.0, 0.0, -0.05 * force], abs=0.02)
    assert back.force.tolist() == [0.0, 0.0, 0.0]
    torques, currents = sim.measure('r1/torques'), sim.measure('r1/currents')
    assert torques.values.tolist() == [0.4, 0.4]
    assert torques.names == currents.names == ('l_wheel_joint', 'r_wheel_joint')
    turning = np.sign(sim.vehicles['r1'].wheels['omega'])
    assert currents.values == pytest.approx(0.4 / (10 * 0.02) + 0.3 * turning)


def test_a_force_beyond_its_limit_is_cut() -> None:
    sim = alone(ContactForceSpec(name='skin', max_force=2.0, force_std_noise=50.0), seed=3)
    values = np.array([sim.measure('r1/skin').force for _ in range(20)])
    assert np.abs(values).max() == 2.0


def test_battery_gives_the_power_that_is_taken() -> None:
    """
    Voltage and current under load solve (V0 - r I) I = P, for motors that push, turn and brake.

    :reference: closed form
    """
    sim = start()
    robot = sim.vehicles['r1']
    sim.set_pose('r1', Pose(x=-2.0))
    for torque, time in ((0.0, 0.5), (0.3, 1.0), (-0.3, 0.1)):
        robot.set_torques(torque, torque)
        sim.run(time)
        before = sim.measure('r1/battery').charge / 0.02
        sample, omega = sim.measure('r1/battery'), robot.wheels['omega']
        current = torque / 0.2 + 0.3 * np.sign(omega)
        power = float((current * (0.3 * current + 0.2 * omega)).sum())
        power = 12.0 + (power if power > 0.0 else 0.5 * power)
        assert (power < 12.0) == (torque < 0.0)
        assert sample.voltage * sample.current == pytest.approx(power)
        assert sample.voltage == pytest.approx(
            21.0 + 4.2 * before - 0.4 * sample.current, rel=1e-9)


def test_charge_is_the_integral_of_the_current() -> None:
    """
    Without a resistance the energy of the used charge is power times time.

    :reference: closed form
    """
    spec = BatterySpec(name='battery', capacity=0.02, idle_power=12.0, internal_resistance=0.0,
                       sensor_period=0.01)
    sim = alone(spec)
    sim.set_noise(False)
    last = sim.step(round(60.0 / sim.dt))[-1]
    left = last.charge / 0.02
    energy = 3600.0 * 0.02 * ((21.0 + 0.5 * 4.2) - (21.0 * left + 0.5 * 4.2 * left ** 2))
    assert energy == pytest.approx(12.0 * 60.0, rel=1e-6)
    assert last.voltage == pytest.approx(21.0 + 4.2 * left)
    sim.run(200.0)  # 0.02 A h last 138 s
    empty = sim.measure('r1/battery')
    assert (empty.charge, empty.current, empty.voltage) == (0.0, 0.0, 21.0)
    channel, = channels_of(spec)
    message = message_of(channel, TYPES, last, '')
    assert message.current == pytest.approx(-last.current)
    assert message.percentage == pytest.approx(left) and math.isnan(message.temperature)


def test_a_power_that_the_battery_cannot_give() -> None:
    sim = alone(BatterySpec(name='battery', idle_power=1000.0, internal_resistance=1.0))
    sim.set_noise(False)
    sample = sim.measure('r1/battery')
    assert (sample.voltage, sample.current) == pytest.approx((12.6, 12.6))


def reader(distance: float, angle: float = 0.0, **values: float) -> RfidSpec:
    """Return a reader at the origin that looks along x, and a tag."""
    place = distance * math.cos(angle), distance * math.sin(angle), 1.0
    return RfidSpec(name='reader', pose=Pose(z=1.0), tags=(RfidTagSpec(5, place),),
                    **{'shadowing_std_noise': 0.0, 'sensitivity': -90.0, **values})


@pytest.mark.parametrize('spec, signal', [
    (reader(1.0), -45.0), (reader(10.0), -65.0), (reader(10.0, path_loss_exponent=3.0), -75.0),
    (reader(10.0, 0.5, beam_width=1.0), -65.0 - 12.0 * 0.25),  # half the power at half the width
    (reader(10.0, math.pi, beam_width=1.0), None),
    (reader(10.0, math.pi, beam_width=1.0, sensitivity=-200.0), -95.0),
    (reader(1000.0), None)])
def test_signals_of_tags(spec: RfidSpec, signal: float | None) -> None:
    """
    Signals follow the log-distance path loss and the pattern of the antenna.

    :reference: closed form
    """
    readings = Simulation(WorldSpec(sensors=(spec,))).measure('reader')
    assert readings.tags.tolist() == ([] if signal is None else [5])
    assert readings.signal == pytest.approx([] if signal is None else [signal])


def test_tags_behind_something_and_shadowing() -> None:
    wall = BlockSpec(name='wall', static=True, init_pose=Pose(x=5.0), zmax=3.0,
                     shape=((0.0, -4.0), (0.1, -4.0), (0.1, 4.0), (0.0, 4.0)))
    hidden = Simulation(WorldSpec(sensors=(reader(10.0, obstacle_loss=7.0),), blocks=(wall,)))
    assert hidden.measure('reader').signal == pytest.approx([-72.0])
    sim = Simulation(WorldSpec(sensors=(reader(10.0, shadowing_std_noise=4.0),)), seed=2)
    signals = np.array([sim.measure('reader').signal[0] for _ in range(2000)])
    assert signals.mean() == pytest.approx(-65.0, abs=4 * 4.0 / math.sqrt(2000))
    assert signals.std() == pytest.approx(4.0, rel=0.06)


@pytest.mark.parametrize('aside', [-0.004, -0.002, 0.0, 0.001, 0.003, 0.02])
def test_line_sensor_sees_the_share_of_its_spot(aside: float) -> None:
    """
    A detector at the edge of a white plane on a grey one sees a segment of its spot.

    :reference: closed form
    """
    radius = 0.01 * math.tan(math.radians(15.0))
    sensor = LineSensorSpec(name='line', pose=Pose(y=aside, z=0.01), detectors=1, rays=4001,
                            std_noise=0.0)
    grey = 128 / 255
    sim = Simulation(WorldSpec(sensors=(sensor,), elements=(
        HorizontalPlaneSpec(name='ground', x_min=-1, x_max=1, y_min=-1, y_max=1, z=-0.001,
                            color=(grey, grey, grey, 1.0)),
        HorizontalPlaneSpec(name='line', x_min=-1, x_max=1, y_min=0, y_max=1, z=0.0,
                            color=(1.0, 1.0, 1.0, 1.0)))))
    part = min(max(aside / radius, -1.0), 1.0)
    share = 1.0 - (math.acos(part) - part * math.sqrt(1.0 - part * part)) / math.pi
    value = sim.measure('line').values[0]
    assert value == pytest.approx(share + (1.0 - share) * grey ** 2, abs=0.006)


def test_detectors_stand_in_a_row_from_the_left() -> None:
    sensor = LineSensorSpec(name='line', pose=Pose(z=0.01, yaw=math.pi / 2), detectors=4,
                            std_noise=0.0)
    sim = Simulation(WorldSpec(sensors=(sensor,), elements=(HorizontalPlaneSpec(
        name='line', x_min=-1.0, x_max=-0.01, y_min=-1, y_max=1, color=(1.0, 1.0, 1.0, 1.0)),)))
    assert sim.measure('line').values.tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize('kind, tags, error, words', [
    ('battery', '', SensorError, 'stands in the world'),
    ('battery', '<voltage_empty>30</voltage_empty>', WorldFileError, 'loses voltage'),
    ('rfid', '<tag id="1" place="0 0 0"/> <tag id="1" place="1 0 0"/>', WorldFileError,
     'different ids')])
def test_what_is_refused(kind: str, tags: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        simulate(f'<sensor class="{kind}" name="s"> {tags} </sensor>')
