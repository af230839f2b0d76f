# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Checks of the content of a foreign ONNX file, before onnxruntime reads it.

The size and time of the result of each node must not depend on the numbers of an observation. Its
own numbers are in the file itself. Messages are read as in onnx.proto and the encoding of Protocol
Buffers (https://protobuf.dev/programming-guides/encoding).
"""

from collections.abc import Iterator
from pathlib import Path
import subprocess
import sys

from mvsim_ros2.base.files import read_bytes
from mvsim_ros2.errors import PolicyError

MOST_BYTES = 100_000_000
MEMORY = 2 * 2 ** 30  # bytes of address space for the trial, libraries included
SECONDS = 5  # of the processor for the trial
_WAIT = 60.0  # s by the clock
FUNCTIONS = frozenset("""
Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization Cast Ceil
Celu Clip Concat Constant Conv Cos Cosh Div Dropout Elu Equal Erf Exp Flatten Floor Gather
GatherElements Gelu Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual GroupNormalization
HardSigmoid HardSwish Identity InstanceNormalization IsInf IsNaN LayerNormalization LeakyRelu Less
LessOrEqual Log LogSoftmax MatMul Max MaxPool Mean Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal
ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Relu Reshape Round Selu Shape
Sigmoid Sign Sin Sinh Slice Softmax Softplus Softsign Split Sqrt Squeeze Sub Sum Tan Tanh
ThresholdedRelu Transpose Unsqueeze Where Xor""".split())
# fields of messages that hold messages: of a model, graph, node and attribute
_WITHIN = {'model': {7: 'graph'}, 'graph': {1: 'node', 5: 'tensor'},
           'node': {5: 'attribute'}, 'attribute': {5: 'tensor', 10: 'tensor'}}
_REFUSED = {
    ('model', 25): 'functions of its own', ('graph', 15): 'sparse numbers',
    ('attribute', 6): 'a loop or a branch', ('attribute', 11): 'a loop or a branch',
    ('attribute', 22): 'sparse numbers', ('attribute', 23): 'sparse numbers',
    ('tensor', 13): 'numbers in another file', ('tensor', 14): 'numbers in another file'}
_NAME, _DOMAIN = ('node', 4), ('node', 7)
_trusted: set[int] = set()  # hashes of models whose trial went well

_TRIAL = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds} + 1))
except ImportError:  # Windows
    pass
import numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.log_severity_level = 4
session = onnxruntime.InferenceSession(sys.stdin.buffer.read(), options,
                                       providers=['CPUExecutionProvider'])
inputs = session.get_inputs()
if all(len(each.shape) == 2 and isinstance(each.shape[1], int) for each in inputs):
    session.run(None, {{each.name: numpy.zeros((1, each.shape[1]), numpy.float32)
                       for each in inputs}})
"""


def read_model(path: Path) -> bytes:
    """Return an ONNX model that may be run."""
    try:
        data = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise PolicyError(f'{path}: the policy cannot be read: {error.strerror}') from error
    try:
        _check(memoryview(data), 'model', path)
    except (IndexError, ValueError) as error:
        raise PolicyError(f'{path} is no ONNX model: {error}: write it with save_policy'
                          ) from error
    if hash(data) not in _trusted:
        _try_out(data, path)
        _trusted.add(hash(data))
    return data


def _check(data: memoryview, kind: str, path: Path) -> None:
    for number, value in _fields(data):
        if (kind, number) in _REFUSED and value not in (0, b''):
            raise PolicyError(f'{path} has {_REFUSED[kind, number]}, which policies must not '
                              'have: write it with save_policy')
        if (kind, number) in (_NAME, _DOMAIN):
            text = bytes(value).decode()
            if text not in (FUNCTIONS if number == _NAME[1] else ('', 'ai.onnx')):
                raise PolicyError(f'{path} has the function {text!r}, which policies must not '
                                  'have: write it with save_policy')
        within = _WITHIN.get(kind, {}).get(number)
        if within and isinstance(value, memoryview):
            _check(value, within, path)


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Yield the fields of a message: number, and bytes or a whole number."""
    place = 0
    while place < len(data):
        key, place = _number(data, place)
        form = key & 7
        if form == 0:
            value, place = _number(data, place)
            yield key >> 3, value
            continue
        if form not in (1, 2, 5):
            raise ValueError('it is no Protocol Buffer')
        size = 8 if form == 1 else 4
        if form == 2:
            size, place = _number(data, place)
        if place + size > len(data):
            raise ValueError('it is cut off')
        yield key >> 3, data[place:place + size]
        place += size


def _number(data: memoryview, place: int) -> tuple[int, int]:
    """Return a whole number of variable length, and the place behind it."""
    value = 0
    for count in range(10):
        byte = data[place + count]
        value |= (byte & 127) << 7 * count
        if byte < 128:
            return value, place + count + 1
    raise ValueError('it is no Protocol Buffer')


def _try_out(data: bytes, path: Path) -> None:
    """Run a model once in a process with limits."""
    program = _TRIAL.format(memory=MEMORY, seconds=SECONDS)
    try:
        done = subprocess.run([sys.executable, '-c', program], input=data, capture_output=True,
                              timeout=_WAIT)
    except subprocess.TimeoutExpired:
        raise PolicyError(f'{path}: the policy takes more than {SECONDS} s for one action: give a '
                          'smaller network') from None
    if done.returncode < 0:
        raise PolicyError(f'{path}: the policy takes more than {SECONDS} s or {MEMORY >> 30} GB '
                          'for one action, or ends its process: give a smaller network')
    if done.returncode:
        reason = (done.stderr.decode(errors='replace').strip().splitlines() or ['no reason'])[-1]
        raise PolicyError(f'{path} is no ONNX model that can be run: {reason}: write it with '
                          'save_policy')
