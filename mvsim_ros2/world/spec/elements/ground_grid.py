# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lines on the ground."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.common import Colour, colour
from mvsim_ros2.world.spec.element import Element, ElementSpec, not_solid, UNSEEN
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class GroundGridSpec(ElementSpec):
    """Lines on the ground for display only, invisible to sensors."""

    XML_CLASS = 'ground_grid'
    IDLE = 'the window and RViz draw a grid of their own'

    floating: bool = tag('bool', True, doc='move with a vehicle')
    floating_focus: str = tag('text', '', doc='name of that vehicle; default: the first')
    color: Colour = tag('colour', colour('#e0e0e0ff'), doc='colour')
    line_width: float = tag('float', 1.0, unit='px', doc='width of a line')
    x_min: float = tag('float', -25.0, unit='m', doc='extent')
    x_max: float = tag('float', 25.0, unit='m', over='x_min', doc='extent')
    y_min: float = tag('float', -25.0, unit='m', doc='extent')
    y_max: float = tag('float', 25.0, unit='m', over='y_min', doc='extent')
    interval: float = tag('float', 5.0, unit='m', above=0, doc='distance of the lines')


ELEMENT = Element(GroundGridSpec, not_solid, looks=UNSEEN)
