# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Reading of world files to `WorldSpec`: tolerant parsing, expansion, binding, resources.

Invalid content raises `WorldFileError`, a map, mesh or other file that cannot be read
`ResourceError`; both name file and line. Recoverable faults go to a function `warn` with their
source and a message, and to `Findings` of robot descriptions.
"""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.world.file.load import load_world
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['load_world']
