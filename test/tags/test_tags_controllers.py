# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of controllers, motors, engines, brakes, air and implements change how vehicles drive."""

from typing import Any

from tag_effects import drive, effects, motion

from mvsim_ros2 import Simulation


def world(dynamics: str, controller: str, more: str = '', speed: float = 0.0) -> str:
    """Return a world with a vehicle on a slope, whose controller is a slot."""
    return f"""<mvsim_world> <element class="elevation_map"> <resolution>4</resolution>
  <elevation_data_matrix>[0 0.4; 0 0.5]</elevation_data_matrix> </element>
 <vehicle name="r"> <init_pose>0 0 10</init_pose> <init_vel>{speed} 0 0</init_vel>
 <dynamics class="{dynamics}"> {more}
 <controller class="{controller}"> {{controller {controller}: <KP>60</KP>}} </controller>
 </dynamics> </vehicle> </mvsim_world>"""


def stand(simulation: Simulation) -> Any:
    """Let a vehicle follow its first command, and nothing else."""
    simulation.step(round(0.4 / simulation.dt))
    return motion(simulation)


def turn_joints(simulation: Simulation) -> Any:
    """Command each wheel of a vehicle by itself."""
    simulation.vehicles['r'].set_joints(4.0, 5.0)
    return stand(simulation)


def crawl(simulation: Simulation) -> Any:
    """Command a small speed."""
    return drive(simulation, 0.02, 0.0)


test_raw = effects(world('ackermann', 'raw').replace('<KP>60</KP>', ''), """
controller raw
 fl_torque fr_torque | 0 | -20
 steer_ang_deg | 0 | 20 | <fl_torque>-90</fl_torque>
""", stand)
test_raw_drivetrain = effects(
    world('ackermann_drivetrain', 'raw').replace('<KP>60</KP>', ''), """
controller raw
 torque | 0 | -20
""", stand)
PID = """
 KP | 60 | 10
 KI | 0 | 30
 KD | 0 | 5
 N | 0 | 5 | <KD>5</KD>
 I_MAX | 0 | 0.5 | <KI>90</KI>
 max_torque | 100 | 1
 enable_antiwindup | false | true | <KI>300</KI> <max_torque>10</max_torque>
 enable_feedforward enable_reference_filter | false | true
 feedforward_gain | 1 | 0.5 | <enable_feedforward>true</enable_feedforward>
 reference_filter_tau | 0.1 | 0.5 | <enable_reference_filter>true</enable_reference_filter>
 reference_filter_order | 1 | 2 | <enable_reference_filter>true</enable_reference_filter>
"""
test_twist_pid = effects(world('differential_4_wheels', 'twist_pid'), f"""
controller twist_pid
 {PID}
 wheel_separation_multiplier | 1 | 1.5
""", drive)
FIRST = """
 V | 0 | 0.5
 W | 0 | 20 | <V>0.5</V>
"""
test_first_twists = effects(
    world('differential_4_wheels', 'twist_pid'), f'controller twist_pid {FIRST}', stand)
test_front_steer_twists = effects(world(
    'ackermann', 'twist_front_steer_pid', '<chassis> <mass>15</mass> </chassis>'), f"""
controller twist_front_steer_pid
 {PID}
""", drive)
test_thresholds = effects(world('ackermann', 'twist_front_steer_pid', speed=0.5), """
controller twist_front_steer_pid
 zero_threshold | 0.001 | 0.1 | <stop_threshold>2</stop_threshold>
 stop_threshold | 0.05 | 2 | <zero_threshold>0.1</zero_threshold>
""", crawl)
test_first_front_steer_twists = effects(
    world('ackermann', 'twist_front_steer_pid'), f'controller twist_front_steer_pid {FIRST}',
    stand)
test_separation_of_steered_vehicles = effects(world('ackermann', 'twist_front_steer_pid'), """
controller twist_front_steer_pid
 wheel_separation_multiplier | 1 | ! 1.5
""", drive)
test_front_steer = effects(world('ackermann', 'front_steer_pid'), """
controller front_steer_pid
 V | 0 | 0.5
 STEER_ANG | 0 | 15 | <V>0.5</V>
 KP | 60 | 10 | <V>0.5</V>
 KI | 0 | 30 | <V>0.5</V>
 KD | 0 | 5 | <V>0.5</V>
 I_MAX | 0 | 0.5 | <V>0.5</V> <KI>90</KI>
 max_torque | 100 | 1 | <V>0.5</V>
""", stand)
POINTS = ''.join(f'<waypoint t="{t}" x="{x}" y="{y}"/>'
                 for t, x, y in ((0, 0, 0), (0.2, 0.4, 0), (0.3, 0.4, 0.3), (0.45, 0, 0.3)))
PATH = f"""<mvsim_world> {{gui}} <vehicle name="r"> <init_pose>0 0 10</init_pose>
 <dynamics class="differential">
 <controller class="trajectory"> {{controller trajectory: {POINTS}}} </controller>
 </dynamics> </vehicle> </mvsim_world>"""
test_trajectories = effects(PATH, """
controller trajectory
 loop | true | false
 lookahead_distance | 0.5 | 0.1
 max_angular_speed | 2 | 0.5
 waypoint | t="0" x="0" y="0";</waypoint> <waypoint t="2" x="3" y="0"> | t="0" x="0" \
 y="0";</waypoint> <waypoint t="2" x="3" y="2">
""", drive)
test_waypoints = effects(PATH.replace('{controller trajectory:', '').replace('/>}', """/>
 <waypoint> {waypoint: <t>1</t> <x>1</x> <y>1</y>} </waypoint>"""), """
waypoint
 t | 1 | 0.6
 x y | 1 | 2
""", drive)
test_joints = effects(world('differential', 'ros2_control'), """
controller ros2_control
 command_interface | velocity | effort
 KP | 60 | 10
 KI | 0 | 30
 KD | 0 | 5
 I_MAX | 0 | 0.5 | <KI>90</KI>
 max_torque | 100 | 1
""", turn_joints)
SIDES = '<controller class="twist_pid"> <KP>100</KP> <max_torque>60</max_torque> </controller>'


def driven(dynamics: str, part: str, more: str = '') -> str:
    """Return a world with a vehicle in the wind, with a part whose tags are a slot."""
    controller = SIDES if dynamics.startswith('diff') else SIDES.replace(
        'twist_pid', 'twist_front_steer_pid')
    return f"""<mvsim_world> <air> {{air: <wind>-4 9</wind>}} </air> <vehicle name="r">
 <init_pose>0 0 0</init_pose> <dynamics class="{dynamics}"> {controller} {more} {part}
 </dynamics> </vehicle> </mvsim_world>"""


test_motors = effects(driven('differential', '<motor> {motor: <max_torque>40</max_torque>} '
                                             '</motor>'), """
motor
 max_torque | 40 | 2
 no_load_speed | - | 3
 max_power | - | 5
""", drive)
ENGINE = '<speeds>10 300 900</speeds> <torques>9 20 5</torques>'
test_engines = effects(driven('ackermann_drivetrain', f'<engine> {{engine: {ENGINE}}} </engine>'),
                       """
engine
 speeds | 1 20 90 | 1 50 90
 torques | 9 20 5 | 5 20 5
 gears | 1 | 3 1.5
 final_drive | 1 | 2
 efficiency | 1 | 0.5
""", drive)


def coast(simulation: Simulation) -> Any:
    """Tell a fast vehicle to stop."""
    return drive(simulation, 0.0, 0.0)


test_braking_of_engines = effects(driven(
    'ackermann_drivetrain', f'<engine> {{engine: {ENGINE}}} </engine>').replace(
        '<dynamics', '<init_vel>2 0 0</init_vel> <dynamics'), """
engine
 braking_torque | - | 1
""", coast)
test_aerodynamics = effects(driven(
    'differential_4_wheels', '<aerodynamics> {aerodynamics} </aerodynamics>'), """
aerodynamics
 drag_area side_area lift_area | 0 | 2
 x | - | 0.5 | <side_area>2</side_area>
 z | - | 0.9 | <side_area>2</side_area>
""", drive)
test_air = effects(driven('differential_4_wheels', '<aerodynamics drag_area="2"/>'), """
air
 density | 1.225 | 0.5
 wind | 0 0 | -4 9
""", drive)
test_parts_of_worlds = effects(driven('differential_4_wheels', '<aerodynamics drag_area="2"/>'
                                      ).replace('<air> {air: <wind>-4 9</wind>} </air>',
                                                '{mvsim_world}'), """
mvsim_world
 air | - | wind="-4 9";
""", drive)
test_draught = effects(driven('differential_4_wheels', '<draught> {draught} </draught>'), """
draught
 constant linear quadratic | 0 | 30
 x | - | -0.5 | <constant>30</constant>
 z | 0 | -0.3 | <constant>30</constant>
""", drive)


def brake(simulation: Simulation) -> Any:
    """Press the brake of a vehicle that drives."""
    seen = drive(simulation, 1.0, 0.5)
    vehicle = simulation.vehicles['r']
    brakes = vehicle.spec.dynamics.brakes
    if brakes is not None and brakes.torque:
        vehicle.set_brake(0.5)
    return [seen, stand(simulation)]


test_brakes = effects(driven('differential_4_wheels', '<brakes> {brakes} </brakes>'), """
brakes
 torque | 4 | 9
 wheels | all | rear | <torque>9</torque>
 balance | - | 0.8 | <torque>9</torque>
 front_torque rear_torque | - | 5 | <torque>9</torque>
 parking_torque | 2 | 9 | <parked>true</parked>
 parking_wheels | all | rear | <parking_torque>9</parking_torque> <parked>true</parked>
 parked | false | true | <parking_torque>9</parking_torque>
""", brake)
