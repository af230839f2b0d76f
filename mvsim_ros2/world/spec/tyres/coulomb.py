# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of the wheel-ground models (`<friction class="...">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.tyres.base import TyreSpec
from mvsim_ros2.world.spec.tyres.slip import BakkerTyre, LinearTyre, MagicFormulaTyre
from mvsim_ros2.world.spec.tyres.soil import ClayTyre, SandTyre


@dataclass(frozen=True)
class DefaultTyre(TyreSpec):
    """Coulomb friction with damping and rolling resistance, class `default`."""

    XML_CLASS = 'default'

    mu: float = tag('float', 0.8, minimum=0, doc='friction coefficient')


@dataclass(frozen=True)
class WardIagnemmaTyre(TyreSpec):
    """Coulomb friction with the rolling resistance of Ward and Iagnemma (2008)."""

    XML_CLASS = 'wardiagnemma'

    mu: float = tag('float', 0.8, minimum=0, doc='friction coefficient')
    A_roll: float = tag('float', 50.0, unit='s/m', minimum=0, doc='steepness at standstill')
    R1: float = tag('float', 0.0075, minimum=0, doc='constant rolling resistance')
    R2: float = tag('float', 0.02, unit='s/m', minimum=0, doc='rolling resistance with speed')


@dataclass(frozen=True)
class EllipseTyre(TyreSpec):
    """Saturating slip curves with an elliptic coupling, class `ellipse`."""

    XML_CLASS = 'ellipse'

    C_alpha: float = tag('float', 8.5, unit='1/rad', minimum=0, doc='lateral stiffness')
    C_s: float = tag('float', 7.5, minimum=0, doc='longitudinal stiffness')
    slip_angle_saturation: float = tag(
        'float', 0.1, unit='rad', above=0, doc='slip angle of the largest lateral force')
    slip_ratio_saturation: float = tag(
        'float', 0.1, above=0, doc='slip ratio of the largest longitudinal force')
    C_alpha_s: float = tag('float', 0.5, minimum=0, maximum=1, doc='coupling, lateral')
    C_s_alpha: float = tag('float', 0.5, minimum=0, maximum=1, doc='coupling, longitudinal')


# what a world file can name without the record of a law: see `registry`
TYRES = (DefaultTyre, WardIagnemmaTyre, EllipseTyre, LinearTyre, MagicFormulaTyre, BakkerTyre,
         ClayTyre, SandTyre)
