# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which instances a ray sees: bits that let any one vehicle or sensor body be hidden.

A cast meets an instance where the masks of ray and instance share a bit. Two bits stand for
each binary digit of the number of an instance's group, one for 0 and one for 1, and the
instance has the one of its digit. A ray that is to pass a group has, of each pair, the other
bit: it then shares none with that group and at least one with any other.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError

_DIGITS = 16  # two bits each in a mask of 32
EVERYTHING = 0xFFFFFFFF


class SightMasks:
    """Masks of the instances of a scene, and of rays that pass some of them."""

    def __init__(self, owner: NDArray[np.int32], sensor: Sequence[str]) -> None:
        """
        Give each instance its mask.

        :param owner: number of the vehicle of each instance, -1 for none.
        :param sensor: name of the sensor whose body an instance is, '' for none.
        :raises SceneError: where there are too many vehicles with sensors of their own shape.
        """
        self._sensors: dict[tuple[int, str], int] = {}  # number among those of the same owner
        counts: dict[int, int] = {}
        codes = []
        for vehicle, name in zip(owner.tolist(), sensor, strict=True):
            number = 0
            if name:
                number = self._sensors.setdefault(
                    (vehicle, name), counts.get(vehicle, 0) + 1)
                counts[vehicle] = max(number, counts.get(vehicle, 0))
            codes.append((vehicle + 1, number))
        vehicles = max((vehicle for vehicle, _ in codes), default=0)
        self._vehicles, self._vehicle_digits = vehicles, vehicles.bit_length()
        self._digits = self._vehicle_digits + max(counts.values(), default=0).bit_length()
        if self._digits > _DIGITS:
            raise SceneError(
                f'{vehicles} vehicles with up to {max(counts.values())} sensors that have '
                f'shapes are too many to tell apart in a mask of {2 * _DIGITS} bits: leave out '
                'some of the <visual> of sensors')
        # the highest bit is left for a scene where there is nothing to tell apart
        self.instances = np.array(
            [self._pairs(self._code(*code), self._digits) or 1 << 31 for code in codes],
            np.uint32)

    def _code(self, vehicle: int, number: int) -> int:
        return vehicle | number << self._vehicle_digits

    def _pairs(self, code: int, digits: int) -> int:
        return sum(1 << (2 * i + (code >> i & 1)) for i in range(digits))

    def ray(self, vehicle: int, sensor: str, hide_vehicle: bool) -> int:
        """
        Return the mask of the rays of a sensor, which never sees its own body.

        :param vehicle: number of the vehicle that carries it, -1 for none.
        :param hide_vehicle: whether it sees nothing of that vehicle at all.
        """
        if hide_vehicle and 0 <= vehicle < self._vehicles:
            return self._pairs(~(vehicle + 1), self._vehicle_digits)
        number = self._sensors.get((vehicle, sensor), 0)
        if not number:
            return EVERYTHING
        return self._pairs(~self._code(vehicle + 1, number), self._digits)
