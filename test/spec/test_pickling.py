# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Specs are pickled and copied, for processes beside this one and for Gymnasium."""

import copy
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
import pickle
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.world.spec.common import ReadOnlyMapping

WORLDS = Path(__file__).parents[2] / 'worlds'
NAMES = sorted(str(path.relative_to(WORLDS)) for path in WORLDS.rglob('*.world.xml'))


def same(one: Any, other: Any) -> bool:
    """Return whether two specs are equal, in their arrays too, which `==` asks for identity."""
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


@pytest.mark.parametrize('name', NAMES)
def test_a_world_comes_back(name: str) -> None:
    world = load_world(WORLDS / name)
    for again in (pickle.loads(pickle.dumps(world)), copy.deepcopy(world)):
        assert again is not world and same(world, again)
        assert not same(replace(world, gravity=1.6), again)
        assert not same(replace(world, variables=ReadOnlyMapping({'a': '1'})), again)


def test_classes_of_a_world_are_read_only() -> None:
    world = pickle.loads(pickle.dumps(load_world(WORLDS / 'empty.world.xml')))
    with pytest.raises(TypeError, match='does not support item assignment'):
        world.vehicle_classes['other'] = world.vehicles[0]
