# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writing of policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import needed_for, PolicyError
from mvsim_ros2.policies.interface import KEY, PolicyInterface

_OPSET = 17  # that any onnxruntime of the last years reads
_IR = 8
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Mirror:
    """Observations and actions with left and right exchanged."""

    order: NDArray[np.int64]  # which entry each one is replaced by, shape (inputs,)
    sign: Array  # of these, shape (inputs,)
    action: Array  # sign of the entries of an action, shape (outputs,)

    def doubled(self, rows: Array) -> Array:
        """Return flat observations, and below them the mirrored ones."""
        return np.concatenate([rows, rows[:, self.order] * self.sign])


def save_policy(path: str | PathLike[str], interface: PolicyInterface, inputs: Mapping[str, int],
                mean: ArrayLike, scale: ArrayLike, layers: Sequence[tuple[ArrayLike, ArrayLike]],
                knee: float | None = None, mirror: Mirror | None = None) -> None:
    """
    Write a perceptron with tanh as an ONNX model.

    Other networks are written by the tools of their libraries, such as torch.onnx, with the same
    inputs and with ``interface.to_json()`` in the metadata under 'mvsim_ros2'.

    :param path: of the file.
    :param interface: meaning of its numbers.
    :param inputs: sizes of the entries of the observation, in the order of the first weights.
    :param mean: of the observation, subtracted first, shape (n,).
    :param scale: by which it is divided then; the result is cut to -5 to 5, shape (n,).
    :param layers: weights, shape (inputs, outputs), and offsets of each.
    :param knee: entries are taken as asinh(entry / knee) before all else; None: as they are.
    :param mirror: average the action with the mirrored action for the mirrored observation; None:
        do not.
    :raises PolicyError: if shapes do not fit, a number is not finite, `scale` or `knee` is not
        above 0, the file cannot be written, or onnx is missing.
    """
    with needed_for('policies', 'policy', PolicyError):
        import onnx
    for name, size in inputs.items():
        if not isinstance(name, str) or not isinstance(size, int | np.integer) or size < 1:
            raise PolicyError(f'inputs has {name!r}: {size!r}: give names with how many numbers '
                              'each has')
    if not isinstance(layers, Sequence) or not layers or not all(
            isinstance(layer, Sequence) and len(layer) == 2 for layer in layers):
        raise PolicyError('layers is not a sequence of weights and offsets: give at least one '
                          'layer, such as [(weights, offsets)]')
    helper, arrays = onnx.helper, [_numbers('mean', mean), _numbers('scale', scale)]
    width = sum(inputs.values())
    for number, (weights, offsets) in enumerate(layers):
        arrays += [_numbers(f'layers[{number}][0]', weights),
                   _numbers(f'layers[{number}][1]', offsets)]
    if not (arrays[1] > 0.0).all():
        raise PolicyError(f'scale has a number {arrays[1].min():g}: give numbers above 0')
    if knee is not None and not _numbers('knee', knee) > 0.0:
        raise PolicyError(f'knee is {knee!r}: give a number above 0, or None')
    sizes = [width] + [each.size for each in arrays[3::2]]
    expected = [(width,), (width,)] + [
        shape for rows, columns in zip(sizes[:-1], sizes[1:], strict=True)
        for shape in ((rows, columns), (columns,))]
    shapes = [each.shape for each in arrays]
    if mirror is not None:
        shapes += [mirror.order.shape, mirror.sign.shape, mirror.action.shape]
        expected += [(width,), (width,), (sizes[-1],)]
    if shapes != expected:
        raise PolicyError(
            f'the shapes of the policy do not fit together: {shapes}, not {expected}')
    if mirror is not None:
        _check_mirror(mirror, width)
    said = interface.to_json()
    interface.check_fit(inputs, sizes[-1], str(path))
    names = [f'a{i}' for i in range(len(arrays))]
    constants: dict[str, Any] = {
        **dict(zip(names, arrays, strict=True)),
        'low': np.float32(-5.0), 'high': np.float32(5.0),
        'least': np.float32(-1.0), 'most': np.float32(1.0)}
    nodes = [helper.make_node('Concat', list(inputs), ['observation'], axis=1)]
    seen = 'observation'
    if knee is not None:
        constants['knee'] = np.float32(knee)
        nodes += [helper.make_node('Div', [seen, 'knee'], ['bent']),
                  helper.make_node('Asinh', ['bent'], ['drawn'])]
        seen = 'drawn'
    nodes += [helper.make_node('Sub', [seen, 'a0'], ['centred']),
              helper.make_node('Div', ['centred', 'a1'], ['scaled']),
              helper.make_node('Clip', ['scaled', 'low', 'high'], ['h0'])]
    if mirror is not None:
        constants |= {'order': np.asarray(mirror.order, np.int64),
                      'sign': np.asarray(mirror.sign, np.float32),
                      'turned': 0.5 * np.asarray(mirror.action, np.float32),
                      'half': np.float32(0.5)}
        nodes += [helper.make_node('Gather', ['h0', 'order'], ['exchanged'], axis=1),
                  helper.make_node('Mul', ['exchanged', 'sign'], ['shown_h0'])]
    for side in ('',) if mirror is None else ('', 'shown_'):
        for i in range(len(layers)):
            nodes.append(helper.make_node(
                'Gemm', [f'{side}h{i}', names[2 * i + 2], names[2 * i + 3]], [f'{side}g{i}']))
            if i + 1 < len(layers):
                nodes.append(helper.make_node('Tanh', [f'{side}g{i}'], [f'{side}h{i + 1}']))
    found = f'g{len(layers) - 1}'
    if mirror is not None:
        nodes += [helper.make_node('Mul', [found, 'half'], ['here']),
                  helper.make_node('Mul', [f'shown_{found}', 'turned'], ['there']),
                  helper.make_node('Add', ['here', 'there'], ['both'])]
        found = 'both'
    nodes.append(helper.make_node('Clip', [found, 'least', 'most'], ['action']))
    real = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, 'policy',
        [helper.make_tensor_value_info(name, real, ['n', size]) for name, size in inputs.items()],
        [helper.make_tensor_value_info('action', real, ['n', sizes[-1]])],
        [onnx.numpy_helper.from_array(np.asarray(value), name)
         for name, value in constants.items()])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid('', _OPSET)], producer_name='mvsim_ros2')
    model.ir_version = _IR
    helper.set_model_props(model, {KEY: said})
    try:
        onnx.checker.check_model(model)
        with replaced(path) as new:
            onnx.save(model, str(new))
    except onnx.checker.ValidationError as error:
        raise PolicyError(f'{path} would be no ONNX model: {" ".join(str(error).split())}: give '
                          'the inputs other names') from error
    except OSError as error:
        raise PolicyError(f'{path} cannot be written: {error.strerror}: give the path of a file '
                          'in a folder that is there') from error


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float32]:
    """Return an argument as numbers; raise `PolicyError` where one is not finite, or none."""
    try:
        with np.errstate(over='ignore'):  # what is too large is not finite then
            found = np.asarray(values, np.float32)
    except (TypeError, ValueError):
        raise PolicyError(f'{name} is {values!r}: give numbers') from None
    wrong = found[~np.isfinite(found)]
    if wrong.size:
        raise PolicyError(f'{name} has a number {wrong.flat[0]}: give finite ones')
    return found


def _check_mirror(mirror: Mirror, width: int) -> None:
    """Check what a mirror says."""
    if sorted(mirror.order.tolist()) != list(range(width)):
        raise PolicyError(f'mirror.order is {mirror.order.tolist()}: give each number from 0 to '
                          f'{width - 1} once')
    for name, signs in (('sign', mirror.sign), ('action', mirror.action)):
        if not np.isin(signs, (-1, 1)).all():
            raise PolicyError(f'mirror.{name} is {signs.tolist()}: give 1 or -1 each')
