# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of the package."""

from pathlib import Path

import pytest

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import ResourceError


def test_worlds_of_the_package_by_name(project: Path) -> None:
    expected = project / 'worlds/demo.world.xml'
    assert world_path('demo') == world_path('demo.world.xml') == expected
    assert world_path(str(expected)) == expected
    with pytest.raises(ResourceError, match=r'no world .nowhere.*demo'):
        world_path('nowhere')
    with pytest.raises(ResourceError, match='world is not set.*demo'):
        world_path('')


def test_a_path_from_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('HOME', str(tmp_path))
    (tmp_path / 'my.world.xml').touch()
    assert world_path('~/my.world.xml') == tmp_path / 'my.world.xml'
    with pytest.raises(ResourceError, match='no world .~nobody_of_this_name'):
        world_path('~nobody_of_this_name/my.world.xml')
