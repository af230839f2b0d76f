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
"""`mvsim_ros2 convert-urdf`: a robot description as a vehicle class."""

import argparse
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from mvsim_ros2.cli.options import assignment
from mvsim_ros2.cli.options import check_folder_of
from mvsim_ros2.cli.options import Commands
from mvsim_ros2.errors import RecordingError

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.common import Source


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'convert-urdf', help='make a vehicle class from a robot description (URDF or xacro)',
        description='Write the <vehicle:class> that a robot description makes, and say with file '
        'and line what it holds that the class does not. A world can also name the description '
        'itself: <vehicle urdf="FILE">.')
    command.add_argument('file', metavar='FILE', help='URDF or xacro file')
    command.add_argument('-o', '--output', metavar='CLASS.xml',
                         help='file to write (default: the standard output)')
    command.add_argument('--set', dest='arguments', metavar='ARG=VALUE', action='append',
                         default=[], type=assignment, help='argument of xacro; may be repeated')
    command.add_argument('--dynamics', metavar='CLASS', default='',
                         help='class of dynamics that the wheels are to make, such as skid_steer '
                         '(default: the one that fits)')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the class, and what was found on the way on the standard error output."""
    from mvsim_ros2.world.urdf.convert import class_text
    from mvsim_ros2.world.urdf.convert import convert

    if options.output:
        check_folder_of(options.output)
    conversion = convert(options.file, dict(options.arguments), _warn, options.dynamics)
    for finding in conversion.findings:
        print('not converted:' if finding.lost else 'assumed:', finding, file=sys.stderr)
    text = class_text(conversion, options.file)
    if not options.output:
        print(text, end='')
        return 0
    try:
        Path(options.output).write_text(text)
    except OSError as error:
        raise RecordingError(f'{options.output}: cannot write: {error.strerror}') from error
    return 0


def _warn(source: 'Source', message: str) -> None:
    print(f'warning: {source}: {message}', file=sys.stderr)
