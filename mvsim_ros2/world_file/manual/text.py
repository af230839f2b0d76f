# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Introduction of the manual of the world format; the tables after it come from the specs."""

INTRODUCTION = """\
# World files

A world file says what the simulator holds: vehicles with sensors, blocks, walls, floors, terrain,
actors. The format is that of [MVSim](https://github.com/MRPT/mvsim); its worlds can be used as
they are. This page is made from the code by `python -m mvsim_ros2.world_file.manual.generator`.

```xml
<mvsim_world version="1.0">
  <variable name="SIZE" value="10"/>

  <element class="horizontal_plane">
    <x_min>-$f{SIZE/2}</x_min> <x_max>$f{SIZE/2}</x_max>
    <y_min>-$f{SIZE/2}</y_min> <y_max>$f{SIZE/2}</y_max>
  </element>

  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>

  <vehicle name="robot" class="small_robot">
    <init_pose>0 0 90</init_pose>
  </vehicle>

  <for var="i" from="1" to="3">
    <block name="box_${i}">
      <init_pose>$f{2*i} 3 0</init_pose>
      <mass>5</mass>
    </block>
  </for>
</mvsim_world>
```

`mvsim_ros2 check WORLD` lists what a world contains and everything that is wrong with it, with
file and line. `--strict` turns faults that are passed over into errors; all are listed. WORLD is a
file or the name of a world of this package, such as `demo`.

## Text

The file is XML, read tolerantly: a closing tag may have any name, `<` and `&` may stand in
attributes, an included file may have several root elements, names may have colons.

A value may be written as an attribute, `<chassis mass="10"/>`, or as a child element,
`<chassis><mass>10</mass></chassis>`. The tables show the usual form.

| value | text |
|---|---|
{kinds}

Lengths are in metres, masses in kilograms, times in seconds, forces in newton, angles in degrees.
Turns are yaw about z, then pitch about y, then roll about x; positive pitch is nose down. Numbers
must be finite; text after a number is passed over with a warning.

## Variables and formulas

| text | becomes |
|---|---|
| `${NAME}` | the value of a variable, an attribute of the include, or the environment |
| `${NAME\\|default}` | the same, or the default where there is none |
| `$env{NAME}` | an environment variable |
| `$f{formula}` | the value of a formula, in double precision |
| `$(command)` | the output of a shell command; only where the program that loads allows it |

These work in every value and attribute, and inside each other. In a formula variables go by
their bare names: `$f{2*SIZE + rand()}`. There are `+ - * / % ^`, comparisons, `and or not`,
`c ? a : b`, `if(c, a, b)`, `pi`, and the usual functions (`sqrt`, `sin`, `atan2`, `min`, `max`,
`floor`, `round`, `clamp`, `hypot`, `deg2rad` ...). `rand()` is uniform in 0 to 1, `unifrnd(a, b)`
in a to b, `randn()` normal with standard deviation 1; they draw from the seed of the simulation,
and `randomize(seed)` starts them anew.

`${MVSIM_CURRENT_FILE_DIRECTORY}` is the folder of the file, `${NAME}` inside a vehicle, block or
sensor its name, `${PARENT_NAME}` inside a sensor the name of the vehicle.

## Control

| tag | meaning |
|---|---|
| `<variable name="" value=""/>` | sets a variable, from here on |
| `<for var="" from="" to="">` | repeats its content, both ends included |
| `<if condition="">` | keeps its content where the condition is true, yes, on or not 0 |
| `<include file="" .../>` | reads another file; further attributes are variables in it |

They work at any depth. An attribute that an included file does not ask for is a warning. What
`--set NAME=VALUE` or the caller gives replaces what a `<variable>` of that name says.

## Classes

`<vehicle:class name="">`, `<block:class name="">` and `<actor:class name="">` describe a kind of
thing, `class=""` makes one of that kind. Where a tag is given more than once, what stands in the
instance wins over what the instance includes, and that over its class; `<sensor>` and `<visual>`
are collected from all of them, in that order. A group such as `<dynamics>` is taken whole from the
first that has it. A class may be defined after its use.

`urdf="FILE"` at a vehicle or vehicle class takes what the world does not say from a robot
description, URDF or xacro: see [Robot descriptions](urdf.md).

## Files

A file may be given as

- a path, absolute or relative to the file that names it, or `file://` and a path,
- `package://NAME/PATH`, a file of a ROS package,
- `https://HOST/PATH`, downloaded once into the cache, `~/.cache/mvsim_ros2` or under
  `XDG_CACHE_HOME`,
- any of these with `.zip/` and a path inside that archive.

With `MVSIM_OFFLINE=1` in the environment nothing is downloaded. A missing mesh is replaced by a
box and a missing texture by the plain colour, with one warning; a missing map is an error.

## Warnings and errors

Names that are not known are passed over with a warning that gives file, line and the nearest name
that is known. Errors end the loading: values that cannot be read or break a limit, missing
mandatory tags, unknown classes, files or variables, and what would expand without end.

## Differences from MVSim

- Variables, formulas, loops and conditions work everywhere, at any depth, and in the world file
  itself; a loop runs value by value. Numbers keep full precision, random numbers follow the seed.
- The instance wins over the include and over the class, for all tags.
- Names made in loops work. Vehicles and actors must have names of their own; a block, sensor or
  element with a taken name is renamed with a warning.
- `init_vel`, the damping of the chassis and the multipliers of `<odometry>` act as documented.
- The pose of a vertical plane moves what is solid as well as what is seen.
- Outlines may have 16 vertices in place of 14.
- `010` is ten, not eight.
- Unknown names are reported; `$(command)` needs leave.
- Additions: `<physics>`, the noise of `<odometry>`, `min_range` and `rolling` of the laser,
  `<name>` of elements, vehicles from robot descriptions (`urdf`).

# Tags

The columns *default* and *limits* are in the unit of the file. *(not acted on)* marks what is read
and kept, but changes nothing yet. The root, `<mvsim_world>`, holds the tags of the first table and
any number of `<vehicle>`, `<block>`, `<element>`, `<walls>`, `<sensor>`, `<actor>`, `<joint>` and
`<marker>`.
"""
