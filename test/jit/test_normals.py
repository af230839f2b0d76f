# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal numbers that compiled code draws are those of numpy's generators, bit by bit."""

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.jit import normals
from mvsim_ros2.jit.kernel import use_machine_code


@pytest.mark.parametrize('kind', ['float64', 'float32'])
@pytest.mark.parametrize('compiled', [True, False])
def test_normals_are_those_of_the_generator(kind: str, compiled: bool) -> None:
    if compiled and not use_machine_code():
        pytest.skip('numba is not installed')
    fill = normals.filler(kind)
    draw = normals.draw_normals if compiled else getattr(
        normals.draw_normals, 'plain', normals.draw_normals)
    own, other = stream(3, 'a'), stream(3, 'a')
    for count in (1, 7, 400, 3):
        drawn = np.zeros(count, kind)
        draw(fill, normals.address_of(own), drawn)
        assert drawn.tobytes() == other.standard_normal(count, kind).tobytes()
    own.bit_generator.state = stream(4, 'b').bit_generator.state  # it stays where it is
    draw(fill, normals.address_of(own), drawn)
    assert drawn.tobytes() == stream(4, 'b').standard_normal(3, kind).tobytes()
