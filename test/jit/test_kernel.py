# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machine code: kept on disk, where several processes compile at once, and entered directly."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.jit.kernel import _save
from mvsim_ros2.jit.kernel import bound
from mvsim_ros2.jit.kernel import compiled

caching = pytest.importorskip('numba.core.caching')


def files(folder: Path, sources: str) -> Any:
    """Return the files of one kernel as a process with these sources sees them."""
    return caching.IndexDataCacheFile(str(folder), 'kernel-1.py3', sources)


def test_code_is_found_again(tmp_path: Path) -> None:
    for key in ('float', 'int'):
        _save(files(tmp_path, 'now'), key, f'code for {key}')
    assert [files(tmp_path, 'now').load(key) for key in ('float', 'int', 'other')] == [
        'code for float', 'code for int', None]


def test_an_index_never_leads_to_the_code_of_other_sources(tmp_path: Path) -> None:
    one, other = files(tmp_path, 'now'), files(tmp_path, 'before')
    _save(one, 'key', 'code')
    name = one._load_index()['key']  # and then another process is faster
    _save(other, 'key', 'former code')
    with pytest.raises(FileNotFoundError):  # numba compiles anew then
        one._load_data(name)
    assert one.load('key') is None


def test_an_index_never_leads_to_the_code_for_other_arguments(tmp_path: Path) -> None:
    one, other = files(tmp_path, 'now'), files(tmp_path, 'now')
    index = other._load_index()  # both find it empty
    _save(one, 'float', 'code for float')
    late = one._load_index()
    one._save_index(index)
    _save(other, 'int', 'code for int')
    one._save_index(late)
    assert one.load('float') in ('code for float', None)
    assert other.load('int') is None


def test_former_code_is_cleared_away(tmp_path: Path) -> None:
    for sources in ('before', 'now'):
        _save(files(tmp_path, sources), 'key', sources)
    (tmp_path / 'kernel-10.py3.1.nbc').touch()  # of another kernel
    _save(files(tmp_path, 'now'), 'other', 'code')
    assert len(list(tmp_path.glob('kernel-1.*.nbc'))) == 2
    assert (tmp_path / 'kernel-10.py3.1.nbc').exists()


def _sum_of(values: NDArray[np.float64], pair: tuple[int, float]) -> tuple[float, int]:
    total = 0.0
    for value in values:
        total += value * pair[1]
    return total, pair[0]


def test_bound_kernels_are_the_same_kernels() -> None:
    values = np.array([1.0, 2.5, -7.0])
    kernel = compiled(_sum_of)
    direct = bound(kernel, values, (3, 0.5))
    for numbers, pair in ((values, (4, 2.0)), (np.zeros(0), (1, 1.0)), (values[:2], (-1, 1.5))):
        assert direct(numbers, pair) == kernel(numbers, pair) == _sum_of(numbers, pair)
    assert bound(_sum_of, values, (3, 0.5)) is _sum_of
