# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of sensors but cameras change what is measured, when, and how it is published."""

from sensor_world import IMAGE, OPTICAL, world
from tag_effects import effects, messages, picture, titled

from mvsim_ros2 import Simulation

SMALL = {'rgbd_camera': IMAGE.replace('<', '<depth_').replace('<depth_/', '</depth_')
         + IMAGE.replace('<', '<rgb_').replace('<rgb_/', '</rgb_'),
         'laser': '<nrays>31</nrays>', 'lidar3d': '<vert_nrays>4</vert_nrays> <horz_nrays>40'
         '</horz_nrays>', 'radar': '<horz_nrays>31</horz_nrays> <vert_nrays>3</vert_nrays>',
         'sonar': '<rays>31</rays>', 'gnss': '<horizontal_std_noise>0.1</horizontal_std_noise>'}
for _kind in ('camera', 'thermal_camera', 'event_camera'):
    SMALL[_kind] = OPTICAL + IMAGE
KINDS = [title.partition(' ')[2] for title in titled() if title.startswith('sensor ')]


def usual(kind: str) -> str:
    """Return a world with a sensor of few rays or pixels."""
    return world(kind, SMALL.get(kind, ''))


def each_sensor(rows: str) -> str:
    """Return the same rows for all sensors."""
    return '\n'.join(f'sensor {kind}\n{rows}' for kind in KINDS)


def arrivals(simulation: Simulation) -> list[tuple[int, int]]:
    """Return when measurements are published, and their stamps [ns]."""
    return [(simulation.time_ns, each.stamp_ns) for _ in range(round(0.3 / simulation.dt))
            for each in simulation.step()]


test_what_all_sensors_have = effects(usual, each_sensor("""
 name | s | t
 pose | - | 0.5 0.2 30
 sensor_period | 0.1 | 0.05
 sensor_phase | - | 0.03
 topic | - | my/topic
 frame_id | - | my_frame
"""), messages)
test_when_measurements_are_made_and_published = effects(usual, each_sensor("""
 trigger | period | external
 link | ideal | usb_camera
 latency | - | 0.02
 latency_jitter | - | 0.03 | <latency>0.05</latency>
 lost | - | 1
 clock_offset | 0 | 0.5
 clock_drift | 0 | 900
"""), arrivals)
test_shapes_of_sensors = effects(
    usual, each_sensor('visual | - | <geometry type="sphere" radius="0.9"/>'), picture)
QUIET = '<range_std_noise>0</range_std_noise>'
SPACE = '<raytrace_3d>true</raytrace_3d>'
WIDE = f'{SPACE}<beam_samples>4</beam_samples><beam_divergence_degrees>2</beam_divergence_degrees>'
test_laser = effects(world('laser', f'<nrays>61</nrays> {QUIET} '
                           '<angle_std_noise_deg>0</angle_std_noise_deg>'), f"""
sensor laser
 fov_degrees | 180 | 90
 start_angle_deg | - | 20
 nrays | 61 | 41
 closed_circle | false | true | <fov_degrees>360</fov_degrees>
 height | - | 0.9
 range_std_noise | 0 | 0.1
 angle_std_noise_deg | 0 | 3
 min_range max_range | - | 1
 rolling | false | true
 renderer | cpu | ! gpu
 bodies_visible generate_intensity | true | false
 raytrace_3d | false | true | <pose_3d>0 0 0.5 0 20 0</pose_3d>
 ignore_parent_body | false | true | {SPACE}<pose_3d>-0.4 0 0.2 0 0 0</pose_3d>
 returns | 1 | 2 | {WIDE}
 beam_samples | 1 | 4 | {SPACE}<beam_divergence_degrees>4</beam_divergence_degrees>
 beam_divergence_degrees | 0.2 | 4 | {SPACE}<beam_samples>4</beam_samples>
 return_separation | 0.5 | 0.05 | {WIDE}<returns>2</returns>
""", messages)
ROUND = '<pattern>rosette</pattern>'
RINGS = '<vertical_ray_angles>-20 -10 0 10</vertical_ray_angles>'
SPLIT = '<beam_divergence_degrees>4</beam_divergence_degrees> <returns>2</returns>'
FAR = '<detection_range>3</detection_range>'
HIGH = '<pose_3d>0 0 0.9 0 0 0</pose_3d>'
test_lidar3d = effects(world(
    'lidar3d', f'{HIGH} {QUIET} <vert_nrays>4</vert_nrays> <horz_nrays>60</horz_nrays>'), f"""
sensor lidar3d
 renderer | cpu | ! gpu
 range_std_noise beam_origin_radius | 0 | 0.1
 angle_std_noise_deg detection_range | 0 | 3
 min_range max_range intensity_half_range | - | 1
 vert_fov_degrees | 30 | 60
 vert_nrays | 4 | 5
 vertical_ray_angles | -20 -10 0 10 | -20 -10 -5 0
 azimuth_offsets | - | 0 3 | {RINGS}
 firing_times | - | 0 0.0005 0.001 0.0015 | {RINGS}
 beam_heights | - | 0 0.1 0.2 0.3 | {RINGS}
 rings_from_top organised labels | false | true
 horz_nrays grazing_angle_degrees | - | 50
 fov_nrays | - | 21
 azimuth_min_degrees | -180 | -90
 azimuth_max_degrees | 180 | 90
 clockwise rolling generate_intensity | true | false
 pattern | rotating | rosette
 pattern_file | ${{FILES}}/pattern.csv | ${{FILES}}/other.csv | <pattern>file</pattern>
 rosette_fov_degrees | 0 | 40 | {ROUND}
 rosette_elevation_min_degrees | -7 | 20 | {ROUND}
 rosette_elevation_max_degrees | 52 | 30 | {ROUND}
 rosette_rpm_1 | 7294 | 5000 | {ROUND}
 rosette_rpm_2 | -4664 | -3000 | {ROUND}
 layout | velodyne | ouster
 ignore_parent_body | false | true | <pose_3d>-0.7 0 0.3 0 0 0</pose_3d>
 detection_reflectivity | 0.1 | 0.9 | {FAR}
 weak_range_std_noise | 0 | 0.5 | {FAR}
 dropout | 0 | 0.5
 returns | 1 | 2 | <beam_divergence_degrees>4</beam_divergence_degrees>
 beam_samples | 1 | 4 | {SPLIT}
 beam_divergence_degrees | 0.2 | 4 | <returns>2</returns>
 return_separation | 0.5 | 0.05 | {SPLIT}
""", messages)
IMU_ROWS = ''.join(f"""
 {quantity}_white_noise_std_noise {quantity}_noise_density {quantity}_bias_instability | - | 0.3
 {quantity}_random_walk_std_noise {quantity}_bias_std_noise | - | 0.3
 {quantity}_bias {quantity}_misalignment | 0 0 0 | 0.1 0.2 0.3
 {quantity}_scale | 1 | 1.1
 {quantity}_limit | - | 0.01
 {quantity}_bandwidth | - | 1
 {quantity}_resolution | 0 | 0.1
""" for quantity in ('angular_velocity', 'linear_acceleration'))
test_imu = effects(world('imu'), f"""
sensor imu
 {IMU_ROWS}
 angular_velocity_g_sensitivity | 0 | 0.1
 measure_orientation | false | true
 orientation_std_noise | 0.005 | 0.1 | <measure_orientation>true</measure_orientation>
""", messages)
DRIFT = '<horizontal_drift_std_noise>1</horizontal_drift_std_noise>'
SKY = '<sky_view>true</sky_view>'
RTK = '<fix>rtk</fix>'
test_gnss = effects(world('gnss', HIGH), f"""
sensor gnss
 horizontal_std_noise | 0 | 2
 vertical_std_noise | 0 | 4
 horizontal_drift_std_noise vertical_drift_std_noise velocity_std_noise | 0 | 1
 drift_time | 300 | 1 | {DRIFT}
 fix | single | rtk
 fix_type | - | rtk_fixed
 shared_drift | false | true | {DRIFT}
 ambiguity_time | 0 | 0.2 | {RTK}
 float_std_noise | 0.3 | 2 | <fix>float</fix>
 sky_view | false | true
 constellations | gps | gps_galileo | {SKY}
 sky_time | 0 | 9000 | {SKY}
 elevation_mask_degrees | 10 | 40 | {SKY}
 multipath | 0 | 0.9 | {SKY} <pose_3d>4.5 0 0.5 0 0 0</pose_3d>
 ignore_parent_body | true | false | {SKY} <pose_3d>0 0 0.1 0 0 0</pose_3d>
 event | - | start="0.1" outage="true";
""", messages)
test_gnss_events = effects(world('gnss', """<horizontal_std_noise>0.1</horizontal_std_noise>
 <fix>rtk</fix> <event> {event} </event>"""), """
event
 fix | - | none
 start | 0 | 0.2 | <outage>true</outage>
 end | - | 0.15 | <outage>true</outage>
 x_min y_min | - | 9 | <outage>true</outage>
 x_max y_max | - | -9 | <outage>true</outage>
 east north up | 0 | 2
 noise_factor | 1 | 9
 outage | false | true
 fix_type | - | single
 horizontal_std_noise | - | 5
 vertical_std_noise | - | 50
 offset | - | 2 1 1
""", messages)
test_radar = effects(world('radar', '<horz_nrays>61</horz_nrays> <vert_nrays>5</vert_nrays>'), """
sensor radar
 fov_degrees vert_fov_degrees vert_nrays detection_rcs | - | 40
 horz_nrays | 61 | 31
 min_range detection_range | - | 3
 max_range | 100 | 1
 range_resolution velocity_resolution | - | 2
 azimuth_resolution_degrees | 2 | 20
 false_alarm_rate | 1e-6 | 0.1
 surface_reflectivity | 0.2 | 0.9
 ghosts | 0 | 1 | <pose_3d>3 0 0.5 0 0 0</pose_3d>
 noise | 1 | 0
 ignore_parent_body | true | false | <pose_3d>-0.3 0 0.2 0 0 0</pose_3d>
""", messages)
for _kind in ('sonar', 'infrared'):
    globals()[f'test_{_kind}'] = effects(world(_kind, '<rays>61</rays>', 6.0), f"""
sensor {_kind}
 fov_degrees | 30 | 90
 rays | 61 | 5 | <fov_degrees>170</fov_degrees> <pose_3d>0 0 0.3 50 0 0</pose_3d> \
 <max_range>9</max_range> <range_std_noise>0</range_std_noise>
 min_range | 0.02 | 1.5 | <max_range>4</max_range>
 max_range | 4 | 0.1 | <min_range>0.02</min_range>
 range_std_noise | 0 | 0.2 | <max_range>4</max_range>
 grazing_angle_degrees | 0 | 89 | <max_range>4</max_range>
 ignore_parent_body | true | false | <pose_3d>-0.7 0 0.2 0 0 0</pose_3d> \
 <min_range>0.01</min_range>
""", messages)
for _kind, _part in (('uwb', 'anchor'), ('rfid', 'tag')):
    globals()[f'test_{_part}s_of_{_kind}'] = effects(world(
        _kind, f'<{_part}> {{{_part}: <place>0 0 2</place>}} </{_part}>'), f"""
{_part}
 id | 0 | 7
 place | 0 0 2 | 1 0 2
""", messages)
MOTORS = """
 gear_ratio | 20 | 10
 torque_constant | 0.05 | 0.1
 no_load_current | 0 | 1
"""
# usual tags, and at which speed the robot begins [m/s]
OTHERS = {
    'motor_current': ('<std_noise>0</std_noise>', 0.5),
    'battery': ('<voltage_std_noise>0</voltage_std_noise> '
                '<current_std_noise>0</current_std_noise>', 0.5),
    'rfid': ('<shadowing_std_noise>0</shadowing_std_noise>',),
    'line_sensor': ('<std_noise>0</std_noise> <pose_3d>0.6 0 0.5 0 0 0</pose_3d> '
                    '<max_range>1</max_range>',),
    'contact_force': ('<force_std_noise>0</force_std_noise> '
                      '<torque_std_noise>0</torque_std_noise>', 1.0)}
NEAR = {'bumper': '0.6', 'contact_force': '0.7'}  # m to the box


def other(kind: str) -> str:
    """Return a world for one of the sensors that have few tags."""
    return world(kind, *OTHERS.get(kind, ())).replace(
        '<init_pose>1.3', f'<init_pose>{NEAR.get(kind, "1.3")}')


test_other_sensors = effects(other, f"""
sensor magnetometer
 declination_deg inclination_deg | - | 30
 strength | - | 2e-5
 date | 2026 | 2012
 std_noise | 0 | 1e-6
 hard_iron | 0 0 0 | 1e-6 0 0
sensor barometer
 sea_level_pressure | 101325 | 99000
 std_noise drift_std_noise | 0 | 50
sensor wheel_encoders
 ticks | 1024 | 10
sensor uwb
 anchor | place="0 0 2"; | place="3 0 2";
 max_range | 60 | 1
 range_std_noise | 0.05 | 2
 nlos_bias | 0.3 | 3 | <anchor place="3 0 0.3"/>
 nlos_range_factor | 0.5 | 0 | <anchor place="3 0 0.3"/>
 dropout | 0 | 0.9
 ignore_parent_body | true | false | <anchor place="-3 0 0.3"/> <pose_3d>0.7 0 0.2 0 0 0</pose_3d>
sensor joint_effort
 std_noise | 0 | 3
sensor motor_current
{MOTORS}
 std_noise | 0 | 3
sensor battery
{MOTORS}
 capacity | 10 | 5
 charge | 1 | 0.5
 voltage_full | 25.2 | 28
 voltage_empty | 21 | 18 | <charge>0.5</charge>
 internal_resistance motor_resistance voltage_std_noise current_std_noise | - | 1
 idle_power | 10 | 50
 regeneration | 0 | 1 | <motor_resistance>0</motor_resistance> <sensor_period>0.01</sensor_period>
sensor rfid
 tag | place="0 0 0.5"; | place="3 0 2";
 power_at_1m | -45 | -30
 path_loss_exponent | 2 | 4 | <tag place="3 0 2"/>
 shadowing_std_noise | 0 | 5
 obstacle_loss | 10 | 0 | <tag place="3 0 0.3"/>
 sensitivity | -75 | 0
 beam_width_degrees | 0 | 60 | <tag place="0 3 2"/>
 ignore_parent_body | true | false | <tag place="-3 0 0.3"/> <pose_3d>0.7 0 0.2 0 0 0</pose_3d>
sensor line_sensor
 detectors | 8 | 5
 spacing | 0.01 | 0.2
 fov_degrees | 30 | 80
 rays | 61 | 7
 max_range | 0.1 | 1
 std_noise | 0 | 0.5
sensor bumper
 fov_degrees | 360 | 20 | <pose_3d>0 0 0.2 180 0 0</pose_3d>
sensor contact_force
 fov_degrees | 360 | 20 | <pose_3d>0 0 0.2 180 0 0</pose_3d>
 force_std_noise | 0 | 3
 torque_std_noise | 0 | 3
 max_force | - | 1
""", messages)
