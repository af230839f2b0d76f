# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A robot description that commands read."""

WHEEL = """<link name="{0}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry>
<cylinder radius="0.1" length="0.05"/></geometry></collision></link>
<joint name="{0}j" type="continuous"><parent link="base_link"/><child link="{0}"/>
<origin xyz="0 {1} 0" rpy="-1.57 0 0"/><axis xyz="0 0 1"/></joint>"""
ROBOT = f"""<robot name="r"><link name="base_link"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><box size="1 1 1"/></geometry></collision></link>
{WHEEL.format('left', 0.3)}{WHEEL.format('right', -0.3)}</robot>"""
