# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The documentation site: it builds without a warning, and its generated pages are whole."""

from collections.abc import Iterator
import importlib
from pathlib import Path
import re
import sys
from types import ModuleType

import pytest

from mvsim_ros2.cli.run_command import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
NEEDED = 'sphinx', 'myst_parser', 'furo', 'sphinx_design', 'sphinx_copybutton'


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the program that builds the site."""
    monkeypatch.syspath_prepend(str(ROOT / 'docs/site'))
    yield importlib.import_module('make_site')
    sys.modules.pop('make_site')


@pytest.fixture
def tests_of_claims(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the program that collects claims from tests."""
    monkeypatch.syspath_prepend(str(ROOT / 'docs/site'))
    yield importlib.import_module('how_we_know')
    sys.modules.pop('how_we_know')


def test_the_page_of_claims_is_that_of_the_tests(tests_of_claims: ModuleType) -> None:
    """A test with a claim that is gone, renamed or changed makes this fail until it is run."""
    assert tests_of_claims.PAGE.read_text() == tests_of_claims.page(), (
        'run python docs/site/how_we_know.py')
    for claim in tests_of_claims.claims():
        assert (ROOT / claim.test.partition('::')[0]).is_file() and claim.reference
        assert not claim.figure or (ROOT / 'docs' / claim.figure).is_file()


def test_the_page_of_the_command_line_has_every_verb(tool: ModuleType) -> None:
    page = tool.cli_page()
    for module in COMMANDS:
        name = module.__name__.rpartition('.')[2].replace('_', '-')
        assert re.search(f'^## `{name}( slam)?`$', page, re.MULTILINE), name
    assert '`--pixels-per-metre N`' in page and '`WORLD`' in page


def test_the_page_of_the_node_has_every_parameter(tool: ModuleType) -> None:
    page = tool.node_page()
    assert page.count('\n| `') >= 30 and '| `realtime_factor` | double | `1.0` |' in page


def test_the_interface_page_names_every_topic_and_service(tool: ModuleType) -> None:
    """The page that is written by hand has what the tables of the node have."""
    pytest.importorskip('rclpy', reason='ROS is not installed')
    made = importlib.import_module('ros_page')
    page = (ROOT / 'docs/ros-interface.md').read_text()
    words = set(re.findall(r'[A-Za-z_0-9]+', page))
    for topic, kind, *_ in (*made.commands(), *made.states()):
        assert f'`{topic}`' in page and kind.partition('/')[2] in words, topic
    for _, topic, kind in made.sensors():
        assert kind.partition('/')[2] in words, topic
    for service, _ in made.services():
        assert service in words, service
    assert '| `lidar3d` | `NAME_points` | `sensor_msgs/PointCloud2` |' in tool.ros_page()


def test_every_page_is_in_the_site_and_in_the_index(tool: ModuleType) -> None:
    front = (ROOT / 'docs/site/index.md').read_text()
    index = (ROOT / 'docs/index.md').read_text()
    for page in (ROOT / 'docs').glob('*.md'):
        assert f'docs/{page.stem}\n' in front, f'{page.name} is in no list of docs/site/index.md'
        assert page.name == 'index.md' or f'({page.name})' in index, page.name


def test_links_to_nowhere_are_found(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / 'a.html').write_text('<h1 id="top"></h1><a href="b.html#there"></a>'
                                     '<a href="b.html#nowhere"></a><img src="c.png">'
                                     '<a href="https://example.org/x"></a><a href="#top"></a>')
    (tmp_path / 'b.html').write_text('<p id="there"></p>')
    assert tool.broken_links(tmp_path) == [
        'a.html: b.html#nowhere: no such place', 'a.html: c.png: there is no such file']


@pytest.mark.slow
def test_the_site_builds_without_a_warning(
        tool: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for module in NEEDED:
        pytest.importorskip(module)
    assert tool.build(tmp_path / 'site') == 0, capfd.readouterr().err
    index = (tmp_path / 'site/searchindex.js').read_text()
    for word in ('magic_formula', 'raw', 'retroreflector'):
        assert word in index
    assert 'Ctrl-C' in (tmp_path / 'site/reference/cli.html').read_text()
