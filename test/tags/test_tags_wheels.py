# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of wheels and tyres change how vehicles drive, and how their wheels look."""

from typing import Any

from tag_effects import drive, drive_and_draw, effects, messages

from mvsim_ros2 import Simulation

SPRINGS = '<tyre_stiffness>30000</tyre_stiffness> <tyre_damping>300</tyre_damping>'
SUSPENSION = (SPRINGS + '<suspension_stiffness>4000</suspension_stiffness> '
              '<suspension_damping>300</suspension_damping>')
HILLS = """<element class="elevation_map"> <resolution>1</resolution>
 <elevation_data_matrix>[0 0 0 0; 0.1 0 0 0.1; 0 0 0.1 0; 0 0 0 0]</elevation_data_matrix>
 </element>"""
FOUR = ''.join(f'<{side}{end}_wheel pos="{x} {y}"> {{l_wheel: <diameter>0.4</diameter>}} '
               f'</{side}{end}_wheel>' for side, y in (('l', 0.4), ('r', -0.4))
               for end, x in (('r', -0.4), ('f', 0.4)))
WHEELS = f"""<mvsim_world> {HILLS} <vehicle name="r"> <init_pose>0 0 10</init_pose>
 <dynamics class="differential_4_wheels"> {FOUR}
  <controller class="twist_pid"> <KP>100</KP> <max_torque>20</max_torque> </controller>
  <brakes parking_torque="3" parked="true"/>
 </dynamics> </vehicle> </mvsim_world>"""
TABLE = f"""
 mass | 2 | 5
 width | 0.2 | 0.1
 diameter | 0.4 | 0.3
 inertia | - | 2
 tyre_stiffness | 0 | 30000
 tyre_damping | 0 | 300 | <tyre_stiffness>30000</tyre_stiffness>
 suspension_stiffness | 0 | 4000 | {SPRINGS}
 suspension_damping | 0 | 300 | {SPRINGS}<suspension_stiffness>4000</suspension_stiffness>
 suspension_travel | 0 | 0.01 | {SUSPENSION}
 anti_roll_stiffness | 0 | 3000 | {SUSPENSION}
 color | #333333 | #ff0000
 visual | - | <geometry type="sphere" radius="0.3"/>
 friction | - | class="default"; <mu>0.1</mu>
"""
test_wheels = effects(WHEELS, f'l_wheel {TABLE}', drive_and_draw)
test_rollers = effects(
    WHEELS.replace('differential_4_wheels', 'mecanum').replace('{l_wheel', '{rf_wheel'),
    f'rf_wheel {TABLE}', drive_and_draw)
test_roller_angles = effects(f"""<mvsim_world> <vehicle name="r"> <init_pose>0 0 10</init_pose>
 <dynamics class="omni"> <controller class="twist_pid"> <KP>100</KP> </controller>
 {''.join(f'<wheel pos="{x} {y} {yaw}"> {{wheel}} </wheel>' for x, y, yaw in (
     (0.3, 0, 90), (-0.15, 0.26, 210), (-0.15, -0.26, 330)))} </dynamics>
 </vehicle> </mvsim_world>""", """
wheel
 roller_angle_deg | 0 | 20
""", drive)
ONE = """<mvsim_world> <vehicle name="r"> <init_pose>0 0 10</init_pose>
 {vehicle: <visual name="fork"> <geometry type="box" lx="0.2" ly="1.4" lz="0.9"/> </visual>}
 <dynamics class="%s"> <%s> {%s} </%s> </dynamics> </vehicle> </mvsim_world>"""
PLACE = """
 pos | 0 0.4 0 | 0.1 0.4 20
 joint | - | left
"""
test_places = effects(ONE % ('differential', *3 * ('l_wheel',)), f'l_wheel {PLACE}', messages)
test_places_of_rollers = effects(
    ONE % ('mecanum', *3 * ('lf_wheel',)), f'lf_wheel {PLACE}', messages)
STEERED = ONE.replace('<dynamics', '<friction class="default"/> <dynamics').replace(
    '</dynamics>', '<controller class="raw"> <steer_ang_deg>25</steer_ang_deg> </controller> '
    '</dynamics>') % ('ackermann', *3 * ('fl_wheel',))
test_linked_visuals = effects(STEERED, """
fl_wheel
 linked_yaw | - | fork
 linked_yaw_offset_deg | 0 | 40 | <linked_yaw>fork</linked_yaw>
""", drive_and_draw)
test_linked_visuals_of_rollers = effects(ONE % ('mecanum', *3 * ('lf_wheel',)), """
lf_wheel
 linked_yaw | - | fork | <linked_yaw_offset_deg>40</linked_yaw_offset_deg>
 linked_yaw_offset_deg | 0 | 40 | <linked_yaw>fork</linked_yaw>
""", drive_and_draw)
test_steering_joints_of_rollers = effects(ONE % ('mecanum', *3 * ('lf_wheel',)), """
lf_wheel
 steering_joint | - | left_steering
""", messages)
test_steering_joints = effects(STEERED, """
fl_wheel
 steering_joint | - | left_steering
""", messages)
TYRES = """<mvsim_world> <vehicle name="r"> <init_pose>0 0 10</init_pose>
 <dynamics class="differential_4_wheels"> <controller class="twist_pid"> <KP>400</KP>
 <max_torque>200</max_torque> </controller> </dynamics>
 <friction class="%s"> {friction %s} </friction> </vehicle> </mvsim_world>"""
EVERY = """
 C_damping | 0.01 | 3
 C_rr | 0 | 0.2
 relaxation_length lateral_relaxation_length | - | 0.5
"""
SOIL = """
 cone_index | 1.7e6 | 2e5
 section_height | 0.165 | 0.1
 gamma | 0.09 | 0.2
 vertical_stiffness | 300000 | 30000
"""
MAGIC = '<lateral>ellipse</lateral>'
OWN = {
    'default': 'mu | 0.8 | 0.1',
    'wardiagnemma': """
 mu R1 | - | 0.1
 A_roll | 50 | 1
 R2 | 0.02 | 0.2
""",
    'ellipse': """
 C_alpha C_s | - | 2
 slip_angle_saturation slip_ratio_saturation | 0.1 | 0.02
 C_alpha_s C_s_alpha | 0.5 | 0
""",
    'linear': """
 C_s C_alpha | 27500 | 200
 mu | 0.8 | 0.1
""",
    'magic_formula': f"""
 surface | dry | ice
 B | - | 3
 C | - | 1.2
 D | - | 0.3
 E | - | -2
 lateral | isotropic | ellipse
 B_y | - | 3 | {MAGIC}
 C_y | - | 1.2 | {MAGIC}
 D_y | - | 0.3 | {MAGIC}
 E_y | - | -2 | {MAGIC}
 gamma | 0.09 | 0.3 | <lateral>crolla</lateral>
""",
    'bakker': """
 preset | bakker87 | document_kN
 a0 | - | 1.2
 a1 | - | -50
 a2 | - | 300
 a3 | - | 100
 a4 a5 | - | 0.5
 a6 road_factor | - | 0.2
 a7 a8 | - | -3
""",
    'clay': f'{SOIL} mode | mavs | vti', 'sand': f'{SOIL} reading | resolved | brixius'}


def slide(simulation: Simulation) -> Any:
    """Drive hard, so that wheels slip."""
    return drive(simulation, 4.0, 3.0)


for _name, _rows in OWN.items():
    globals()[f'test_tyre_{_name}'] = effects(
        TYRES % (_name, _name), f'friction {_name}\n {EVERY} {_rows}', slide)
