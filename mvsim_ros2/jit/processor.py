# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the processor of this machine can do."""


def has_avx512() -> bool:
    """Return whether it has vector registers of 512 bits, as far as can be known."""
    try:
        from llvmlite.binding import get_host_cpu_features
    except ImportError:
        return False
    return bool(get_host_cpu_features().get('avx512vl', False))
