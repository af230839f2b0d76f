# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Parameters of the tyres on ground that yields: clay and sand.

They act in physics mode `physical`.
"""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, tag
from mvsim_ros2.world.spec.tyres.base import TyreSpec

PSI = 6894.757  # Pa
WEAKEST = 1e4  # Pa; below it a cone index is hardly one of soil


def weak(cone_index: float) -> Problems:
    """
    Yield a sentence where a cone index is as low as that of no soil, as one in psi may be.

    :param cone_index: Pa.
    """
    if 0.0 < cone_index < WEAKEST:
        yield (f'a cone_index of {cone_index:g} Pa is {cone_index / PSI:.2g} psi, that of soil '
               f'some 20 to 300 psi: {cone_index:g} psi are {cone_index * PSI:.0f} Pa')


@dataclass(frozen=True)
class SoilTyre(TyreSpec):
    """What the tyres on soil share."""

    cone_index: float = tag(
        'float', 1723689.0, unit='Pa', minimum=0, doc='strength of the soil (1 psi = 6894.757 Pa)')
    section_height: float = tag(
        'float', 0.165, unit='m', above=0, doc='height of the tyre above the rim')
    gamma: float = tag(
        'float', 0.09, unit='rad', above=0, doc='slip angle scale of the side force')
    vertical_stiffness: float = tag(
        'float', 300e3, unit='N/m', above=0, doc='stiffness of the tyre: load over deflection')

    def doubts(self) -> Problems:
        """Yield a sentence for what is possible but hardly meant."""
        yield from weak(self.cone_index)


@dataclass(frozen=True)
class ClayTyre(SoilTyre):
    """Traction on fine-grained soil by cone index, class `clay`."""

    XML_CLASS = 'clay'

    mode: str = tag('text', 'mavs', choices=('mavs', 'vti'), doc='`mavs`: traction less motion '
                    'resistance, as printed; `vti`: traction that is net already')


@dataclass(frozen=True)
class SandTyre(SoilTyre):
    """Traction on coarse-grained soil by cone index, class `sand`."""

    XML_CLASS = 'sand'

    reading: str = tag('text', 'resolved', choices=('resolved', 'printed', 'original', 'brixius'),
                       doc='`resolved`: units and signs put right; `printed`: as the page prints '
                       'it; `original`: as the source code of the page computes it; `brixius`: '
                       'the independent equations of Brixius (1987)')
