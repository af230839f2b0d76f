# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Pictures of the sky."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.checks import Problems
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.element import not_solid
from mvsim_ros2.world.spec.element import UNSEEN
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class SkyboxSpec(ElementSpec):
    """
    Background in all six directions: front is x, left is y, and up is z.

    Seen from within and upright; the front is at the top of the image below, and at the bottom
    of that above. Where an image is missing the sky has one colour.
    """

    XML_CLASS = 'skybox'

    textures: str = tag(
        'text', required=True, default='',
        doc='address of the images, with one %s for Front, Back, Down, Up, Left, Right')
    faces: tuple[Resource, ...] = ()  # the six images, in that order


def _check(spec: SkyboxSpec) -> Problems:
    if spec.textures.count('%s') != 1:
        yield 'textures needs one %s, in place of Front, Back, Down, Up, Left or Right'


ELEMENT = Element(
    SkyboxSpec, not_solid, _check, looks=UNSEEN,  # it is the background, not a thing
    read='mvsim_ros2.world.maps.in_elements:with_faces')
