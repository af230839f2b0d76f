# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Features of the processor."""


def has_avx512() -> bool:
    """Return whether it has AVX-512; False where that is not known."""
    try:
        from llvmlite.binding import get_host_cpu_features
    except ImportError:
        return False
    return bool(get_host_cpu_features().get('avx512vl', False))
