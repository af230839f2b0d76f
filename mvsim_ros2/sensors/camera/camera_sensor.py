# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all cameras share: frames, pose and calibration."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors import BodyState, CameraInfo, Mount, Sensor, SensorFrame
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.world.spec import PinholeSpec

OPTICAL = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)  # z forward, x right, y down of REP-103


class CameraSensor(Sensor):
    """A camera, whose pose is that of its optical frame."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        self._views, self.random = mount.views, mount.random

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        return (SensorFrame(self.spec.name, '', self.pose.compose(OPTICAL.inverse())),
                SensorFrame(self.frame_id, self.spec.name, OPTICAL))

    def pose_in_world(self, state: BodyState, pose: Pose) -> NDArray[np.float64]:
        """Return the matrix (4, 4) of a pose on the carrier."""
        if not np.isfinite(state.pose).all():
            raise SensorError(f'{self.name} cannot look from {state.pose.tolist()}')
        body = np.eye(4)
        body[:3, :3] = rotation_matrix(*state.pose[3:])
        body[:3, 3] = state.pose[:3]
        return np.asarray(body @ pose.matrix)

    def info(self, lens: Lens, frame_id: str, stamp_ns: int, offset: float = 0.0,
             camera_frame: str = '') -> CameraInfo:
        """
        Return the calibration.

        :param offset: P[0, 3], minus focal length times baseline of a right camera [px m].
        :param camera_frame: optical frame of the camera where it is not `frame_id`.
        """
        projection = np.zeros((3, 4))
        projection[:, :3], projection[0, 3] = lens.matrix, offset
        return CameraInfo(
            self.name, frame_id, stamp_ns, lens.width, lens.height, lens.model,
            np.array(lens.all_coefficients), lens.matrix, np.eye(3), projection,
            camera_frame or frame_id)


class PinholeSensor(CameraSensor):
    """A camera with an ideal lens."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        spec: PinholeSpec = mount.spec
        self._pinhole = spec
        self.lens = Lens(spec.ncols, spec.nrows, spec.fx, spec.fy, spec.cx, spec.cy)
        self.frame_id = spec.frame_id or f'{spec.name}_optical_frame'

    def view(self, state: BodyState) -> CameraView:
        """Return what it looks at from a state of its carrier."""
        spec = self._pinhole
        return CameraView(
            self.pose_in_world(state, self.pose), spec.ncols, spec.nrows, spec.fx, spec.fy,
            spec.cx, spec.cy, spec.clip_min, spec.clip_max, state.mover_index, self.name,
            spec.ignore_parent_body)
