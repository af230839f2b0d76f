# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of agents in three dimensions that measure on the graphics card, into tensors there."""

from collections.abc import Mapping, Sequence
from operator import attrgetter, is_not
from typing import Any, TYPE_CHECKING

from gymnasium.spaces import Box
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Numbers
from mvsim_ros2.gym.task import Agent
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.world.spec.sensors.camera import RgbdCameraSpec
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

if TYPE_CHECKING:
    from mvsim_ros2.sensors.cuda.carried_sensors import MeshSensors
    from mvsim_ros2.sensors.cuda.mesh_worlds import MeshWorlds


DEVICES = ('cpu', 'cuda')
_GENERATION, _SENSORS = attrgetter('views.generation'), attrgetter('sensors')


class Card:
    """
    The observed sensors of agents that measure on the graphics card: all but planar LiDARs.

    :ivar tensors: what they measured, by name, a row for each agent.
    """

    def __init__(self, agents: Sequence[Agent], spaces: Mapping[str, Box]) -> None:
        """Copy worlds to the card; raise `LearningError`, `CardError` for what it lacks."""
        torch, cuda = _packages()
        from mvsim_ros2.sensors.cuda.card import check_card
        check_card()
        simulations = list(dict.fromkeys(agent.simulation for agent in agents))
        numbers = {id(each): number for number, each in enumerate(simulations)}
        self._suites = [each._suite for each in simulations]
        physics = [each._physics for each in simulations]
        self._meshes: MeshWorlds | None = None
        self._sensors: dict[str, MeshSensors] = {}
        self.tensors: dict[str, Any] = {}
        self._arrays: dict[str, Any] = {}  # the same as numba sees them
        for name, space in spaces.items():
            carried = []
            for agent in agents:
                number = numbers[id(agent.simulation)]
                carried.append(_module().Carried(
                    number, physics[number], physics[number].vehicles.index(agent.vehicle),
                    agent.simulation._suite.sensors[f'{agent.vehicle}/{name}']))
            spec = carried[0].sensor.spec
            if isinstance(spec, Lidar3dSpec | RgbdCameraSpec):
                if self._meshes is None:
                    self._meshes = _mesh_worlds(simulations)
                self._sensors[name] = (
                    _module().Lidars3D(self._meshes, carried) if isinstance(spec, Lidar3dSpec)
                    else _module().DepthCameras(self._meshes, carried, float(space.high.max())))
            else:
                raise LearningError(
                    f'the sensor {name!r} does not measure on the graphics card: leave it out of '
                    "sensors=(...), or take device='cpu'")
            self.tensors[name] = torch.zeros(
                (len(agents), *space.shape), dtype=torch.float32, device='cuda')
            self._arrays[name] = cuda.as_cuda_array(self.tensors[name])
        self._known = list(map(_GENERATION, self._suites))
        self._measuring = list(map(_SENSORS, self._suites))
        self._all = _module().upload(np.arange(len(agents)))

    def looks(self, row: int) -> list[PreparedCall]:
        """Return calls that write where the sensors of an agent are."""
        return [call for each in self._sensors.values() for call in each.looks(row)]

    def measure(self, rows: Numbers) -> None:
        """Measure with the sensors of some rows; raise `LearningError` after changes of things."""
        if list(map(_GENERATION, self._suites)) != self._known or any(
                map(is_not, map(_SENSORS, self._suites), self._measuring)):
            raise LearningError(
                'things or sensors came into a world, left it or were changed, which is not done '
                "on the graphics card: take device='cpu'")
        if self._meshes is not None:
            self._meshes.update()
        chosen = self._all if len(rows) == self._all.shape[0] else _module().upload(rows)
        for name, sensors in self._sensors.items():
            sensors.measure(rows, chosen, self._arrays[name])


def tensor_of(array: NDArray[Any]) -> Any:
    """Return a copy of an array on the card."""
    return _packages()[0].from_numpy(array).to('cuda')


def _packages() -> tuple[Any, Any]:
    """Return torch and numba's module for the card, or raise `LearningError` without one."""
    try:
        from numba import cuda
        import torch
    except ImportError as error:
        raise LearningError(
            f"device='cuda' needs what is not installed ({error}): pip install "
            "'mvsim_ros2[cuda]', or take device='cpu'") from None
    return torch, cuda


def _module() -> Any:
    """Return the sensors of the card, which need numba."""
    from mvsim_ros2.sensors.cuda import carried_sensors
    return carried_sensors


def _mesh_worlds(simulations: Sequence[Any]) -> 'MeshWorlds':
    """Return what sensors see in three dimensions."""
    worlds: MeshWorlds = _module().MeshWorlds(
        [each._suite.shapes(each.time_ns) for each in simulations],
        [each._physics for each in simulations])
    return worlds
