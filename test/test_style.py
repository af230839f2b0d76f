# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every file keeps to its style: flake8, pep257, mypy, licences, XML."""

import ast
from importlib.metadata import entry_points
from pathlib import Path
import re

from lxml import etree
from processes import python
import pytest

# Missing docstrings, which ament does not ask for; D105 and D107, special methods, stay free, and
# D102, methods, has a test of its own.
MISSING = ('D100', 'D101', 'D103', 'D104', 'D106')
HEADER = re.compile(
    r'(#![^\n]*\n)?# Copyright \d{4} The mvsim_ros2 authors\n'
    r'# SPDX-License-Identifier: BSD-3-Clause\n(?!#)')
FOLDERS = ('config', 'interfaces', 'launch', 'worlds')
ENDINGS = ('.launch', '.sdf', '.urdf', '.xacro', '.xml')

pytestmark = pytest.mark.linter


def test_flake8(project: Path, python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_flake8.main', reason='ament_flake8 is not installed')
    code, errors = ament.main_with_errors(
        argv=['--config', str(project / 'setup.cfg'), *map(str, python_sources)])
    assert code == 0, '\n'.join(errors)


@pytest.mark.slow
def test_mypy(project: Path) -> None:
    pytest.importorskip('mypy', reason='mypy is not installed')
    python('-m', 'mypy', '--package', 'mvsim_ros2', cwd=project)


def test_docstrings(python_sources: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    ament = pytest.importorskip('ament_pep257.main', reason='ament_pep257 is not installed')
    code = ament.main(argv=[str(path) for path in python_sources])
    assert code == 0, capsys.readouterr().err


def test_docstrings_are_complete(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ament = pytest.importorskip('ament_pep257.main', reason='ament_pep257 is not installed')
    code = ament.main(argv=[str(project / 'mvsim_ros2'), '--select', *MISSING])
    assert code == 0, capsys.readouterr().err


def test_methods_have_docstrings_of_their_own_or_of_what_they_override(project: Path) -> None:
    classes: dict[str, list[ast.ClassDef]] = {}
    for path in (project / 'mvsim_ros2').rglob('*.py'):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)

    def says(name: str, method: str) -> bool:
        return any(
            isinstance(part, ast.FunctionDef) and part.name == method and ast.get_docstring(part)
            or isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and says(
                ast.unparse(part).partition('[')[0].rpartition('.')[2], method)
            for node in classes.get(name, ()) for part in (*node.body, *node.bases))

    silent = {f'{name}.{part.name}' for name, nodes in classes.items() if name[0] != '_'
              for node in nodes for part in node.body
              if isinstance(part, ast.FunctionDef) and part.name[0] != '_'
              and not says(name, part.name)}
    assert silent == set()


def test_python_files_start_with_the_licence(project: Path, python_sources: list[Path]) -> None:
    assert (project / 'LICENSE').read_text().startswith('BSD 3-Clause License\n')
    bad = [str(file.relative_to(project)) for path in python_sources
           for file in (path.rglob('*.py') if path.is_dir() else [path])
           if not HEADER.match(file.read_text())]
    assert not bad, f'these files do not start with the two lines that setup.py starts with: {bad}'


def test_ament_copyright_agrees(python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_copyright.main', reason='ament_copyright is not installed')
    if not entry_points(group='ament_copyright.license', name='bsd3_spdx'):
        pytest.skip('mvsim_ros2 is not installed: ament_copyright finds its licence when it is')
    assert ament.main(argv=[str(path) for path in python_sources]) == 0


def test_xml_files_are_well_formed(project: Path) -> None:
    """World files may use colons in names without declaring namespaces: that is their format."""
    files = [project / 'package.xml']
    files += [path for folder in FOLDERS for path in sorted((project / folder).rglob('*'))
              if path.suffix in ENDINGS]
    errors = []
    for path in files:
        parser = etree.XMLParser(recover=True, no_network=True, resolve_entities=False)
        etree.parse(path, parser)
        errors += [f'{path.relative_to(project)}:{entry.line}: {entry.message}'
                   for entry in parser.error_log if entry.domain_name != 'NAMESPACE']
    assert not errors, '\n'.join(errors)


@pytest.mark.parametrize('manifest', ['package.xml', 'interfaces/tf2_msgs/package.xml'])
def test_package_xml_is_valid(project: Path, manifest: str) -> None:
    """As ament_xmllint checks, without a download: catkin_pkg of the ROS tools has its rules."""
    catkin = pytest.importorskip('catkin_pkg.package', reason='catkin_pkg is not installed')
    warnings: list[str] = []
    package = catkin.parse_package(str(project / manifest), warnings=warnings)
    package.validate(warnings=warnings)
    assert warnings == []
    assert package.package_format == 3
