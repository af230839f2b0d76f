# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The common parts of all sensors."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.views.instant import Instant
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec import SensorSpec, WorldSpec


def full_name(owner: str, spec: SensorSpec) -> str:
    """Return ``'vehicle/sensor'``, or ``'sensor'`` where `owner` is ''."""
    return f'{owner}/{spec.name}' if owner else spec.name


@dataclass(frozen=True, eq=False)
class Mount:
    """The inputs from which a sensor is made."""

    spec: Any  # SensorSpec of the class that its model is for
    owner: str  # name of the vehicle that carries it, '' for the world
    random: np.random.Generator  # its noise
    views: SceneViews  # what it may look with
    world: WorldSpec  # as it was loaded
    streams: RandomStreams  # of what sensors have in common


@dataclass(frozen=True)
class SensorFrame:
    """A frame of a sensor, fixed on its carrier."""

    name: str
    parent: str  # another frame of the sensor, '' for that of the carrier
    pose: Pose  # in the parent


class Sensor(ABC):
    """
    A sensor on a vehicle, or standing in the world.

    A kind of sensor is one file: a class derived from this, a function that makes it from a
    `Mount`, and `MODELS` with both. Sensors that look at the scene keep ``mount.views`` and ask it
    when they measure; see `sensors.views.views`.
    """

    MEMORY: tuple[str, ...] = ()  # attributes that last from one measurement to the next

    def __init__(self, spec: SensorSpec, owner: str) -> None:
        """
        Mount a sensor.

        :param owner: name of the vehicle that carries it, '' for the world.
        """
        self.spec = spec
        self.frame_id = spec.frame_id or spec.name
        self.name = full_name(owner, spec)
        self.pose: Pose = spec.pose  # of the sensor in the body frame
        self.period_ns = max(1, round(spec.sensor_period * 1e9))
        self.sweep_ns = 0  # how long before the end of a measurement it begins

    def clock(self, time_ns: int) -> int:
        """Return what the clock of its stamps shows at a simulated time [ns]."""
        spec = self.spec
        ahead = round(1e9 * spec.clock_offset + 1e-6 * spec.clock_drift * time_ns)
        return max(time_ns + ahead, self.sweep_ns) if ahead else time_ns

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        """Return the frames that the observations are in; cameras have optical ones as well."""
        return (SensorFrame(self.frame_id, '', self.pose),)

    @abstractmethod
    def measure(self, stamp_ns: int, state: BodyState) -> Observation:
        """
        Return what the sensor measures.

        :param stamp_ns: simulated time of `state` [ns].
        :raises SensorError: where the state is not finite.
        :raises RenderContextError: if OpenGL is requested and not available.
        """

    def place_in_world(
            self, state: BodyState) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """
        Return the position of the sensor [m] and the rotation matrix of its carrier.

        :raises SensorError: where the pose of the carrier is not finite.
        """
        if not np.isfinite(state.pose).all():
            raise SensorError(f'{self.name}: the pose of its vehicle is not finite: {state.pose}')
        rotation = rotation_matrix(*state.pose[3:])
        return state.pose[:3] + rotation @ self.pose.position, rotation

    def measure_at(self, instant: Instant, carrier: str) -> Observation:
        """
        Return what the sensor measures at an instant: `measure`, unless there is a quicker way.

        :param carrier: name of the vehicle that carries it, '' for the world.
        """
        return self.measure(instant.time_ns, instant.body(carrier))

    @classmethod
    def measure_together(cls, sensors: Sequence[Self], stamp_ns: int,
                         states: Sequence[BodyState]) -> Sequence[Observation]:
        """
        Return what several sensors of this class measure at the same time.

        A class whose sensors share work overrides this; the results must be the same.

        :param states: the state of the carrier of each.
        """
        return [sensor.measure(stamp_ns, state)
                for sensor, state in zip(sensors, states, strict=True)]

    def reset(self) -> None:
        """Drop all earlier measurements; their owner resets the random streams."""

    def state(self) -> dict[str, Any]:
        """Return what the sensor remembers from one measurement to the next."""
        return {name: deepcopy(getattr(self, name)) for name in self.MEMORY}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        for name in self.MEMORY:
            setattr(self, name, deepcopy(state[name]))
