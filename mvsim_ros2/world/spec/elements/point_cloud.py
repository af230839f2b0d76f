# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Clouds of points."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element, ElementSpec, not_solid
from mvsim_ros2.world.spec.fields import Problems, tag


@dataclass(frozen=True)
class PointCloudSpec(ElementSpec):
    """Points for 3D sensors, each 1 cm wide per pixel of its size."""

    XML_CLASS = 'pointcloud'

    file_txt_2d: Resource | None = tag('uri', None, doc='text file with columns x y')
    file_txt_3d: Resource | None = tag('uri', None, doc='text file with columns x y z')
    points_size: float = tag('float', 3.0, unit='px', doc='size of a point')
    pose_3d: Pose = tag('pose3', Pose(), unit='m, deg', doc='pose of the cloud')


def _check(spec: PointCloudSpec) -> Problems:
    if spec.file_txt_2d is None and spec.file_txt_3d is None:
        yield 'give <file_txt_2d> or <file_txt_3d>'


ELEMENT = Element(
    PointCloudSpec, not_solid, _check, looks='mvsim_ros2.scene.shapes.ground:add_points')
