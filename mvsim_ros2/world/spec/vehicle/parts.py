# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a vehicle: wheels, motor, engine, differentials, brakes; forces of air and soil."""

from dataclasses import dataclass, replace
from itertools import pairwise

from mvsim_ros2.world.spec.common import Colour, VisualSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused
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


CURVE_POINTS, GEARS = 16, 12  # of an engine, at most
_WHEELS = ('all', 'front', 'rear')


@dataclass(frozen=True)
class MotorSpec(Spec):
    """
    Limit of the torque of each motor (`<motor>`).

    A motor drives one wheel, one side whose wheels turn at one speed, a drivetrain or a single
    track. The limit of the driving torque falls in a straight line to 0 at `no_load_speed`, and is
    at most `max_power` over the spin. A braking torque is at most `max_torque`.
    """

    max_torque: float = tag(
        'float', unit='N m', attribute=True, above=0, doc='torque at standstill')
    no_load_speed: float | None = tag(
        'float', None, unit='rad/s', attribute=True, above=0,
        doc='spin at which the torque is 0; default: constant torque')
    max_power: float | None = tag(
        'float', None, unit='W', attribute=True, above=0, doc='largest power; default: no limit')


@dataclass(frozen=True)
class EngineSpec(Spec):
    """
    Engine and gearbox of a vehicle with one torque (`<engine>`), physics mode `physical` only.

    The limit of the driving torque is the torque of the engine times gear, `final_drive` and
    `efficiency`. The gear is the one with the largest torque at this speed. The curve is
    linear between its points. Below the first point the clutch slips, above the last it is 0.
    """

    speeds: tuple[float, ...] = tag(
        'values', unit='rev/min', doc='speeds of the points of the curve, increasing, 2 to 16')
    torques: tuple[float, ...] = tag(
        'values', unit='N m', doc='torques of the engine at these speeds, full throttle')
    gears: tuple[float, ...] = tag(
        'values', (1.0,), doc='ratios of the gears, engine over shaft, 1 to 12')
    final_drive: float = tag(
        'float', 1.0, above=0, doc='ratio of the final drive, shaft over wheels')
    efficiency: float = tag(
        'float', 1.0, above=0, maximum=1, doc='share of the torque that reaches the wheels')
    braking_torque: float | None = tag(
        'float', None, unit='N m', minimum=0,
        doc='largest braking torque at the wheels; default: in the lowest gear')

    def problems(self) -> Problems:
        if len(self.speeds) != len(self.torques) or not 2 <= len(self.speeds) <= CURVE_POINTS:
            yield (f'there are {len(self.speeds)} speeds and {len(self.torques)} torques: give as '
                   f'many of both, 2 to {CURVE_POINTS}')
        if any(after <= before for before, after in pairwise(self.speeds)):
            yield 'the speeds do not rise: put them in their order'
        if min(self.torques, default=0.0) < 0.0 or min(self.speeds, default=0.0) < 0.0:
            yield 'a speed or torque is below 0: give those of full throttle'
        if not 1 <= len(self.gears) <= GEARS or min(self.gears, default=1.0) <= 0.0:
            yield f'gears are {self.gears}: give 1 to {GEARS} ratios above 0'


@dataclass(frozen=True)
class AerodynamicsSpec(Spec):
    """
    Aerodynamic forces on a vehicle (`<aerodynamics>`), physics mode `physical` only.

    u is the velocity relative to the air, rho its density. The forces along and across are
    ``rho / 2 |u| u`` times an area, and the lift is ``rho / 2 |u|^2`` times an area.
    """

    drag_area: float = tag('float', 0.0, unit='m^2', attribute=True, minimum=0,
                           doc='drag coefficient times area, along')
    side_area: float = tag(
        'float', 0.0, unit='m^2', attribute=True, minimum=0, doc='the same across')
    lift_area: float = tag('float', 0.0, unit='m^2', attribute=True,
                           doc='lift coefficient times area, negative for downforce')
    x: float | None = tag('float', None, unit='m', attribute=True,
                          doc='x at which the forces act; default: the centre of mass')
    z: float | None = tag('float', None, unit='m', attribute=True, doc='height at which drag and '
                          'side force act; default: the centre of mass')


@dataclass(frozen=True)
class DraughtSpec(Spec):
    """
    Resistance of the soil to an implement (`<draught>`), mode `physical` only.

    At the speed s, the force ``constant + linear s + quadratic s^2`` acts against the motion of
    the implement. ASABE D497 has the form ``F (A + B S + C S^2) W T``, with S in km/h.
    """

    constant: float = tag(
        'float', 0.0, unit='N', attribute=True, minimum=0, doc='force at low speed')
    linear: float = tag(
        'float', 0.0, unit='N s/m', attribute=True, minimum=0, doc='rise with the speed')
    quadratic: float = tag(
        'float', 0.0, unit='N s^2/m^2', attribute=True, minimum=0, doc='rise with its square')
    x: float | None = tag('float', None, unit='m', attribute=True,
                          doc='x of the implement; default: the centre of mass')
    z: float = tag('float', 0.0, unit='m', attribute=True,
                   doc='height at which the force acts, negative in the soil')


@dataclass(frozen=True)
class BrakesSpec(Spec):
    """Brakes at the wheels (`<brakes>`); a service brake is pressed, a parking brake is set."""

    torque: float = tag('float', 0.0, unit='N m', attribute=True, minimum=0,
                        doc='largest torque of the service brake on each of its wheels')
    wheels: str = tag(
        'text', 'all', attribute=True, choices=_WHEELS, doc='on which wheels it acts')
    balance: float | None = tag(
        'float', None, attribute=True, minimum=0, maximum=1,
        doc='share of the front wheels in the total torque; default: equal torques on all wheels')
    front_torque: float | None = tag(
        'float', None, unit='N m', attribute=True, minimum=0,
        doc='torque on each wheel ahead of the middle of all wheels, instead of `torque`')
    rear_torque: float | None = tag('float', None, unit='N m', attribute=True, minimum=0,
                                    doc='torque on each of the other wheels, instead of `torque`')
    parking_torque: float = tag(
        'float', 0.0, unit='N m', attribute=True, minimum=0,
        doc='largest torque of the parking brake, or handbrake, on each of its wheels')
    parking_wheels: str = tag('text', 'all', attribute=True, choices=_WHEELS,
                              needs='parking_torque', doc='wheels of the parking brake')
    parked: bool = tag(
        'bool', False, attribute=True, doc='whether the parking brake is set at the start')

    @property
    def serves(self) -> bool:
        """Return whether there is a service brake."""
        return any((self.torque, self.front_torque, self.rear_torque))

    def problems(self) -> Problems:
        axles = self.front_torque is not None or self.rear_torque is not None
        if self.balance is not None and (axles or self.wheels != 'all'):
            yield (f'balance is {self.balance:g} beside front_torque, rear_torque or wheels: it '
                   'shares `torque` among all wheels, leave out one of both')
        if axles and self.wheels != 'all':
            yield (f'wheels is {self.wheels!r} beside front_torque or rear_torque: leave it out, '
                   'an axle without a brake has the torque 0')

    def doubts(self) -> Problems:
        if self.parked and not self.parking_torque:
            yield ('parked is true, but without a parking_torque nothing holds the vehicle: give '
                   'one, in N m on each of its wheels')
        elif not self.serves and not self.parking_torque:
            yield 'they have no torque: give torque or parking_torque, in N m on each wheel'


DIFFERENTIALS = ('open', 'torsen', 'locked', 'limited_slip')


@dataclass(frozen=True)
class DrivetrainSpec(Spec):
    """How one drive torque reaches the wheels (`<drivetrain type="...">`)."""

    kind: str = tag(
        'text', 'torsen_4wd', name='type', attribute=True,
        choices=tuple(f'{kind}_{axles}' for kind in DIFFERENTIALS
                      for axles in ('front', 'rear', '4wd')),
        doc='differentials and driven axles; `locked` and `limited_slip` in physics mode '
            '`physical` only')
    centre_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS,
        doc='differential between the axles, overrides `type`')
    front_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS, doc='differential of the front axle')
    rear_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS, doc='differential of the rear axle')
    locking: float = tag(
        'float', 0.4, minimum=0, maximum=1, doc='locking value of `limited_slip`: largest '
        'difference of the torques of both sides, over their sum')
    preload: float = tag('float', 0.0, unit='N m', minimum=0,
                         doc='difference of torques that `limited_slip` holds without any drive')
    front_rear_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the front axle')
    front_rear_bias: float = tag('float', 1.5, minimum=1, doc='bias of the centre differential')
    front_left_right_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the front left wheel')
    front_left_right_bias: float = tag(
        'float', 1.5, minimum=1, doc='bias of the front differential')
    rear_left_right_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the rear left wheel')
    rear_left_right_bias: float = tag('float', 1.5, minimum=1, doc='bias of the rear differential')
    torsen_tbr: float | None = tag('float', None, minimum=1, doc='torque bias ratio of all Torsen '
                                   'differentials: largest ratio of the torques of the slower '
                                   'and faster side, continuous; replaces the rule of MVSim')

    @property
    def differentials(self) -> dict[str, str]:
        """Return the kinds of the differentials that there are, by `centre`, `front`, `rear`."""
        kind, _, axles = self.kind.rpartition('_')
        places = {'front': ('front',), 'rear': ('rear',)}.get(axles, ('centre', 'front', 'rear'))
        return {place: getattr(self, f'{place}_differential') or kind for place in places}

    def problems(self) -> Problems:
        for place in ('centre', 'front', 'rear'):
            if getattr(self, f'{place}_differential') and place not in self.differentials:
                yield (f'{place}_differential is given, but type {self.kind!r} has none there: '
                       'leave it out, or drive that axle')

    def without_effect(self) -> Unused:
        """Yield what is of kinds of differentials that there are none of."""
        for field, kind in (('locking', 'limited_slip'), ('preload', 'limited_slip'),
                            ('torsen_tbr', 'torsen')):
            if kind not in self.differentials.values():
                yield self, field, f'no differential is {kind}'
