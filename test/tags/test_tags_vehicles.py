# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of vehicles and of their classes, chassis and odometry change how they move and look."""

from tag_effects import drive, drive_and_draw, effects, LIDAR, messages

# class -> its wheels, each with a part of its own, and its controller
SIDES = '<KP>100</KP> <max_torque>30</max_torque>'
CLASSES = {
    'differential': ('l_wheel r_wheel', 'twist_pid'),
    'differential_3_wheels': ('l_wheel r_wheel caster_wheel', 'twist_pid'),
    'differential_4_wheels': ('lr_wheel rr_wheel lf_wheel rf_wheel', 'twist_pid'),
    'ackermann': ('rl_wheel rr_wheel fl_wheel fr_wheel', 'twist_front_steer_pid'),
    'ackermann_drivetrain': ('rl_wheel rr_wheel fl_wheel fr_wheel', 'twist_front_steer_pid'),
    'single_track': ('f_wheel r_wheel', 'twist_front_steer_pid'),
    'mecanum': ('lr_wheel rr_wheel lf_wheel rf_wheel', 'twist_pid'),
    'four_wheel_steering': (
        'rl_wheel rr_wheel fl_wheel fr_wheel', 'twist_front_steer_pid'),
    'tricycle': ('l_wheel r_wheel steered_wheel', 'twist_front_steer_pid'),
    'skid_steer': ('', 'twist_pid'), 'tracked': ('', 'twist_pid'), 'omni': ('', 'twist_pid')}
ONE_TORQUE = ('ackermann_drivetrain', 'single_track', 'four_wheel_steering', 'tricycle')
NO_IDEAL = ('ackermann_drivetrain', 'four_wheel_steering', 'tricycle')
ROUND = ' '.join(f'<wheel pos="{0.3 * x} {0.3 * y} {yaw}" diameter="0.2" width="0.05"/>'
                 for x, y, yaw in ((1, 0, 90), (-0.5, 0.87, 210), (-0.5, -0.87, 330)))
TWO = ''.join(f'<{side}_wheel> <pos>{x} {y}</pos> {{}} </{side}_wheel>'
              for side, y in (('l', 0.4), ('r', -0.4)) for x in (-0.3, 0.3))
OWN = {'skid_steer': TWO.replace('{}', ''), 'omni': ROUND}


def world(name: str, more: str = '') -> str:
    """Return a world with a vehicle of a class."""
    return (f'<mvsim_world> <vehicle name="r"> <init_pose>0 0 0</init_pose> '
            f'<friction class="bakker"/> <dynamics class="{name}"> {{dynamics {name}: '
            f'<controller class="{CLASSES[name][1]}">{SIDES}</controller> {OWN.get(name, "")}}} '
            f'{more} </dynamics> </vehicle> <air wind="-1 1"/> </mvsim_world>')


def common(name: str) -> str:
    """Return the rows that all classes have, and those of their wheels."""
    engine = '<speeds>100 3000</speeds> <torques>0.5 0.5</torques>'
    wheels = ''.join(f'{wheel} | - | <mass>5</mass>\n' for wheel in CLASSES[name][0].split())
    refused = '' if name in ONE_TORQUE else '! '
    other = 'class="front_steer_pid";' if name in NO_IDEAL else 'class="twist_ideal";'
    return f"""
    dynamics {name}
    chassis | - | <mass>40</mass>
    controller | class="{CLASSES[name][1]}"; {SIDES} | {other}
    motor | - | <max_torque>1</max_torque>
    engine | - | {refused}{engine}
    aerodynamics | - | <drag_area>50</drag_area>
    draught | - | <constant>50</constant>
    brakes | - | <parking_torque>100</parking_torque> <parked>true</parked>
    {wheels}"""


test_parts_of_all_classes = effects(world, '\n'.join(map(common, CLASSES)), drive)
STEERED = """
 max_steer_ang_deg steer_rate_deg | - | 5
 steer_lag | 0 | 0.5
"""
FRONT = """
 f_wheels_x | 1.3 | 1.6
 f_wheels_d | 2 | 1.4
 ackermann | 1 | 0
"""
REAR = """
 max_rear_steer_ang_deg | 0 | 20 | <rear_steer_ratio>-1</rear_steer_ratio>
 rear_steer_ratio | 0 | -1 | <max_rear_steer_ang_deg>30</max_rear_steer_ang_deg>
"""
test_ackermann = effects(world('ackermann'), f'dynamics ackermann {STEERED} {FRONT}', drive)
test_drivetrain = effects(world('ackermann_drivetrain'), f"""
dynamics ackermann_drivetrain
 {STEERED} {FRONT}
 drivetrain | - | type="open_front";
""", drive)
test_single_track = effects(world('single_track').replace('<air', """
 <element class="elevation_map"> <resolution>4</resolution>
  <elevation_data_matrix>[0 0; 0 0.5]</elevation_data_matrix> </element> <air"""), f"""
dynamics single_track
 {STEERED} {REAR}
 axle_width | 1.2 | 0.2
 tyres_per_axle | 2 | 1
 driven | rear | front
""", drive_and_draw)
test_four_wheel_steering = effects(
    world('four_wheel_steering'), f'dynamics four_wheel_steering {STEERED} {REAR}', drive)
test_tricycle = effects(world('tricycle'), f'dynamics tricycle {STEERED}', drive)
test_skid_steer = effects(world('skid_steer'), """
dynamics skid_steer
 l_wheel | <pos>0 0.4</pos> | <pos>0.1 0.4</pos> | <r_wheel pos="0.1 -0.4"/>
 r_wheel | <pos>0 -0.4</pos> | <pos>0.1 -0.4</pos> | <l_wheel pos="0.1 0.4"/>
 common_speed | false | true
""", drive)
test_tracked = effects(world('tracked'), """
dynamics tracked
 wheel | - | <mass>5</mass>
 wheels_per_side | 5 | 3
 track_length | 0.8 | 0.5
 tracks_x | 0 | 0.1
 tracks_d | 0.9 | 0.6
""", drive)
test_omni = effects(world('omni').replace(ROUND, '').replace('</dynamics>', f"""
 {ROUND.replace('<wheel pos="0.3 0.0 90" diameter="0.2" width="0.05"/>', '')} </dynamics>"""), """
dynamics omni
 wheel | <pos>0.3 0 90</pos> <diameter>0.2</diameter> | <pos>0.4 0 90</pos> \
 <diameter>0.2</diameter>
""", drive)
CAR = world('ackermann_drivetrain', '<drivetrain> {drivetrain} </drivetrain>')
test_differentials = effects(CAR, """
drivetrain
 type | torsen_4wd | open_rear
 centre_differential front_differential rear_differential | - | locked
 locking | 0.4 | 0 | <type>limited_slip_4wd</type>
 preload | 0 | 20 | <type>limited_slip_4wd</type>
 front_rear_split front_left_right_split rear_left_right_split | 0.5 | 0.2
 front_rear_bias front_left_right_bias rear_left_right_bias | 1.5 | 1
 torsen_tbr | - | 3
""", drive)
ROBOT = f"""<mvsim_world> {LIDAR}
 <element class="elevation_map"> <resolution>4</resolution>
  <elevation_data_matrix>[0 0; 0 0.5]</elevation_data_matrix> </element>
 <block name="behind"> <init_pose>3 0 0</init_pose> <static>true</static>
  <shape><pt>0 -3</pt><pt>0.1 -3</pt><pt>0.1 3</pt><pt>0 3</pt></shape> <zmax>3</zmax>
  <reflectivity>1</reflectivity> <color>#ffffff</color> </block>
 <vehicle:class name="heavy"> <friction class="default"> <mu>0.1</mu> </friction> </vehicle:class>
 <vehicle {{@vehicle: name="r"}}> {{vehicle: <init_pose>1 0.3 10</init_pose>}}
  <dynamics class="differential">
   <l_wheel pos="0.1 0.3" mass="2" width="0.1" diameter="0.4"/>
   <r_wheel pos="0.1 -0.3" mass="2" width="0.1" diameter="0.4"/>
   <chassis> {{chassis}} </chassis>
   <controller class="twist_pid"> <KP>100</KP> <max_torque>20</max_torque> </controller>
  </dynamics>
 </vehicle> </mvsim_world>"""
test_chassis = effects(ROBOT, """
chassis
 mass | 15 | 40
 yaw_inertia | - | 9
 centre_of_mass | - | 0.05 0.05 0.2
 zmin | 0.05 | 0.3
 zmax | 0.6 | 0.9
 color | #ff0000 | #00ff00
 reflectivity | 0.5 | 0.1
 transmittance | 0 | 1 | <color>#ff000010</color>
 material | - | <emissive>#00ff00</emissive>
 linear_damping angular_damping | - | 3
 shape | - | <pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt>
 load_transfer_lag | 0.15 | 0
""", drive_and_draw)
test_vehicles = effects(ROBOT, """
vehicle
 name | r | other
 class | - | heavy
 init_pose | 1 0.3 10 | 1 0 40
 init_vel | - | 0.5 0 20
 skip_elevation_adjust | - | 1
 friction | - | class="default"; <mu>0.1</mu>
 odometry | - | <yaw_multiplier>1.3</yaw_multiplier>
 sensor | - | class="imu"; <name>imu</name>
 visual | - | <geometry type="sphere" radius="0.3"/>
 animation | - | <time_pose>0 0 0 0</time_pose> <time_pose>1 1 1 90</time_pose>
 light_group | - | name="lamp"; <point_light position="-0.5 -0.6 0.8"/>
""".replace('; <name>imu</name>', ' name="imu";'), drive_and_draw)
test_friction_of_axles = effects("""<mvsim_world> <vehicle name="r"> {vehicle:
 <init_pose>0 0 0</init_pose>} <dynamics class="differential_4_wheels"> <controller
 class="twist_pid"> <KP>100</KP> </controller> </dynamics> </vehicle> </mvsim_world>""", """
vehicle
 front_friction rear_friction | - | class="default"; <mu>0.1</mu>
""", drive)
test_shape_of_meshes = effects(ROBOT.replace('{vehicle:', '{vehicle: <visual> <geometry '
                                             'type="sphere" radius="0.3"/> </visual>'), """
chassis
 shape_from_visual | - | 1
""", drive)
test_described_vehicles = effects("""<mvsim_world>
 <vehicle name="r" {@vehicle}> {vehicle: <init_pose>0 0 0</init_pose>} </vehicle>
</mvsim_world>""", """
vehicle
 robot_description | - | &lt;robot name="x"&gt; &lt;link name="base_link"/&gt; &lt;/robot&gt; | \
 <dynamics class="differential"/>
 dynamics | class="differential"; | class="ackermann";
 urdf | - | ${FILES}/robot.urdf | <dynamics class="differential"/>
""", messages)
test_odometry = effects(ROBOT.replace('{vehicle:', '<odometry> {odometry} </odometry> {vehicle:'),
                        """
odometry
 source | wheels | motion
 x_multiplier y_multiplier yaw_multiplier | 1 | 1.2
 linear_std_noise yaw_std_noise yaw_drift_std_noise | 0 | 0.1
""", drive)
