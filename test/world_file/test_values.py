# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of a world file."""

import math

import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.values import READERS

CLEAN = [
    pytest.param('float', ' 1.5 ', 1.5, id='float'),
    pytest.param('float', '-1e-3', -1e-3, id='exponent'),
    pytest.param('float', '.5', 0.5, id='no leading digit'),
    pytest.param('float', '+3.', 3.0, id='no decimals'),
    pytest.param('int', '12', 12, id='int'),
    pytest.param('int', '1808.4', 1808, id='int cuts off'),
    pytest.param('int', '-1.9', -1, id='int cuts off toward zero'),
    pytest.param('int', '799.9999999999999', 800, id='int forgives the noise of a formula'),
    pytest.param('int', '1e3', 1000, id='int with exponent'),
    pytest.param('int', '0x1F', 31, id='hexadecimal'),
    pytest.param('int', '010', 10, id='no octal numbers'),
    pytest.param('bool', ' TRUE ', True, id='true'),
    pytest.param('bool', '0', False, id='zero is false'),
    pytest.param('flag', '', True, id='flag'),
    pytest.param('text', ' a b ', 'a b', id='text'),
    pytest.param('names', 'r1, r2 r3', ('r1', 'r2', 'r3'), id='names'),
    pytest.param('colour', '#ff8000', (1.0, 128 / 255, 0.0, 1.0), id='colour'),
    pytest.param('colour', '#00000080', (0.0, 0.0, 0.0, 128 / 255), id='colour with alpha'),
    pytest.param('angle', '180', math.pi, id='angle'),
    pytest.param('rate', '-90', -math.pi / 2, id='rate'),
    pytest.param('angles', '0 90', (0.0, math.pi / 2), id='angles'),
    pytest.param('point2', '1 -2', (1.0, -2.0), id='point2'),
    pytest.param('point3', '1 2', (1.0, 2.0, 0.0), id='point3 without z'),
    pytest.param('pose3', '1 2 3 90 0 180', Pose(1, 2, 3, math.pi / 2, 0, math.pi), id='pose3'),
    pytest.param('wheel_pos', '1 2', (1.0, 2.0, 0.0), id='wheel'),
    pytest.param('wheel_pos', '1 2 90', (1.0, 2.0, math.pi / 2), id='wheel with toe'),
    pytest.param('twist2', '1 0 90', (1.0, 0.0, math.pi / 2), id='twist'),
    pytest.param('matrix', '[1 0 -1; 1.5 0 2]', ((1, 0, -1), (1.5, 0, 2)), id='matrix'),
    pytest.param('matrix', '\n1 2 3\n4 5 6\n', ((1, 2, 3), (4, 5, 6)), id='rows by line'),
]


@pytest.mark.parametrize(('kind', 'text', 'value'), CLEAN)
def test_value_is_read_without_a_remark(kind: str, text: str, value: object) -> None:
    remarks: list[str] = []
    assert READERS[kind](text, remarks.append) == value
    assert remarks == []


@pytest.mark.parametrize(('kind', 'text', 'value'), [
    pytest.param('float', '1.5m', 1.5, id='unit behind a number'),
    pytest.param('float', '1.2.3', 1.2, id='second point'),
    pytest.param('int', '3 rays', 3, id='word behind an int'),
    pytest.param('point2', '1 2 3', (1.0, 2.0), id='too many numbers'),
    pytest.param('angles', '1 x', (math.radians(1),), id='word behind numbers'),
    pytest.param('flag', 'false', True, id='a flag that says false'),
])
def test_rest_of_a_text_is_left_out_with_a_remark(kind: str, text: str, value: object) -> None:
    remarks: list[str] = []
    assert READERS[kind](text, remarks.append) == value
    assert len(remarks) == 1


@pytest.mark.parametrize(('kind', 'text', 'rule'), [
    pytest.param('float', '', 'a number', id='empty'),
    pytest.param('float', 'abc', 'a number', id='word'),
    pytest.param('float', '1,5', 'decimal point, not a comma', id='decimal comma'),
    pytest.param('int', '3,0', 'decimal point, not a comma', id='decimal comma of an int'),
    pytest.param('point2', '1,5 2', 'decimal point, not a comma', id='decimal comma in a point'),
    pytest.param('values', '1 2,5', 'decimal point, not a comma', id='decimal comma in a list'),
    pytest.param('point3', '1,2,3', 'and blanks between', id='commas between numbers'),
    pytest.param('float', 'nan', 'finite', id='nan'),
    pytest.param('float', '-inf', 'finite', id='inf'),
    pytest.param('float', '1e999', 'finite', id='overflow'),
    pytest.param('int', '99999999999', 'below', id='large int'),
    pytest.param('int', '9' * 9999, 'finite', id='huge int'),
    pytest.param('bool', 'yes', 'true, false', id='no bool'),
    pytest.param('colour', 'red', '#RRGGBB', id='colour word'),
    pytest.param('colour', '#abc', '#RRGGBB', id='short colour'),
    pytest.param('pose3', '1 2 3', '6 numbers', id='short pose'),
    pytest.param('point2', '1 nan', 'finite', id='second number nan'),
    pytest.param('matrix', '[1 2; 3]', 'columns', id='ragged matrix'),
    pytest.param('matrix', '[]', 'matrix', id='empty matrix'),
])
def test_wrong_value_names_the_rule(kind: str, text: str, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        READERS[kind](text, lambda remark: None)
