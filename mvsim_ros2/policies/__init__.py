# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Trained policies as files, which a robot runs without what trained them.

A policy is an ONNX model. Its inputs are the entries of the observation of a learning environment,
one row each. Its output is an action from -1 to 1. Metadata define their meaning. `save_policy`
writes one (it needs the package onnx), `Policy` runs it (with onnxruntime).
"""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.policies.interface import PolicyInterface, ScanInput
    from mvsim_ros2.policies.policy import Policy
    from mvsim_ros2.policies.save import Mirror, save_policy
    from mvsim_ros2.policies.seen_walls import Trail
    from mvsim_ros2.policies.way import Way
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['Mirror', 'Policy', 'PolicyInterface', 'ScanInput', 'Trail', 'Way', 'save_policy']
