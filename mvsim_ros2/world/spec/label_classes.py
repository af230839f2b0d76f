# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Classes of what sensors see, numbered from 0."""

LABELS = ('nothing', 'ground', 'wall', 'block', 'vehicle', 'person', 'terrain', 'vegetation',
          'sensor', 'points', 'marker')
