# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Specs of the tyres for mode `physical`: their tags can be read, and their limits hold."""

from pathlib import Path
from typing import Any

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.binding.bind import Binder
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.tyres.slip import BakkerTyre, LinearTyre, MagicFormulaTyre
from mvsim_ros2.world.spec.tyres.soil import ClayTyre, SandTyre

SOURCE = Source('w.xml', 1)


def read(spec: type, folder: Path, **texts: str) -> Any:
    """Return the spec of a `<friction>` that holds these tags."""
    node = Node('friction', {'class': spec.XML_CLASS}, '', [  # type: ignore[attr-defined]
        Node(name, {}, text, [], SOURCE) for name, text in texts.items()], SOURCE)
    return Binder(Report(), Resources(offline=True, cache=folder)).bind(spec, (node,))


@pytest.mark.parametrize('spec, tags, expected', [
    pytest.param(LinearTyre, {'C_s': '5'}, LinearTyre(C_s=5.0, source=SOURCE), id='linear'),
    pytest.param(MagicFormulaTyre, {'surface': 'ice', 'B': '6'},
                 MagicFormulaTyre('ice', B=6.0, source=SOURCE), id='magic_formula'),
    pytest.param(BakkerTyre, {'preset': 'document', 'a8': '1'},
                 BakkerTyre('document', a8=1.0, source=SOURCE), id='bakker'),
    pytest.param(ClayTyre, {'mode': 'vti', 'cone_index': '1e5'},
                 ClayTyre(1e5, mode='vti', source=SOURCE), id='clay'),
    pytest.param(SandTyre, {'reading': 'brixius', 'gamma': '0.2'},
                 SandTyre(reading='brixius', gamma=0.2, source=SOURCE), id='sand'),
])
def test_reads_the_tags_of_a_tyre(
        spec: type, tags: dict[str, str], expected: Any, tmp_path: Path) -> None:
    assert read(spec, tmp_path, **tags) == expected


@pytest.mark.parametrize('spec, tags', [
    pytest.param(MagicFormulaTyre, {'E': '1.1'}, id='E above 1 turns the force round'),
    pytest.param(MagicFormulaTyre, {'surface': 'mud'}, id='unknown surface'),
    pytest.param(BakkerTyre, {'a2': '-100'}, id='no force at small loads'),
    pytest.param(BakkerTyre, {'a0': '2.5'}, id='shape beyond 2'),
    pytest.param(ClayTyre, {'section_height': '0'}, id='no section height'),
    pytest.param(SandTyre, {'cone_index': '-1'}, id='soil of negative strength'),
])
def test_refuses_what_makes_no_sense(
        spec: type, tags: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match='w.xml:1'):
        read(spec, tmp_path, **tags)
