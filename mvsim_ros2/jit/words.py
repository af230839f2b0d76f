# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Arguments of calls as 64-bit words in memory, for machine code.

An integer, a bool or a float is one word, a record its address, an array its address, its sizes
and, unless it is without gaps, its strides; a tuple is what is in it. By the rules of numba an
array is seven to eleven words on the stack: those of the arrays of a step are more than a
processor can have on their way at once.
"""

from typing import Any


def write_words(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    """Write arguments of some kinds into memory of the calling function; return the address."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    word = ir.IntType(64)
    words: list[Any] = []

    def add(kind: Any, value: Any) -> None:
        if isinstance(kind, types.BaseTuple):
            for each, part in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
                add(each, part)
        elif isinstance(kind, types.Array):
            from numba.np.arrayobj import make_array
            array = make_array(kind)(context, builder, value)
            words.append(builder.ptrtoint(array.data, word))
            words.extend(cgutils.unpack_tuple(builder, array.shape, kind.ndim))
            if kind.layout != 'C':
                words.extend(cgutils.unpack_tuple(builder, array.strides, kind.ndim))
        elif isinstance(kind, types.Record):
            words.append(builder.ptrtoint(value, word))
        elif isinstance(kind, types.Float):
            words.append(builder.bitcast(value, word))
        else:
            words.append(context.cast(builder, value, kind, types.int64))

    for kind, value in zip(kinds, arguments, strict=True):
        add(kind, value)
    place = room_for(builder, ir.ArrayType(word, len(words)))
    for k, each in enumerate(words):
        builder.store(each, builder.gep(place, [word(0), word(k)], inbounds=True))
    return builder.ptrtoint(place, word)


def room_for(builder: Any, kind: Any) -> Any:
    """
    Return memory of the calling function for a value, which is anything before it is written.

    What numba allocates is set to 0 each time that the function is entered, whether it comes to
    use it or not: half of the instructions that a large kernel began with.
    """
    with builder.goto_entry_block():
        return builder.alloca(kind)


def call_address(context: Any, builder: Any, address: Any, signature: Any, arguments: Any) -> Any:
    """
    Build a call of a kernel by its address, by the rules of numba; return what it returns.

    What it raises is passed on.
    """
    from numba.core import cgutils
    convention = context.call_conv
    kind = convention.get_function_type(signature.return_type, signature.args)
    returned, raised = (room_for(builder, each.pointee) for each in kind.args[:2])
    code = builder.call(builder.bitcast(address, kind.as_pointer()), [
        returned, raised,
        *convention._get_arg_packer(signature.args).as_arguments(builder, arguments)])
    status = convention._get_return_status(builder, code, builder.load(raised))
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return context.get_returned_value(builder, signature.return_type, builder.load(returned))


def words_reader(kinds: Any) -> Any:
    """Return what makes code that reads arguments of some kinds at an address."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    word = ir.IntType(64)

    def read(typing: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            words, place = builder.inttoptr(arguments[0], word.as_pointer()), 0

            def following() -> Any:
                nonlocal place
                place += 1
                return builder.load(builder.gep(words, [word(place - 1)]))

            def value(kind: Any) -> Any:
                if isinstance(kind, types.BaseTuple):
                    return context.make_tuple(builder, kind, [value(each) for each in kind])
                if isinstance(kind, types.Array):
                    return array(context, builder, kind, following)
                if isinstance(kind, types.Record):
                    return builder.inttoptr(following(), context.get_value_type(kind))
                if isinstance(kind, types.Float):
                    return builder.bitcast(following(), ir.DoubleType())
                return context.cast(builder, following(), types.int64, kind)
            return context.make_tuple(builder, signature.return_type, [
                value(kind) for kind in kinds])
        return types.Tuple(kinds)(types.int64), build

    def array(context: Any, builder: Any, kind: Any, following: Any) -> Any:
        from numba.np.arrayobj import make_array, populate_array
        whole = make_array(kind)(context, builder)
        data = builder.inttoptr(following(), whole.data.type)
        size = context.get_constant(
            types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        shape = [following() for _ in range(kind.ndim)]
        strides = [size]
        for each in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], each))
        if kind.layout != 'C':
            strides = [following() for _ in range(kind.ndim)]
        populate_array(whole, data, shape, strides, size, None)
        return whole._getvalue()
    return intrinsic(read)
