# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scene as LiDARs see it, and as cameras do where there is no OpenGL."""

from dataclasses import replace

import numpy as np

from mvsim_ros2.frames import Array, rotation_matrix, ypr_from_matrix
from mvsim_ros2.scene.scene import MoverStates
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.instant import Instant, MoverVelocities
from mvsim_ros2.sensors.views.views import OutlineView, SceneView, ShapeView

ALL = 0xFFFFFFFF  # the mask of rays that meet everything
STEPS = 5  # places of a thing during a sweep; between them it moves straight


class RayView(SceneView):
    """Trees of all visible objects; during a sweep each is where it was."""

    shapes: type[ShapeView] = ShapeView

    def rebuild(self) -> None:
        """Build the trees anew; those of meshes that are still there are kept."""
        self._scene = RayScene(self.views.use(self.shapes).scene)

    def look(self) -> None:
        """Take in that things may be elsewhere; shapes and trees follow at their next use."""
        self._behind = True

    def mask(self, vehicle: int, sensor: str, hide_vehicle: bool) -> int:
        """Return the mask of the rays of a sensor, see `RayScene.mask`."""
        return self._scene.mask(vehicle, sensor, hide_vehicle)

    def now(self, mask: int = ALL) -> RayScene:
        """
        Return the scene as it is, for rays that are cast at time 1.

        :param mask: of these rays. What meets nothing that moves sees it and lamps as they were.
        """
        if self._behind and (mask == ALL or self._scene.sees_movers(mask)):
            self._behind = False
            self.views.use(self.shapes)
            scene = self._scene.scene
            self._scene.update(scene.transform[np.newaxis, scene.movers], 0.0, scene.movers)
        return self._scene

    def over(self, span: float, mask: int) -> RayScene:
        """
        Return the scene with its motion during a time before the present instant.

        :param span: s; 0: any motion will do, rays are cast at time 1.
        :param mask: see `now`.
        """
        if span == 0.0 or not self._scene.sees_movers(mask) or (
                not self._behind and span == self._scene.span):
            return self.now(mask)
        self._behind = False
        self.views.use(self.shapes)
        scene, instant = self._scene.scene, self.views.instant
        ages = [span * (STEPS - 1 - step) / (STEPS - 1) for step in range(STEPS)]
        known = instant.earlier(ages)
        if known is None:
            path = np.empty((STEPS, len(scene.movers), 4, 4))
            for step, age in enumerate(ages):
                scene.update(earlier(instant.movers, instant.velocities, age))
                path[step] = scene.transform[scene.movers]
        else:
            path = scene.trace(known)
        self._scene.update(path, span, scene.movers)
        return self._scene


class OutlineRayView(RayView):
    """Trees of what planar LiDARs see."""

    shapes = OutlineView


def states_before(instant: Instant, age: float) -> MoverStates:
    """
    Return where everything was, or where it would have been where that is not known.

    :param age: s before the instant.
    """
    known = instant.earlier([age])
    return earlier(instant.movers, instant.velocities, age) if known is None else known.states(0)


def earlier(states: MoverStates, velocities: MoverVelocities, age: float) -> MoverStates:
    """
    Return where everything was, had it kept its velocity and rate in its own axes.

    :param age: s before `states`.
    """
    if age == 0.0:
        return states
    return replace(
        states, wheel_angle=states.wheel_angle - age * velocities.wheel_angle,
        vehicles=moved_back(states.vehicles, velocities.vehicles, age),
        blocks=moved_back(states.blocks, velocities.blocks, age),
        figures=moved_back(states.figures, velocities.figures, age), time=states.time - age)


def moved_back(poses: Array, velocities: Array, age: float) -> Array:
    """
    Return poses `age` seconds earlier.

    :param poses: shape (n, 6): x, y, z, yaw, pitch, roll.
    :param velocities: shape (n, 6): velocity and angular velocity in the world.
    """
    moving = np.flatnonzero(np.any(velocities != 0.0, axis=1))
    before = poses.copy()
    if not len(moving):
        return before
    turn = -age * velocities[moving, 3:]
    angle = np.linalg.norm(turn, axis=1)[:, None, None]
    angle = np.maximum(angle, 1e-9)  # the series below are exact there
    zero = np.zeros(len(moving))
    x, y, z = turn.T
    cross = np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1),
                      np.stack([-y, x, zero], -1)], 1)
    squared = cross @ cross
    # 1 - cos(a) = 2 sin(a/2)^2 keeps its digits for small angles
    half = 2.0 * np.sin(angle / 2) ** 2 / angle ** 2
    third = np.where(angle < 1e-3, 1 / 6, (angle - np.sin(angle)) / angle ** 3)
    rotation = np.eye(3) + np.sin(angle) / angle * cross + half * squared
    shift = np.eye(3) + half * cross + third * squared
    before[moving, :3] += (shift @ (-age * velocities[moving, :3, None]))[:, :, 0]
    rotation = rotation @ rotation_matrix(*poses[moving, 3:].T)
    before[moving, 3:] = np.stack(ypr_from_matrix(rotation), axis=1)
    return before
