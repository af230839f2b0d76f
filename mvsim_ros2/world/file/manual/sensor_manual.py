# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Generator of the tables of parameters in docs/sensors.md from the specs.

`python -m mvsim_ros2.world.file.manual.sensor_manual docs/sensors.md` updates them: each is
between a line ``<!-- tags of CLASS -->``, where `sensor` means the common tags, and the next
``<!-- end -->``.
"""

from pathlib import Path
import re
import sys

from mvsim_ros2.errors import PluginError
from mvsim_ros2.world.file.manual.generator import table
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.sensors.sensor_classes import sensor_specs

_BLOCK = re.compile(r'<!-- tags of (\w+) -->\n.*?<!-- end -->', re.DOTALL)


def with_tables(text: str) -> str:
    """
    Return a page with the tables that it asks for.

    :raises PluginError: where it asks for a class that there is not.
    """
    specs = {'sensor': SensorSpec} | {spec.XML_CLASS: spec for spec in sensor_specs()}

    def fill(block: re.Match[str]) -> str:
        name = block[1]
        if name not in specs:
            raise PluginError(f'there is no sensor of class {name!r}: there are '
                              f'{", ".join(specs)}')
        lines = table(specs[name], None if name == 'sensor' else SensorSpec)
        return '\n'.join([f'<!-- tags of {name} -->', '', *lines, '', '<!-- end -->'])
    return _BLOCK.sub(fill, text)


if __name__ == '__main__':
    page = Path(sys.argv[1])
    page.write_text(with_tables(page.read_text()))
