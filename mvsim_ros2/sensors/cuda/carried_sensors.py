# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sensors in three dimensions of many simulations, which measure together on the card.

They measure as on the processor, with noise from the same random numbers. Distances are equal to
rounding, except for rays that just pass an edge.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from numba import cuda
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import CardError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.camera.image_noise import normal_numbers
from mvsim_ros2.sensors.camera.lens import rays_of
from mvsim_ros2.sensors.camera.rgbd import RgbdCamera
from mvsim_ros2.sensors.cuda.card import blocks, pinned, THREADS, upload
from mvsim_ros2.sensors.cuda.mesh_worlds import Eyes, MeshWorlds
from mvsim_ros2.sensors.cuda.reading_kernels import to_depths, to_ranges
from mvsim_ros2.sensors.lidar.lidar3d import Lidar3D
from mvsim_ros2.sensors.lidar.scan_kernel import NOISIEST
from mvsim_ros2.sensors.lidar.scan_pattern import COSINE, SINE

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Carried:
    """A sensor on a vehicle."""

    world: int  # number of its simulation
    physics: PhysicsWorld
    row: int  # of the vehicle
    sensor: Sensor


class MeshSensors(ABC):
    """
    Sensors of one kind, with rays in the same directions.

    Before they measure, the calls of `looks` are made for each.
    """

    shape: tuple[int, ...]  # of what each measures

    def __init__(self, worlds: MeshWorlds, carried: Sequence[Carried], mounts: Sequence[Array],
                 rays: Sequence[tuple[Array, Array]], limits: Sequence[tuple[float, float]],
                 hidden: Sequence[bool]) -> None:
        """
        Prepare sensors.

        :param mounts: from the frame of the rays to that of the vehicle, (4, 4) each.
        :param rays: origins and directions of each.
        :param limits: least and largest distance of each.
        :param hidden: whether each does not see its vehicle.
        :raises CardError: where their rays differ.
        """
        self._carried, self._worlds = list(carried), worlds
        first = rays[0]
        for each, own in zip(carried, rays, strict=True):
            if not all(np.array_equal(a, b) for a, b in zip(first, own, strict=True)):
                raise CardError(
                    f'the rays of {carried[0].sensor.name} and {each.sensor.name} differ, '
                    "and on the graphics card they must be equal: take device='cpu'")
        masks = [worlds.masks[each.world].ray(each.row, each.sensor.name, own)
                 for each, own in zip(carried, hidden, strict=True)]
        of_world = np.array([each.world for each in carried], np.int64)
        bodies = worlds.first[of_world] + 6 * np.array([each.row for each in carried], np.int64)
        self._eyes = Eyes(bodies, of_world, np.stack(mounts), np.array(masks, np.uint32), *first,
                          np.array(limits))
        self._distances = cuda.device_array((len(carried), len(first[1])), np.float64)
        self._alone = np.unique(of_world, return_index=True)[1]  # one in each world

    def looks(self, k: int) -> list[PreparedCall]:
        """Return calls that write where sensor k is."""
        each = self._carried[k]
        return [self._worlds.lay_ready(each.world, each.physics)] if k in self._alone else []

    def measure(self, rows: Numbers, chosen: Any, measured: Any) -> None:
        """
        Measure, once their worlds are up to date.

        :param rows: numbers of the sensors, at least one.
        :param chosen: the same on the card.
        :param measured: on the card, single precision, shape (K, *shape); their rows are filled
            in [m]; where nothing is seen with the largest range.
        """
        self._worlds.cast(chosen, self._eyes, self._distances)
        self._read(rows, chosen, measured)

    @abstractmethod
    def _read(self, rows: Numbers, chosen: Any, measured: Any) -> None:
        """Write what is measured of the distances."""


class Lidars3D(MeshSensors):
    """LiDARs in three dimensions; they measure ranges, a row for each ring."""

    def __init__(self, worlds: MeshWorlds, carried: Sequence[Carried]) -> None:
        lidars = [_lidar3d(each.sensor) for each in carried]
        specs: list[Any] = [lidar.spec for lidar in lidars]
        rays, limits = [], []
        for lidar in lidars:
            beams, echoes = lidar.scanner.beams, lidar.scanner.echoes
            turn = np.zeros((len(beams.columns), 3, 3))
            turn[:, 0, 0] = turn[:, 1, 1] = beams.columns[:, COSINE]
            turn[:, 1, 0], turn[:, 0, 1] = beams.columns[:, SINE], -beams.columns[:, SINE]
            turn[:, 2, 2] = 1.0
            origins, directions = (
                np.einsum('cij,rj->rci', turn, each).reshape(-1, 3)
                for each in (beams.origins, beams.vectors))
            rays.append((origins, directions))
            limits.append((echoes.nearest, echoes.farthest, echoes.range_noise))
        super().__init__(worlds, carried, [lidar.pose.matrix for lidar in lidars], rays,
                         [(0.0, farthest + NOISIEST * noise) for _, farthest, noise in limits],
                         [spec.ignore_parent_body for spec in specs])
        beams = lidars[0].scanner.beams
        self.shape = beams.rings, len(beams.columns)
        self._randoms = [lidar.scanner.random for lidar in lidars]
        self._keys = pinned((len(carried),), np.uint64)
        self._keys_there = upload(self._keys)
        self._noisy = any(noise > 0.0 for _, _, noise in limits)
        self._limits = upload(np.array(limits))

    def _read(self, rows: Numbers, chosen: Any, measured: Any) -> None:
        if self._noisy:
            for k in rows.tolist():
                self._keys[k] = self._randoms[k].integers(0, 2 ** 64, dtype=np.uint64)
            self._keys_there.copy_to_device(self._keys)
        rings, columns = self.shape
        to_ranges[(len(rows), blocks(rings * columns)), THREADS](
            chosen, self._distances, self._eyes.origins, self._eyes.directions,
            self._keys_there, self._limits, measured)


class DepthCameras(MeshSensors):
    """Depth cameras; where they have no depth reads a given number."""

    def __init__(self, worlds: MeshWorlds, carried: Sequence[Carried], nothing: float) -> None:
        """Prepare cameras; `nothing` is what reads where nothing is measured [m]."""
        cameras = [_camera(each.sensor) for each in carried]
        specs: list[Any] = [camera.spec for camera in cameras]
        rays = []
        for camera in cameras:
            directions = rays_of(camera.depth_lens).reshape(-1, 3)
            rays.append((np.zeros_like(directions), directions))
        super().__init__(worlds, carried, [camera.depth_pose.matrix for camera in cameras], rays,
                         [camera.depth_limits for camera in cameras],
                         [spec.ignore_parent_body for spec in specs])
        lens = cameras[0].depth_lens
        self.shape = lens.height, lens.width
        self._randoms = [camera.random for camera in cameras]
        self._limits = upload(np.array([(
            spec.depth_noise_sigma, spec.depth_noise_growth, spec.depth_clip_min,
            spec.depth_clip_max, spec.depth_hole_jump, nothing) for spec in specs], np.float32))
        self._are_noisy = [spec.depth_noise_sigma > 0.0 or spec.depth_noise_growth > 0.0
                           for spec in specs]
        self._noisy = any(self._are_noisy)
        pixels = lens.height * lens.width
        self._parts = pinned((len(carried), pixels if self._noisy else 1), np.uint16)
        self._parts_there, self._table = upload(self._parts), upload(normal_numbers())

    def _read(self, rows: Numbers, chosen: Any, measured: Any) -> None:
        height, width = self.shape
        if self._noisy:
            for k in rows.tolist():
                if not self._are_noisy[k]:
                    continue
                words = self._randoms[k].bit_generator.random_raw(-(-height * width // 4))
                self._parts[k] = words.astype('<u8', copy=False).view('<u2')[:height * width]
            self._parts_there.copy_to_device(self._parts)
        to_depths[(len(rows), blocks(height * width)), THREADS](
            chosen, self._distances.reshape(-1, height, width), self._parts_there, self._table,
            self._limits, measured)


def _refused(sensor: Sensor, what: str, remedy: str) -> CardError:
    return CardError(f'{sensor.spec.source}: {sensor.name} {what}, which the graphics card does '
                     f"not support: {remedy}, or use device='cpu'")


def _lidar3d(sensor: Sensor) -> Lidar3D:
    assert isinstance(sensor, Lidar3D)
    echoes, spec = sensor.scanner.echoes, cast('Any', sensor.spec)
    wants: tuple[tuple[str, bool, str], ...] = (
        ('measures while it turns', bool(sensor.sweep_ns), 'set <rolling>false</rolling>'),
        ('has a pattern of its own', spec.pattern != 'rotating',
         'set <pattern>rotating</pattern>'),
        ('has several returns', echoes.turns > 1, 'set <returns>1</returns>'),
        ('has wide beams', echoes.samples > 1, 'set <beam_samples>1</beam_samples>'),
        ('looks through weather', not sensor.in_clear_air, 'leave <weather> out'),
        *((f'has <{name}>', getattr(spec, name) > 0.0, 'set it to 0')
          for name in ('detection_range', 'weak_range_std_noise', 'grazing_angle', 'dropout',
                       'angle_std_noise')))
    for what, wanted, remedy in wants:
        if wanted:
            raise _refused(sensor, what, remedy)
    return sensor


def _camera(sensor: Sensor) -> RgbdCamera:
    if not isinstance(sensor, RgbdCamera) or cast('Any', sensor.spec).sense_rgb:
        raise _refused(sensor, 'measures colours', 'set <sense_rgb>false</sense_rgb>')
    spec = cast('Any', sensor.spec)
    if spec.depth_model != 'exact' or spec.depth_light_min > 0.0 or spec.depth_light_max < 1.0:
        raise _refused(sensor, 'has a depth model with errors of its own',
                       'set <depth_model>exact</depth_model>')
    if not sensor.depth_lens.ideal:
        raise _refused(sensor, 'has a lens with distortion', 'set <rgb_distortion> to zeros')
    return sensor
