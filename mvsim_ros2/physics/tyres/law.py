# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The record of a tyre law, `TyreLaw`, and all laws, `LAWS`.

A law is a module with a dataclass of parameters, kernels, and a record `LAW = TyreLaw(...)`.
Modules in this folder are found by that name, modules of other packages by their entry points
`mvsim_ros2.tyres`. The steps call the kernels by the number of the law in `LAWS`, which is in the
records of the wheels and not in code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.errors import PhysicsError, PluginError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.dispatch import by_number
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.modes import MODES, MVSIM, PHYSICAL
from mvsim_ros2.physics.state.record_layout import TYRE_VALUES
from mvsim_ros2.world.spec.tyres import TyreSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_VALUES = np.zeros(TYRE_VALUES)  # an example of `values`


class Mounting(NamedTuple):
    """The wheel that a tyre is on."""

    radius: float  # m
    width: float  # m, of one tyre
    load: float  # N, of one tyre at rest, the mean of those of the vehicle


class Friction(NamedTuple):
    """How strong a tyre holds, mode `physical`."""

    mu: float  # friction coefficient on the ground that the world starts with
    per_mu: float | None = 1.0  # `friction` of the kernels over mu; None: that is 1 on any ground


@compiled(counted=False)
def circle(values: Array, friction: float, load: float, slip: float) -> tuple[float, float, float]:
    """Return the limits of a tyre that holds `friction` times its load in any direction [N]."""
    limit = friction * load
    return limit, limit, 0.0


def coulomb(tyre: Any, mounting: Mounting) -> Friction:
    """Return the friction of a tyre whose parameter `mu` is its coefficient."""
    return Friction(tyre.mu)


@dataclass(frozen=True)
class TyreLaw:
    """
    All about a tyre law.

    Its numbers are packed into `values`, which all kernels get, when a vehicle is built. A law has
    one of the kernels of a mode, or `brush`. In a mode without a kernel, a vehicle with the law is
    an error.

    :ivar spec: dataclass of the parameters, a `TyreSpec` with its own `XML_CLASS`.
    :ivar columns: names of its numbers in `values`, at most `record_layout.TYRE_VALUES`. Regions
        of the ground replace the one called ``cone_index``.
    :ivar numbers: makes these from the parameters and the wheel, each by its name; without, they
        are the parameters of the same names.
    :ivar friction: from the same, in mode `physical`.
    :ivar wheel_step: kernel in mode `mvsim`, see `wheel_step`.
    :ivar brush: mode `physical` has the law as the brush that every standing tyre is, up to mu.
    :ivar secants: kernel in mode `physical`, see `secants`.
    :ivar limits: goes with it, see `limits`.
    :ivar rolling: kernel in mode `physical` of a rolling resistance beyond C_rr, see `rolling`.
    :ivar creeps: modes in which a vehicle that stands on a slope creeps down it.
    :ivar on_surface: the tyre that a tyre is on a surface, one of `property_region.SURFACES`,
        with a factor of its friction there; without, see `on_ground.firm`.
    :raises ValueError: where that cannot be a law; says why.
    """

    spec: type[TyreSpec]
    columns: tuple[str, ...] = ()
    numbers: Callable[[Any, Mounting], Mapping[str, float]] | None = None
    friction: Callable[[Any, Mounting], Friction] = coulomb
    wheel_step: Callable[..., tuple[float, float, float]] | None = None
    brush: bool = False
    secants: Callable[..., tuple[float, float]] | None = None
    limits: Callable[..., tuple[float, float, float]] = circle
    rolling: Callable[..., float] | None = None
    creeps: tuple[str, ...] = ()
    on_surface: Callable[[Any, str, Mounting], tuple[TyreSpec, float]] | None = None

    def __post_init__(self) -> None:
        """Check what can be checked without a tyre."""
        name = f'the tyre law of {self.spec.__qualname__}'
        if not issubclass(self.spec, TyreSpec) or not self.spec.XML_CLASS:
            raise ValueError(f'{name}: make the class a TyreSpec with an XML_CLASS')
        if len(self.columns) > TYRE_VALUES:
            raise ValueError(
                f'{name} has {len(self.columns)} numbers: give it at most {TYRE_VALUES}')
        missing = {*self.columns} - {field.name for field in fields(self.spec)}
        if self.numbers is None and missing:
            raise ValueError(f'{name} has the columns {sorted(missing)}, which are no parameters '
                             'of it: say in `numbers` what they are')
        if self.brush and self.secants is not None:
            raise ValueError(f'{name} is a brush and has `secants`: leave out one of them')
        if not self.modes:
            raise ValueError(f'{name} belongs to no physics mode: give it a kernel `wheel_step` '
                             f'({MVSIM}) or `secants` ({PHYSICAL}), or make it a `brush`')

    @property
    def modes(self) -> tuple[str, ...]:
        """Return the physics modes that have the law."""
        has = {MVSIM: self.wheel_step is not None,
               PHYSICAL: self.brush or self.secants is not None}
        return tuple(mode for mode in MODES if has[mode])

    def values(self, tyre: TyreSpec, mounting: Mounting) -> Array:
        """
        Return `values` of a tyre, shape (TYRE_VALUES,), 0 beyond its columns.

        :raises PhysicsError: where a number is missing or is none.
        """
        packed = np.zeros(TYRE_VALUES)
        numbers = vars(tyre) if self.numbers is None else self.numbers(tyre, mounting)
        for k, column in enumerate(self.columns):
            try:
                packed[k] = numbers[column]
            except (KeyError, TypeError, ValueError):
                raise PhysicsError(
                    f'{tyre.source}: the number {column!r} of the friction model '
                    f'{tyre.XML_CLASS!r} is {numbers.get(column, "missing")!r}: mend `numbers` '
                    'of its law') from None
        return packed


LAWS = Registry('tyre', 'mvsim_ros2.tyres', kind=TyreLaw)


@by_number(0.0, _VALUES, *(0.0,) * 14)
def wheel_step(
        law: float, values: Array, mu: float, damping: float, rolling: float, mass: float,
        gravity: float, radius: float, inertia: float, omega: float, torque: float, vx: float,
        vy: float, slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on a wheel, along and across it [N], and its new spin [rad/s]: mode `mvsim`.

    :param law: its number.
    :param values: numbers of the tyre in the order of `TyreLaw.columns`.
    :param mu: friction coefficient of tyre and ground, where the law has one.
    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient.
    :param mass: carried by this wheel [kg]; for the others see `coulomb.stop_slip`.
    """
    raise NotImplementedError


@by_number(0.0, _VALUES, 0.0, 0.0, 0.0)
def limits(law: float, values: Array, friction: float, load: float, slip: float,
           ) -> tuple[float, float, float]:
    """
    Return the largest forces of a tyre along and across it, and the drag of its hub [N].

    Mode `physical`, once in a step. The drag is the resistance of soil to the hub, not to the
    spin.

    :param values: numbers of the tyre in the order of `TyreLaw.columns`, a copy for the step:
        what is written behind these numbers, `secants` finds there.
    :param friction: see `Friction`, times the friction of the ground.
    :param load: of one tyre on the ground, above 0 [N].
    :param slip: along the wheel.
    """
    raise NotImplementedError


@by_number(0.0, _VALUES, 0.0, 0.0, 0.0, 0.0, 0.0)
def secants(law: float, values: Array, friction: float, load: float, slip_along: float,
            slip_across: float, limit: float) -> tuple[float, float]:
    """
    Return the steady forces of a rolling tyre over its slips, along and across [N].

    Mode `physical`, in each pass of the solver. The forces have the directions of the slips,
    so that neither is negative.

    :param slip_along: slip of the rim over the speed of the wheel, above 0. So is slip_across, the
        sine of the slip angle of a free wheel.
    :param limit: how far the limits reach in the direction of the slip [N]; for the other
        parameters see `limits`.
    """
    raise NotImplementedError


@by_number(0.0, _VALUES, 0.0)
def rolling(law: float, values: Array, speed: float) -> float:
    """
    Return the rolling resistance coefficient of a tyre beyond C_rr, mode `physical`.

    :param values: numbers of the tyre in the order of `TyreLaw.columns`.
    :param speed: of the rim, at least 0 [m/s].
    """
    raise NotImplementedError


def provide(law: TyreLaw, mode: str) -> int:
    """
    Return the number of a law, and let the steps of a mode find its kernels under that.

    :raises PluginError: where a kernel cannot be used.
    """
    number = LAWS.number(law.spec)
    try:
        if mode == MVSIM and law.wheel_step is not None:
            wheel_step.put(number, law.wheel_step)
        if mode == PHYSICAL and law.secants is not None:
            secants.put(number, law.secants)
            limits.put(number, law.limits)
        if mode == PHYSICAL and law.rolling is not None:
            rolling.put(number, law.rolling)
    except (TypeError, ValueError) as error:
        raise PluginError(f'the tyre {law.spec.XML_CLASS!r} cannot be used: {error}') from error
    return number


def law_of(tyre: TyreSpec, mode: str, vehicle: VehicleSpec) -> TyreLaw:
    """
    Return the law of a tyre of a vehicle.

    :raises PhysicsError: where the mode has not got it.
    :raises PluginError: where there is none.
    """
    law = LAWS[type(tyre)]
    if mode not in law.modes:
        others = ' or '.join(repr(each.spec.XML_CLASS) for each in LAWS if mode in each.modes)
        raise PhysicsError(
            f'{tyre.source}: vehicle {vehicle.name!r} has the friction model '
            f'{tyre.XML_CLASS!r}, which physics mode {mode!r} does not have: use mode '
            f'{" or ".join(map(repr, law.modes))}, or {others}')
    return law
