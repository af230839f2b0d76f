# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2 new`: a commented world to start from."""

import argparse
import difflib

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.cli.options import check_folder_of, Commands, write_new
from mvsim_ros2.errors import RecordingError

WORLD = """\
<!--
  A world to start from, as `mvsim_ros2 new` writes it. Lengths are metres, angles degrees, times
  seconds; x points east, y north, z up. What a world can hold is in docs/world-format.md.

    mvsim_ros2 check @FILE@        what is in it, what is wrong with it
    mvsim_ros2 view @FILE@         drive in it, in the browser
    mvsim_ros2 record @FILE@ -o run1 --twist 0.3 0.2
    mvsim_node --ros-args -p world:=@FILE@
-->
<mvsim_world version="1.0">
    <!-- Step of the physics [s], and its mode: physical, or mvsim for the equations of MVSim. -->
    <simul_timestep>0.005</simul_timestep>
    <physics mode="physical"/>

    <!-- A variable is text: ${NAME} puts it in place, $f{...} calculates. -->
    <variable name="HEIGHT" value="2.5"/>

    <!-- Light of pictures and cameras. The azimuth says where the sun is: 0 east, -90 south. The
         ambient light reaches what is in the shade: from below it has the colour of the ground,
         from the side half of that and half of the sky. -->
    <lights>
        <light_azimuth_deg>-65</light_azimuth_deg> <light_elevation_deg>60</light_elevation_deg>
        <light_diffuse>0.5</light_diffuse> <light_ambient>0.8</light_ambient>
        <ambient_ground_color>#d8cfc0</ambient_ground_color>
    </lights>

    <!-- ============================== The place ============================== -->
    <element class="horizontal_plane">
        <x_min>-12</x_min> <x_max>12</x_max> <y_min>-8</y_min> <y_max>8</y_max>
        <color>#e3e2dd</color>
    </element>

    <!-- Walls around; a <vertical_plane> can have a <door> and a <window>. -->
    <element class="vertical_plane">
        <x0>-12</x0> <y0>-8</y0> <x1>12</x1> <y1>-8</y1>
        <height>${HEIGHT}</height> <thickness>0.15</thickness> <color>#5d6974</color>
    </element>
    <element class="vertical_plane">
        <x0>-12</x0> <y0>8</y0> <x1>12</x1> <y1>8</y1>
        <height>${HEIGHT}</height> <thickness>0.15</thickness> <color>#5d6974</color>
        <window position="0.3" width="2" z_min="0.9" z_max="2.1"/>
    </element>
    <element class="vertical_plane">
        <x0>-12</x0> <y0>-8</y0> <x1>-12</x1> <y1>8</y1>
        <height>${HEIGHT}</height> <thickness>0.15</thickness> <color>#5d6974</color>
    </element>
    <element class="vertical_plane">
        <x0>12</x0> <y0>-8</y0> <x1>12</x1> <y1>8</y1>
        <height>${HEIGHT}</height> <thickness>0.15</thickness> <color>#5d6974</color>
        <door position="0.5" width="3" name="gate"/>
    </element>

    <!-- What stands around: a class says what it is, each block adds where: x y yaw. -->
    <block:class name="box">
        <mass>8</mass> <ground_friction>0.4</ground_friction>
        <color>#d8a657</color> <zmax>0.6</zmax>
        <shape> <pt>-0.3 -0.3</pt> <pt>0.3 -0.3</pt> <pt>0.3 0.3</pt> <pt>-0.3 0.3</pt> </shape>
    </block:class>
    <block:class name="column">
        <static>true</static> <color>#8d8f8c</color>
        <geometry type="cylinder" radius="0.3" length="${HEIGHT}" vertex_count="16"/>
        <shape_from_visual/>
    </block:class>
    <block class="box" name="box_1"> <init_pose>6 1.5 20</init_pose> </block>
    <block class="box" name="box_2"> <init_pose>6.5 -2 0</init_pose> </block>
    <for var="i" from="0" to="2">
        <block class="column" name="column_${i}"> <init_pose>$f{-8+8*i} 5.5 0</init_pose> </block>
    </for>

    <!-- ============================== The robot ============================== -->
    <!-- Others: mvsim_ros2 new --list. Your own: docs/vehicles.md, or <vehicle urdf="FILE">. -->
    <include file="package://mvsim_ros2/worlds/vehicles/@VEHICLE@.vehicle.xml"/>

    <vehicle name="robot" class="@VEHICLE@">
        <init_pose>0 0 0</init_pose>
        <!-- sensor_x, sensor_y, sensor_z say where on the robot a sensor sits. -->
@SENSORS@
    </vehicle>

    <!-- A second one: a name and a pose of its own; topics are then below /robot and /robot_2.
    <vehicle name="robot_2" class="@VEHICLE@">
        <init_pose>-6 -4 90</init_pose>
    </vehicle>
    -->
</mvsim_world>
"""
SENSOR = ('        <include file="package://mvsim_ros2/worlds/sensors/@NAME@.sensor.xml" '
          'sensor_name="@NAME@"/>')


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'new', help='write a commented world to start from',
        description='Write a world with a hall, obstacles and a robot with sensors. Comments in '
                    'it explain what you can change.')
    command.add_argument('file', metavar='FILE', nargs='?', default=None,
                         help='world file to write, such as my.world.xml; must not exist yet')
    command.add_argument('--vehicle', metavar='NAME', default='small_robot',
                         help='vehicle class of this package (default: small_robot)')
    command.add_argument('--sensors', metavar='NAME', nargs='*', default=['lidar2d', 'imu'],
                         help='sensors of this package (default: lidar2d imu)')
    command.add_argument('--list', dest='only_list', action='store_true',
                         help='list the available vehicles and sensors')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the world, or list what it can hold."""
    if options.only_list:
        for what in ('vehicle', 'sensor'):
            print(f'{what}s:', *shipped(what))
        return 0
    if options.file is None:
        raise RecordingError('say which file to write, such as my.world.xml')
    text = world_text(options.file, options.vehicle, options.sensors)
    check_folder_of(options.file)
    write_new(options.file, text)
    print(f'{options.file}: look at it with mvsim_ros2 view {options.file}')
    return 0


def world_text(file: str, vehicle: str, sensors: list[str]) -> str:
    """
    Return a world.

    :raises RecordingError: where there is no such vehicle or sensor, or a sensor is given twice.
    """
    for what, names in (('vehicle', [vehicle]), ('sensor', sensors)):
        for name in names:
            _check_is_shipped(what, name)
    if len(set(sensors)) < len(sensors):
        raise RecordingError('two sensors with one name: leave one out, and add it by hand under '
                             'a sensor_name of its own')
    included = [SENSOR.replace('@NAME@', name) for name in sensors]
    return (WORLD.replace('@FILE@', file).replace('@VEHICLE@', vehicle)
            .replace('@SENSORS@', '\n'.join(included) or '        <!-- no sensors yet -->'))


def shipped(what: str) -> list[str]:
    """Return the names of the vehicles or sensors of this package."""
    ending = f'.{what}.xml'
    return sorted(path.name.removesuffix(ending)
                  for path in (share_directory() / 'worlds' / f'{what}s').glob(f'*{ending}'))


def _check_is_shipped(what: str, name: str) -> None:
    known = shipped(what)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        raise RecordingError(f'there is no {what} {name!r}' + (
            f': did you mean {near[0]!r}?' if near else f', only {", ".join(known)}'))
