# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Eight numbers side by side in the registers of the processor, for machine code.

A kernel that is written for one number is compiled for eight of them too, where it makes no
difference between them: what depends on a condition is ``either(condition, a, b)`` in place of
``a if condition else b``, conditions are joined by ``&`` and ``|``, and what costs much is left
out where none of `some` needs it. Each of the eight gets the bits that it would get alone, since
no operation is fused or reordered.

Eight records side by side have each number followed by those of the others, so that
``record['name']`` is eight numbers; so have eight rows of an array, ``row[COLUMN]``. Only machine
code knows any of this: plain Python runs the same kernels with one number.
"""

from collections.abc import Callable
import math
import operator
from typing import Any


from mvsim_ros2.jit.kernel import with_numba
from mvsim_ros2.jit.memory import Intrinsic

LANES = 8
WORD = 8  # bytes of a number


def all_eight(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    """Return eight of a number, or the eight that there are."""
    from mvsim_ros2.jit import lane_kinds
    from llvmlite import ir
    from numba import types
    if kind in (lane_kinds.NUMBERS, lane_kinds.CONDITIONS):
        return value
    if isinstance(kind, types.Boolean):
        value = builder.trunc(value, ir.IntType(1)) if value.type.width > 1 else value
    else:
        value = context.cast(builder, value, kind, types.float64)
    none = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    first = builder.insert_element(none, value, ir.IntType(32)(0))
    return builder.shuffle_vector(
        first, none, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _register_operation(function: Any, count: int, build: Callable[..., Any], among: Any,
                        result: Any) -> None:
    """
    Let an operation of Python take eight numbers or conditions, or one in place of eight.

    :param count: of its operands.
    :param build: makes the instruction from a builder and the operands.
    :param among: kind of the operands; result: kind of what comes out.
    """
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.core.typing.templates import AbstractTemplate, infer_global, signature
    from numba.extending import lower_builtin
    single = (types.Number,) if among is lane_kinds.NUMBERS else (types.Boolean,)

    class Template(AbstractTemplate):  # type: ignore[misc]

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == count and among in args and all(
                    each == among or isinstance(each, single) for each in args):
                return signature(result, *args)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return build(builder, *(all_eight(context, builder, value, kind)
                                for value, kind in zip(args, sig.args, strict=True)))
    infer_global(function)(Template)
    several = type(among)
    for kinds in ((several,),) if count == 1 else (
            (several, several), (several, *single), (*single, several)):
        lower_builtin(function, *kinds)(lower)


def _register_operations() -> None:
    """Let the operations of Python take eight numbers, each with the result of one."""
    from mvsim_ros2.jit import lane_kinds
    from llvmlite import ir
    numbers, conditions = lane_kinds.NUMBERS, lane_kinds.CONDITIONS

    def instruction(name: str) -> Callable[..., Any]:
        return lambda builder, *values: getattr(builder, name)(*values)

    def function(name: str) -> Callable[..., Any]:
        def build(builder: Any, value: Any) -> Any:
            whole = f'llvm.{name}.v{LANES}f64'
            kind = ir.FunctionType(value.type, [value.type])
            declared = builder.module.globals.get(whole) or ir.Function(
                builder.module, kind, whole)
            return builder.call(declared, [value])
        return build

    def comparison(sign: str) -> Callable[..., Any]:
        name = 'fcmp_unordered' if sign == '!=' else 'fcmp_ordered'
        return lambda builder, a, b: getattr(builder, name)(sign, a, b)

    def outermost(sign: str) -> Callable[..., Any]:  # the order in which numba compares two
        return lambda builder, a, b: builder.select(builder.fcmp_ordered(sign, b, a), b, a)

    for each, name in ((operator.add, 'fadd'), (operator.sub, 'fsub'), (operator.mul, 'fmul'),
                       (operator.truediv, 'fdiv'), (operator.iadd, 'fadd'),
                       (operator.isub, 'fsub'), (operator.imul, 'fmul'),
                       (operator.itruediv, 'fdiv')):
        _register_operation(each, 2, instruction(name), numbers, numbers)
    for each, sign in ((operator.lt, '<'), (operator.le, '<='), (operator.gt, '>'),
                       (operator.ge, '>='), (operator.eq, '=='), (operator.ne, '!=')):
        _register_operation(each, 2, comparison(sign), numbers, conditions)
    _register_operation(max, 2, outermost('>'), numbers, numbers)
    _register_operation(min, 2, outermost('<'), numbers, numbers)
    _register_operation(operator.neg, 1, instruction('fneg'), numbers, numbers)
    _register_operation(abs, 1, function('fabs'), numbers, numbers)
    _register_operation(math.sqrt, 1, function('sqrt'), numbers, numbers)
    for each, name in ((operator.and_, 'and_'), (operator.or_, 'or_')):
        _register_operation(each, 2, instruction(name), conditions, conditions)
    _register_operation(operator.invert, 1, instruction('not_'), conditions, conditions)


def _register_records() -> None:
    """Let eight records be read and written by names, eight rows by numbers of columns."""
    from mvsim_ros2.jit import lane_kinds
    from llvmlite import ir
    from numba import types
    from numba.core.typing.templates import AbstractTemplate, infer, signature
    from numba.extending import lower_builtin
    numbers, records = lane_kinds.NUMBERS, lane_kinds.EightRecords

    def known(kind: Any, name: Any) -> bool:
        if not isinstance(kind, records):
            return False
        return isinstance(name, str if kind.record else int)

    def place(builder: Any, address: Any, kind: Any, name: Any) -> Any:
        offset = kind.record.offset(name) if kind.record else WORD * name
        pointer = ir.VectorType(ir.DoubleType(), LANES).as_pointer()
        return builder.inttoptr(
            builder.add(address, ir.IntType(64)(LANES * offset)), pointer)

    @infer
    class Read(AbstractTemplate):  # type: ignore[misc]
        key = 'static_getitem'

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(numbers, *args) if known(*args) else None

    @infer
    class Write(AbstractTemplate):  # type: ignore[misc]
        key = 'static_setitem'

        def generic(self, args: Any, kws: Any) -> Any:
            kind, name, value = args
            if not known(kind, name) or not (
                    value == numbers or isinstance(value, types.Number)):
                return None
            return signature(types.void, kind, types.literal(name), value)

    def read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(place(builder, args[0], sig.args[0], args[1]), align=WORD)

    def write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(all_eight(context, builder, args[2], sig.args[2]),
                      place(builder, args[0], sig.args[0], args[1]), align=WORD)
    for name in (types.StringLiteral, types.IntegerLiteral):
        lower_builtin('static_getitem', records, name)(read)
        lower_builtin('static_setitem', records, name, types.Any)(write)


def _register() -> None:
    """Make all of this known to numba."""
    _register_operations()
    _register_records()


with_numba(_register)


class LaneIntrinsic(Intrinsic):
    """An intrinsic whose machine code is made anew when this file or the kinds change."""

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what it is made for, by which function, and of which kinds."""
        from mvsim_ros2.jit import lane_kinds
        text, functions = super().made_from()
        return f'{text} {lane_kinds.VERSION}', functions


def _either() -> Any:
    """Return what makes code that takes the one or the other."""
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.extending import intrinsic

    def choose(typing: Any, condition: Any, a: Any, b: Any) -> Any:
        several = {condition, a, b} & {lane_kinds.NUMBERS, lane_kinds.CONDITIONS}

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if not several:
                chosen = context.cast(builder, arguments[0], condition, types.boolean)
                return builder.select(chosen, *(
                    context.cast(builder, value, kind, types.float64)
                    for value, kind in zip(arguments[1:], (a, b), strict=True)))
            return builder.select(*(
                all_eight(context, builder, value, kind)
                for value, kind in zip(arguments, (condition, a, b), strict=True)))
        return (lane_kinds.NUMBERS if several else types.float64)(condition, a, b), build
    return intrinsic(choose)


def _some() -> Any:
    """Return what makes code that tells whether a condition holds for any of the eight."""
    from mvsim_ros2.jit import lane_kinds
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def tell(typing: Any, condition: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if condition != lane_kinds.CONDITIONS:
                return context.cast(builder, arguments[0], condition, types.boolean)
            bits = builder.bitcast(arguments[0], ir.IntType(LANES))
            return context.cast(
                builder, builder.icmp_unsigned('!=', bits, ir.IntType(LANES)(0)),
                types.boolean, types.boolean)
        return types.boolean(condition), build
    return intrinsic(tell)


def _spread() -> Any:
    """Return what makes code that makes eight of one number."""
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.extending import intrinsic

    def make(typing: Any, number: Any) -> Any:
        return lane_kinds.NUMBERS(types.float64), lambda context, builder, signature, arguments: (
            all_eight(context, builder, arguments[0], types.float64))
    return intrinsic(make)


def _lane() -> Any:
    """Return what makes code that reads one of eight numbers."""
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.extending import intrinsic

    def read(typing: Any, numbers: Any, number: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.extract_element(*arguments)
        return types.float64(lane_kinds.NUMBERS, types.int64), build
    return intrinsic(read)


def _with_lane() -> Any:
    """Return what makes code that puts another number in place of one of eight."""
    from mvsim_ros2.jit import lane_kinds
    from numba import types
    from numba.extending import intrinsic

    def write(typing: Any, numbers: Any, number: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.insert_element(arguments[0], arguments[2], arguments[1])
        return lane_kinds.NUMBERS(lane_kinds.NUMBERS, types.int64, types.float64), build
    return intrinsic(write)


either: Callable[[Any, float, float], float] = LaneIntrinsic(
    _either, plain=lambda condition, a, b: a if condition else b)
some: Callable[[Any], bool] = LaneIntrinsic(_some, plain=bool)
spread = LaneIntrinsic(_spread)
lane, with_lane = LaneIntrinsic(_lane), LaneIntrinsic(_with_lane)
