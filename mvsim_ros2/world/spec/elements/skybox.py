# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the sky."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element, ElementSpec, not_solid, UNSEEN
from mvsim_ros2.world.spec.fields import Problems, tag


@dataclass(frozen=True)
class SkyboxSpec(ElementSpec):
    """
    Background in all six directions: front is x, left is y, and up is z.

    Images are seen from inside, upright; the front is at the top of the image below, and at
    the bottom of that above. Where an image is missing the sky has one colour.
    """

    XML_CLASS = 'skybox'

    textures: str = tag('text', required=True, default='', doc='address of the images, with one '
                        '%s for Front, Back, Down, Up, Left, Right')
    faces: tuple[Resource, ...] = ()  # the six images, in that order


def _check(spec: SkyboxSpec) -> Problems:
    if spec.textures.count('%s') != 1:
        yield 'textures needs one %s, in place of Front, Back, Down, Up, Left or Right'


ELEMENT = Element(
    SkyboxSpec, not_solid, _check, looks=UNSEEN,  # it is the background, not a thing
    read='mvsim_ros2.world.file.maps.occupancy:with_faces')
