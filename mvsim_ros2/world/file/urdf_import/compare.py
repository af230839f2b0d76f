# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a vehicle class of a world file still is what a robot description says."""

from collections.abc import Iterator, Mapping
import math

from mvsim_ros2.base.files import read_text, TEXT_BYTES
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose, wrap_angle
from mvsim_ros2.world.file.load import load_world, load_world_text
from mvsim_ros2.world.spec import VehicleSpec, WheelSpec

NEAR, TURNED = 1e-3, math.radians(0.1)  # m, rad; smaller differences do not count


def only_class(text: str, file: str) -> VehicleSpec:
    """Return the vehicle class of a text."""
    return _the_one(load_world_text(text, file, offline=True).vehicle_classes, file)


def class_of_file(path: str) -> VehicleSpec:
    """Return the vehicle class of a file, a world or what is included in one."""
    try:
        text = read_text(path, TEXT_BYTES)
    except (OSError, ValueError) as error:
        raise WorldFileError(f'{path}: cannot be read: {error}') from error
    world = (load_world(path, offline=True) if '<mvsim_world' in text
             else load_world_text(text, path, offline=True))
    return _the_one(world.vehicle_classes, path)


def _the_one(classes: Mapping[str, VehicleSpec], file: str) -> VehicleSpec:
    if len(classes) != 1:
        raise WorldFileError(f'{file}: there should be one <vehicle:class> with <dynamics>, there '
                             f'are {len(classes)}')
    (found,) = classes.values()
    return found


def mismatches(described: VehicleSpec, written: VehicleSpec) -> Iterator[str]:
    """
    Yield a line for each wheel or sensor of a class that is not as a robot description says.

    Wheels with the same joint, or in the same order if the class names none, are compared by
    place, diameter and joint. Sensors with the same name are compared by pose.
    """
    kinds = described.dynamics.XML_CLASS, written.dynamics.XML_CLASS
    wheels = written.dynamics.wheels
    if len(wheels) != len(described.dynamics.wheels):
        yield (f'wheels: the description has {len(described.dynamics.wheels)} ({kinds[0]}), the '
               f'class {len(wheels)} ({kinds[1]})')
        return
    by_joint = {wheel.joint: wheel for wheel in wheels if wheel.joint}
    for number, wanted in enumerate(described.dynamics.wheels):
        found = by_joint.get(wanted.joint, wheels[number])
        yield from _wheel(wanted.joint or f'wheel {number + 1}', wanted, found)
    sensors = {sensor.name: sensor for sensor in written.sensors}
    for sensor in described.sensors:
        other = sensors.get(sensor.name)
        if other is None:
            yield f'sensor {sensor.name}: the class has none of this name'
        elif not _agree(sensor.pose, other.pose):
            yield (f'sensor {sensor.name}: the pose is {_text(sensor.pose)} in the description, '
                   f'{_text(other.pose)} in the class')


def _wheel(name: str, wanted: WheelSpec, found: WheelSpec) -> Iterator[str]:
    for what, there, here in (
            ('x', wanted.pos[0], found.pos[0]), ('y', wanted.pos[1], found.pos[1]),
            ('diameter', wanted.diameter, found.diameter)):
        if abs(there - here) > NEAR:
            yield f'{name}: {what} is {there:.4f} m in the description, {here:.4f} m in the class'
    if wanted.joint != found.joint:
        yield (f'{name}: the joint is {wanted.joint!r} in the description, {found.joint!r} in the '
               'class')


def _agree(first: Pose, second: Pose) -> bool:
    apart = math.dist((first.x, first.y, first.z), (second.x, second.y, second.z))
    turned = (abs(float(wrap_angle(a - b))) for a, b in (
        (first.yaw, second.yaw), (first.pitch, second.pitch), (first.roll, second.roll)))
    return apart <= NEAR and max(turned) <= TURNED


def _text(pose: Pose) -> str:
    angles = ' '.join(f'{math.degrees(a):.2f}' for a in (pose.yaw, pose.pitch, pose.roll))
    return f'{pose.x:.4f} {pose.y:.4f} {pose.z:.4f} {angles}'
