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
"""The record of a kind of sensor in this room; plugins have more: `messages.sensor_kind`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvsim_ros2.errors import PluginError
from mvsim_ros2.world.spec.sensor import SensorSpec

if TYPE_CHECKING:  # a world file can be read without what measures
    from mvsim_ros2.sensors.sensor import Mount
    from mvsim_ros2.sensors.sensor import Sensor


@dataclass(frozen=True, kw_only=True)
class SensorModel:
    """How sensors of one class measure."""

    spec: type[SensorSpec]  # what the world file says of them
    make: Callable[['Mount'], 'Sensor']

    def __post_init__(self) -> None:
        """
        Check the class.

        :raises PluginError: where a world file could not name it.
        """
        if not (isinstance(self.spec, type) and issubclass(self.spec, SensorSpec)
                and self.spec.XML_CLASS):
            raise PluginError(f'{self.spec!r} is no class of parameters of a sensor: derive it '
                              'from SensorSpec and give it an XML_CLASS')
