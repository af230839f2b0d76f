# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for an element in docs/extending.md, as the plugin of a package of its own."""

import os
from pathlib import Path
import re
import subprocess
import sys

import pytest

PAGE = Path(__file__).resolve().parents[1] / 'docs' / 'extending.md'
LOAD = """
import sys
from mvsim_ros2 import load_world
from mvsim_ros2.world.file.manual import manual
world = load_world(sys.argv[1], strict=True)
print(world.elements[0].XML_CLASS, world.elements[0].radius, len(world.warnings))
print('## `<element class="bollard">`' in manual(), 'Post that keeps vehicles out.' in manual())
"""


def code(language: str) -> str:
    """Return the code of a language in the recipe."""
    _, _, section = PAGE.read_text().partition('## An element of the world\n')
    (block,) = re.findall(rf'```{language}\n(.*?)```', section.partition('\n## ')[0], re.DOTALL)
    return str(block)


@pytest.fixture(scope='module')
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a process that has the package of the recipe installed."""
    site = tmp_path_factory.mktemp('site')
    entry = re.fullmatch(r'\[project\.entry-points\."(.+)"\]\n(\w+) = "((\w+)\.(\w+):\w+)"\n',
                         code('toml'))
    assert entry is not None
    group, name, value, package, module = entry.groups()
    (site / package).mkdir()
    (site / package / '__init__.py').touch()
    (site / package / f'{module}.py').write_text(code('python'))
    info = site / f'{package}-1.0.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text(f'Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n')
    (info / 'entry_points.txt').write_text(f'[{group}]\n{name} = {value}\n')
    return os.environ | {'PYTHONPATH': os.pathsep.join([str(site), str(PAGE.parents[1])])}


def test_a_world_has_it_and_so_has_the_manual(
        environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / 'bollard.world.xml'
    path.write_text(code('xml'))
    done = subprocess.run([sys.executable, '-c', LOAD, str(path)], env=environment,
                          capture_output=True, text=True)
    assert done.stdout.split() == ['bollard', '0.3', '0', 'True', 'True'], done.stderr


def test_it_keeps_the_contract_of_solids(environment: dict[str, str], project: Path) -> None:
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-n', '0', '-p', 'no:cacheprovider',
         'test/scene/test_solid_contract.py', '-k', 'bollard'],
        cwd=project, env=environment, capture_output=True, text=True)
    assert '5 passed' in done.stdout, done.stdout + done.stderr
