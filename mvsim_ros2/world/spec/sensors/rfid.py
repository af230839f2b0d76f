# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Readers of radio tags (`<sensor class="rfid">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class RfidTagSpec(Spec):
    """A radio tag (`<tag>`) at a fixed position in the world."""

    number: int = tag(
        'int', 0, name='id', attribute=True, minimum=0, maximum=2**31 - 1, doc='its number')
    place: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m', attribute=True,
                                            required=True, doc='position in the world')


@dataclass(frozen=True)
class RfidSpec(SensorSpec):
    """
    Reader that hears radio tags and measures the strength of their signals.

    >>> from mvsim_ros2.world.spec import RfidSpec, RfidTagSpec
    >>> RfidSpec(name='reader', tags=(RfidTagSpec(7, (2.0, 0.0, 0.5)),))  # measures RfidReadings
    RfidSpec(name='reader', tags=(RfidTagSpec(number=7, place=(2, 0, 0.5)),))
    """

    XML_CLASS = 'rfid'

    tags: tuple[RfidTagSpec, ...] = tag(
        'specs', (RfidTagSpec(place=(0.0, 0.0, 0.5)),), name='tag', spec=RfidTagSpec,
        doc='tags; default: one 0.5 m above the origin')
    power_at_1m: float = tag('float', -45.0, unit='dBm', doc='signal of a tag at 1 m')
    path_loss_exponent: float = tag(
        'float', 2.0, above=0, doc='exponent of the path loss, 2 in free space')
    shadowing_std_noise: float = tag(
        'float', 3.0, unit='dB', minimum=0, random=True, doc='deviation of a signal')
    obstacle_loss: float = tag(
        'float', 10.0, unit='dB', minimum=0, doc='loss where something stands between')
    sensitivity: float = tag('float', -75.0, unit='dBm', doc='weakest signal that is heard')
    beam_width: float = tag(
        'angle', 0.0, name='beam_width_degrees', unit='deg', minimum=0, maximum=360,
        doc='angle between the half-power directions of the antenna, around the x axis of the '
            'sensor; 0: all directions are the same')
    ignore_parent_body: bool = tag('bool', True, doc='its own vehicle hides no tag')

    def problems(self) -> Problems:
        """Yield a sentence for every rule that its values break."""
        yield from super().problems()
        numbers = [each.number for each in self.tags]
        if len(set(numbers)) < len(numbers):
            yield 'its tags must have different ids: messages name them so'


SENSORS = (RfidSpec,)
