# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Wheels."""

from dataclasses import dataclass, replace

from mvsim_ros2.world.spec.common import Colour, VisualSpec
from mvsim_ros2.world.spec.fields import Spec, tag
from mvsim_ros2.world.spec.tyres import TYRES, TyreSpec


@dataclass(frozen=True)
class WheelSpec(Spec):
    """One wheel; position and yaw of its centre in the body frame."""

    pos: tuple[float, float, float] = tag(
        'wheel_pos', (0.0, 0.0, 0.0), unit='m, deg', attribute=True,
        doc='centre of the wheel in the body frame and its toe angle')
    mass: float = tag('float', 2.0, unit='kg', attribute=True, above=0, doc='mass')
    width: float = tag('float', 0.2, unit='m', attribute=True, above=0, doc='width')
    diameter: float = tag('float', 0.4, unit='m', attribute=True, above=0, doc='diameter')
    inertia: float | None = tag('float', None, unit='kg m^2', attribute=True, above=0,
                                doc='spin inertia; default: m R^2 / 2')
    tyre_stiffness: float = tag(
        'float', 0.0, unit='N/m', attribute=True, minimum=0,
        doc='vertical stiffness of one tyre in mode `physical`, for all wheels or none: the body '
            'heaves, pitches and rolls; 0: hard tyres')
    tyre_damping: float = tag('float', 0.0, unit='N s/m', attribute=True, minimum=0,
                              doc='vertical damping of one tyre that has a `tyre_stiffness`')
    suspension_stiffness: float = tag(
        'float', 0.0, unit='N/m', attribute=True, minimum=0,
        doc='spring rate of the suspension at the wheel in mode `physical`, for all wheels (with '
            '`tyre_stiffness`) or none; 0: no suspension')
    suspension_damping: float = tag('float', 0.0, unit='N s/m', attribute=True, minimum=0,
                                    doc='damping of a wheel that has a `suspension_stiffness`')
    suspension_travel: float = tag(
        'float', 0.0, unit='m', attribute=True, minimum=0, doc='travel of the suspension from '
        'stop to stop, half up and half down from rest; ten times as stiff beyond; 0: no stops')
    anti_roll_stiffness: float = tag(
        'float', 0.0, unit='N/m', attribute=True, minimum=0, doc='anti-roll bar of the axle, the '
        'same at both wheels: force at each per metre of height difference')
    color: Colour = tag('colour', (0.2, 0.2, 0.2, 1.0), attribute=True, doc='colour')
    linked_yaw: str = tag(
        'text', '', attribute=True, doc='name of a visual that steers with this wheel')
    linked_yaw_offset: float = tag('angle', 0.0, unit='deg', name='linked_yaw_offset_deg',
                                   attribute=True, doc='angle of that visual at zero steering')
    joint: str = tag(
        'text', '', attribute=True, aliases=('joint_name',),
        doc='name of its joint in robot descriptions, and in the `urdf` if there is one')
    steering_joint: str = tag(
        'text', '', attribute=True, doc='name of its steering joint, as in the `urdf`')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes of the wheel')
    friction: TyreSpec | None = tag(
        'spec', None, spec=TYRES, plugins='mvsim_ros2.tyres',
        doc='wheel-ground model of this wheel; default: of its axle or vehicle')

    @property
    def radius(self) -> float:
        """Radius [m]."""
        return 0.5 * self.diameter

    @property
    def spin_inertia(self) -> float:
        """Inertia about the axle [kg m^2]."""
        return 0.5 * self.mass * self.radius ** 2 if self.inertia is None else self.inertia

    def at(self, x: float, y: float) -> 'WheelSpec':
        """Return this wheel at another place, its toe angle kept."""
        return replace(self, pos=(x, y, self.pos[2]))


def wheel_at(x: float, y: float, doc: str, **values: float) -> WheelSpec:
    """Return the field of a wheel at a place [m], with further values of `WheelSpec`."""
    field: WheelSpec = tag(
        'spec', WheelSpec(pos=(x, y, 0.0), **values),  # type: ignore[arg-type]
        spec=WheelSpec, doc=doc)
    return field
