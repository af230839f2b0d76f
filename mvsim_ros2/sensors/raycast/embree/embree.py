# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Meshes and instances in Embree: a BVH for each mesh, one of all instances.

Embree 4 in C (https://www.embree.org/api.html) comes with the `embreex` package, of which nothing
is imported: the shared library is called directly. The device has one thread: more would build
large meshes faster, but they spin after each small update and slow down ray casting.
"""

from collections.abc import Sequence
import ctypes
from functools import cache
from importlib.util import find_spec
import logging
from pathlib import Path
import sys
from weakref import finalize, WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, Numbers
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import call4
from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.sensors.raycast.bvh.bvh import no_trees
from mvsim_ros2.sensors.raycast.embree.packet import LANES, MISS

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
        """Load the library and create a device; raise `SceneError` where it cannot be used."""
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
        """Raise `SceneError` where the device has had an error since the last check."""
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


_TRIANGLES, _INSTANCE = 0, 121  # kinds of geometry
_INDICES, _VERTICES = 0, 1  # kinds of buffer
_UINT3, _FLOAT3, _FLOAT3X4 = 0x5003, 0x9003, 0x9134  # formats
_DYNAMIC, _ROBUST = 1, 4  # scene flags
_MEDIUM, _HIGH = 1, 2  # build qualities
_COHERENT, _ALL_FEATURES = 1 << 16, 0xFFFFFFFF  # of the arguments of a cast


class MeshTree:
    """The BVH of one mesh, shared by all scenes with the mesh."""

    def __init__(self, device: Embree, vertices: Array, faces: NDArray[np.int32]) -> None:
        """Build the tree of triangles near the origin."""
        call = device.library
        geometry = call.rtcNewGeometry(device.device, _TRIANGLES)
        for kind, layout, values in ((_VERTICES, _FLOAT3, vertices.astype(np.float32)),
                                     (_INDICES, _UINT3, faces.astype(np.uint32))):
            place = call.rtcSetNewGeometryBuffer(geometry, kind, 0, layout, 12, len(values))
            device.check('a buffer of a mesh')
            if len(values):
                ctypes.memmove(place, np.ascontiguousarray(values).ctypes.data, values.nbytes)
        call.rtcSetGeometryMask(geometry, MISS)
        call.rtcCommitGeometry(geometry)
        self.handle: int = call.rtcNewScene(device.device)
        call.rtcSetSceneFlags(self.handle, _ROBUST)
        call.rtcSetSceneBuildQuality(self.handle, _HIGH)
        call.rtcAttachGeometryByID(self.handle, geometry, 0)
        call.rtcReleaseGeometry(geometry)
        call.rtcCommitScene(self.handle)
        device.check('the tree of a mesh')
        finalize(self, call.rtcReleaseScene, self.handle)


_TREES: WeakKeyDictionary[Mesh, MeshTree] = WeakKeyDictionary()


class EmbreeTree:
    """
    All instances of a scene; released with the object.

    :ivar top: scene with all instances; while some move during rays with those at rest, which
        is then not built anew for every scan.
    :ivar moving: scene with those that move during rays, 0 where there are none.
    """

    def __init__(self, meshes: Sequence[Mesh], centres: Array, mesh: NDArray[np.int32],
                 masks: NDArray[np.uint32]) -> None:
        """
        Attach the instances; `place` must follow.

        :param centres: origin of the tree of each mesh in its frame, shape (M, 3).
        :param mesh: number of the mesh of each instance.
        :param masks: visibility masks of the instances.
        :raises SceneError: where Embree is missing or fails.
        """
        self._device = embree()
        self.trees = no_trees()
        self._arguments = np.zeros(6, np.int64)  # RTCIntersectArguments, zero except two words
        self._arguments.view(np.uint32)[:2] = _COHERENT, _ALL_FEATURES
        self.coherent: int = self._arguments.ctypes.data
        call = self._device.library
        self._meshes = [self._tree(*pair) for pair in zip(meshes, centres, strict=True)]
        self._whole = self._new_scene()
        self._parts: tuple[int, int] | None = None  # at rest and moving, once something does
        self._apart = np.zeros(len(mesh), bool)  # which are in the latter
        self._rest_is_old = False
        self.top, self.moving = self._whole, 0
        self._geometries = np.zeros(len(mesh), np.int64)
        for number, (which, mask) in enumerate(zip(mesh.tolist(), masks.tolist(), strict=True)):
            geometry = call.rtcNewGeometry(self._device.device, _INSTANCE)
            call.rtcSetGeometryInstancedScene(geometry, self._meshes[which].handle)
            call.rtcSetGeometryMask(geometry, mask)
            call.rtcAttachGeometryByID(self._whole, geometry, number)
            call.rtcReleaseGeometry(geometry)  # the scene holds a reference
            self._geometries[number] = geometry
        if not len(mesh):  # `place` has no effect, and rays need a committed scene
            call.rtcCommitScene(self._whole)
        self._device.check('the instances of a scene')
        self.intersect, self.occluded = (self._device.address(f'{name}{LANES}')
                                         for name in ('rtcIntersect', 'rtcOccluded'))
        self._setters = np.array([self._device.address(name) for name in (
            'rtcSetGeometryTimeStepCount', 'rtcSetGeometryTransform', 'rtcCommitGeometry')])

    def _new_scene(self) -> int:
        call = self._device.library
        scene: int = call.rtcNewScene(self._device.device)
        call.rtcSetSceneFlags(scene, _DYNAMIC)
        call.rtcSetSceneBuildQuality(scene, _MEDIUM)
        finalize(self, call.rtcReleaseScene, scene)
        return scene

    def _tree(self, mesh: Mesh, centre: Array) -> MeshTree:
        if mesh not in _TREES:
            _TREES[mesh] = MeshTree(self._device, mesh.vertices - centre, mesh.faces)
        return _TREES[mesh]

    def place(self, rows: Numbers, forward: Array, steps: Numbers) -> None:
        """
        Move instances.

        :param rows: indices of the moved instances.
        :param forward: transforms of all at K times, shape (K, N, 3, 4).
        :param steps: number of valid times, shape (N,).
        """
        _place(self._geometries, rows, forward, steps, self._setters,
               np.zeros((3, 4), np.float32))
        commit, moves = self._device.library.rtcCommitScene, steps > 1
        if moves.any():
            if not moves[rows].all():
                self._rest_is_old = True
            self.top, self.moving = self._part(moves)
            if self._rest_is_old:
                commit(self.top)
            commit(self.moving)
        else:
            self.top, self.moving = self._whole, 0
            commit(self.top)
        self._rest_is_old = not self.moving
        self._device.check('the transforms of instances')

    def _part(self, moves: NDArray[np.bool_]) -> tuple[int, int]:
        """Return the scenes of what is at rest and of what moves, shape (N,), not built yet."""
        call = self._device.library
        if self._parts is None:
            self._parts = self._new_scene(), self._new_scene()
            for number, geometry in enumerate(self._geometries.tolist()):
                call.rtcAttachGeometryByID(self._parts[0], geometry, number)
        rest, moving = self._parts
        for number in np.flatnonzero(moves != self._apart).tolist():
            old, new = (rest, moving) if moves[number] else (moving, rest)
            call.rtcDetachGeometry(old, number)
            call.rtcAttachGeometryByID(new, self._geometries[number].item(), number)
            self._rest_is_old = True
        self._apart = moves
        return self._parts


@compiled(counted=False)
def _place(geometries: Numbers, rows: Numbers, forward: Array, steps: Numbers,
           functions: Numbers, matrix: NDArray[np.float32]) -> None:
    """Set the transforms of instances, see `EmbreeTree.place`."""
    set_steps, set_transform, commit = functions[0], functions[1], functions[2]
    for row in rows:
        geometry = geometries[row]
        call4(set_steps, geometry, steps[row], 0, 0)
        for step in range(steps[row]):
            at = step if steps[row] > 1 else forward.shape[0] - 1
            for i in range(3):
                for j in range(4):
                    matrix[i, j] = forward[at, row, i, j]
            call4(set_transform, geometry, step, _FLOAT3X4, matrix.ctypes.data)
        call4(commit, geometry, 0, 0, 0)
