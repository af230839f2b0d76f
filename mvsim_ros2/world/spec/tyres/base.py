# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The common tags of all wheel-ground models."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Spec, tag


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
