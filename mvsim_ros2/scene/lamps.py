# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lamps of a scene: where they are, which of them are on, and what they light."""

from collections.abc import Sequence
from dataclasses import dataclass
import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.world.spec import BlockSpec, PointLightSpec, SpotLightSpec, VehicleSpec, WorldSpec
from mvsim_ros2.world.spec.lights import first_switches, Switches

MOST = 7  # lamps that light an image, as in the original, the sun not counted
# columns of a table of lamps: place, axis, colours of diffuse light and of highlights (linear),
# attenuation (constant, linear, quadratic), range or 0, cosines of the cone, shadows or not
PLACE, AXIS, DIFFUSE, SPECULAR, FALL, REACH, INNER, OUTER, CASTS, WIDTH = (
    0, 3, 6, 9, 12, 15, 16, 17, 18, 19)
_EVERYWHERE = -1.5, -2.0  # cosines of the cone of a lamp that shines in all directions
_GAMMA = 2.2


@dataclass(frozen=True)
class _Lamp:
    """A lamp, on a body or in the world."""

    spec: PointLightSpec
    body: int  # row among vehicles, then blocks; -1 in the world
    thing: str
    group: str


class Lamps:
    """All lamps of a world."""

    def __init__(self, world: WorldSpec, vehicles: Sequence[VehicleSpec],
                 blocks: Sequence[BlockSpec]) -> None:
        """
        Collect them.

        :param vehicles: that are there, in the rows of the physics, as `blocks`.
        """
        lights = world.lights
        lamps = [_Lamp(spec, -1, '', '') for spec in (*lights.point_lights, *lights.spot_lights)]
        things: list[VehicleSpec | BlockSpec] = [*vehicles, *blocks]
        for body, thing in enumerate(things):
            lamps += [_Lamp(spec, body, thing.name, group.name) for group in thing.light_groups
                      for spec in (*group.point_lights, *group.spot_lights)]
        self._lamps = lamps
        self._first = self._states = first_switches(things)
        self._own = np.array([_row(lamp.spec) for lamp in lamps]).reshape(-1, WIDTH)
        self._body = np.array([lamp.body for lamp in lamps], np.int64)
        self._on = np.ones(len(lamps), bool)
        self._table = self._own.copy()

    def __len__(self) -> int:
        return len(self._lamps)

    @property
    def any_casts(self) -> bool:
        """Return whether things throw shadows in the light of one of them."""
        return bool(self._own[:, CASTS].any())

    def place(self, bodies: Array, switched: Switches) -> None:
        """Take in which are on, and transforms (B, 4, 4) of vehicles, then blocks, to world."""
        on_body = self._body >= 0
        if on_body.any():
            linear, place = bodies[self._body[on_body], :3, :3], bodies[self._body[on_body], :3, 3]
            own, table = self._own[on_body], self._table
            table[on_body, PLACE:PLACE + 3] = np.einsum(
                'kij,kj->ki', linear, own[:, PLACE:PLACE + 3]) + place
            table[on_body, AXIS:AXIS + 3] = np.einsum('kij,kj->ki', linear, own[:, AXIS:AXIS + 3])
        states = {**self._first, **switched}
        self._on[:] = [states.get((lamp.thing, lamp.group), True) for lamp in self._lamps]
        self._states = states

    def is_on(self, group: tuple[str, str]) -> bool:
        """Return whether a group is on, by the names of its thing and of itself."""
        return self._states[group]

    def nearest(self, place: Array) -> Array:
        """Return the lamps that light what is seen from a place, the `MOST` nearest, in order."""
        table = self._table[self._on]
        away = np.linalg.norm(table[:, PLACE:PLACE + 3] - place, axis=1)
        return np.asarray(table[np.argsort(away, kind='stable')[:MOST]])


def _row(lamp: PointLightSpec) -> list[float]:
    """Return the row of a lamp in the table, in its own frame."""
    colour = [part ** _GAMMA for part in lamp.color[:3]]
    axis, inner, outer = np.array([0.0, 0.0, -1.0]), *_EVERYWHERE
    if isinstance(lamp, SpotLightSpec):
        axis = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
        outer = math.cos(lamp.outer_cutoff)
        inner = max(math.cos(lamp.inner_cutoff), outer + 1e-6)
    return [*lamp.position, *axis.tolist(), *(lamp.diffuse * part for part in colour),
            *(lamp.specular * part for part in colour), lamp.attenuation_constant,
            lamp.attenuation_linear, lamp.attenuation_quadratic, lamp.reach, inner, outer,
            float(lamp.cast_shadows)]
