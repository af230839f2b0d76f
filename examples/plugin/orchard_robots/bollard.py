# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Posts that keep vehicles out."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.element import Element, ElementSpec
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.outlines import circle, placed, StaticOutline


@dataclass(frozen=True)
class BollardSpec(ElementSpec):
    """Post that keeps vehicles out."""

    XML_CLASS = 'bollard'

    x: float = tag('float', 0.0, unit='m', doc='place of its middle')
    y: float = tag('float', 0.0, unit='m', doc='place of its middle')
    radius: float = tag('float', 0.15, unit='m', above=0, doc='radius')
    height: float = tag('float', 0.9, unit='m', above=0, doc='height')
    color: Colour = tag('colour', (0.8, 0.6, 0.1, 1.0), doc='colour')


def outlines(bollard: BollardSpec) -> tuple[StaticOutline, ...]:
    """Return the one piece of a bollard, a prism with 16 sides, in the world frame."""
    around = placed(circle(bollard.radius), Pose(bollard.x, bollard.y))
    return (StaticOutline(bollard.name, around, 0.0, bollard.height, bollard.source,
                          colour=bollard.color),)


ELEMENT = Element(BollardSpec, outlines)
