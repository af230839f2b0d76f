# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes and commands from files; what is wrong in one is named with its line."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.trajectories.route_file import read_route

WriteFile = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> WriteFile:
    """Return a function that writes a file."""
    def write(text: str) -> Path:
        path = tmp_path / 'file.csv'
        path.write_text(text)
        return path
    return write


@pytest.mark.parametrize('text, yaw, speeds', [
    pytest.param('0 0\n1 0\n1 2\n', None, None, id='blanks'),
    pytest.param('0,0\n1, 0\n\n1 ,2', None, None, id='commas'),
    pytest.param('# tour\n0 0 1.5\n1 0 0 # here\n1 2 0', 1.5, None, id='yaw and comments'),
    pytest.param('0 0 1.5 1\n1 0 0 0.5\n1 2 0 0.7', 1.5, [1, 0.5, 0.7], id='speed'),
    pytest.param('x,y,speed\n0,0,1\n1,0,0.5\n1,2,0.7', None, [1, 0.5, 0.7], id='header'),
    pytest.param('Speed,Y,X\n1,0,0\n0.5,0,1\n0.7,2,1', None, [1, 0.5, 0.7], id='other order'),
    pytest.param('0 0\n0 0\n1 0\n1 2', None, None, id='a point twice'),
    pytest.param('\ufeff"x";"y"\n"0";0\n1;0\n1;2', None, None, id='of a spreadsheet'),
])
def test_waypoints_are_read(
        written: WriteFile, text: str, yaw: float | None, speeds: list[float] | None) -> None:
    route = read_route(written(text))
    np.testing.assert_array_equal(route.points, [(0, 0), (1, 0), (1, 2)])
    assert route.yaw == yaw
    assert (route.speeds is None) == (speeds is None)
    if speeds is not None:
        np.testing.assert_array_equal(route.speeds, speeds)
    assert route.length == 3.0
    assert repr(route) .endswith("file.csv': 3 points, 3.0 m>")


def test_a_trajectory_is_read_with_its_speeds(written: WriteFile) -> None:
    turn = f'0 0 {math.sin(0.2):.9f} {math.cos(0.2):.9f}'
    route = read_route(written(
        '# timestamp tx ty tz qx qy qz qw\n'
        f'10.0 0 0 0 {turn}\n11.0 0.5 0 0 {turn}\n12.0 0.505 0 0 {turn}\n'
        f'13.0 2.5 0 0 {turn}\n'))
    np.testing.assert_allclose(route.points, [(0, 0), (0.5, 0), (2.5, 0)])
    np.testing.assert_allclose(route.speeds, [0.5, 1.0, 1.0])  # type: ignore[arg-type]
    assert route.yaw == pytest.approx(0.4)


@pytest.mark.parametrize('text, message', [
    pytest.param('', 'no numbers', id='empty'),
    pytest.param('# only words\n', 'no numbers', id='only comments'),
    pytest.param('1 2\n', 'two different points', id='one point'),
    pytest.param('1 2\n1 2\n', 'two different points', id='one point twice'),
    pytest.param('0 0\n1 one\n', r":2: 'one' is not a number", id='word'),
    pytest.param('0 0\n\n1 nan\n', r":3: 'nan' is not finite", id='nan'),
    pytest.param('0 0\n1\n', r':2: 1 columns', id='column missing'),
    pytest.param('0 0\n1 2 3\n', r':2: 3 columns', id='column too many'),
    pytest.param('0 0 0 0 0\n', r':1: 5 columns', id='five columns'),
    pytest.param('x,z\n0,0\n1,1', 'columns are named x, z', id='other names'),
    pytest.param('x,x\n0,0\n1,1', 'columns are named x, x', id='a name twice'),
    pytest.param('0 0 0 1\n1 1 0 -1', r':2: a speed of -1', id='backward'),
    pytest.param('0 0 0 0 0 0 0 1\n0 1 0 0 0 0 0 1', ':2: time 0 s does not', id='time stands'),
    pytest.param('0 0 0 0 0 0 0 1\n1 1 0 0 0 0 0 0', ':2: the quaternion', id='no rotation'),
])
def test_a_bad_route_is_refused_with_its_line(
        written: WriteFile, text: str, message: str) -> None:
    path = written(text)
    with pytest.raises(TrajectoryError, match=message) as refused:
        read_route(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r'nowhere\.csv: cannot be read'):
        read_route(tmp_path / 'nowhere.csv')


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / 'picture.csv'
    path.write_bytes(b'\x89PNG\xff\xfe')
    with pytest.raises(TrajectoryError, match=r'picture\.csv: cannot be read'):
        read_route(path)


RACELINE = """# 1f0c
# 77aa
# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2
0.0;0.0;1.0;-1.57;0.0;2.0;0.0
1.0;1.0;1.0;-1.57;0.0;3.0;0.0
2.0;2.0;1.0;-1.57;0.0;2.5;0.0
"""


@pytest.mark.parametrize(('text', 'speeds'), [
    pytest.param(RACELINE, [2.0, 3.0, 2.5], id='raceline'),
    pytest.param('# x_m, y_m, w_tr_right_m, w_tr_left_m\n0, 1, 1.1, 1.1\n1, 1, 1.1, 1.2\n'
                 '2, 1, 1.1, 1.1\n', None, id='centre line'),
    pytest.param('x_m;y_m;vx_mps\n0;1;2\n1;1;3\n2;1;2.5\n', [2.0, 3.0, 2.5], id='header'),
    pytest.param('# a b\n# made by hand\n0 1\n1 1\n2 1\n', None, id='other comments')])
def test_racelines_are_read_by_the_names_of_their_columns(
        written: WriteFile, text: str, speeds: list[float] | None) -> None:
    route = read_route(written(text))
    assert route.points.tolist() == [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    assert route.length == pytest.approx(2.0)
    assert (None if route.speeds is None else list(route.speeds)) == speeds
