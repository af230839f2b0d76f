# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which class of dynamics the wheels of a robot make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.file.urdf_import.description.xml_values import all_in, Findings
from mvsim_ros2.world.file.urdf_import.drive import Drive
from mvsim_ros2.world.file.urdf_import.robot import Robot, together
from mvsim_ros2.world.file.urdf_import.wheels import extent, ground_of, Wheel

_CAR = 'rl_wheel', 'rr_wheel', 'fl_wheel', 'fr_wheel'
SLIPPERY = 0.1  # smaller friction coefficients are those of sliders and rollers


@dataclass(frozen=True)
class Layout:
    """Wheels by their tags in a class of dynamics."""

    name: str  # of the class
    wheels: tuple[tuple[str, Wheel], ...]
    controller: str
    motors: int  # that share the mass of the robot


def layout_of(robot: Robot, wheels: Sequence[Wheel], casters: Sequence[Wheel], drive: Drive,
              wanted: str, findings: Findings) -> Layout | None:
    """
    Return the class of dynamics of a robot, and the roles of its wheels.

    :returns: None where the world file gives a class that is not supported for URDF.
    """
    driven = [wheel for wheel in wheels if wheel.driven]
    steered = [wheel for wheel in wheels if wheel.steering is not None]
    kind = wanted or _kind(robot, drive, driven, steered, casters)
    if kind not in LAYOUTS:
        findings.assumed(drive.source, f'the wheels are those of the <dynamics class="{kind}"> '
                         'of the world file')
        return None
    used = [wheel for wheel in wheels if wheel.driven or wheel.steering]
    if kind in _STEERED:  # wheels that only roll are part of it
        used = [*wheels, *(
            caster for caster in casters if len(wheels) < _STEERED[kind] and caster.joint is None
            and caster.links and caster.is_cylinder)]
    layout = LAYOUTS[kind](kind, used, casters)
    if layout is None and not wanted and drive.kind == 'holonomic':
        layout = _floating(robot, wheels, drive, findings)
    if layout is None or wanted == 'differential_3_wheels' and not casters:
        left = sum(wheel.is_left for wheel in driven)
        raise WorldFileError(
            f'{drive.source}: the robot has {len(driven)} driven wheels, {left} of them on the '
            f'left, {len(steered)} steered ones and {len(casters)} casters: '
            f'{f"this is no {wanted}" if wanted else "no class of dynamics has such wheels"}. '
            'Name its joints in a drive plugin, or write <dynamics> with wheels in the world file')
    if drive.kind == 'holonomic' and not wanted:
        layout = replace(layout, controller='twist_ideal')
    if wanted and layout.name != wanted:
        motors = {'ackermann': 2, 'ackermann_drivetrain': 1}.get(wanted, layout.motors)
        layout = replace(layout, name=wanted, motors=motors)
    findings.drive = f'{layout.name}, by ' + (
        'the world file' if wanted else
        f'{drive.name} ({drive.source})' if drive.name else 'the joints of its wheels')
    for source, name in drive.unknown:
        findings.lost(source, f'the plugin {name!r} is not known' + (
            '' if wanted else f': the class {layout.name!r} is guessed from the wheels') +
            '; do what it does in a ROS node of your own, or in the world file')
    if kind == 'differential_4_wheels' and not (drive.kind or wanted) and all(
            _grips_aslant(robot, wheel) for wheel in driven):
        findings.assumed(drive.source, 'its wheels have friction at an angle like mecanum wheels, '
                         'but the names of their meshes do not say so: if they have rollers, '
                         'choose --dynamics mecanum')
    if not (drive.kind or wanted or drive.unknown):
        findings.assumed(drive.source, 'no known plugin or controller describes its drive: '
                         f'its {len(driven)} driven and {len(steered)} steered wheels make the '
                         f'class {layout.name!r}')
    if kind == 'differential_3_wheels' and len(casters) > 1:
        findings.assumed(
            casters[1].source, f'{len(casters)} casters or wheels without a drive: ' + (
                'one in the middle between them stands for all'
                if layout.name == kind else 'they stand on both sides of the axle, so that the '
                'driven wheels are assumed to carry all'))
    return layout


def _kind(robot: Robot, drive: Drive, driven: Sequence[Wheel], steered: Sequence[Wheel],
          casters: Sequence[Wheel]) -> str:
    """Return the class of dynamics that the drive of a description makes."""
    if drive.kind in ('mecanum', 'omni', 'tricycle'):
        return drive.kind
    if drive.kind == 'holonomic':
        return 'mecanum' if len(driven) == 4 else 'omni'
    if steered:
        return {1: 'tricycle', 4: 'four_wheel_steering'}.get(len(steered), 'ackermann')
    if len(driven) > 2 and not all(wheel.lateral for wheel in driven):
        return 'omni'
    if len(driven) == 4 and all(_has_rollers(robot, wheel) for wheel in driven):
        return 'mecanum'
    if len(driven) == 2:
        return 'differential_3_wheels' if casters else 'differential'
    return 'differential_4_wheels' if len(driven) == 4 else 'skid_steer'


def _has_rollers(robot: Robot, wheel: Wheel) -> bool:
    """Return whether a wheel is a mecanum wheel: by its mesh, else the direction of its grip."""
    meshes = [shape.uri.lower() for name in wheel.links for shape in robot.links[name].visuals
              if shape.kind == 'mesh']
    return any('mecanum' in uri for uri in meshes) or not meshes and _grips_aslant(robot, wheel)


def _grips_aslant(robot: Robot, wheel: Wheel) -> bool:
    """Return whether Gazebo's tags of a link hold its wheel aslant only, as rollers do."""
    for part in robot.extensions:
        said = {tag: words for tag in ('fdir1', 'mu2') for node in all_in([part], tag)
                if (words := (node.text or node.attributes.get('value', '')).split())}
        try:
            x, y = map(float, said['fdir1'][:2])
            if x * y and float(said['mu2'][0]) < SLIPPERY and (
                    part.attributes.get('reference', '') in wheel.links):
                return True
        except (KeyError, ValueError):
            continue
    return False


def _floating(robot: Robot, wheels: Sequence[Wheel], drive: Drive, findings: Findings) -> Layout:
    """Return four wheels with rollers below the corners of a robot that a plugin pushes."""
    low, high = extent(robot)
    ground = ground_of(robot, [wheel for wheel in wheels if wheel.driven] or wheels)
    middle, half = 0.5 * (low + high), 0.35 * (high - low)
    radius = max(0.2 * float(half[:2].min()), 0.01)
    findings.assumed(drive.source, 'the plugin moves the robot in any direction, whatever its '
                     'wheels: it stands on four wheels with rollers below its corners')
    return Layout('omni', tuple(
        ('wheel', Wheel(
            None, None, (), np.array((middle[0] + x * half[0], middle[1] + y * half[1],
                                      ground + radius)), radius, 0.5 * radius,
            np.array((x, y, 0.0)) / math.sqrt(2.0), together(()), None, True, None, drive.source))
        for x in (1, -1) for y in (1, -1)), 'twist_ideal', 4)


def _ends(wheels: Sequence[Wheel]) -> tuple[list[Wheel], list[Wheel]]:
    """Return left and right wheels, from the rear to the front."""
    ordered = sorted(wheels, key=lambda wheel: float(wheel.centre[0]))
    return ([wheel for wheel in ordered if wheel.is_left],
            [wheel for wheel in ordered if not wheel.is_left])


def _differential(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if (len(left), len(right)) != (1, 1):
        return None
    named = [('l_wheel', left[0]), ('r_wheel', right[0])]
    if kind == 'differential_3_wheels' and casters:
        centre: Array = np.mean([caster.centre for caster in casters], axis=0)
        if abs(centre[0] - left[0].centre[0]) < left[0].radius:
            kind = 'differential'  # on both sides of the axle
        else:
            named.append(('caster_wheel', replace(
                casters[0], centre=centre, links=tuple(
                    name for caster in casters for name in caster.links),
                inertial=together(caster.inertial for caster in casters))))
    elif kind == 'differential_3_wheels':
        kind = 'differential'
    return Layout(kind, tuple(named), 'twist_pid', 2)


def _corners(wheels: Sequence[Wheel]) -> list[Wheel] | None:
    """Return four wheels, rear left, rear right, front left, front right; None for others."""
    left, right = _ends(wheels)
    return [left[0], right[0], left[1], right[1]] if (len(left), len(right)) == (2, 2) else None


def _four(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    corners = _corners(wheels)
    return None if corners is None else Layout(
        kind, tuple(zip(('lr_wheel', 'rr_wheel', 'lf_wheel', 'rf_wheel'), corners, strict=True)),
        'twist_pid' if kind == 'mecanum' else 'twist_ideal', 4)


def _omni(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    driven = [wheel for wheel in wheels if wheel.driven]
    if len(driven) not in (3, 4) or all(wheel.lateral for wheel in driven):
        return None
    return Layout(kind, tuple(('wheel', wheel) for wheel in driven), 'twist_pid', len(driven))


def _tricycle(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends([wheel for wheel in wheels if wheel.steering is None])
    steered = [wheel for wheel in wheels if wheel.steering is not None]
    if (len(left), len(right), len(steered)) != (1, 1, 1):
        return None
    return Layout(kind, (('l_wheel', left[0]), ('r_wheel', right[0]),
                         ('steered_wheel', steered[0])), 'twist_front_steer_pid', 1)


def _all_steered(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    corners = _corners(wheels)
    if corners is None or not all(wheel.steering for wheel in corners):
        return None
    return Layout(kind, tuple(zip(_CAR, corners, strict=True)), 'twist_front_steer_pid', 1)


def _skid(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if not (left and right) or any(wheel.centre[1] == 0.0 for wheel in right):
        return None
    return Layout(kind, (*(('l_wheel', wheel) for wheel in left),
                         *(('r_wheel', wheel) for wheel in right)), 'twist_ideal', len(wheels))


def _ackermann(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    corners = _corners(wheels)
    if corners is None or [bool(wheel.steering) for wheel in corners] != [False] * 2 + [True] * 2:
        return None
    rear_drives, front_drives = (all(wheel.driven for wheel in pair)
                                 for pair in (corners[:2], corners[2:]))
    kind = 'ackermann' if front_drives and not rear_drives else 'ackermann_drivetrain'
    return Layout(kind, tuple(zip(_CAR, corners, strict=True)), 'twist_front_steer_pid',
                  2 if kind == 'ackermann' else 1)


LAYOUTS: Mapping[str, Callable[[str, Sequence[Wheel], Sequence[Wheel]], Layout | None]] = {
    'differential': _differential, 'differential_3_wheels': _differential,
    'differential_4_wheels': _four, 'mecanum': _four, 'skid_steer': _skid,
    'ackermann': _ackermann, 'ackermann_drivetrain': _ackermann, 'tricycle': _tricycle,
    'four_wheel_steering': _all_steered, 'omni': _omni,
}
_STEERED = {'ackermann': 4, 'ackermann_drivetrain': 4, 'tricycle': 3}  # wheels
