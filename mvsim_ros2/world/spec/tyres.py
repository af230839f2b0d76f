# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of the tyres (`<friction class="...">`); those on soil need mode `physical`."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, Spec, tag


@dataclass(frozen=True, kw_only=True)
class TyreSpec(Spec):
    """Resistance of a wheel that rolls."""

    XML_CLASS = ''

    C_damping: float = tag('float', 0.01, unit='N m s/rad', minimum=0, doc='damping of the axle')
    C_rr: float = tag('float', 0.0, minimum=0, doc='rolling resistance coefficient')
    relaxation_length: float | None = tag(
        'float', None, unit='m', above=0, doc='relaxation length of the longitudinal slip; '
        'default: a fifth of the radius; physics mode `physical` only')
    lateral_relaxation_length: float | None = tag(
        'float', None, unit='m', above=0,
        doc='relaxation length of the lateral slip; default: the longitudinal one')


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


@dataclass(frozen=True)
class LinearTyre(TyreSpec):
    """Force proportional to slip up to the friction limit, class `linear`."""

    XML_CLASS = 'linear'

    C_s: float = tag('float', 27500.0, unit='N', minimum=0, doc='force per unit slip ratio')
    C_alpha: float = tag('float', 27500.0, unit='N/rad', minimum=0, doc='cornering stiffness')
    mu: float = tag('float', 0.8, minimum=0, doc='friction coefficient, the limit of the force')


@dataclass(frozen=True)
class MagicFormulaTyre(TyreSpec):
    """Magic Formula with constant coefficients, class `magic_formula`."""

    XML_CLASS = 'magic_formula'

    surface: str = tag('text', 'dry', choices=('dry', 'wet', 'snow', 'ice'),
                       doc='road with default values of B C D E')
    B: float | None = tag('float', None, above=0, doc='stiffness factor')
    C: float | None = tag('float', None, above=0, doc='shape factor')
    D: float | None = tag('float', None, minimum=0, doc='peak friction coefficient')
    E: float | None = tag('float', None, maximum=1, doc='curvature factor')
    lateral: str = tag(
        'text', 'isotropic', choices=('isotropic', 'crolla', 'ellipse'),
        doc='`isotropic`: one curve for the slip in any direction. `crolla`: side force of '
            'Crolla, at most D N, sum within the friction circle. `ellipse`: a curve for each '
            'direction, weakened by the slip in the other')
    B_y: float | None = tag('float', None, above=0, doc='lateral stiffness factor with `ellipse`; '
                            'default: the longitudinal value, also for the following tags')
    C_y: float | None = tag('float', None, above=0, doc='shape factor across')
    D_y: float | None = tag('float', None, minimum=0, doc='peak friction coefficient across')
    E_y: float | None = tag('float', None, maximum=1, doc='curvature factor across')
    gamma: float = tag(
        'float', 0.09, unit='rad', above=0, doc='slip angle scale of the side force of Crolla')

    def problems(self) -> Problems:
        given = [name for name in ('B_y', 'C_y', 'D_y', 'E_y') if getattr(self, name) is not None]
        if given and self.lateral != 'ellipse':
            yield f'{given[0]} is given: it needs <lateral>ellipse</lateral>'


@dataclass(frozen=True)
class BakkerTyre(TyreSpec):
    """Magic Formula of 1987 with load-dependent coefficients a0 to a8, class `bakker`."""

    XML_CLASS = 'bakker'

    preset: str = tag('text', 'bakker87', choices=('bakker87', 'document', 'document_kN'),
                      doc='source of default a0 to a8. `bakker87`: published passenger car tyre, '
                      'load in kN. `document`: agricultural robot, load in newton as printed; '
                      '`document_kN`: the same with load in kN and E limited to 1')
    a0: float | None = tag('float', None, above=0, maximum=2, doc='shape factor C')
    a1: float | None = tag('float', None, unit='N/load^2', doc='D: quadratic in load')
    a2: float | None = tag('float', None, unit='N/load', above=0, doc='D: linear in load')
    a3: float | None = tag(
        'float', None, unit='N/deg', minimum=0, doc='largest cornering stiffness')
    a4: float | None = tag(
        'float', None, minimum=0, maximum=2, doc='cornering stiffness: shape over load')
    a5: float | None = tag(
        'float', None, unit='1/load', minimum=0, doc='cornering stiffness: load scale')
    a6: float | None = tag('float', None, unit='1/load^2', doc='E: quadratic in load')
    a7: float | None = tag('float', None, unit='1/load', doc='E: linear in load')
    a8: float | None = tag('float', None, doc='E: constant')
    road_factor: float = tag('float', 1.0, minimum=0, doc='scale of the largest force, the '
                             'stiffness is kept: 1 dry road, 0.3 to 0.7 soil')


PSI = 6894.757  # Pa
WEAKEST = 1e4  # Pa; below it a cone index is hardly one of soil


def weak(cone_index: float) -> Problems:
    """
    Yield a sentence if a cone index is lower than in any soil, for example one in psi.

    :param cone_index: Pa.
    """
    if 0.0 < cone_index < WEAKEST:
        yield (f'a cone_index of {cone_index:g} Pa is {cone_index / PSI:.2g} psi, that of soil '
               f'some 20 to 300 psi: {cone_index:g} psi are {cone_index * PSI:.0f} Pa')


@dataclass(frozen=True)
class SoilTyre(TyreSpec):
    """The common tags of tyres on soil."""

    cone_index: float = tag(
        'float', 1723689.0, unit='Pa', minimum=0, doc='strength of the soil (1 psi = 6894.757 Pa)')
    section_height: float = tag(
        'float', 0.165, unit='m', above=0, doc='height of the tyre above the rim')
    gamma: float = tag(
        'float', 0.09, unit='rad', above=0, doc='slip angle scale of the side force')
    vertical_stiffness: float = tag(
        'float', 300e3, unit='N/m', above=0, doc='stiffness of the tyre: load over deflection')

    def doubts(self) -> Problems:
        yield from weak(self.cone_index)


@dataclass(frozen=True)
class ClayTyre(SoilTyre):
    """Traction on fine-grained soil by cone index, class `clay`."""

    XML_CLASS = 'clay'

    mode: str = tag('text', 'mavs', choices=('mavs', 'vti'), doc='`mavs`: traction less motion '
                    'resistance, as printed; `vti`: net traction')


@dataclass(frozen=True)
class SandTyre(SoilTyre):
    """Traction on coarse-grained soil by cone index, class `sand`."""

    XML_CLASS = 'sand'

    reading: str = tag('text', 'resolved', choices=('resolved', 'printed', 'original', 'brixius'),
                       doc='`resolved`: with correct units and signs; `printed`: as on the page; '
                       '`original`: as in the source code of the page; `brixius`: '
                       'the equations of Brixius (1987)')


# what a world file can name without the record of a law: see `registry`
TYRES = (DefaultTyre, WardIagnemmaTyre, EllipseTyre, LinearTyre, MagicFormulaTyre, BakkerTyre,
         ClayTyre, SandTyre)
