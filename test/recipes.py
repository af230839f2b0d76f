# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of docs/extending.md, as a reader would follow them."""

import ast
from pathlib import Path
import re

BLOCK = re.compile(r'```(\w+)\n(.*?)```', re.DOTALL)
FILE = re.compile(r'`([\w./]+\.\w+)`')
# files of the first steps in a package of one's own
SENSOR_FILES = {'mvsim_ros2/world/spec/sensors/thermometer.py': 'my_sensors/spec.py',
                'mvsim_ros2/sensors/thermometer.py': 'my_sensors/model.py',
                'mvsim_ros2/ros/messages/sensors/thermometer.py': 'my_sensors/messages.py'}


def recipe(project: Path, title: str) -> dict[str, str]:
    """
    Return the contents of files that a section of the page gives.

    A block of Python belongs to the first path in the paragraph before it, another block to the
    first name of a file of another kind.

    :param title: of the section, without the signs of its level.
    """
    section = _section(project, title)
    files, end = {}, 0
    for block in BLOCK.finditer(section):
        before = section[end:block.start()]
        paragraph = [each for each in before.split('\n\n') if each.strip()][-1]
        names = [each for each in FILE.findall(paragraph)
                 if (each.endswith('.py') and '/' in each) == (block[1] == 'python')]
        files[names[0]] = block[2]
        end = block.end()
    return files


def follow(project: Path, title: str, folder: Path) -> Path:
    """
    Do as a section says that gives a module, its entry point and a world; return the folder.

    The module is installed for whoever has the folder in PYTHONPATH, the world `my.world.xml`.
    """
    block = dict(BLOCK.findall(_section(project, title)))
    module = re.findall('"([^":]+):', block['toml'])[0]
    file = folder.joinpath(*module.split('.')).with_suffix('.py')
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block['python'])
    (folder / 'my.world.xml').write_text(block.get('xml', ''))
    _install(folder, module.partition('.')[0], block['toml'])
    return folder


def write_plugin(project: Path, folder: Path) -> None:
    """Install the package of the recipe for sensors of others into a folder of modules."""
    own = recipe(project, 'A sensor')
    files = recipe(project, 'A sensor in a package of your own')
    for name, there in SENSOR_FILES.items():
        files[there] = _in_package(own[name])
    pyproject = files.pop('pyproject.toml')
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    _install(folder, 'my_sensors', pyproject)


def _section(project: Path, title: str) -> str:
    page = (project / 'docs/extending.md').read_text()
    section = re.split(rf'^#+ {re.escape(title)}$', page, flags=re.MULTILINE)[1]
    return re.split('^##+ (?=[A-Z][a-z ]+$)', section, flags=re.MULTILINE)[0]


def _install(folder: Path, package: str, pyproject: str) -> None:
    """Write what an installer writes about a package and its entry points."""
    info = folder / f'{package}-1.0.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text(f'Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n')
    (info / 'entry_points.txt').write_text(
        re.sub(r'\[project\.entry-points\."(.*)"\]', r'[\1]', pyproject).replace('"', ''))


def _in_package(text: str) -> str:
    """Return a file without its last statement, with its imports from the package."""
    last = ast.parse(text).body[-1]
    lines = text.splitlines()[:last.lineno - 1]
    text = '\n'.join(lines).rstrip() + '\n'
    for name, there in SENSOR_FILES.items():
        text = text.replace(_module(name), _module(there))
    return text


def _module(file: str) -> str:
    return file.removesuffix('.py').replace('/', '.')
