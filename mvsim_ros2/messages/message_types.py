# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The classes of messages, independent of their provider.

Conversions take them as an argument: the node passes the classes of ROS, the recorder, which
runs without ROS, those of its serialiser.
"""

from collections.abc import Callable
from collections.abc import Mapping
from types import MappingProxyType
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

# published message type -> its package
PACKAGES: Mapping[str, str] = MappingProxyType({
    name: package for package, names in {
        'geometry_msgs': ('Pose', 'PoseArray', 'TransformStamped', 'Twist',
                          'TwistWithCovarianceStamped'),
        'nav_msgs': ('MapMetaData', 'OccupancyGrid', 'Odometry'),
        'rosgraph_msgs': ('Clock',),
        'sensor_msgs': ('CameraInfo', 'FluidPressure', 'Image', 'Imu', 'JointState', 'LaserScan',
                        'MagneticField', 'NavSatFix', 'NavSatStatus', 'PointCloud2',
                        'PointField', 'Range'),
        'std_msgs': ('Bool', 'String'),
        'tf2_msgs': ('TFMessage',),
    }.items() for name in names})


class MessageTypes(SimpleNamespace):
    """
    The classes of messages by their names, as in ``types.Imu()``.

    A class takes the values of its fields by name; those that are not given are zero, empty or
    the identity. Fields can be set.
    """

    def __init__(self, class_of: Callable[[str, str], Any],
                 array: Callable[[NDArray[Any]], Any]) -> None:
        """
        Collect the classes.

        :param class_of: returns the class of a package and a name.
        :param array: converts a contiguous array of one dimension to the type of a numeric
            field.
        """
        super().__init__(**{name: class_of(package, name) for name, package in PACKAGES.items()})
        self.array = array


def full_name(name: str) -> str:
    """Return the name of a type with its package, as in ``'sensor_msgs/msg/Imu'``."""
    return f'{PACKAGES[name]}/msg/{name}'
