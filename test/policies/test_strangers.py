# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
ONNX files of strangers take no more than a policy may, and read no other file.

:claim: An ONNX file that names other files, loops, or needs 5 s or 2 GB is an error
:reference: models that do so, written with onnx
"""

from pathlib import Path
import re
import time
from typing import Any

import numpy as np
import onnx
import pytest

from mvsim_ros2.errors import PolicyError
from mvsim_ros2.policies import model_file, Policy, PolicyInterface
from mvsim_ros2.policies.interface import KEY

node, info = onnx.helper.make_node, onnx.helper.make_tensor_value_info
REAL, BOOL, WHOLE = onnx.TensorProto.FLOAT, onnx.TensorProto.BOOL, onnx.TensorProto.INT64
COLUMN = np.ones((100_000, 1), np.float32)
HUGE = np.array([10 ** 6, 10 ** 6, 2])
SUM = node('ReduceSum', ['large'], ['sum']), node('Add', ['velocity', 'sum'], ['action'])
BODY = onnx.helper.make_graph(
    [node('Identity', ['go'], ['on']), node('Identity', ['v'], ['w'])], 'body',
    [info('i', WHOLE, []), info('go', BOOL, []), info('v', REAL, ['n', 2])],
    [info('on', BOOL, []), info('w', REAL, ['n', 2])])
THINKING = [node('ReduceSum', ['velocity'], ['v']), node('Add', ['square', 'v'], ['s0']), *(
    node('MatMul', [f's{k}', 'square'], [f's{k + 1}']) for k in range(400)),
    node('ReduceSum', ['s400'], ['sum']), SUM[1]]


def write(path: Path, nodes: Any, **constants: Any) -> Path:
    model = onnx.helper.make_model(onnx.helper.make_graph(
        nodes, 'policy', [info('velocity', REAL, ['n', 2])], [info('action', REAL, ['n', 2])],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()]),
        opset_imports=[onnx.helper.make_opsetid('', 17)])
    model.ir_version = 8
    onnx.helper.set_model_props(model, {KEY: PolicyInterface().to_json()})
    if 'far' in constants:
        tensor = model.graph.initializer[0]
        tensor.ClearField('raw_data')
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key='location', value='/etc/passwd')
    path.write_bytes(model.SerializeToString())
    return path


def test_a_network_of_another_tool_is_read(tmp_path: Path) -> None:
    policy = Policy(write(tmp_path / 'a.onnx', [node('Tanh', ['velocity'], ['action'])]))
    assert policy.act({'velocity': [1.0, 0.0]}).tolist() == pytest.approx([np.tanh(1.0), 0.0])


@pytest.mark.parametrize(('nodes', 'constants', 'reason'), [
    pytest.param([node('MatMul', ['column', 'row'], ['large']), *SUM],
                 {'column': COLUMN, 'row': COLUMN.T.copy()}, 'cannot|can be run', id='40 GB'),
    pytest.param([node('Expand', ['velocity', 'size'], ['large']), *SUM], {'size': HUGE},
                 "has the function 'Expand'", id='sizes'),
    pytest.param([node('Reshape', ['velocity', 'size'], ['x']),
                  node('Conv', ['x', 'one'], ['large'], pads=[10 ** 9, 10 ** 9]), *SUM],
                 {'size': np.array([1, 1, 2]), 'one': np.ones((1, 1, 1), np.float32)},
                 'can be run', id='margins'),
    pytest.param([node('Loop', ['times', 'yes', 'velocity'], ['action'], body=BODY)],
                 {'times': np.array(10 ** 12), 'yes': np.array(True)},
                 "has the function 'Loop'", id='loop'),
    pytest.param([node('FusedGemm', ['velocity'], ['action'], domain='com.microsoft')], {},
                 "has the function 'FusedGemm'", id='domain'),
    pytest.param([node('Add', ['velocity', 'far'], ['action'])],
                 {'far': np.zeros((1, 2), np.float32)}, 'has numbers in another file',
                 id='another file'),
    pytest.param(THINKING, {'square': np.zeros((1500, 1500), np.float32)}, 'takes more than 1 s',
                 id='time')])
def test_what_takes_too_much_is_refused(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: Any, constants: Any,
        reason: str) -> None:
    monkeypatch.setattr(model_file, 'SECONDS', 1)
    path, began = write(tmp_path / 'a.onnx', nodes, **constants), time.process_time()
    with pytest.raises(PolicyError, match=f'^{re.escape(str(path))}.*({reason})'):
        Policy(path)
    assert time.process_time() - began < 1.0


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with (tmp_path / 'a.onnx').open('wb') as file:
        file.truncate(3 * 10 ** 9)
    with pytest.raises(PolicyError, match='it has 3000 MB, at most 100 MB are read'):
        Policy(tmp_path / 'a.onnx')


def test_metadata_that_are_no_text(tmp_path: Path) -> None:
    path = write(tmp_path / 'a.onnx', [node('Tanh', ['velocity'], ['action'])])
    path.write_bytes(path.read_bytes().replace(b'"twist"', b'"tw\xffst"'))
    with pytest.raises(PolicyError, match='is no ONNX model: .*utf-8'):
        Policy(path)
