# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The OpenGL context of a process, and the thread that owns it."""

import atexit
from collections.abc import Callable
import ctypes
from functools import cache, partial
import logging
import os
import threading
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import Worker
from mvsim_ros2.errors import RenderContextError

P = ParamSpec('P')
T = TypeVar('T')

_LOG = logging.getLogger(__name__)
_SOFTWARE = ('llvmpipe', 'softpipe', 'swrast', 'software')
_LIBRARIES: tuple[dict[str, Any], ...] = (
    {}, {'libgl': 'libEGL.so.1', 'libegl': 'libEGL.so.1'})  # the second does not need libGL
_REMEDY = ('install "moderngl" (pip) and "libegl1 libgl1" (apt), with a graphics card also its '
           'driver with EGL; or choose the renderer "cpu", which needs none of them')
_LOWER_LEFT, _ZERO_TO_ONE = 0x8CA1, 0x935F
_RENDERBUFFER, _DEPTH_COMPONENT32F = 0x8D41, 0x8CAC
_COLOUR, _DEPTH = 0x1800, 0x1801
_READ_FRAMEBUFFER, _DRAW_FRAMEBUFFER = 0x8CA8, 0x8CA9
_DEPTH_BIT, _COLOUR_BIT, _NEAREST = 0x100, 0x4000, 0x2600
_SAMPLES = 4
_STARTING = threading.Lock()
_VARIABLE = 'MVSIM_ROS2_RENDERER'
ALPHA_TO_COVERAGE = 0x809E  # capability: alpha is the share of the samples that is drawn


class GlThread:
    """
    A thread with an offscreen OpenGL context.

    A context belongs to one thread, so all calls go through `run`. `collect` frees objects of
    OpenGL that are no longer referenced.
    """

    def __init__(self) -> None:
        """Start the thread; raise `RenderContextError` where no context can be created."""
        self.worker = Worker('mvsim-gl')
        try:
            self.context: Any = self.worker.start(_make_context)()
        except RenderContextError:
            self.worker.end()
            raise
        atexit.register(self.worker.end)  # not while it draws
        self.renderer: str = self.run(lambda: self.context.info['GL_RENDERER'])
        self.version: int = self.context.version_code  # 450 is OpenGL 4.5
        info = self.run(lambda: self.context.info)
        self.largest_image = int(min(
            info['GL_MAX_RENDERBUFFER_SIZE'], *info['GL_MAX_VIEWPORT_DIMS']))  # px of a side
        self.samples = min(_SAMPLES, int(info['GL_MAX_SAMPLES']))  # of antialiased pixels
        self.software = any(name in self.renderer.lower() for name in _SOFTWARE)
        self.reversed_depth = self.run(self._reverse_depth)
        _LOG.info('OpenGL %s.%s on %s (%s)', self.version // 100, self.version // 10 % 10,
                  self.renderer, 'software' if self.software else 'hardware')

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """
        Call `function` in the thread of the context and return its result.

        :raises RenderContextError: in a process forked from the one that created the context.
        """
        if os.getpid() != self.worker.process:
            raise RenderContextError(
                'OpenGL was started before this process was forked, and cannot be used in '
                'both: start worker processes with the method "spawn"')
        if self.worker.is_here:
            return function(*args, **kwargs)
        return self.worker.start(partial(function, *args, **kwargs))()

    @staticmethod
    def finish() -> None:
        """Wait until all is drawn; meanwhile other threads run, as they do not in moderngl."""
        _function('glFinish')()

    @staticmethod
    def flush() -> None:
        """Begin to draw what is to be drawn, while more is said."""
        _function('glFlush')()

    def collect(self) -> None:
        """Free objects of OpenGL that are no longer referenced."""
        self.run(self.context.gc)

    def _reverse_depth(self) -> bool:
        """Reverse the depth range, 1 (near) to 0 (far), for resolution; return success."""
        if self.version < 450 and 'GL_ARB_clip_control' not in self.context.extensions:
            return False
        _function('glClipControl', ctypes.c_uint, ctypes.c_uint)(_LOWER_LEFT, _ZERO_TO_ONE)
        return True

    def depth_buffer(self, size: tuple[int, int], samples: int = 0) -> Any:
        """
        Return a float32 depth buffer; call it in the thread of the context.

        :param samples: of a pixel, 0 for a plain one.
        """
        buffer = self.context.depth_renderbuffer(size, samples=samples)
        if self.reversed_depth:
            _function('glBindRenderbuffer', ctypes.c_uint, ctypes.c_uint)(
                _RENDERBUFFER, buffer.glo)
            _function('glRenderbufferStorageMultisample', ctypes.c_uint, ctypes.c_int,
                      ctypes.c_uint, ctypes.c_int, ctypes.c_int)(
                _RENDERBUFFER, samples, _DEPTH_COMPONENT32F, *size)
        return buffer

    @staticmethod
    def copy_depth(source: Any, target: Any, rectangles: NDArray[np.intp]) -> None:
        """
        Copy parts of the depth buffer of a framebuffer to another, which is bound afterwards.

        :param rectangles: left, bottom, right, top [px], shape (n, 4).
        """
        _copy(source, target, rectangles.tolist(), _DEPTH_BIT)

    @staticmethod
    def resolve(source: Any, target: Any) -> None:
        """
        Fill the image of a framebuffer, which is bound afterwards, with the means of samples.

        :param source: framebuffer of the same size with several samples of a pixel.
        """
        _copy(source, target, [[0, 0, *target.size]], _COLOUR_BIT)

    @staticmethod
    def fill_depth(value: float) -> None:
        """Fill the depth buffer of the bound framebuffer."""
        _fill('glClearBufferfv', _DEPTH, 0, np.array([value], np.float32))

    @staticmethod
    def fill_image(number: int, value: NDArray[np.float32] | NDArray[np.uint32]) -> None:
        """
        Fill one image of the bound framebuffer.

        :param value: four components, integers for an integer image.
        """
        _fill('glClearBufferuiv' if value.dtype == np.uint32 else 'glClearBufferfv', _COLOUR,
              number, value)


def gl_thread() -> GlThread:
    """
    Return the OpenGL thread of this process, started by the first call.

    :raises RenderContextError: where OpenGL is not available, with the attempts.
    """
    with _STARTING:  # a film and a sensor may ask for it at once
        thread = _first_try()
    if isinstance(thread, RenderContextError):
        raise RenderContextError(str(thread))
    return thread


@cache
def _first_try() -> GlThread | RenderContextError:
    try:
        return GlThread()
    except RenderContextError as error:
        return error


def _make_context() -> Any:
    try:
        import moderngl
    except ImportError as error:
        raise RenderContextError(f'OpenGL needs the package moderngl ({error}): {_REMEDY}') \
            from error
    faults = []
    for libraries in _LIBRARIES:
        try:
            create: Any = moderngl.create_standalone_context  # its type hints lack `backend`
            context = create(backend='egl', require=330, **libraries)
        except Exception as error:  # the library has no exception class
            names = ', '.join(sorted(set(libraries.values()))) or 'libGL.so.1, libEGL.so.1'
            faults.append(f'EGL with {names}: {error}')
        else:
            context.gc_mode = 'context_gc'
            return context
    raise RenderContextError(f'OpenGL 3.3 cannot be started without a display. Tried: '
                             f'{"; ".join(faults)}. {_REMEDY}')


def _copy(source: Any, target: Any, rectangles: list[list[int]], what: int) -> None:
    """Copy rectangles of a framebuffer to another, which is bound afterwards."""
    bind = _function('glBindFramebuffer', ctypes.c_uint, ctypes.c_uint)
    copy = _function('glBlitFramebuffer', *[ctypes.c_int] * 8, *[ctypes.c_uint] * 2)
    bind(_READ_FRAMEBUFFER, source.glo)
    bind(_DRAW_FRAMEBUFFER, target.glo)
    for rectangle in rectangles:
        copy(*rectangle, *rectangle, what, _NEAREST)
    target.use()


def _fill(name: str, kind: int, number: int, value: NDArray[Any]) -> None:
    _function(name, ctypes.c_uint, ctypes.c_int, ctypes.c_void_p)(
        kind, number, value.ctypes.data)


@cache
def _function(name: str, *arguments: type) -> Callable[..., None]:
    """Return a function of OpenGL that moderngl lacks."""
    find = ctypes.CDLL('libEGL.so.1').eglGetProcAddress
    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    function: Callable[..., None] = ctypes.CFUNCTYPE(None, *arguments)(find(name.encode()))
    return function


def renderer_choice(choice: str) -> str:
    """
    Return 'auto', 'gl' or 'cpu'.

    :param choice: of the world file; for 'auto' the environment variable MVSIM_ROS2_RENDERER
        decides.
    :raises RenderContextError: where the variable has another value.
    """
    chosen = os.environ.get(_VARIABLE, 'auto') if choice == 'auto' else choice
    if chosen not in ('auto', 'gl', 'cpu'):
        raise RenderContextError(f'{_VARIABLE} is {chosen!r}: it must be auto, gl or cpu')
    return chosen
