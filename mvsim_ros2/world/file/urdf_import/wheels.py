# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The wheels of a robot: joints, positions, sizes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.link_geometry import Inertial, Shape, together
from mvsim_ros2.world.file.urdf_import.drive import Drive
from mvsim_ros2.world.file.urdf_import.robot import Joint, Robot
from mvsim_ros2.world.spec.common import Colour, Source

Array = NDArray[np.float64]

UPRIGHT = 0.9  # smallest cosine between an axis and its nominal direction
LIGHTEST = 0.01  # kg; lower limit of the mass of wheels and casters
_GROUND = 'base_footprint'  # link on the ground, by REP 120
TOUCHING = 0.02  # m; tolerance of contact with the ground
_SMALLEST_RADIUS = 0.002  # m


@dataclass(frozen=True, eq=False)
class Wheel:
    """One wheel; positions are in the frame of the root."""

    joint: Joint | None  # None: a ball or skid without a joint
    steering: Joint | None  # steering joint
    links: tuple[str, ...]  # rotating with it
    centre: Array  # (3,) [m]
    radius: float  # m
    width: float  # m
    inertial: Inertial
    spin_inertia: float | None  # about its axle [kg m^2]
    driven: bool
    colour: Colour | None
    source: Source

    @property
    def is_left(self) -> bool:
        """Whether it is on the left."""
        return float(self.centre[1]) > 0.0


def wheels_of(robot: Robot, drive: Drive, findings: Findings) -> list[Wheel]:
    """
    Return the wheels, driven or not, without swivel casters.

    The joint of a wheel rotates about the lateral axis of the robot. Where no drive is
    described, all such continuous joints are driven.

    :raises WorldFileError: where the size of a wheel is not known.
    """
    wheels = []
    for joint in robot.joints.values():
        named = joint.name in drive.driven
        across = abs(robot.axis(joint)[1]) > UPRIGHT
        if named and not (joint.moves and across):
            raise WorldFileError(
                f'{joint.source}: joint {joint.name!r} drives a wheel, but is no continuous joint '
                'about the y axis of the robot (x forward): set its type and axis')
        if across and joint.kind == 'continuous' or named:
            steering = _steering(robot, joint, drive)
            swivels = steering is None and any(
                _is_vertical(robot, above) for above in robot.above(joint.parent) if above.moves)
            if named or not (drive.driven and swivels):
                wheels.append(_wheel(robot, joint, steering, named or not drive.driven, drive,
                                     findings))
    return wheels


def _is_vertical(robot: Robot, joint: Joint) -> bool:
    return bool(abs(robot.axis(joint)[2]) > UPRIGHT)


def _steering(robot: Robot, wheel: Joint, drive: Drive) -> Joint | None:
    """Return the steering joint of a wheel."""
    for joint in robot.above(wheel.parent):
        if joint.moves and _is_vertical(robot, joint):
            if joint.name in drive.steering or not (drive.driven or drive.steering):
                return joint
    return None


def _wheel(robot: Robot, joint: Joint, steering: Joint | None, driven: bool, drive: Drive,
           findings: Findings) -> Wheel:
    links = tuple(robot.below(joint.child))
    pose = robot.poses[joint.child]
    centre = pose[:3, 3]
    shape = _round_shape(robot, links)
    radius = shape.radius if shape is not None else None
    if radius is not None and shape is not None:
        at = robot.poses[joint.child] @ np.append(shape.pose[:3, 3], 1.0)
        centre = at[:3] if shape in _shapes(robot, joint.child) else centre
        if driven and drive.wheel_radius and abs(radius - drive.wheel_radius) > 0.01 * radius:
            findings.assumed(
                drive.source, f'the radius of the wheels is {drive.wheel_radius:g} m here and '
                f'{radius:g} m in {shape.source}, which counts: make them agree')
    if radius is None:
        radius = drive.wheel_radius
    if radius is None and _GROUND in robot.poses:
        radius = float(centre[2] - robot.poses[_GROUND][2, 3])
        findings.assumed(joint.source, f'the wheel of joint {joint.name!r} is a mesh: its centre '
                         f'stands {radius:.4g} m above {_GROUND}, which is taken for its radius')
    if radius is None or radius < _SMALLEST_RADIUS:
        raise WorldFileError(
            f'{joint.source}: the radius of the wheel of joint {joint.name!r} is not known: give '
            'it a <collision> with a <cylinder>, or the drive plugin a <wheel_radius>')
    if shape is not None and shape.kind == 'cylinder' and shape.sizes[1] > 0.0:
        width = shape.sizes[1]
    else:
        width = 0.4 * radius
        findings.assumed(joint.source, f'the wheel of joint {joint.name!r} is no cylinder: its '
                         f'width is taken as {width:.3g} m')
    inertial = together(inertials(robot, links))
    spin = inertial.about(robot.axis(joint), centre)
    colour = next((visual.colour for name in links for visual in robot.links[name].visuals
                   if visual.colour), None)
    return Wheel(joint, steering, links, centre, radius, width, inertial,
                 spin if spin > 0.0 else None, driven, colour, joint.source)


def inertials(robot: Robot, links: Iterable[str]) -> list[Inertial]:
    """Return the masses of links, in the frame of the root."""
    return [robot.links[name].inertial.placed(robot.poses[name])  # type: ignore[union-attr]
            for name in links if robot.links[name].inertial is not None]


def _shapes(robot: Robot, link: str) -> tuple[Shape, ...]:
    return robot.links[link].collisions + robot.links[link].visuals


def _round_shape(robot: Robot, links: Sequence[str]) -> Shape | None:
    """Return the first round collision of the links, else the first round visual."""
    solid = [shape for name in links for shape in robot.links[name].collisions]
    seen = [shape for name in links for shape in robot.links[name].visuals]
    return next((shape for shape in solid + seen
                 if shape.radius is not None and shape.radius >= _SMALLEST_RADIUS), None)


def casters_of(robot: Robot, wheels: Sequence[Wheel], ground: float) -> list[Wheel]:
    """
    Return other contacts with the ground: balls, skids and swivel casters.

    :param wheels: those of `wheels_of`.
    :param ground: its height in the frame of the root [m].
    """
    rolling = {name for wheel in wheels for name in wheel.links}
    casters = []
    for link in robot.links.values():
        if link.name in rolling:
            continue
        pose = robot.poses[link.name]
        ball = next((shape for shape in link.collisions if shape.kind == 'sphere'), None)
        holder = next(robot.above(link.name), None)
        rolls = holder is not None and holder.kind == 'continuous' and bool(
            abs(robot.axis(holder)[1]) > UPRIGHT)
        is_named = any(word in link.name.lower() for word in ('caster', 'castor'))
        swivel = next((shape for shape in _shapes(robot, link.name)
                       if (is_named or rolls) and shape.kind == 'cylinder'), None)
        shape = ball or swivel
        if shape is not None and shape.radius is not None:
            centre = pose[:3, :3] @ shape.pose[:3, 3] + pose[:3, 3]
            radius = shape.radius
        elif is_named and (link.collisions or link.visuals):
            centre = pose[:3, 3]
            radius = float(centre[2]) - ground
        else:
            continue
        if radius >= _SMALLEST_RADIUS and abs(centre[2] - radius - ground) < TOUCHING:
            alone = link.name != robot.root and len(link.collisions) <= 1
            inertial = together(inertials(robot, [link.name] if alone else []))
            width = shape.sizes[1] if shape is not None and shape.kind == 'cylinder' else radius
            casters.append(Wheel(
                None, None, (link.name,) if alone else (), centre, radius, max(width, 1e-3),
                inertial, None, False, None, link.source))
    return casters


def ground_of(wheels: Sequence[Wheel]) -> float:
    """Return the height of the ground below the wheels in the frame of the root [m]."""
    return float(min(wheel.centre[2] - wheel.radius for wheel in wheels))
