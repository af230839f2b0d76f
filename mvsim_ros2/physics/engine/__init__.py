# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Box2D: its bodies, its contacts and its memory; nothing else touches them."""

from importlib import import_module
import warnings

with warnings.catch_warnings():  # its binding crashes the process where a warning is an error
    warnings.simplefilter('ignore')
    import_module('Box2D')
