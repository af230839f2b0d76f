# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lines that are drawn only."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.fields import Spec, tag


@dataclass(frozen=True)
class MarkerSpec(Spec):
    """Line for display only (`<marker>`), on `world_markers` for RViz."""

    kind: str = tag('text', 'line_strip', name='type', attribute=True, choices=('line_strip',),
                    doc='only line_strip')
    color: Colour = tag('colour', (1.0, 1.0, 1.0, 1.0), doc='colour')
    translation: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='m', doc='offset of all points')
    points: tuple[tuple[float, float, float], ...] = tag(
        'matrix', (), unit='m', doc='one `x y z` per line')
