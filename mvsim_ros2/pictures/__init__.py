# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures, videos and figures of worlds, simulations and logs."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.pictures.figures import save_figure
    from mvsim_ros2.pictures.perspective import draw_view, measure_all, PosedObservation, with_pose
    from mvsim_ros2.pictures.top_view import draw_top_view, save_picture, scan_view, ScanView
    from mvsim_ros2.pictures.video import write_video
    from mvsim_ros2.pictures.viewpoint import automatic_view
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'automatic_view', 'draw_top_view', 'draw_view', 'measure_all', 'PosedObservation',
    'save_figure', 'save_picture', 'scan_view', 'ScanView', 'with_pose', 'write_video',
]
