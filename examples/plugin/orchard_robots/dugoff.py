# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tyre `dugoff`: Dugoff, Fancher, Segel, SAE 700377 (1970)."""

from dataclasses import dataclass
import math

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.tyres import TyreSpec


@dataclass(frozen=True)
class DugoffTyre(TyreSpec):
    """Linear tyre of which the more slides the larger the slip, class `dugoff`."""

    XML_CLASS = 'dugoff'

    C_s: float = tag('float', 3000.0, unit='N', minimum=0, doc='force per unit slip ratio')
    C_alpha: float = tag('float', 2500.0, unit='N/rad', minimum=0, doc='cornering stiffness')
    mu: float = tag('float', 0.8, minimum=0, doc='friction coefficient, the limit of the force')


COLUMNS = ('C_s', 'C_alpha')  # of `values`: parameters of these names
C_S, C_ALPHA = range(2)


@compiled
def secants(values, friction, load, slip_along, slip_across, limit):
    """Return the forces over the slips, along and across [N]."""
    unslid = math.hypot(values[C_S] * slip_along, values[C_ALPHA] * slip_across)
    part = 1.0
    if 2.0 * unslid > friction * load:
        part = friction * load / (2.0 * unslid)
        part *= 2.0 - part
    return values[C_S] * part, values[C_ALPHA] * part


LAW = TyreLaw(DugoffTyre, COLUMNS, secants=secants)
