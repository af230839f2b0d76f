# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The kinds of elements of a world, one a module, with its record `ELEMENT`.

A module that is put here, or that an installed package names as an entry point of the group
`mvsim_ros2.elements`, is all that a new kind needs.
"""

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.world.spec.element import Element

ELEMENTS = Registry[Element]('element', 'mvsim_ros2.elements', kind=Element)
