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
    page = (project / 'docs/extending.md').read_text()
    section = re.split(rf'^#+ {re.escape(title)}$', page, flags=re.MULTILINE)[1]
    section = re.split('^##+ (?=[A-Z][a-z ]+$)', section, flags=re.MULTILINE)[0]
    files, end = {}, 0
    for block in BLOCK.finditer(section):
        before = section[end:block.start()]
        paragraph = [each for each in before.split('\n\n') if each.strip()][-1]
        names = [each for each in FILE.findall(paragraph)
                 if (each.endswith('.py') and '/' in each) == (block[1] == 'python')]
        files[names[0]] = block[2]
        end = block.end()
    return files


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
    info = folder / 'my_sensors-1.0.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: my-sensors\nVersion: 1.0\n')
    (info / 'entry_points.txt').write_text(_entry_points(pyproject))


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


def _entry_points(pyproject: str) -> str:
    """Return the text of `entry_points.txt`, as an installer makes it."""
    return re.sub(r'\[project\.entry-points\."(.*)"\]', r'[\1]', pyproject).replace('"', '')
