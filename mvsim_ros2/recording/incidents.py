# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Incidents of the vehicles of a run: collisions, tipping over, getting stuck."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
import math
from typing import Any

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle

COLLIDED, TIPPED, STUCK = 'collided', 'tipped', 'stuck'
STUCK_AFTER_NS = 3_000_000_000
NEAR_NS = 500_000_000  # a vehicle has collided where it is near; then it touches
SLOWER = 0.1  # than this share of its command, a vehicle makes no way
LEAST_SPEED, LEAST_TURN = 0.01, 0.02  # m/s and rad/s of a command to move


@dataclass(frozen=True)
class Incident:
    """The first incident of a kind of a vehicle."""

    vehicle: str
    kind: str  # COLLIDED, TIPPED or STUCK
    time_ns: int  # simulated time
    partners: tuple[str, ...] = ()  # names of what it hit, where they have names

    def __str__(self) -> str:
        said = {
            COLLIDED: 'collided' + (
                f' with {" and ".join(self.partners)}' if self.partners else ''),
            TIPPED: 'tipped over', STUCK: 'got stuck'}[self.kind]
        return f'vehicle {self.vehicle} {said} at {1e-9 * self.time_ns:.2f} s'

    def as_json(self) -> dict[str, Any]:
        """Return it for `run.json`."""
        return {'vehicle': self.vehicle, 'kind': self.kind, 'time_ns': self.time_ns,
                'with': list(self.partners)}


class Incidents:
    """
    Notes the first incident of each kind of each vehicle.

    A vehicle is stuck where its command is to move, and for three seconds it makes less than a
    tenth of that way. Torques are no such command.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._standing_since: dict[str, int] = {}
        self._noted: dict[tuple[str, str], Incident] = {}

    @property
    def found(self) -> list[Incident]:
        """Return all incidents in the order of time."""
        return sorted(self._noted.values(), key=lambda each: each.time_ns)

    def of(self, vehicle: str) -> dict[str, bool]:
        """Return for each kind whether it happened to a vehicle."""
        return {kind: (vehicle, kind) in self._noted for kind in (COLLIDED, TIPPED, STUCK)}

    def watch(self) -> None:
        """Look at the present state; to be called after each step."""
        now = self._simulation.time_ns
        for name, vehicle in self._simulation.vehicles.items():
            if vehicle.is_touched:
                self._watch_collision(name, vehicle, now)
            if (name, TIPPED) not in self._noted and vehicle.tipped:
                self._note(Incident(name, TIPPED, now))
            if (name, STUCK) not in self._noted:
                self._watch_way(name, vehicle, now)

    def _watch_collision(self, name: str, vehicle: VehicleHandle, now: int) -> None:
        known = self._noted.get((name, COLLIDED), Incident(name, COLLIDED, now))
        if not known.partners and now - known.time_ns <= NEAR_NS:
            partners = {each.partner for each in vehicle.contacts} - {''}
            self._note(replace(known, partners=tuple(sorted(partners))))

    def _watch_way(self, name: str, vehicle: VehicleHandle, now: int) -> None:
        if not _stands_still(vehicle):
            self._standing_since.pop(name, None)
        elif now - self._standing_since.setdefault(name, now) >= STUCK_AFTER_NS:
            self._note(Incident(name, STUCK, self._standing_since[name]))

    def _note(self, incident: Incident) -> None:
        self._noted[incident.vehicle, incident.kind] = incident


def _stands_still(vehicle: VehicleHandle) -> bool:
    """Return whether a vehicle should move and does not."""
    vx, vy, turn = vehicle.commanded_twist
    speed = math.hypot(vx, vy)
    if speed < LEAST_SPEED and (abs(turn) < LEAST_TURN or vehicle.spec.dynamics.steered_wheels):
        return False
    x, y, w = map(float, vehicle.twist_body)
    if speed >= LEAST_SPEED:
        return math.hypot(x, y) < SLOWER * speed
    return abs(w) < SLOWER * float(abs(turn))


def in_words(incidents: Iterable[Incident]) -> str:
    """Return sentences on one line, '' where nothing happened."""
    return '; '.join(map(str, incidents))
