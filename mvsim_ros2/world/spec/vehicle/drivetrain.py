# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Differentials between the wheels of a vehicle (`<drivetrain type="...">`)."""

from collections.abc import Iterator
from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Spec, tag, Unused

DIFFERENTIALS = ('open', 'torsen', 'locked', 'limited_slip')


@dataclass(frozen=True)
class DrivetrainSpec(Spec):
    """How one drive torque reaches the wheels (`<drivetrain type="...">`)."""

    kind: str = tag(
        'text', 'torsen_4wd', name='type', attribute=True,
        choices=tuple(f'{kind}_{axles}' for kind in DIFFERENTIALS
                      for axles in ('front', 'rear', '4wd')),
        doc='differentials and driven axles; `locked` and `limited_slip` in physics mode '
            '`physical` only')
    centre_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS,
        doc='differential between the axles, overrides `type`')
    front_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS, doc='differential of the front axle')
    rear_differential: str | None = tag(
        'text', None, choices=DIFFERENTIALS, doc='differential of the rear axle')
    locking: float = tag(
        'float', 0.4, minimum=0, maximum=1, doc='locking value of `limited_slip`: largest '
        'difference of the torques of both sides, over their sum')
    preload: float = tag('float', 0.0, unit='N m', minimum=0,
                         doc='difference of torques that `limited_slip` holds without any drive')
    front_rear_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the front axle')
    front_rear_bias: float = tag('float', 1.5, minimum=1, doc='bias of the centre differential')
    front_left_right_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the front left wheel')
    front_left_right_bias: float = tag(
        'float', 1.5, minimum=1, doc='bias of the front differential')
    rear_left_right_split: float = tag(
        'float', 0.5, minimum=0, maximum=1, doc='share of the rear left wheel')
    rear_left_right_bias: float = tag('float', 1.5, minimum=1, doc='bias of the rear differential')
    torsen_tbr: float | None = tag('float', None, minimum=1, doc='torque bias ratio of all Torsen '
                                   'differentials: largest ratio of the torques of the slower '
                                   'and faster side, continuous; replaces the rule of MVSim')

    @property
    def differentials(self) -> dict[str, str]:
        """Return the kinds of the differentials that there are, by `centre`, `front`, `rear`."""
        kind, _, axles = self.kind.rpartition('_')
        places = {'front': ('front',), 'rear': ('rear',)}.get(axles, ('centre', 'front', 'rear'))
        return {place: getattr(self, f'{place}_differential') or kind for place in places}

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
        for place in ('centre', 'front', 'rear'):
            if getattr(self, f'{place}_differential') and place not in self.differentials:
                yield (f'{place}_differential is given, but type {self.kind!r} has none there: '
                       'leave it out, or drive that axle')

    def without_effect(self) -> Unused:
        """Yield what is of kinds of differentials that there are none of."""
        for field, kind in (('locking', 'limited_slip'), ('preload', 'limited_slip'),
                            ('torsen_tbr', 'torsen')):
            if kind not in self.differentials.values():
                yield self, field, f'no differential is {kind}'
