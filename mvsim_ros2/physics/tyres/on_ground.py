# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which law a wheel has on the ground below it, in mode `physical`."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.friction_regions import C_RR
from mvsim_ros2.physics.ground.friction_regions import CONE_INDEX
from mvsim_ros2.physics.ground.friction_regions import look_up
from mvsim_ros2.physics.ground.friction_regions import MU
from mvsim_ros2.physics.ground.friction_regions import MU_SCALE
from mvsim_ros2.physics.ground.friction_regions import REGION
from mvsim_ros2.physics.ground.friction_regions import ROADS
from mvsim_ros2.physics.ground.friction_regions import SURFACE
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import TYRE_VALUES
from mvsim_ros2.physics.tyres.choice import BAKKER
from mvsim_ros2.physics.tyres.choice import CLAY
from mvsim_ros2.physics.tyres.choice import ELLIPSE
from mvsim_ros2.physics.tyres.choice import MAGIC_FORMULA
from mvsim_ros2.physics.tyres.choice import SAND
from mvsim_ros2.physics.tyres.magic_formula import SURFACES
from mvsim_ros2.spec.tyres.soil import ClayTyre

Array = NDArray[np.float64]

_B = tuple(curve.B for curve in SURFACES.values())  # in the order of the regions
_C = tuple(curve.C for curve in SURFACES.values())
_D = tuple(curve.D for curve in SURFACES.values())
_E = tuple(curve.E for curve in SURFACES.values())
_SOIL = ClayTyre()
_SECTION, _GAMMA, _CONE_INDEX, _VERTICAL = (
    _SOIL.section_height, _SOIL.gamma, _SOIL.cone_index, _SOIL.vertical_stiffness)


@compiled(inner=True)
def as_built(wheel: np.void, values: Array) -> tuple[float, float]:
    """
    Return kind and friction of a wheel, and write the parameters of its law into `values`.

    :param wheel: its record.
    """
    own = wheel['tyre_values']
    for k in range(len(values)):
        values[k] = own[k]
    kind, friction = wheel['tyre'], wheel['mu']
    if kind == BAKKER:
        friction *= values[10]
    elif kind == ELLIPSE:
        friction *= values[6]
    elif kind >= CLAY:
        friction = 1.0
    return kind, friction


@lazy_kernel(SOME_WHEELS[0], np.zeros((1, REGION)), 0.0, 0.0, 0.0, np.zeros(TYRE_VALUES))
def on_ground(wheel: np.void, regions: Array, x: float, y: float, z: float, values: Array,
              ) -> tuple[float, float, float]:
    """
    Return kind and friction as `as_built`, and rolling resistance, where there are regions.

    A road scales the friction by that of the Magic Formula against a dry one; the Magic
    Formula takes its coefficients. On soil each tyre follows the law of the soil, and one for
    soil on a road the Magic Formula.

    :param regions: shape (n, REGION), at least one.
    :param x: place of the wheel in the world [m]; so y, z.
    """
    found = look_up(regions, x, y, z)
    kind, friction = as_built(wheel, values)
    mu, surface = found[MU], found[SURFACE]
    scale = found[MU_SCALE] if found[MU_SCALE] >= 0.0 else 1.0
    if 0.0 <= surface < ROADS:
        road = int(surface)
        if kind == MAGIC_FORMULA or kind >= CLAY:
            if kind >= CLAY:
                values[3] = 0.0
            kind, friction = MAGIC_FORMULA, _D[road]
            values[0], values[1], values[2] = _B[road], _C[road], _E[road]
        else:
            scale *= _D[road]
    elif surface >= ROADS:
        soil = CLAY if surface == ROADS else SAND
        if kind < CLAY:
            values[0], values[1] = wheel['width'], 2.0 * wheel['radius']
            values[2] = min(_SECTION, 0.5 * wheel['radius'])
            values[3], values[4], values[5] = _GAMMA, _CONE_INDEX, _VERTICAL
        if kind != soil:
            values[6] = 0.0
        kind, friction = soil, 1.0
    if kind >= CLAY:
        if found[CONE_INDEX] >= 0.0:
            values[4] = found[CONE_INDEX]
    elif mu >= 0.0:
        friction = mu
        if kind == BAKKER:
            friction *= values[10]
        elif kind == ELLIPSE:
            friction *= values[6]
    rolling = found[C_RR] if found[C_RR] >= 0.0 else wheel['rolling']
    return kind, friction * scale, rolling
