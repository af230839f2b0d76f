# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Modules under their former names."""

from importlib import import_module

import pytest

from mvsim_ros2.base.moved import MOVED, new_name


@pytest.mark.parametrize('former', sorted(MOVED))
def test_a_former_name_is_the_module_of_today(former: str) -> None:
    name = f'mvsim_ros2.{former}'
    with pytest.warns(DeprecationWarning, match=rf'{name} has moved to mvsim_ros2\.[\w.]+;'):
        before = import_module(name)
    assert before is import_module(new_name(name) or '')


def test_names_in_former_packages_are_the_same_objects() -> None:
    with pytest.warns(DeprecationWarning, match='has moved'):
        from mvsim_ros2.spec.vehicle.parts import WheelSpec
    from mvsim_ros2.world.spec.vehicle.parts import WheelSpec as today
    assert WheelSpec is today


def test_names_that_never_were_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module('mvsim_ros2.nothing_of_the_kind')
