# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every room imports only what the design grants it, and the package needs little."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import re
import sys

from processes import python
import pytest

PACKAGE = 'mvsim_ros2'
NEEDED = {'lxml', 'numpy'}  # all that `import mvsim_ros2` may need


@dataclass(frozen=True)
class Room:
    """What the modules of a room may import, apart from each other."""

    own: frozenset[str]  # modules of this package, '' for the package itself
    other: frozenset[str]  # packages of others


def rooms_of(page: str) -> dict[str, Room]:
    """
    Return the rooms of the table in docs/architecture.md; '' is the package itself.

    A module belongs to the longest of these names that it starts with.
    """
    groups: dict[str, set[str]] = {}
    for name, text in re.findall(r'\*([\w ]+)\* (?:is|are) ((?:[^*.]|\.(?=\w))*)', page):
        groups[name] = set(re.findall(r'`([\w.]+)`', text))
        if name == 'public':
            groups[name] |= groups['base'] | {''}
    rooms = {}
    for name, own, other in re.findall(
            r'^\| `([\w.]+)` \|[^|]*\|([^|]*)\|([^|]*)\|$', page, re.MULTILINE):
        granted = [
            frozenset().union(*(groups.get(part, {part}) for part in cell.strip().split(', ')
                                if part)) for cell in (own, other)]
        rooms[name.replace(PACKAGE, '')] = Room(*granted)
    return rooms


def floors_of(page: str) -> list[set[str]]:
    """Return the rooms on each floor of the drawing in docs/architecture.md, from the top."""
    drawing = page.partition('## Rooms')[2].split('```')[1]
    return [set(re.sub(r'\(.*\)', '', line).replace(PACKAGE, "''").split())
            for line in drawing.strip().splitlines()]


PAGE = (Path(__file__).resolve().parents[1] / 'docs' / 'architecture.md').read_text()
ROOMS = rooms_of(PAGE)
IMPORT_EACH_OTHER = ({'physics', 'physics.engine'},)

ROOT = Path(__file__).resolve().parents[1] / PACKAGE
MODULES = {
    '.'.join(path.relative_to(ROOT).with_suffix('').parts).removesuffix('__init__').rstrip('.'):
    path for path in sorted(ROOT.rglob('*.py'))
}


def room_of(module: str) -> str:
    """Return the name in `ROOMS` that `module`, named without the package, belongs to."""
    parts = module.split('.')
    names = ['.'.join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in ROOMS), '' if module == '' else 'no room')


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line number and dotted name of everything that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f'{path}:{node.lineno}: relative import'
            for alias in node.names:
                yield node.lineno, f'{node.module}.{alias.name}'


def allowed(module: str, name: str) -> bool:
    """Return whether `module` may import the dotted `name`."""
    own_room = room_of(module)
    grant = ROOMS[own_room]
    top, _, rest = name.partition('.')
    if top != PACKAGE:
        return top in sys.stdlib_module_names or top in grant.other
    target = rest
    while target not in MODULES:  # the last parts name things in a module
        target = target.rpartition('.')[0]
    target_room = room_of(target)
    return target_room == own_room or target_room in grant.own or target in grant.own


@pytest.mark.linter
@pytest.mark.parametrize('module', [pytest.param(name, id=name or PACKAGE) for name in MODULES])
def test_a_room_imports_only_what_it_may(module: str) -> None:
    assert room_of(module) in ROOMS, f'{module} belongs to no room of the design'
    bad = [f'{MODULES[module]}:{line}: the room "{room_of(module)}" may not import {name}'
           for line, name in imports(MODULES[module]) if not allowed(module, name)]
    assert not bad, '\n'.join(bad)


@pytest.mark.linter
def test_rooms_import_only_from_floors_below() -> None:
    floors = floors_of(PAGE)
    at = {name.strip("'"): height for height, floor in enumerate(reversed(floors))
          for name in floor}
    assert at.keys() == ROOMS.keys()
    bad = [f'{name} and {below}' for name, room in ROOMS.items() for below in room.own
           if below in ROOMS and at[below] >= at[name] and below != name
           and {name, below} not in IMPORT_EACH_OTHER and not {name, below} & {''}]
    assert not bad


ALONE = f"""
import sys

class Others:
    def find_spec(self, name, path=None, target=None):
        top = name.partition('.')[0]
        if top not in sys.stdlib_module_names and top not in {NEEDED | {PACKAGE}}:
            raise ModuleNotFoundError('blocked: ' + name, name=name)

sys.meta_path.insert(0, Others())
import {PACKAGE}
print(*sorted(vars({PACKAGE})))
"""


def test_the_package_imports_without_optional_packages(project: Path) -> None:
    python('-c', ALONE, cwd=project)


LEAN = f"""
import sys
import {PACKAGE}
{PACKAGE}.Simulation.from_file('worlds/two_robots.world.xml').step(40)
print(*sorted(sys.modules))
"""


def test_planar_lidars_load_neither_meshes_nor_graphics(project: Path) -> None:
    """Nor what fetches files and reads robot descriptions, where a world has none."""
    loaded = set(python('-c', LEAN, cwd=project).stdout.split())
    assert not {'collada', 'embreex', 'moderngl', 'trimesh'} & loaded
    assert not {'http.client', 'xml.dom', f'{PACKAGE}.world.file.urdf_import.convert'} & loaded
