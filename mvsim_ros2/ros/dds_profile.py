# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A Fast DDS profile with room for large messages."""

import os

from mvsim_ros2.package_files import share_directory

# the name that Fast DDS 2 reads (up to Jazzy), and that of Fast DDS 3
VARIABLES = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE')


def use_large_data_profile() -> None:
    """
    Let Fast DDS take the profile of this package, unless the user has one.

    With the default profile, shared memory holds 512 KB: larger messages are cut into UDP
    pieces and mostly lost on their way to best-effort readers. To be called before
    `rclpy.init`.

    :raises ResourceError: where this package is not installed as a whole.
    """
    if not any(variable in os.environ for variable in VARIABLES):
        profile = share_directory() / 'config' / 'fastdds_large_data.xml'
        os.environ.update(dict.fromkeys(VARIABLES, str(profile)))
