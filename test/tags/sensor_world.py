# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A small world in which every sensor has something to measure, for the tables of sensors."""

IMAGE = ('<ncols>64</ncols> <nrows>48</nrows> <cx>32</cx> <cy>24</cy> <fx>40</fx> <fy>40</fy>')
OPTICAL = '<pose_3d>0 0 0.8 -90 0 -90</pose_3d>'  # above the robot


def world(kind: str, usual: str = '', speed: float = 0.0) -> str:
    """
    Return a world with a robot that carries one sensor.

    :param usual: its usual tags.
    :param speed: at which the robot begins [m/s].
    """
    return f"""<mvsim_world>
 <georeference> <latitude>40</latitude> <longitude>-3</longitude> </georeference>
 <element class="horizontal_plane"> <texture>${{FILES}}/stripes.png</texture> </element>
 <block name="box"> <init_pose>1.3 0.2 10</init_pose> <static>true</static> <mass>300</mass>
  <material temperature="350" specular="0.5"/> </block>
 <block name="far"> <init_pose>5 0 0</init_pose> <static>true</static> <zmax>3</zmax>
  <shape><pt>0 -5</pt><pt>0.1 -5</pt><pt>0.1 5</pt><pt>0 5</pt></shape> <color>#ff8000</color>
 </block>
 <vehicle name="r"> <init_pose>0 0 5</init_pose> <init_vel>{speed} 0 0</init_vel>
  <dynamics class="differential">
   <l_wheel pos="0 0.3" mass="2" width="0.1" diameter="0.4"/>
   <r_wheel pos="0 -0.3" mass="2" width="0.1" diameter="0.4"/>
   <controller class="twist_pid"> <KP>100</KP> <max_torque>40</max_torque> </controller>
  </dynamics>
  <sensor class="{kind}" {{@sensor {kind}: name="s"}}> {{sensor {kind}: {usual}}} </sensor>
 </vehicle> </mvsim_world>"""
