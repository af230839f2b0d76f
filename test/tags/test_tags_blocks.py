# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of blocks, and of what they are drawn and made of, change what moves and what is seen."""

from tag_effects import drive, drive_and_draw, effects, LIDAR, ROBOT

SQUARE = '<pt>-0.3 -0.3</pt><pt>-0.3 0.3</pt><pt>0.3 0.3</pt><pt>0.3 -0.3</pt>'
BLOCK = f"""<mvsim_world> {ROBOT}
 <block:class name="heavy"> <mass>500</mass> </block:class>
 <block name="wall"> <init_pose>1 0.9 0</init_pose> <static>true</static> </block>
 <element class="elevation_map"> <resolution>4</resolution>
  <elevation_data_matrix>[0 0; 0 0.5]</elevation_data_matrix> </element>
 <block {{@block: name="b"}}> {{block: <init_pose>0.95 0.1 20</init_pose>
  <ground_friction>0.1</ground_friction> <shape>{SQUARE}</shape>}}
 </block>
</mvsim_world>"""
test_motion_of_blocks = effects(BLOCK, f"""
block
 name | b | other
 class | - | heavy
 init_pose | 0.95 0.1 20 | 0.95 -0.3 0
 init_vel | - | -0.5 0 40
 skip_elevation_adjust | - | 1
 mass | 20 | 200
 zmin | 0 | 0.9
 zmax | 1 | 0.02
 ground_friction | 0.5 | 0.01
 lateral_friction | 0 | 1 | <init_vel>-2 2 0</init_vel>
 restitution | 0 | 1 | <init_vel>-3 0 0</init_vel>
 static intangible | false | true
 linear_damping | 0.1 | 3 | <init_vel>-3 0 0</init_vel>
 angular_damping | 0.1 | 3 | <init_vel>0 0 100</init_vel>
 shape | {SQUARE} | <pt>-0.4 -0.3</pt><pt>-0.3 0.3</pt><pt>0.3 0.3</pt>
 shape_from_visual | - | 1 | <geometry type="cylinder" radius="0.2" length="0.4"/>
 animation | - | <time_pose>0 0 0 0</time_pose> <time_pose>1 1 1 90</time_pose>
""", drive)
ANIMATED = f"""<mvsim_world> {ROBOT}
 <block name="b"> <init_pose>1.5 0 0</init_pose>
  <animation> {{animation: <time_pose>1 1 1 90</time_pose>}}
  </animation> </block>
</mvsim_world>"""
test_animations = effects(ANIMATED, """
animation
 type | keyframes | ! spline
 time_pose | 1 0 0 0 | 1 1 0 0 | <time_pose>0 0 0 0</time_pose>
""", drive)
LOOKS = f"""<mvsim_world> {ROBOT} {LIDAR}
 <lights> <light_diffuse>0.3</light_diffuse> </lights>
 <block name="behind"> <init_pose>3 0 0</init_pose> <static>true</static>
  <shape><pt>0 -3</pt><pt>0.1 -3</pt><pt>0.1 3</pt><pt>0 3</pt></shape> <zmax>2</zmax>
  <reflectivity>1</reflectivity> <color>#ffffff</color> </block>
 <block name="b"> <init_pose>1.2 0 0</init_pose> <shape>{SQUARE}</shape> CONTENT </block>
 <sensor class="thermal_camera" name="heat"> <pose_3d>-1 0 0.4 -90 0 -90</pose_3d>
  <ncols>32</ncols> <nrows>24</nrows> <cx>16</cx> <cy>12</cy> <fx>20</fx> <fy>20</fy> </sensor>
 <sensor class="radar" name="radar"> <pose_3d>1.2 -2 0.3 90 0 0</pose_3d> </sensor>
</mvsim_world>"""
test_looks_of_blocks = effects(LOOKS.replace('CONTENT', '{block}'), """
block
 color | #0000ff | #ff8000
 reflectivity | 0.5 | 0.1
 transmittance | 0 | 1 | <color>#0000ff10</color>
 material | - | <temperature>350</temperature>
 visual | - | <geometry type="sphere" radius="0.3"/>
 geometry | - | type="cylinder" radius="0.2" length="0.4";
 visual_scale | - | 2 | <visual> <geometry type="sphere" radius="0.2"/> </visual>
 light_group | - | name="lamp"; <point_light position="-0.5 -0.6 0.8"/>
""", drive_and_draw)
test_materials = effects(
    LOOKS.replace('CONTENT', '<material> {material} </material>'), """
material
 specular mirror | 0 | 1
 shininess | 2 | 60 | <specular>1</specular>
 emissive | - | #00ff00
 temperature | - | 350
 emissivity | 0.95 | 0.3 | <temperature>350</temperature>
 retroreflection | 0 | 500
 radar_section | - | 30
""", drive_and_draw)
