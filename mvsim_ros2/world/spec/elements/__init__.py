# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The kinds of elements of a world, one a module, with its record `ELEMENT`.

A new kind needs only a module in this folder, or an entry point of an installed package in the
group `mvsim_ros2.elements`.
"""

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.world.spec.element import Element

ELEMENTS = Registry[Element]('element', 'mvsim_ros2.elements', kind=Element)
