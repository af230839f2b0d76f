# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Tables of parameters in docs/sensors.md, made from the specs.

`python -m mvsim_ros2.world.sensor_manual docs/sensors.md` fills them in anew: each stands
between a line ``<!-- tags of CLASS -->``, where `sensor` is what all have in common, and the
next ``<!-- end -->``.
"""

from pathlib import Path
import re
import sys

from mvsim_ros2.errors import PluginError
from mvsim_ros2.world.manual import table
from mvsim_ros2.world.spec.sensor import SensorSpec
from mvsim_ros2.world.spec.sensors import sensor_specs

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
