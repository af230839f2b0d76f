# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions for kernels whose machine code is written here."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from mvsim_ros2.jit.kernel import Callee


class Intrinsic(Callee):
    """A function for kernels, whose code numba does not compile but is told."""

    def __init__(self, make: Callable[..., Any], *arguments: Any,
                 plain: Callable[..., Any] | None = None) -> None:
        """
        Wait for the first kernel that calls it.

        :param make: returns, for `arguments`, the function that numba knows.
        :param plain: what plain Python calls instead.
        """
        self._make = make
        self._arguments = arguments
        self._plain = plain

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        if self._plain is None:
            raise TypeError(f'what {self._make.__qualname__} makes is for compiled code only')
        return self._plain(*arguments)

    @property
    def plain(self) -> Callable[..., Any]:
        """Return what plain Python calls in its place."""
        return self

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        self._made = self._make(*self._arguments)  # numba holds it weakly
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self._made)

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what it is made for, and by which function."""
        return repr(self._arguments), (self._make,)


def _copier(count: int) -> Any:
    """Return what makes code that copies so many float64 at once, in whole registers."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def copy(typing: Any, source: Any, target: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = ir.VectorType(ir.DoubleType(), count).as_pointer()
            places = [builder.bitcast(
                context.make_array(kind)(context, builder, value).data, whole)
                for kind, value in zip(signature.args, arguments, strict=True)]
            builder.store(builder.load(places[0], align=8), places[1], align=8)
            return context.get_dummy_value()
        return types.void(source, target), build
    return intrinsic(copy)


def copier(count: int) -> Intrinsic:
    """Return what copies so many float64 of one array into another one, both contiguous."""
    return Intrinsic(_copier, count, plain=_plain_copy)


def _plain_copy(source: Any, target: Any) -> None:
    target[...] = source
