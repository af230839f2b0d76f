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
"""The command line."""

from pathlib import Path
import subprocess
import sys

import pytest

from mvsim_ros2.cli import main

WORLD = """<mvsim_world>
  <gravty>9.81</gravty>
  <block:class name="crate"/>
  <block class="crate"><init_pose>0 0 0</init_pose><static>${STATIC|true}</static></block>
  <vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"/></dynamics>
    <sensor class="laser" name="scan"/>
  </vehicle>
  <element class="horizontal_plane"><texture>nope.png</texture></element>
</mvsim_world>"""


@pytest.fixture
def world(tmp_path: Path) -> str:
    """Return the path of a world with one fault and one missing file."""
    path = tmp_path / 'test.world.xml'
    path.write_text(WORLD)
    return str(path)


def test_check_lists_content_and_warnings(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', world, '--offline']) == 0
    printed = capsys.readouterr()
    assert printed.err == ''
    for line in ('step 5 ms', 'r1: differential, controller twist_pid, friction default, '
                 'sensors: scan (laser, 10 Hz)', 'blocks: 1 (1 static)', 'block classes: crate',
                 'elements: 1 horizontal_plane', 'missing files: 1', 'warnings: 2',
                 f'{world}:2: <gravty> is not known in <mvsim_world> and is passed over; '
                 "did you mean 'gravity'?"):
        assert line in printed.out


def test_check_takes_variables(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', world, '--set', 'STATIC=false']) == 0
    assert 'blocks: 1 (1 movable)' in capsys.readouterr().out


@pytest.mark.parametrize(('arguments', 'message'), [
    pytest.param(['--strict'], '<gravty> is not known', id='strict'),
    pytest.param(['--set', 'STATIC=maybe'], "<static> is 'maybe'", id='bad value'),
])
def test_error_is_one_line_and_code_1(world: str, capsys: pytest.CaptureFixture[str],
                                      arguments: list[str], message: str) -> None:
    assert main(['check', world, *arguments]) == 1
    printed = capsys.readouterr()
    assert printed.out == ''
    assert printed.err.count('\n') == 1
    assert printed.err.startswith(f'error: {world}:')
    assert message in printed.err


def test_missing_world_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', '/nope.xml']) == 1
    assert 'error: /nope.xml' in capsys.readouterr().err


@pytest.mark.parametrize('arguments', [
    pytest.param([], id='no command'),
    pytest.param(['fly'], id='unknown command'),
    pytest.param(['check'], id='no world'),
    pytest.param(['check', 'w', '--set', 'novalue'], id='no assignment'),
])
def test_wrong_usage_is_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2


def test_check_as_a_program(world: str, project: Path) -> None:
    ended = subprocess.run([sys.executable, '-m', 'mvsim_ros2.cli', 'check', '--strict', world],
                           cwd=project, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, '')
    assert ended.stderr.count('\n') == 1
