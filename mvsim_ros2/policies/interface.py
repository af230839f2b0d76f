# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The meaning of the numbers of a policy."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
import json
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import PolicyError
from mvsim_ros2.policies.way import EASE, NUMBERS, Way

KEY = 'mvsim_ros2'  # of the metadata of a model
ACTIONS = {'twist': 2}  # that a policy on a robot can command, and how many numbers they are


@dataclass(frozen=True)
class ScanInput:
    """The rays of a planar LiDAR that a policy was trained with."""

    name: str  # of the input
    angle_min: float  # bearings of the first and the last ray [rad]
    angle_max: float
    rays: int  # how many, evenly spread
    range_max: float  # what a ray reads that meets nothing [m]
    x: float = 0.0  # of the LiDAR on the robot [m, rad]
    y: float = 0.0
    yaw: float = 0.0

    def read(self, ranges: ArrayLike, angle_min: float, angle_increment: float,
             ) -> NDArray[np.float32]:
        """
        Return the ranges of these rays: of each the nearest one of a scan [m].

        :param ranges: of the scan [m], shape (n,); inf and nan meet nothing, -inf is touching.
        :param angle_min: bearing of its first ray [rad].
        :param angle_increment: between its rays [rad].
        :raises PolicyError: where the scan lacks some of the bearings.
        """
        if not (math.isfinite(angle_min) and math.isfinite(angle_increment)):
            raise PolicyError('the bearings of the scan are not finite numbers')
        seen = np.asarray(ranges, np.float32)
        bearings = np.linspace(self.angle_min, self.angle_max, self.rays)
        turn = round(2.0 * math.pi / abs(angle_increment)) if angle_increment else 0
        at = np.rint((bearings - angle_min) / angle_increment).astype(int) if turn else bearings
        if turn and len(seen) >= turn:  # all around: bearings a whole turn apart are the same
            at = at % turn
        if not turn or at.min() < 0 or at.max() >= len(seen):
            last = angle_min + angle_increment * (len(seen) - 1)
            raise PolicyError(
                f'the policy needs rays from {self.angle_min:.2f} to {self.angle_max:.2f} rad, '
                f'but the scan covers {angle_min:.2f} to {last:.2f} rad. Use a LiDAR with the '
                'field of view of the training')
        return np.asarray(np.nan_to_num(
            seen[at], nan=self.range_max, posinf=self.range_max, neginf=0.0,
        ).clip(0.0, self.range_max), np.float32)


@dataclass(frozen=True)
class PolicyInterface:
    """The meaning of the inputs and actions of a policy."""

    scan: ScanInput | None = None  # its planar LiDAR
    action: str = 'twist'  # speed and yaw rate
    forward: float = 1.0  # speed for 1 [m/s]
    backward: float = 0.2  # speed for -1 [m/s]
    turn: float = 1.5  # yaw rate for 1 [rad/s]
    control_rate: float = 10.0  # of its actions [Hz]
    radius: float = 0.4  # distance to the goal that counts as there [m]
    trail: tuple[float, ...] = ()  # ages of past places that it observes [s], see `Trail`
    way: tuple[float, ...] = ()  # clearances of the way that it observes [m], see `Way`

    def ways(self) -> Way | None:
        """Return what finds the way of one robot that the policy observes; None: it does not."""
        if not self.way or self.scan is None:
            return None
        scan = self.scan
        return Way(self.way, np.linspace(scan.angle_min, scan.angle_max, scan.rays),
                   np.array([scan.range_max]), 1.0 / self.control_rate,
                   np.array([[scan.x, scan.y, scan.yaw]]))

    def command(self, action: ArrayLike) -> tuple[float, float]:
        """Return speed [m/s] and yaw rate [rad/s] for an action from -1 to 1, or raise."""
        values = np.asarray(action, float)
        if values.shape != (ACTIONS[self.action],) or np.isnan(values).any():
            raise PolicyError(f'the action is {values.tolist()}: give {ACTIONS[self.action]} '
                              f'numbers for a {self.action}')
        ahead, aside = np.clip(values, -1.0, 1.0).tolist()
        return ahead * (self.forward if ahead > 0.0 else self.backward), self.turn * aside

    def to_json(self) -> str:
        """Return the text for the metadata; raise `PolicyError` where a field is wrong."""
        try:
            text = json.dumps(asdict(self), sort_keys=True, default=np.generic.item)
        except TypeError as error:
            raise PolicyError(f'the interface cannot be written: {error}: give numbers and '
                              'names') from None
        self.from_json(text, 'the interface')
        return text

    @classmethod
    def from_json(cls, text: str, source: str) -> 'PolicyInterface':
        """Return what the text of a source says; raise `PolicyError` unless `to_json` makes it."""
        try:
            said: Mapping[str, Any] = json.loads(text)
            scan = said.get('scan')
            interface = cls(**{**said, 'scan': ScanInput(**scan) if scan else None,
                               'trail': tuple(map(float, said.get('trail', ()))),
                               'way': tuple(map(float, said.get('way', ())))})
        except (TypeError, ValueError, AttributeError) as error:
            raise PolicyError(f'{source}: the metadata {KEY!r} are not those of a policy '
                              f'({error}): write it with save_policy') from error
        if interface.action not in list(ACTIONS):
            raise PolicyError(f'{source}: its actions are {interface.action!r}, a robot can be '
                              f'commanded by {", ".join(ACTIONS)}: train with one of these')
        for name, value in interface._impossible():
            raise PolicyError(f'{source}: its {name} of {value!r} is not possible: write it with '
                              'the numbers of the training')
        return interface

    def _impossible(self) -> Iterator[tuple[str, object]]:
        """Yield names and values of numbers that cannot be."""
        least = {'control_rate': 1e-9, 'rays': 1, 'radius': 0.0, 'range_max': 0.0}
        for part in (self,) if self.scan is None else (self, self.scan):
            for each in fields(part):
                value = getattr(part, each.name)
                if each.type in (float, int) and not (
                        isinstance(value, each.type | int) and not isinstance(value, bool)
                        and math.isfinite(value) and value >= least.get(each.name, -math.inf)):
                    yield each.name, value
        if not all(0.0 <= age < math.inf for age in self.trail):
            yield 'trail', self.trail
        if self.way and (self.scan is None or len(self.way) != 2
                         or not 0.0 < self.way[0] <= self.way[1] <= EASE * self.way[0]):
            yield 'way', self.way

    def check_fit(self, inputs: Mapping[str, int], outputs: int, source: str) -> None:
        """Check sizes of inputs and outputs of a source's network, or raise `PolicyError`."""
        sizes = {'trail': 2 * len(self.trail), 'way': NUMBERS if self.way else 0}
        wanted = {name: size for name, size in sizes.items() if size or name in inputs}
        if self.scan is not None:
            wanted[self.scan.name] = self.scan.rays
        for name, size in wanted.items():
            if inputs.get(name, 0) != size:
                raise PolicyError(
                    f'{source}: it takes {inputs.get(name, "no")} numbers of {name!r}, its '
                    f'interface says {size}: save it with the interface of its training')
        if outputs != ACTIONS[self.action]:
            raise PolicyError(f'{source}: it returns {outputs} numbers, a {self.action} is '
                              f'{ACTIONS[self.action]}: train one that returns so many')
