# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What cameras with an ideal lens share: frames, view and calibration."""

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.base import Mount, Sensor, SensorFrame
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.observations import CameraInfo
from mvsim_ros2.world.spec.sensors.special_cameras import PinholeSpec

OPTICAL = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)  # z forward, x right, y down of REP-103


class PinholeSensor(Sensor):
    """A camera with an ideal lens."""

    def __init__(self, mount: Mount) -> None:
        """Mount a camera."""
        spec: PinholeSpec = mount.spec
        super().__init__(spec, mount.owner)
        self._views, self._random = mount.views, mount.random
        self._pinhole = spec
        self.lens = Lens(spec.ncols, spec.nrows, spec.fx, spec.fy, spec.cx, spec.cy)
        self.frame_id = spec.frame_id or f'{spec.name}_optical_frame'

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        """Return the frame of the body, which looks along x, and the optical one in it."""
        return (SensorFrame(self.spec.name, '', self.pose.compose(OPTICAL.inverse())),
                SensorFrame(self.frame_id, self.spec.name, OPTICAL))

    def view(self, state: BodyState) -> CameraView:
        """
        Return what it looks at.

        :param state: of its carrier.
        :raises SensorError: where that is not finite.
        """
        if not np.isfinite(state.pose).all():
            raise SensorError(f'{self.name} cannot look from {state.pose.tolist()}')
        body, spec = np.eye(4), self._pinhole
        body[:3, :3] = rotation_matrix(*state.pose[3:])
        body[:3, 3] = state.pose[:3]
        return CameraView(
            body @ self.pose.matrix, spec.ncols, spec.nrows, spec.fx, spec.fy, spec.cx, spec.cy,
            spec.clip_min, spec.clip_max, state.mover_index, self.name, spec.ignore_parent_body)

    def info(self, stamp_ns: int) -> CameraInfo:
        """Return the calibration."""
        matrix = self.lens.matrix
        return CameraInfo(
            self.name, self.frame_id, stamp_ns, self.lens.width, self.lens.height,
            self.lens.model, np.array(self.lens.all_coefficients), matrix, np.eye(3),
            np.hstack([matrix, np.zeros((3, 1))]), self.frame_id)
