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
"""Every Python file starts with the licence."""

from pathlib import Path

import pytest

COPYRIGHT = '# Copyright '


def licence_header(project: Path) -> str:
    """Return LICENSE without its title and copyright line, as the comment it is in a file."""
    text = (project / 'LICENSE').read_text().split('\n\n', 2)[2]
    return ''.join(f'# {line}'.rstrip() + '\n' for line in text.splitlines())


@pytest.mark.linter
def test_python_files_start_with_the_licence(project: Path, python_sources: list[Path]) -> None:
    header = licence_header(project)
    bad = []
    for path in python_sources:
        for file in path.rglob('*.py') if path.is_dir() else [path]:
            first, _, rest = file.read_text().partition('\n')
            if not (first.startswith(COPYRIGHT) and rest.startswith('#\n' + header)):
                bad.append(str(file.relative_to(project)))
    assert not bad, f'these files do not start with the licence as setup.py does: {bad}'


@pytest.mark.linter
def test_ament_copyright_agrees(python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_copyright.main', reason='ament_copyright is not installed')
    assert ament.main(argv=[str(path) for path in python_sources]) == 0
