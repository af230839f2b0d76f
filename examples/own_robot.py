# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Simulate a robot from its description (URDF), with the LiDAR that it names for Gazebo.

    python examples/own_robot.py [FOLDER]
"""

from pathlib import Path
import sys

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures import automatic_view, draw_view, measure_all, save_picture

WHEEL = """
  <link name="{side}_wheel">
    <inertial> <mass value="0.4"/>
      <inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/> </inertial>
    <visual> <origin rpy="1.5708 0 0"/>
      <geometry> <cylinder radius="0.1" length="0.05"/> </geometry>
      <material name="black"> <color rgba="0.1 0.1 0.1 1"/> </material> </visual>
    <collision> <origin rpy="1.5708 0 0"/>
      <geometry> <cylinder radius="0.1" length="0.05"/> </geometry> </collision>
  </link>
  <joint name="{side}_wheel" type="continuous"> <parent link="base"/> <child link="{side}_wheel"/>
    <origin xyz="0 {y} 0.1"/> <axis xyz="0 1 0"/> </joint>"""
ROBOT = f"""<robot name="tray">
  <link name="base">
    <inertial> <origin xyz="0 0 0.15"/> <mass value="6"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.15" ixy="0" ixz="0" iyz="0"/> </inertial>
    <visual> <origin xyz="0 0 0.15"/> <geometry> <box size="0.5 0.3 0.1"/> </geometry>
      <material name="blue"> <color rgba="0.2 0.4 0.8 1"/> </material> </visual>
    <collision> <origin xyz="0 0 0.15"/>
      <geometry> <box size="0.5 0.3 0.1"/> </geometry> </collision>
  </link>{WHEEL.format(side='left', y=0.19)}{WHEEL.format(side='right', y=-0.19)}
  <link name="laser"/>
  <joint name="laser" type="fixed"> <parent link="base"/> <child link="laser"/>
    <origin xyz="0.2 0 0.3"/> </joint>
  <gazebo reference="laser"> <sensor name="scan" type="ray"> <update_rate>10</update_rate>
    <ray> <scan> <horizontal> <samples>180</samples>
      <min_angle>-2.0</min_angle> <max_angle>2.0</max_angle> </horizontal> </scan>
      <range> <min>0.05</min> <max>8</max> </range> </ray> </sensor> </gazebo>
  <gazebo> <plugin name="drive" filename="libgazebo_ros_diff_drive.so">
    <left_joint>left_wheel</left_joint> <right_joint>right_wheel</right_joint> </plugin> </gazebo>
</robot>"""
WORLD = """<mvsim_world>
  <lights> <light_azimuth_deg>-150</light_azimuth_deg> </lights>
  <element class="horizontal_plane"> <color>#e3e2dd</color>
    <x_min>-3</x_min> <x_max>5</x_max> <y_min>-3</y_min> <y_max>3</y_max> </element>
  <block name="box"> <init_pose>2.5 0.6 20</init_pose> <static>true</static> <zmax>0.8</zmax>
    <color>#d8a657</color>
    <shape> <pt>-0.4 -0.4</pt> <pt>0.4 -0.4</pt> <pt>0.4 0.4</pt> <pt>-0.4 0.4</pt> </shape>
  </block>
  <vehicle name="tray" urdf="tray.urdf"> <init_pose>0 0 0</init_pose> </vehicle>
</mvsim_world>"""

folder = Path(*sys.argv[1:] or ['out'])
folder.mkdir(parents=True, exist_ok=True)
(folder / 'tray.urdf').write_text(ROBOT)
(folder / 'tray.world.xml').write_text(WORLD)
simulation = Simulation.from_file(folder / 'tray.world.xml', seed=1)
tray = simulation.vehicles['tray']
tray.set_twist(0.4, -0.2)
simulation.run(2.0)
scan = simulation.measure('tray/scan')
print(f'{tray.spec.dynamics.chassis.mass:g} kg, at {tray.pose.x:.2f} {tray.pose.y:.2f}, '
      f'box at {scan.ranges.min():.2f} m')
view = automatic_view(simulation, 880, 496, (-2.2, -2.6, 1.8), (1.2, 0.2, 0.0))
save_picture(draw_view(simulation, view, measure_all(simulation)), folder / 'own_robot.png')
