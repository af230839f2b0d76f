# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state of a world at one instant, as sensors ask for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, rotation_matrix
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.state.spatial_motion import planar_motion, SpatialMotion, vehicle_motion
from mvsim_ros2.scene.scene import MoverStates, MoverTrack
from mvsim_ros2.sensors.body_state import BodyState, Movers
from mvsim_ros2.sensors.views.pose_history import PoseHistory


@dataclass(frozen=True, eq=False)
class MoverVelocities:
    """
    How the things move whose places are in `MoverStates`; rows as there.

    A row of six holds the velocity of the reference point [m/s] and the angular velocity
    [rad/s], both in the world frame.
    """

    vehicles: Array  # (V, 6)
    wheel_angle: Array  # (W,): rad/s; steering angles count as fixed
    blocks: Array  # (B, 6)
    figures: Array  # (G, 6)


class Instant:
    """
    A world at the end of a step; each part is made once, at its first use.

    It holds until the physics moves on.
    """

    def __init__(self, physics: PhysicsWorld, time_ns: int, past: PoseHistory) -> None:
        self.physics = physics
        self.past = past
        self.time_ns = time_ns

    def body(self, vehicle: str) -> BodyState:
        """Return the state of a vehicle, or of a sensor in the world for ''."""
        physics = self.physics
        if not vehicle:
            return BodyState(np.zeros(6), gravity=physics.gravity, movers=lambda: self.planar)
        vehicles = physics.vehicles
        row = vehicles.index(vehicle)

        def in_space() -> SpatialMotion:
            return SpatialMotion(vehicle_motion(vehicles, np.array([row], np.int64)).values[0])

        record = vehicles.arrays.records[row]
        return BodyState(
            vehicles.pose[row], vehicles.twist_body[row], vehicles.acceleration_body[row],
            physics.gravity, lambda: self.planar, row,
            in_space if record['tilts'] else None, lambda span: self.past.path(row, span),
            float(record['steps']))

    def earlier(self, ages: Sequence[float]) -> MoverTrack | None:
        """Return where everything was at some ages [s], None where that is not known."""
        return self.past.at(ages, self.movers)

    def wheels(self, vehicle: str) -> NDArray[np.void]:
        """Return the states of the wheels of a vehicle, not to be written."""
        vehicles = self.physics.vehicles
        first, last = vehicles.wheel_start[vehicles.index(vehicle):][:2]
        wheels: NDArray[np.void] = vehicles.wheels[first:last]
        return wheels

    def contacts(self, vehicle: str) -> Array:
        """
        Return where other bodies touch a vehicle, and what impulses it got there in the last step.

        Columns are x, y [m] and the impulse along both axes [N s], in its frame; shape (n, 4).
        """
        return self.physics.contact_points(self.physics.vehicles.index(vehicle))

    @cached_property
    def planar(self) -> Movers:
        """Poses of all movers in plan: vehicles, blocks that can move, and solid figures."""
        vehicles, blocks, figures = (
            self.physics.vehicles, self.physics.blocks, self.physics.figures)
        count = len(vehicles.pose) + np.count_nonzero(blocks.movable) + figures.solid
        poses, heights, twists = np.empty((count, 3)), np.empty(count), np.empty((count, 3))
        lay_out(vehicles.pose, vehicles.twist_body, blocks.pose, blocks.twist_body,
                blocks.movable, figures.pose, figures.twist_body, figures.solid, poses, heights,
                twists)
        return Movers(poses, twists, heights)

    @cached_property
    def movers(self) -> MoverStates:
        """Where everything is that can move."""
        physics, wheels = self.physics, self.physics.vehicles.wheels
        return MoverStates(physics.vehicles.pose.copy(), wheels['toe'] + wheels['steer'],
                           wheels['angle'].copy(), physics.blocks.pose.copy(),
                           physics.figures.pose.copy(), dict(physics.switched),
                           physics.figures.gait.copy(), 1e-9 * self.time_ns)

    @cached_property
    def velocities(self) -> MoverVelocities:
        """How everything moves that can move."""
        physics, vehicles = self.physics, self.physics.vehicles
        motion = vehicle_motion(vehicles, np.arange(len(vehicles), dtype=np.int64))
        return MoverVelocities(
            _in_world(vehicles.pose, motion), vehicles.wheels['omega'].copy(),
            _planar(physics.blocks.pose, physics.blocks.twist_body),
            _planar(physics.figures.pose, physics.figures.twist_body))


@compiled(counted=False)
def lay_out(
        vehicle_pose: Array, vehicle_twist: Array, block_pose: Array, block_twist: Array,
        movable: NDArray[np.bool_], figure_pose: Array, figure_twist: Array, solid: int,
        poses: Array, heights: Array, twists: Array) -> None:
    """
    Fill in the poses of all movers in plan: vehicles, blocks that can move, solid figures.

    :param movable: which blocks can move, shape (B,).
    :param solid: how many figures are solid, the first ones.
    :param poses: x, y, yaw, shape (M, 3).
    :param heights: of the reference points, shape (M,) [m].
    :param twists: in the body frames, shape (M, 3).
    """
    row = 0
    for group in range(3):
        pose, twist = vehicle_pose, vehicle_twist
        if group == 1:
            pose, twist = block_pose, block_twist
        elif group == 2:
            pose, twist = figure_pose[:solid], figure_twist[:solid]
        for i in range(pose.shape[0]):
            if group != 1 or movable[i]:
                poses[row, 0], poses[row, 1], poses[row, 2] = pose[i, 0], pose[i, 1], pose[i, 3]
                heights[row] = pose[i, 2]
                for k in range(3):
                    twists[row, k] = twist[i, k]
                row += 1


def _planar(pose: Array, twist_body: Array) -> Array:
    return _in_world(pose, planar_motion(pose, twist_body, np.zeros_like(twist_body)))


def _in_world(pose: Array, motion: SpatialMotion) -> Array:
    """Return velocities and angular velocities in the world frame, shape (n, 6)."""
    rotation = rotation_matrix(pose[:, 3], pose[:, 4], pose[:, 5])
    return np.hstack([motion.velocity, (rotation @ motion.rate[:, :, None])[:, :, 0]])
