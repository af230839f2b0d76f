# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every XML file is well-formed, and every package.xml valid.

World files use colons in names without declaring namespaces; that much is part of their format.
The check that ament_xmllint makes, without its download of the schema: catkin_pkg, which ROS
tools read packages with, knows the same rules.
"""

from pathlib import Path

from lxml import etree
import pytest

FOLDERS = ('config', 'interfaces', 'launch', 'worlds')
ENDINGS = ('.launch', '.sdf', '.urdf', '.xacro', '.xml')


@pytest.mark.linter
def test_xml_files_are_well_formed(project: Path) -> None:
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


@pytest.mark.linter
@pytest.mark.parametrize('manifest', [
    pytest.param('package.xml', id='mvsim_ros2'),
    pytest.param('interfaces/tf2_msgs/package.xml', id='tf2_msgs'),
])
def test_package_xml_is_valid(project: Path, manifest: str) -> None:
    catkin = pytest.importorskip('catkin_pkg.package', reason='catkin_pkg is not installed')
    warnings: list[str] = []
    package = catkin.parse_package(str(project / manifest), warnings=warnings)
    package.validate(warnings=warnings)
    assert warnings == []
    assert package.package_format == 3
