# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The wheels of a robot, and what else it stands on: joints, positions, sizes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.file.urdf_import.description.xml_values import Findings
from mvsim_ros2.world.file.urdf_import.drive import Drive
from mvsim_ros2.world.file.urdf_import.robot import Inertial, Joint, Robot, Shape, together
from mvsim_ros2.world.file.urdf_import.visuals import points_of
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Colour

UPRIGHT = 0.9  # smallest cosine between an axis and its nominal direction
LIGHTEST = 0.01  # kg; lower limit of the mass of wheels and casters
_GROUND = 'base_footprint'  # link on the ground, by REP 120
TOUCHING = 0.02  # m; tolerance of contact with the ground
_EDGE = 0.003  # m; the same of what is not round, as are housings of sensors that look down
_SMALLEST_RADIUS = 0.002  # m
_LARGEST = 0.5  # share of the length of a robot that what it stands on has at most
_TOLERANCE = 0.02  # share by which two sizes of a wheel differ without a word
_MIDDLE = 1e-3  # m; wheels that are not farther from the centre line are those of casters
_SMALL = 1.5  # times the radius of such a wheel is that of the driven ones
_FACING = 1.2  # ratio of the radii of two wheels of an axle that cannot be meant
_ROUND = 0.6  # share of its radius that a mesh reaches to all sides of its axle, as a wheel does
_TRAIL = 0.005  # m; farther than this behind a vertical axis is the wheel of a caster


@dataclass(frozen=True, eq=False)
class Wheel:
    """One wheel; positions are in the frame of the root."""

    joint: Joint | None  # None: a ball, a skid or a wheel without a joint
    steering: Joint | None  # steering joint
    links: tuple[str, ...]  # rotating with it
    centre: Array  # (3,) [m]
    radius: float  # m
    width: float  # m; that of a ball or skid is its radius
    axis: Array  # unit vector of its axle; the robot's y for a ball
    inertial: Inertial
    spin_inertia: float | None  # about its axle [kg m^2]
    driven: bool
    colour: Colour | None
    source: Source

    @property
    def is_left(self) -> bool:
        """Whether it is on the left."""
        return float(self.centre[1]) > 0.0

    @property
    def is_cylinder(self) -> bool:
        """Whether it is no ball or skid."""
        return self.width != self.radius

    @property
    def lateral(self) -> bool:
        """Whether its axle is along the y axis of the robot."""
        return bool(abs(self.axis[1]) > UPRIGHT)


def wheels_of(robot: Robot, drive: Drive, findings: Findings) -> list[Wheel]:
    """
    Return the wheels on joints, driven or not, without swivel casters.

    The joint of a wheel rotates about a level axis, which is lateral but for omni wheels. Where no
    drive is described, all continuous joints about such axes are driven, without small wheels and
    those in the middle.
    """
    sideways = drive.kind in ('omni', 'holonomic')
    named = _named(robot, drive, sideways)
    others = [joint for joint in robot.joints.values()
              if joint not in named and joint.kind == 'continuous' and _is_level(robot, joint)
              and not robot.is_virtual(joint.name)]
    turning = {joint.name for joint in (*named, *others)}
    others = [joint for joint in others if not _swivels(robot, joint, drive)  # nor are rollers
              and turning.isdisjoint(above.name for above in robot.above(joint.parent))]
    if not sideways and all(abs(robot.axis(joint)[0]) > UPRIGHT for joint in others):
        others = []
    wheels = [_wheel(robot, joint, _steering(robot, joint, drive, findings), joint in named
                     or not named, drive, findings)
              for joint in named + _sized(robot, others, bool(named))]
    _check_axles(wheels)
    if not wheels and drive.kind != 'holonomic':
        wheels = _wheels_that_do_not_turn(robot, findings)
    elif not named and wheels:
        ground = ground_of(robot, wheels)
        wheels = [wheel for wheel in wheels if wheel.centre[2] - wheel.radius < ground + TOUCHING]
        largest = max(wheel.radius for wheel in wheels)
        wheels = [replace(wheel, driven=wheel.steering is not None or not wheel.lateral
                          or abs(wheel.centre[1]) > _MIDDLE and largest < _SMALL * wheel.radius)
                  for wheel in wheels]
    if drive.steering and wheels and not any(wheel.steering for wheel in wheels):
        wheels += _held(robot, ground_of(robot, wheels), wheels, drive.steering)
    if named and not sideways or not _is_crossed(wheels):
        wheels = [wheel for wheel in wheels if wheel.lateral or wheel.joint in named]
    driven = [wheel for wheel in wheels if wheel.driven]
    if driven and not sideways and all(abs(wheel.axis[0]) > UPRIGHT for wheel in driven):
        raise WorldFileError(f'{driven[0].source}: the wheels roll along y of {robot.root!r}, but '
                             'x is forward in ROS: turn the robot by 90 degrees')
    _compare(wheels, drive, findings)
    return wheels


def _named(robot: Robot, drive: Drive, sideways: bool) -> list[Joint]:
    """
    Return the joints that the drive of a description turns.

    Of joints that are only said to be commanded, as those of arms are too, the ones of wheels.
    """
    fits = _is_level if sideways else _is_lateral
    named = [robot.joints[name] for name in drive.driven]
    wheels = [joint for joint in named if joint.kind == 'continuous' and _is_level(robot, joint)]
    if not drive.kind and wheels:
        return [joint for joint in wheels if not _swivels(robot, joint, drive)] or wheels
    for joint in named:
        if not (joint.moves and fits(robot, joint)):
            raise WorldFileError(
                f'{joint.source}: joint {joint.name!r} drives a wheel, but is no continuous joint '
                'about the y axis of the robot (x forward): set its type and axis')
    return named


def _sized(robot: Robot, joints: Sequence[Joint], named: bool) -> list[Joint]:
    """Return the joints of wheels of known size, else, if none is `named`, those without boxes."""
    links = {joint.name: robot.below(joint.child) for joint in joints}
    sized = [joint for joint in joints if _size(
        robot, links[joint.name], robot.poses[joint.child][:3, 3], robot.axis(joint))]
    return sized or [joint for joint in joints if not named and all(
        shape.kind != 'box' for name in links[joint.name]
        for shape in robot.links[name].visuals + robot.links[name].collisions)]


def _is_crossed(wheels: Sequence[Wheel]) -> bool:
    """Return whether wheels of about one size have axles in several directions: omni wheels."""
    radii = [wheel.radius for wheel in wheels]
    return len(wheels) in (3, 4) and max(radii) < 1.2 * min(radii) and not all(
        abs(wheel.axis @ wheels[0].axis) > UPRIGHT for wheel in wheels)


def _wheels_that_do_not_turn(robot: Robot, findings: Findings) -> list[Wheel]:
    """Return the cylinders on the ground of a model for display, whose joints only steer."""
    ground = ground_of(robot, ())
    wheels = [replace(wheel, driven=True) for wheel in _held(robot, ground, (), None)]
    if wheels:
        findings.assumed(wheels[0].source, f'no joint lets a wheel roll: the {len(wheels)} '
                         'cylinders on the ground are used as driven wheels')
    return wheels


def _held(robot: Robot, ground: float, wheels: Sequence[Wheel],
          steering: Sequence[str] | None) -> list[Wheel]:
    """
    Return the cylinders on the ground that no joint lets roll, with what steers them.

    :param steering: joints that steer; None for any, and for cylinders that are not steered.
    """
    found = []
    for wheel in casters_of(robot, wheels, ground, robot.root):
        if wheel.links and wheel.lateral and wheel.is_cylinder:
            holder = next(robot.above(wheel.links[0]))
            steers = holder.moves and not _is_lateral(robot, holder)
            if steering is None or holder.name in steering:
                found.append(replace(wheel, steering=holder if steers else None))
    return found


def _is_level(robot: Robot, joint: Joint) -> bool:
    return bool(abs(robot.axis(joint)[2]) < 0.5)


def _is_lateral(robot: Robot, joint: Joint) -> bool:
    return bool(abs(robot.axis(joint)[1]) > UPRIGHT)


def _swivels(robot: Robot, wheel: Joint, drive: Drive) -> bool:
    """Return whether a wheel is that of a caster: a vertical axis that no drive steers."""
    return _steering(robot, wheel, drive) is None and any(
        _is_vertical(robot, joint) for joint in robot.above(wheel.parent)
        if joint.moves and joint.kind != 'prismatic')


def _is_vertical(robot: Robot, joint: Joint) -> bool:
    return bool(abs(robot.axis(joint)[2]) > UPRIGHT)


def _steering(robot: Robot, wheel: Joint, drive: Drive,
              findings: Findings | None = None) -> Joint | None:
    """
    Return the steering joint of a wheel.

    Where no drive is described, that about a vertical axis through the wheel: the wheel of a
    caster trails behind its axis. A joint of limited travel along the axle of the wheel also
    steers, as in exports of CAD programs.
    """
    for joint in robot.above(wheel.parent):
        trail = robot.poses[wheel.child][:3, 3] - robot.poses[joint.child][:3, 3]
        ahead = robot.poses[joint.child][:2, :2] @ np.array((1.0, 0.0))
        if joint.moves and joint.kind != 'prismatic' and _is_vertical(robot, joint):
            if joint.name in drive.steering or not (drive.driven or drive.steering) and (
                    abs(float(trail[:2] @ ahead)) < _TRAIL):
                return joint
        elif joint.kind == 'revolute' and np.linalg.norm(trail) < _TRAIL and (
                abs(robot.axis(joint) @ robot.axis(wheel)) > UPRIGHT):
            if findings is not None:
                findings.assumed(joint.source, f'joint {joint.name!r} turns about the axle of its '
                                 'wheel: it is used for steering, about the vertical')
            return joint
    return None


def _check_axles(wheels: Sequence[Wheel]) -> None:
    """Raise a WorldFileError where two wheels of an axle cannot be a pair."""
    for left, right in ((one, other) for one in wheels for other in wheels
                        if one.is_left and not other.is_left):
        facing = abs(left.centre - right.centre * (1.0, -1.0, 1.0)).max() < TOUCHING
        if facing and not 1.0 / _FACING < left.radius / right.radius < _FACING:
            raise WorldFileError(
                f'{left.source}: the wheels {left.links[0]!r} and {right.links[0]!r} face each '
                f'other with radii of {left.radius:g} and {right.radius:g} m: correct one of them')


def _compare(wheels: Sequence[Wheel], drive: Drive, findings: Findings) -> None:
    """Report where the wheels are not as the drive says."""
    driven = [wheel for wheel in wheels if wheel.driven]
    for wheel in driven[:1]:
        if drive.wheel_radius and abs(wheel.radius / drive.wheel_radius - 1.0) > _TOLERANCE:
            findings.assumed(
                drive.source, f'the radius of the wheels is {drive.wheel_radius:g} m here and '
                f'{wheel.radius:.4g} m in {wheel.source}, which is used: make them agree')
    sides = [[wheel.centre[1] for wheel in driven if wheel.is_left is left]
             for left in (True, False)]
    if drive.separation and all(sides):
        track = float(np.mean(sides[0]) - np.mean(sides[1]))
        if abs(track / drive.separation - 1.0) > _TOLERANCE:
            findings.assumed(
                drive.source, f'the separation of the wheels is {drive.separation:g} m here, and '
                f'they stand {track:.4g} m apart, which is used: make them agree')


def _wheel(robot: Robot, joint: Joint, steering: Joint | None, driven: bool, drive: Drive,
           findings: Findings) -> Wheel:
    links = tuple(robot.below(joint.child))
    pose = robot.poses[joint.child]
    centre, axis = pose[:3, 3], robot.axis(joint)
    size = _size(robot, links, centre, axis)
    if size is not None:
        radius, width, centre = size
    elif drive.wheel_radius is not None:
        radius, width = drive.wheel_radius, 0.0
    elif _GROUND in robot.poses:
        radius, width = float(centre[2] - robot.poses[_GROUND][2, 3]), 0.0
        findings.assumed(joint.source, f'the size of the wheel of joint {joint.name!r} is not '
                         f'known: its centre stands {radius:.4g} m above {_GROUND}, which is '
                         'used as its radius')
    else:
        radius = width = 0.0
    if radius < _SMALLEST_RADIUS:
        raise WorldFileError(
            f'{joint.source}: the radius of the wheel of joint {joint.name!r} is not known: give '
            'it a <collision> with a <cylinder> about its axle, or the drive plugin a '
            '<wheel_radius>')
    if width <= 0.0:
        width = 0.4 * radius
        findings.assumed(joint.source, f'the wheel of joint {joint.name!r} is no cylinder: its '
                         f'width is set to {width:.3g} m')
    inertial = together(inertials(robot, links))
    spin = inertial.about(axis, centre)
    colour = next((visual.colour for name in links for visual in robot.links[name].visuals
                   if visual.colour), None)
    return Wheel(joint, steering, links, centre, radius, width, axis, inertial,
                 spin if spin > 0.0 else None, driven, colour, joint.source)


def inertials(robot: Robot, links: Iterable[str]) -> list[Inertial]:
    """Return the masses of links, in the frame of the root."""
    return [robot.links[name].inertial.placed(robot.poses[name])  # type: ignore[union-attr]
            for name in links if robot.links[name].inertial is not None]


def _size(robot: Robot, links: Sequence[str], origin: Array, axis: Array,
          ) -> tuple[float, float, Array] | None:
    """
    Return radius and width [m] and centre of a wheel, None where no shape tells.

    Those of the largest of its collisions, else of its visuals; the width is 0 where a sphere is
    the only shape.

    :param origin: a point on its axle, in the root.
    :param axis: unit vector along its axle, in the root.
    """
    found = [max(sizes, key=lambda size: size[0]) for solid in (True, False)
             if (sizes := list(_sizes(robot, links, origin, axis, solid)))]
    if not found:
        return None
    radius, width, centre = found[0]
    return radius, next((each[1] for each in found if each[1] > 0.0), 0.0), centre


def _sizes(robot: Robot, links: Sequence[str], origin: Array, axis: Array,
           solid: bool) -> Iterator[tuple[float, float, Array]]:
    """Yield radius, width and centre about an axle of each shape that is round about it."""
    for name in links:
        link = robot.links[name]
        for shape in link.collisions if solid else link.visuals:
            pose = robot.poses[name] @ shape.pose
            if shape.kind == 'mesh':
                at = points_of(shape, robot.poses[name])
                along = (at - origin) @ axis
                across = np.linalg.norm(at - origin - np.outer(along, axis), axis=1)
                sides = np.eye(3) - np.outer(axis, axis)
                sides = sides[np.diag(sides) > 0.1]  # directions across the axle
                reach = (at - origin) @ (sides / np.linalg.norm(sides, axis=1)[:, None]).T
                if len(at) and min(*reach.max(axis=0), *-reach.min(axis=0)) > (
                        _ROUND * across.max()):
                    yield (round(float(across.max()), 5), round(float(np.ptp(along)), 5),
                           origin + 0.5 * (along.min() + along.max()) * axis)
            elif shape.radius is not None and shape.radius >= _SMALLEST_RADIUS and (
                    shape.kind == 'sphere' or abs(pose[:3, 2] @ axis) > UPRIGHT):
                yield (shape.radius, shape.sizes[1] if shape.kind == 'cylinder' else 0.0,
                       pose[:3, 3])


def casters_of(robot: Robot, wheels: Sequence[Wheel], ground: float, body: str) -> list[Wheel]:
    """
    Return what else a robot stands on: wheels and balls that are not driven, and skids.

    They are known by what touches the ground, whatever their names.

    :param ground: its height in the frame of the root [m].
    """
    rolling = {name for wheel in wheels for name in wheel.links}
    length = float(np.ptp(extent(robot), axis=0).max())
    casters = []
    for name, link in robot.links.items():
        for shape in () if name in rolling else link.collisions or link.visuals:
            contact = _contact(robot, name, shape, ground, length, name in (robot.root, body))
            if contact is not None:
                centre, radius, width, axis = contact
                alone = name != robot.root and len(link.collisions) <= 1
                casters.append(Wheel(
                    None, None, (name,) if alone else (), centre, radius, max(width, 1e-3), axis,
                    together(inertials(robot, [name] if alone else [])), None, False, None,
                    link.source))
    return casters


def extent(robot: Robot) -> Array:
    """Return the lowest and the highest coordinates of the shapes of a robot, (2, 3) [m]."""
    points = [points_of(shape, robot.poses[name]) for name, link in robot.links.items()
              for shape in link.collisions or link.visuals]
    everything = np.concatenate([np.zeros((1, 3)), *points])
    return np.stack([everything.min(axis=0), everything.max(axis=0)])


def _contact(robot: Robot, name: str, shape: Shape, ground: float, length: float,
             is_body: bool) -> tuple[Array, float, float, Array] | None:
    """Return centre, radius, width and axle of a shape that touches the ground, else None."""
    pose = robot.poses[name] @ shape.pose
    lateral = np.array((0.0, 1.0, 0.0))
    if shape.radius is not None and (shape.kind == 'sphere' or abs(pose[2, 2]) < 0.5):
        low = float(pose[2, 3]) - shape.radius - ground
        is_ball = shape.kind == 'sphere'
        if not _SMALLEST_RADIUS <= shape.radius or abs(low) > min(
                TOUCHING, max(_EDGE, shape.radius)):
            return None
        return (pose[:3, 3], shape.radius, shape.radius if is_ball else shape.sizes[1],
                lateral if is_ball else pose[:3, 2])
    points = np.zeros((0, 3)) if is_body else points_of(shape, robot.poses[name])
    if not len(points):
        return None
    low, sizes = float(points[:, 2].min()), np.ptp(points, axis=0)
    if not -TOUCHING < low - ground < _EDGE or sizes.max() > _LARGEST * max(length, 0.1):
        return None
    at = points[points[:, 2] < low + _EDGE].mean(axis=0)
    radius = 0.5 * float(sizes.min())
    return np.array((at[0], at[1], low + radius)), radius, radius, lateral


def ground_of(robot: Robot, wheels: Sequence[Wheel]) -> float:
    """
    Return the height of the ground in the frame of the root [m].

    That below the wheels; without any that of `base_footprint`, else of the lowest shape.
    """
    if wheels:
        return float(min(wheel.centre[2] - wheel.radius for wheel in wheels))
    if _GROUND in robot.poses:
        return float(robot.poses[_GROUND][2, 3])
    return float(extent(robot)[0, 2])
