# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plugin of Dask's scheduler and workers that closes their HTTP port."""

from typing import Any


def dask_setup(node: Any) -> None:
    """Close the web server of a node, which Dask opens whether it has pages or not."""
    node.http_server.stop()
