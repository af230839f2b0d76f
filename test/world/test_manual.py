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
"""The manual of the world format."""

from pathlib import Path

from mvsim_ros2.world.bind_world import collections
from mvsim_ros2.world.manual import manual
from mvsim_ros2.world.places import entries
from mvsim_ros2.world.spec.fields import KINDS


def test_manual_in_docs_is_fresh(project: Path) -> None:
    written = (project / 'docs' / 'world-format.md').read_text()
    assert written == manual(), (
        'stale: run `python -m mvsim_ros2.world.manual > docs/world-format.md`')


def test_manual_names_every_tag_and_kind() -> None:
    text = manual()
    for specs, _ in collections().values():
        for spec in specs:
            for entry in entries(spec):
                assert entry.tag.content or all(name in text for name in entry.names)
    for kind in KINDS:
        assert f'| {kind} |' in text


def test_tables_have_six_columns() -> None:
    rows = [line for line in manual().splitlines() if line.startswith(('| `', '| its'))]
    tables = [row.replace('\\|', '') for row in rows]
    assert {row.count('|') for row in tables if not row.startswith('| `$')} <= {7, 3}
