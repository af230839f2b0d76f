# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The Embree library, from the `embreex` package, and one device of it.

Embree 4 in C: https://www.embree.org/api.html. The shared library is called directly; nothing of
the Python package is imported. The device has one thread: more would build large meshes faster,
but they spin after each small update and slow down ray casting.
"""

import ctypes
from functools import cache
from importlib.util import find_spec
import logging
from pathlib import Path
import sys

from mvsim_ros2.errors import SceneError

_LOG = logging.getLogger(__name__)
_POINTER, _UNSIGNED, _SIZE = ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t
_PROTOTYPES: dict[str, tuple[type | None, tuple[type, ...]]] = {
    'rtcNewDevice': (_POINTER, (ctypes.c_char_p,)),
    'rtcGetDeviceError': (ctypes.c_int, (_POINTER,)),
    'rtcGetDeviceProperty': (ctypes.c_ssize_t, (_POINTER, ctypes.c_int)),
    'rtcNewScene': (_POINTER, (_POINTER,)),
    'rtcReleaseScene': (None, (_POINTER,)),
    'rtcSetSceneFlags': (None, (_POINTER, ctypes.c_int)),
    'rtcSetSceneBuildQuality': (None, (_POINTER, ctypes.c_int)),
    'rtcCommitScene': (None, (_POINTER,)),
    'rtcNewGeometry': (_POINTER, (_POINTER, ctypes.c_int)),
    'rtcReleaseGeometry': (None, (_POINTER,)),
    'rtcSetNewGeometryBuffer': (
        _POINTER, (_POINTER, ctypes.c_int, _UNSIGNED, ctypes.c_int, _SIZE, _SIZE)),
    'rtcSetGeometryMask': (None, (_POINTER, _UNSIGNED)),
    'rtcSetGeometryInstancedScene': (None, (_POINTER, _POINTER)),
    'rtcAttachGeometryByID': (None, (_POINTER, _POINTER, _UNSIGNED)),
    'rtcDetachGeometry': (None, (_POINTER, _UNSIGNED)),
    'rtcCommitGeometry': (None, (_POINTER,)),
    # called by address from kernels
    'rtcSetGeometryTimeStepCount': (None, ()),
    'rtcSetGeometryTransform': (None, ()),
    'rtcIntersect8': (None, ()),
    'rtcOccluded8': (None, ()),
    'rtcIntersect16': (None, ()),
    'rtcOccluded16': (None, ()),
}
_VERSION, _RAY_MASKS = 0, 32  # properties of a device
_ERRORS = {1: 'unknown error', 2: 'invalid argument', 3: 'invalid operation',
           4: 'out of memory', 5: 'the processor is too old', 6: 'cancelled'}


class Embree:
    """The library with a device."""

    def __init__(self, path: Path) -> None:
        """
        Load the library and create a device.

        :raises SceneError: where it cannot be loaded or has a wrong version.
        """
        try:
            for other in sorted(path.parent.glob('*tbb*')):  # the file name depends on the build
                ctypes.CDLL(str(other))
            self.library = ctypes.CDLL(str(path))
            for name, (result, arguments) in _PROTOTYPES.items():
                function = getattr(self.library, name)
                function.restype = result
                if arguments:
                    function.argtypes = arguments
        except (OSError, AttributeError) as error:
            raise SceneError(f'{path} cannot be used: {error}') from error
        self.device: int = self.library.rtcNewDevice(b'threads=1') or 0
        if not self.device:
            raise SceneError(f'{path} made no device: {self._error(0)}')
        version = self.library.rtcGetDeviceProperty(self.device, _VERSION)
        if version // 10000 != 4 or not self.library.rtcGetDeviceProperty(
                self.device, _RAY_MASKS):
            raise SceneError(f'{path} is version {version / 10000:.4f} of Embree, or has no ray '
                             "masks: version 4 is needed: pip install 'embreex>=4.4,<5'")

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return ctypes.cast(getattr(self.library, name), _POINTER).value or 0

    def check(self, what: str) -> None:
        """
        Raise the error of the device since the last check.

        :raises SceneError: where there is one.
        """
        error = self._error(self.device)
        if error:
            raise SceneError(f'Embree failed at {what}: {error}')

    def _error(self, device: int) -> str:
        code = self.library.rtcGetDeviceError(device or None)
        return _ERRORS.get(code, f'error {code}') if code else ''


def library_path() -> Path | None:
    """Return the path of the library, None without the `embreex` package."""
    package = find_spec('embreex')
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(next(iter(package.submodule_search_locations)))
    pattern = '*embree4*.dll' if sys.platform == 'win32' else 'libembree4*'
    places = folder.parent / 'embreex.libs', folder / '.dylibs', folder
    found = [path for place in places for path in sorted(place.glob(pattern))]
    return found[0] if found else None


@cache
def embree() -> Embree:
    """
    Return the library with the device of this process, created at the first call.

    :raises SceneError: where there is none that can be used.
    """
    path = library_path()
    if path is None:
        raise SceneError("there is no Embree library: pip install 'embreex>=4.4,<5'")
    found = Embree(path)
    _LOG.debug('rays are cast by %s', path)
    return found
