# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recording of a run as files."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.recording.csv_log import CsvLog
    from mvsim_ros2.recording.read_log import read_vehicle_logs, VehicleLog
    from mvsim_ros2.recording.recorder import Recorder
    from mvsim_ros2.recording.text_files import hold_twist
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['CsvLog', 'hold_twist', 'read_vehicle_logs', 'Recorder', 'VehicleLog']
