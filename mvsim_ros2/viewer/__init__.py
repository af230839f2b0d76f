# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of worlds, paths and scans."""

from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.viewer.film import write_film
    from mvsim_ros2.viewer.matplotlib_figures import save_figure
    from mvsim_ros2.viewer.perspective import draw_view
    from mvsim_ros2.viewer.perspective import measured
    from mvsim_ros2.viewer.perspective import Seen
    from mvsim_ros2.viewer.perspective import seen_now
    from mvsim_ros2.viewer.top_view import draw_top_view
    from mvsim_ros2.viewer.top_view import save_picture
    from mvsim_ros2.viewer.top_view import scan_view
    from mvsim_ros2.viewer.top_view import ScanView
    from mvsim_ros2.viewer.viewpoint import automatic_view
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'automatic_view', 'draw_top_view', 'draw_view', 'measured', 'save_figure', 'save_picture',
    'scan_view', 'ScanView', 'Seen', 'seen_now', 'write_film',
]
