# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ultra-wideband ranging (`<sensor class="uwb">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class UwbAnchorSpec(Spec):
    """An anchor (`<anchor>`) at a fixed position in the world."""

    number: int = tag(
        'int', 0, name='id', attribute=True, minimum=0, maximum=65535, doc='its number')
    place: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m', attribute=True,
                                            required=True, doc='position in the world')


@dataclass(frozen=True)
class UwbSpec(SensorSpec):
    """
    Tag that measures its distances to anchors by two-way ranging in ultra-wideband.

    >>> from mvsim_ros2.world.spec import UwbAnchorSpec, UwbSpec
    >>> UwbSpec(name='tag', anchors=(UwbAnchorSpec(1, (5.0, 0.0, 2.0)),))  # measures UwbRanges
    UwbSpec(name='tag', anchors=(UwbAnchorSpec(number=1, place=(5, 0, 2)),))
    """

    XML_CLASS = 'uwb'

    anchors: tuple[UwbAnchorSpec, ...] = tag(
        'specs', (UwbAnchorSpec(place=(0.0, 0.0, 2.0)),), name='anchor', spec=UwbAnchorSpec,
        doc='anchors; default: one 2 m above the origin')
    max_range: float = tag('float', 60.0, unit='m', above=0, doc='reach in free sight')
    range_std_noise: float = tag('float', 0.05, unit='m', minimum=0, random=True,
                                 doc='noise of a range with a line of sight')
    nlos_bias: float = tag(
        'float', 0.3, unit='m', minimum=0, random=True,
        doc='mean excess of a range behind an obstacle, exponentially distributed')
    nlos_range_factor: float = tag(
        'float', 0.5, minimum=0, maximum=1,
        doc='share of max_range that remains behind an obstacle; 0: no range')
    dropout: float = tag(
        'float', 0.0, minimum=0, maximum=1, random=True, doc='share of ranges lost at random')
    ignore_parent_body: bool = tag('bool', True, doc='its own vehicle hides no anchor')

    def problems(self) -> Problems:
        """Yield a sentence for every rule that its values break."""
        yield from super().problems()
        numbers = [anchor.number for anchor in self.anchors]
        if len(set(numbers)) < len(numbers):
            yield 'its anchors must have different ids: messages name them so'


SENSORS = (UwbSpec,)
