# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Exception classes of the package, one for each room."""

from collections.abc import Iterator
from contextlib import contextmanager


class MvsimError(Exception):
    """Base of every error that this package raises on purpose."""


class ArgumentError(MvsimError, TypeError, ValueError):
    """Raised where a function is given what it cannot take."""


class WorldFileError(MvsimError):
    """Raised when a world file violates a rule of the format; names file and line."""


class ResourceError(MvsimError):
    """Raised when a mesh, texture, map or remote file is not available."""


class PhysicsError(MvsimError):
    """Raised when a body, wheel or state is not physically possible."""


class ControllerError(MvsimError):
    """Raised when a controller does not accept a command."""


class SceneError(MvsimError):
    """Raised when a shape or mesh cannot be built."""


class SensorError(MvsimError):
    """Raised when a sensor cannot be built or cannot measure."""


class MemoryLimitError(MvsimError):
    """Raised where a world needs more memory than there is, before any of it is taken."""


class CardError(MvsimError):
    """Raised when there is no graphics card with CUDA, or when it lacks a requested function."""


class RenderContextError(MvsimError):
    """Raised when no OpenGL context can be created; names the attempts."""


class RecordingError(MvsimError):
    """Raised when a recording or picture cannot be written."""


class TrajectoryError(MvsimError):
    """Raised when a path, command file or controller cannot be used; names file and line."""


class BenchmarkError(MvsimError):
    """Raised when the software under benchmark is missing, fails or writes no result."""


class ContestantError(BenchmarkError):
    """Raised when a contestant cannot go on with an episode, which fails by that."""


class SweepError(MvsimError):
    """Raised when a plan of runs is not valid, or its runs cannot be started."""


class ConversionError(MvsimError):
    """Raised when a bag cannot be read, or lacks what another format needs."""


class PluginError(MvsimError):
    """Raised when the record of a kind is missing or cannot be used; says which and where."""


class WindowError(MvsimError):
    """Raised when the window cannot be opened, or cannot show something."""


class PolicyError(MvsimError):
    """Raised when a trained policy cannot be read, written or run; says why."""


class LearningError(MvsimError):
    """Raised when a learning environment cannot be made or driven like this; says why."""


@contextmanager
def needed_for(what: str, extra: str, error: type[MvsimError]) -> Iterator[None]:
    """
    Say how to install what the imports in a `with` statement lack.

    :param what: that needs it, in the plural.
    :param extra: of this package that installs it.
    """
    try:
        yield
    except ImportError as missing:
        raise error(f'{what} need what is not installed ({missing}): pip install '
                    f'"mvsim_ros2[{extra}]"') from missing
