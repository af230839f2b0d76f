# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A policy that is run."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import needed_for, PolicyError
from mvsim_ros2.policies.interface import KEY, PolicyInterface
from mvsim_ros2.policies.model_file import read_model


class Policy:
    """A policy from a file, the `interface` of its numbers, and sizes of its `inputs`."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """
        Read a policy.

        :param path: of an ONNX model that `save_policy` wrote.
        :raises PolicyError: where there is none, it does not fit its interface or returns what is
            no number, or onnxruntime is missing.
        """
        with needed_for('policies', 'policy', PolicyError):
            import onnxruntime
        file = Path(path)
        if not file.is_file():
            raise PolicyError(f'there is no policy {file}: give the path of an ONNX file')
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # it is small
        options.log_severity_level = 4  # errors are raised
        try:
            self._session = onnxruntime.InferenceSession(
                read_model(file), options, providers=['CPUExecutionProvider'])
            text = self._session.get_modelmeta().custom_metadata_map.get(KEY)
        except PolicyError:
            raise
        except Exception as error:  # noqa: B902: its exceptions have no common class of their own
            raise PolicyError(f'{file} is no ONNX model: {" ".join(str(error).split())}: '
                              'write it with save_policy') from error
        if text is None:
            raise PolicyError(f'{file} has no meaning of its numbers: its metadata lack '
                              f'{KEY!r}; write it with save_policy')
        self.interface = PolicyInterface.from_json(text, str(file))
        shapes = {each.name: each.shape for each in self._session.get_inputs()}
        for name, shape in shapes.items():
            if len(shape) != 2 or not isinstance(shape[1], int):
                raise PolicyError(f'{file}: its input {name!r} has shape {shape}, not rows of so '
                                  'many numbers: write it with save_policy')
        self.inputs = {name: int(shape[1]) for name, shape in shapes.items()}
        try:
            action = self._run({name: np.zeros((1, size), np.float32)
                                for name, size in self.inputs.items()})
        except PolicyError as error:
            raise PolicyError(f'{file}: {error}') from error.__cause__
        self.interface.check_fit(self.inputs, len(action), str(file))

    def act(self, observation: Mapping[str, ArrayLike]) -> NDArray[np.float32]:
        """
        Return the action for one observation, from -1 to 1.

        :param observation: by the names of the inputs.
        :raises PolicyError: where an input is missing, unknown, of another size, or no number.
        """
        unknown = [name for name in observation if name not in self.inputs]
        if unknown:
            raise PolicyError(f'the policy does not observe {", ".join(map(repr, unknown))}, only '
                              f'{", ".join(self.inputs)}: leave out the rest')
        rows = {}
        for name, size in self.inputs.items():
            if name not in observation:
                raise PolicyError(f'the policy observes {name!r}, but there is only '
                                  f'{", ".join(map(str, observation)) or "nothing"}')
            try:
                with np.errstate(over='ignore'):  # what is too large is not finite then
                    rows[name] = np.asarray(observation[name], np.float32).reshape(1, -1)
            except (TypeError, ValueError):
                raise PolicyError(f'{name!r} of the observation is {observation[name]!r}: give '
                                  f'{size} numbers') from None
            if rows[name].shape[1] != size:
                raise PolicyError(f'the policy observes {size} numbers of {name!r}, not '
                                  f'{rows[name].shape[1]}')
            if not np.isfinite(rows[name]).all():
                raise PolicyError(f'{name!r} of the observation is not finite')
        return self._run(rows)

    def _run(self, rows: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the action for a row of each input, or raise `PolicyError` without one."""
        try:
            action = np.asarray(self._session.run(None, rows)[0], np.float32).reshape(-1)
        except Exception as error:  # noqa: B902: its exceptions have no common class of their own
            raise PolicyError(f'the policy cannot be run: {" ".join(str(error).split())}: write '
                              'it with save_policy') from error
        if not np.isfinite(action).all():
            raise PolicyError(f'the policy returns {action.tolist()}, which is not finite: its '
                              'weights are invalid or far too large')
        return action
