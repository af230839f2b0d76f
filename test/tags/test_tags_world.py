# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of the world, its lights and weather, people, joints, meshes, markers, window and logs."""

from typing import Any

from tag_effects import drive, drive_and_draw, effects, LIDAR, motion, picture, ROBOT

from mvsim_ros2 import Simulation
from mvsim_ros2.window.cameras import first_view
from mvsim_ros2.window.choices import first_choices

WALL = """<block name="wall"> <init_pose>1 0.2 30</init_pose> <static>true</static>
 <ground_friction>0.01</ground_friction> <material specular="0.9"/> </block>
 <element class="horizontal_plane"/>"""
GNSS = """<sensor class="gnss" name="gnss"> <pose_3d>5 3 1 0 0 0</pose_3d>
 <horizontal_std_noise>0</horizontal_std_noise>
 <vertical_std_noise>0</vertical_std_noise> <sensor_period>0.35</sensor_period> </sensor>"""


def world(text: str) -> str:
    """Return a world with a robot before a wall."""
    return f'<mvsim_world> {text} {WALL} {ROBOT} {LIDAR} {GNSS} </mvsim_world>'


def stand(simulation: Simulation) -> Any:
    """Return what a step shows in which nothing moves."""
    simulation.step(2)
    return motion(simulation)


PLACE = '<latitude>40</latitude> <longitude>-3</longitude>'
test_worlds = effects(world("""{mvsim_world: <gravity>9.81</gravity>}
 <block name="b"> <init_pose>-1.2 0 0</init_pose> <init_vel>2.5 1 30</init_vel> </block>"""), f"""
mvsim_world
 simul_timestep | 0.005 | 0.002
 gravity | 9.81 | 3
 b2d_vel_iters b2d_pos_iters | - | 1
 physics | - | mode="mvsim";
 lights | - | <light_diffuse>0.1</light_diffuse>
 weather | - | <fog_visibility>5</fog_visibility>
 georeference | - | {PLACE}
""", drive_and_draw)
test_thresholds = effects(f"""<mvsim_world> {{mvsim_world}} {ROBOT} <block name="b">
 <init_pose>1.2 0 0</init_pose> <static>true</static> </block> </mvsim_world>""", """
mvsim_world
 collision_threshold | 0.03 | 0.3
""", stand)
test_modes = effects(world('<physics> {physics} </physics>'), """
physics
 mode | physical | mvsim
""", drive)
test_places_on_earth = effects(world(
    f'<georeference> {{georeference: {PLACE}}} </georeference>'), """
georeference
 latitude | 40 | 41
 longitude | -3 | -4
 height | 0 | 90
 world_to_enu_rotation_deg | 0 | 30
 world_is_utm | false | true
""", drive)
test_weather = effects(world('<weather> {weather} </weather>'), """
weather
 rain | 0 | 90
 snow | 0 | 20
 snow_is_wet | false | true | <snow>20</snow>
 fog_visibility dust_visibility | - | 5
 particles | false | true | <rain>90</rain>
""", drive_and_draw)
test_versions = effects('<mvsim_world> <version>1.0</version> </mvsim_world>'.replace(
    '<version>1.0</version>', '{mvsim_world}'), """
mvsim_world
 version | 1.0 | ! one
""", drive)
LAMP = """
 position | -0.5 -0.6 0.8 | 0.2 -1.4 0.5
 color | #ffffff | #ff0000
 diffuse | 0.8 | 0.2
 specular | 0.5 | 0
 attenuation_constant | 1 | 3
 attenuation_linear attenuation_quadratic | - | 2
 range | 0 | 1.2
 cast_shadows | false | true
"""
DARK = '<light_diffuse>0.1</light_diffuse> <light_ambient>0.1</light_ambient>'
test_lights = effects(world('<lights> {lights} </lights>'), """
lights
 enable_shadows | true | false
 light_azimuth_deg | 45 | 225
 light_elevation_deg | 70 | 20
 light_color | #ffffff | #ff0000
 light_diffuse | 0.8 | 0.3
 light_specular | 0.6 | 0 | <light_azimuth_deg>30</light_azimuth_deg>
 light_ambient | 0.5 | 0.1
 ambient_sky_color | #e0e8ff | #ff0000
 ambient_ground_color | #403a30 | #ff0000
 clouds | - | 0.7
 point_light | - | position="-0.5 -0.6 0.8";
 spot_light | - | position="-0.5 -0.6 1.8";
""", picture)
test_point_lights = effects(world(
    f'<lights> {DARK} <point_light> {{point_light: <position>-0.5 -0.6 0.8</position>}} '
    '</point_light> </lights>'), f'point_light {LAMP}', picture)
test_spot_lights = effects(world(
    f'<lights> {DARK} <spot_light> {{spot_light: <position>-0.5 -0.6 0.8</position> '
    '<direction>1 0.5 -0.2</direction> <outer_cutoff_deg>40</outer_cutoff_deg>} '
    '</spot_light> </lights>'), f"""spot_light {LAMP}
 direction | 1 0.5 -0.2 | 1 0 -0.5
 inner_cutoff_deg | 12.5 | 39
 outer_cutoff_deg | 40 | 20
""", picture)
test_light_groups = effects(f"""<mvsim_world> <lights> {DARK} </lights> {WALL}
 <block name="b"> <init_pose>-0.5 -0.5 0</init_pose> <visual> <geometry type="sphere"
  radius="0.2"/> <model_emissive>#ff0000</model_emissive> <light_group>lamp</light_group> </visual>
  <light_group name="lamp"> {{light_group: <point_light position="0 0 0.8"/>}} </light_group>
 </block> </mvsim_world>""", """
light_group
 initially_on | true | false
 point_light | position="0 0 0.8"; | position="0 0 2.8";
 spot_light | - | position="0 0 2";
""", picture)


def switch(simulation: Simulation) -> Any:
    """Return the names of the lamps of a block, and a picture without them."""
    names = list(simulation.blocks['b'].lights)
    for name in names:
        simulation.blocks['b'].set_light(name, False)
    return [names, picture(simulation)]


test_names_of_light_groups = effects("""<mvsim_world> <block name="b"> <init_pose>0 0 0</init_pose>
 <light_group> {light_group: <name>lamp</name>} </light_group> </block> </mvsim_world>""", """
light_group
 name | lamp | other
""", switch)
MESH = f"""<mvsim_world> <air wind="10 0"/> {WALL} {LIDAR}
 <block name="b"> <init_pose>-0.4 -0.5 0</init_pose>
 <light_group name="lamp"> <initially_on>false</initially_on> </light_group>
 <visual> {{visual: <model_uri>${{FILES}}/box.obj</model_uri>}} </visual> </block>
 </mvsim_world>"""
test_visuals = effects(MESH, """
visual
 model_uri | ${FILES}/box.obj | ${FILES}/wedge.obj
 geometry | - | type="sphere" radius="0.3"; | <model_uri></model_uri>
 enabled cast_shadows | true | false
 model_scale | 1 | 2
 sways model_offset_x model_offset_y model_offset_z | 0 | 0.3
 model_yaw model_pitch model_roll | 0 | 30
 model_color model_emissive | - | #ff00ff
 model_emissive_strength | 1 | 0.2 | <model_emissive>#ff00ff</model_emissive>
 light_group | - | lamp | <model_emissive>#ff00ff</model_emissive>
""", drive_and_draw)
test_names_of_visuals = effects("""<mvsim_world> <vehicle name="r"> <init_pose>0 0 0</init_pose>
 <visual> {visual: <name>fork</name>} <geometry type="box" lx="1" ly="1" lz="2"/> </visual>
 <visual name="spare"> <geometry type="box" lx="0.1" ly="1" lz="3"/> </visual>
 <dynamics class="ackermann"> <fl_wheel linked_yaw="spare"/>
  <fr_wheel linked_yaw="fork"/> <controller class="raw"> <steer_ang_deg>25</steer_ang_deg>
  </controller> </dynamics> </vehicle> </mvsim_world>""", """
visual
 name | fork | ! fox
""", drive_and_draw)
test_geometries = effects(f"""<mvsim_world> {LIDAR} <block name="b"> <init_pose>0.8 0 0</init_pose>
 <shape_from_visual/> <geometry> {{geometry: <type>cylinder</type> <radius>0.3</radius>
  <length>0.8</length>}}
 </geometry> </block> </mvsim_world>""", """
geometry
 type | cylinder | sphere
 radius | 0.3 | 0.2
 length | 0.8 | 0.5
 vertex_count | 0 | 4
""", drive_and_draw)
test_boxes = effects(f"""<mvsim_world> {LIDAR} <block name="b"> <init_pose>0.8 0 0</init_pose>
 <geometry> {{geometry: <type>box</type> <lx>0.3</lx> <ly>0.4</ly> <lz>0.8</lz>}}
 </geometry> </block> </mvsim_world>""", """
geometry
 lx | 0.3 | 0.6
 ly | 0.4 | 0.6
 lz | 0.8 | 0.6
""", drive_and_draw)
WALK = '<waypoint>1 0 0</waypoint> <waypoint>1 1 90</waypoint> <waypoint>2 1 0</waypoint>'
ACTOR = f"""<mvsim_world> <actor:class name="runner"> <running_speed>9</running_speed>
 <path> <waypoint animation="run">1 0 0</waypoint> <waypoint animation="run">2 0 0</waypoint>
 </path> </actor:class> <element class="elevation_map"> <resolution>4</resolution>
 <elevation_data_matrix>[0 0; 0 0.5]</elevation_data_matrix> </element> {ROBOT} {LIDAR}
 <actor {{@actor: name="a"}}> {{actor: <init_pose>1 0 0</init_pose> <path>{WALK}</path>}}
 </actor> </mvsim_world>"""
test_actors = effects(ACTOR, f"""
actor
 name | a | b
 init_pose | 1 0 0 | 0.9 0.4 20
 skip_elevation_adjust | - | 1
 walking_speed look | - | 3
 height | 1.75 | 1 | <collision_height>0.9</collision_height>
 collision_radius | 0.3 | 0.5
 collision_height | 1.7 | 0.02
 path | {WALK} | <waypoint>1 0 0</waypoint> <waypoint>2 0 0</waypoint>
 visual | - | <geometry type="sphere" radius="0.3"/>
""", drive_and_draw)
test_classes_of_actors = effects(ACTOR.replace(f' <path>{WALK}</path>', ''), """
actor
 posture | stand | sit
 class | - | runner
 running_speed | 3.5 | 6 | <path> <waypoint animation="run">1 0 0</waypoint> <waypoint \
 animation="run">9 0 0</waypoint> </path>
 animation | - | <time_pose>0 0 0 0</time_pose> <time_pose>1 1 1 90</time_pose>
""", drive)
test_paths = effects(ACTOR.replace('{actor: ', '').replace(f'<path>{WALK}</path>}}', f"""
 <walking_speed>9</walking_speed> <path> {{path: {WALK}}} </path>"""), """
path
 loop | true | false
 waypoint | 1 0 0</waypoint> <waypoint>1 1 90</waypoint> <waypoint>2 1 0 | 1 0 0</waypoint> \
 <waypoint>1 0.5 90</waypoint> <waypoint>2 1 0
""", drive)
test_waypoints = effects(ACTOR.replace('{actor: ', '').replace(f'<path>{WALK}</path>}}', """
 <path> <waypoint>1 0 0</waypoint> <waypoint> {waypoint: 1 1 90} </waypoint> </path>"""), """
waypoint
 pose | 1 1 90 | 2 1 90
""", drive)
test_pauses = effects(ACTOR.replace('{actor: ', '').replace(f'<path>{WALK}</path>}}', """
 <walking_speed>9</walking_speed> <path> <waypoint>1 0 0</waypoint> <waypoint> 1 1 90 {waypoint}
 </waypoint> <waypoint>2 1 0</waypoint> </path>"""), """
waypoint
 pause | 0 | 1
 animation | walk | idle
""", drive)
MEETING = f"""<mvsim_world> {ROBOT} <actor name="b"> <init_pose>2 3 0</init_pose>
 <model>orca</model> <group>pair</group> <path> <waypoint>9 3 0</waypoint> </path> </actor>
 <actor name="a"> <init_pose>1.2 0.1 0</init_pose> <path> <waypoint>-2 0 0</waypoint> </path>
 {{actor}} </actor> </mvsim_world>"""
test_people = effects(MEETING, """
actor
 model | path | orca
 model | social_force | orca
 robots | avoid | ignore | <model>orca</model>
 robots | avoid | stop | <model>orca</model>
 group | - | pair | <model>orca</model>
""", drive)
CROWD = f"""<mvsim_world> {ROBOT} <crowd {{@crowd: name="c"}}> {{crowd: <count>4</count>
 <x_min>-3</x_min> <x_max>3</x_max> <y_min>-3</y_min> <y_max>3</y_max>}} </crowd>
 </mvsim_world>"""
test_crowds = effects(CROWD, """
crowd
 name | c | d
 count | 4 | 5
 density radius | - | 0.2
 x_min y_min | -3 | -2
 x_max y_max | 3 | 2
 model | social_force | orca
 robots | avoid | ignore
 goals | 6 | 3
 groups | 0 | 1
 speed | 1.34 | 0.8
 speed_deviation | 0.26 | 0.1
""", drive)
PULL = """<mvsim_world> <physics mode="%s"/>
 <vehicle name="r"> <init_pose>0 0 0</init_pose> <dynamics class="differential_4_wheels">
 <controller class="twist_pid"> <KP>400</KP> </controller> </dynamics> </vehicle>
 <vehicle name="s"> <init_pose>-2 0 0</init_pose> <dynamics class="differential">
 <chassis> <mass>90</mass> </chassis> </dynamics> </vehicle>
 <block name="b"> <init_pose>-2 2 0</init_pose> <ground_friction>0.1</ground_friction> </block>
 <joint> {joint: <type>%s</type> <body_a>r</body_a> <body_b>%s</body_b> <anchor_a>-1 0</anchor_a>
 <anchor_b>1 0</anchor_b> %s} </joint> </mvsim_world>"""


def turn(simulation: Simulation) -> Any:
    """Drive a bend with what hangs on a joint."""
    return drive(simulation, 3.0, 1.5)


test_ropes = effects(PULL % ('physical', 'distance', 's', '<max_length>0.2</max_length>'), """
joint
 type | distance | revolute
 body_a | r | b
 body_b | s | b
 anchor_a | -1 0 | -0.8 0.2
 anchor_b | 1 0 | 0.8 0.2
 max_length | 0.2 | 0.5
 min_length | 0 | 0.2
 stiffness | 0 | 500
 damping | 0 | 500 | <stiffness>500</stiffness>
""", turn)
LIMIT = '<enable_limit>true</enable_limit>'
test_hinges = effects(PULL % ('physical', 'revolute', 's', ''), f"""
joint
 enable_limit | false | true
 lower_angle_deg | -5 | 1 | {LIMIT} <upper_angle_deg>5</upper_angle_deg>
 upper_angle_deg | 5 | -1 | {LIMIT} <lower_angle_deg>-5</lower_angle_deg>
 height | - | 0.5
""", turn)


def shown(simulation: Simulation) -> Any:
    """Return how a window begins."""
    view = first_view(simulation)
    return [list(view.eye), list(view.at), view.field, view.near, view.far,
            first_choices(simulation.world, simulation.vehicles)]


TWO = ''.join(f'<vehicle name="{name}"> <init_pose>0 {y} 0</init_pose> '
              '<dynamics class="differential"/> </vehicle>' for y, name in enumerate('ab'))
test_windows = effects(f'<mvsim_world> {TWO} <gui> {{gui: <cam_distance>9</cam_distance>}} </gui> '
                       '</mvsim_world>', """
gui
 show_forces | false | true
 show_sensor_points show_sensor_previews | true | false
 fov_deg | 60 | 40
 follow_vehicle | - | b
 clip_plane_min | 0.05 | 0.5
 clip_plane_max cam_azimuth cam_elevation | - | 90
 cam_distance | 9 | 20
 cam_point_to | 0 0 0 | 1 2 3
""", shown)
test_parts_of_worlds = effects(f'<mvsim_world> {{mvsim_world}} {TWO} </mvsim_world>', """
mvsim_world
 gui | - | <cam_distance>9</cam_distance>
""", shown)
