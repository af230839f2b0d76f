# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of native functions by their address, in compiled code and in plain Python."""

from collections.abc import Callable
import ctypes
from typing import Any

from mvsim_ros2.jit.kernel import Kernel
from mvsim_ros2.jit.memory import Intrinsic


def _caller(count: int) -> Any:
    """Return what makes code that calls the function at an address with four or ten words."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [word] * count)
        builder.call(builder.inttoptr(values[0], kind.as_pointer()), values[1:])
        return context.get_dummy_value()

    def call_four(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return types.void(*[types.int64] * 5), build

    def call_ten(typing: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any,
                 g: Any, h: Any, i: Any, j: Any) -> Any:
        return types.void(*[types.int64] * 11), build
    return intrinsic(call_four if count == 4 else call_ten)


def _plain_caller(count: int) -> Callable[..., None]:
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * count)

    def call(function: int, *words: int) -> None:
        kind(int(function))(*map(int, words))
    return call


# call the function at an address with so many integers or pointers, of which it may take fewer;
# it returns nothing
call4, call10 = (Intrinsic(_caller, count, plain=_plain_caller(count)) for count in (4, 10))


def _call_step() -> Any:
    """Return what makes code that calls a function of a pointer, a float32 and two int32."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def step(typing: Any, function: Any, world: Any, dt: Any, velocity: Any,
             position: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            integer, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
            kind = ir.FunctionType(
                ir.VoidType(), [pointer, ir.FloatType(), integer, integer])
            builder.call(
                builder.inttoptr(arguments[0], kind.as_pointer()),
                [builder.inttoptr(arguments[1], pointer), *arguments[2:]])
            return context.get_dummy_value()
        return types.void(
            types.int64, types.int64, types.float32, types.int32, types.int32), build
    return intrinsic(step)


# call the function at an address, such as b2World::Step(float, int, int), with its object
call_step = Intrinsic(_call_step)


def _call_method() -> Any:
    """Return what makes code that calls a function of an object alone."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def method(typing: Any, function: Any, thing: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [pointer])
            builder.call(
                builder.inttoptr(arguments[0], kind.as_pointer()),
                [builder.inttoptr(arguments[1], pointer)])
            return context.get_dummy_value()
        return types.void(types.int64, types.int64), build
    return intrinsic(method)


# call the function at an address, such as b2Body::SynchronizeFixtures(), with its object
call_method = Intrinsic(_call_method)


class _Callback(Kernel):
    """A kernel that native code can call."""

    options = {**Kernel.options, 'no_cfunc_wrapper': False, 'no_cpython_wrapper': True}


def callback(function: Callable[..., None], arguments: int) -> int:
    """
    Return the address of `function` compiled for native code to call; it holds for good.

    :param arguments: how many it takes: integers or pointers.
    """
    from numba import types
    dispatcher = _Callback(function).dispatcher
    signature = types.void(*[types.int64] * arguments)
    dispatcher.compile(signature)
    result = dispatcher.get_compile_result(signature)
    _CALLBACKS.append(dispatcher)  # and with it the machine code
    address: int = result.library.get_pointer_to_function(
        result.fndesc.llvm_cfunc_wrapper_name)
    return address


_CALLBACKS: list[Any] = []
