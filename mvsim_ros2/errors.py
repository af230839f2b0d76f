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
"""Exception classes of the package, one for each room."""


class MvsimError(Exception):
    """Base of every error that this package raises on purpose."""


class WorldFileError(MvsimError):
    """Raised when a world file breaks a rule of the format; names file and line."""


class ResourceError(MvsimError):
    """Raised when a mesh, texture, map or remote file cannot be had."""


class PhysicsError(MvsimError):
    """Raised when a body, wheel or state is not physically possible."""


class ControllerError(MvsimError):
    """Raised when a controller does not take the command it is given."""


class SceneError(MvsimError):
    """Raised when a shape or mesh cannot be built."""


class SensorError(MvsimError):
    """Raised when a sensor cannot be built or cannot measure."""


class RenderContextError(MvsimError):
    """Raised when no OpenGL context can be had; says what was tried."""


class RecordingError(MvsimError):
    """Raised when a recording or picture cannot be written."""


class TrajectoryError(MvsimError):
    """Raised when a path, command file or controller cannot be used; names file and line."""


class BenchmarkError(MvsimError):
    """Raised when other software that is to be measured is missing, fails or leaves nothing."""


class SweepError(MvsimError):
    """Raised when a plan of runs breaks a rule, or its runs cannot be started."""


class ConversionError(MvsimError):
    """Raised when a bag cannot be read, or lacks what another format needs."""


class PluginError(MvsimError):
    """Raised when the record of a kind is missing or cannot be used; says which and where."""
