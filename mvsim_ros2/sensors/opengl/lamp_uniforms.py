# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The lamps of an image as the shaders get them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene import lamps as column
from mvsim_ros2.scene.camera_view import CameraView

Array = NDArray[np.float64]


def lamp_uniforms(table: Array, view: CameraView) -> dict[str, Any]:
    """
    Return the lamps that light a view, in the camera frame.

    :param table: of them, see `scene.lamps`, shape (n, WIDTH).
    """
    count = len(table)
    place, axis, diffuse, specular = (np.zeros((column.MOST, 4)) for _ in range(4))
    fall = np.zeros((column.MOST, 3))
    place[:count, :3] = (table[:, column.PLACE:column.AXIS] - view.pose[:3, 3]) @ (
        view.pose[:3, :3])
    place[:count, 3] = table[:, column.REACH]
    axis[:count, :3] = table[:, column.AXIS:column.DIFFUSE] @ view.pose[:3, :3]
    axis[:count, 3] = table[:, column.INNER]
    diffuse[:count, :3] = table[:, column.DIFFUSE:column.SPECULAR]
    diffuse[:count, 3] = table[:, column.OUTER]
    specular[:count, :3] = table[:, column.SPECULAR:column.FALL]
    fall[:count] = table[:, column.FALL:column.REACH]
    return {'lamp_count': count, 'lamp_place': place, 'lamp_axis': axis,
            'lamp_diffuse': diffuse, 'lamp_specular': specular, 'lamp_fall': fall}
