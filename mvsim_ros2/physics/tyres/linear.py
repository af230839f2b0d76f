# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Force in proportion to slip, up to the friction limit: the tyre `linear`.

The first contact model of the agricultural single-track model (`F = C alpha`), with the
friction limit that it lacks.
"""

from typing import NamedTuple

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres.combined_slip import project
from mvsim_ros2.spec.tyres.slip import LinearTyre


class Linear(NamedTuple):
    """Numbers of a linear tyre."""

    stiffness_along: float  # N per unit slip ratio
    stiffness_across: float  # N/rad
    friction: float  # limit of the force over the load


def parameters(spec: LinearTyre) -> Linear:
    """Return the numbers of the tyre that `spec` describes."""
    return Linear(spec.C_s, spec.C_alpha, spec.mu)


@compiled
def forces(tyre: Linear, load: float, slip: float, slip_angle: float) -> tuple[float, float]:
    """
    Return the forces along and across the wheel [N], within the friction circle.

    :param load: normal force [N]; below 0 counts as 0.
    :param slip: slip ratio, positive drives.
    :param slip_angle: rad, positive where the wheel moves to the left.
    """
    limit = tyre.friction * max(load, 0.0)
    return project(tyre.stiffness_along * slip, -tyre.stiffness_across * slip_angle, limit, limit)
