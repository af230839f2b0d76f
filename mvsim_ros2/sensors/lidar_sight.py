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
"""What a LiDAR in three dimensions looks with: the processor or the graphics card."""

from functools import cache
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.ray_eye import RayEye
from mvsim_ros2.sensors.ray_eye import TracedEye
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.renderer_choice import renderer_choice

if TYPE_CHECKING:
    from mvsim_ros2.sensors.gl.tracer import Tracer

_LOG = logging.getLogger(__name__)


class LidarSight:
    """Gives a LiDAR its scene, and who casts its rays."""

    def __init__(self, eyes: Eyes, choice: str, place: str, returns: int = 1) -> None:
        """
        Choose what to look with.

        :param choice: 'auto', 'gl' or 'cpu', see `renderer_choice`.
        :param place: of the sensor in the world file, for messages.
        :param returns: of a beam; where there are two the processor casts.
        """
        self._eyes = eyes
        self._choice = renderer_choice(choice)
        if returns > 1:
            if self._choice == 'gl':
                _LOG.warning('%s: beams with two returns are cast by the processor', place)
            self._choice = 'cpu'

    def over(self, span: float) -> tuple[RayScene, 'Tracer | None']:
        """
        Return the scene with its motion during a time, and who casts rays at it.

        :param span: s before the present instant.
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        if self._choice == 'auto':
            self._choice = 'gl' if _has_card() else 'cpu'
        if self._choice == 'cpu':
            return self._eyes.use(RayEye).over(span), None
        eye = self._eyes.use(TracedEye)
        return eye.over(span), eye.tracer


@cache
def _has_card() -> bool:
    """Return whether OpenGL runs on a graphics card; it is only started where one may be."""
    devices = Path('/dev')
    if not any(devices.glob('nvidia[0-9]*')) and not any(devices.glob('dri/renderD*')):
        return False
    try:
        from mvsim_ros2.sensors.gl.context import gl_thread
        return not gl_thread().software
    except RenderContextError as error:
        _LOG.info('rays of LiDARs are cast by the processor: %s', error)
        return False
