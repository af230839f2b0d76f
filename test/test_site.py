# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The documentation site: it builds without a warning, and its generated pages are whole."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
import importlib
from pathlib import Path
import re
import shutil
import sys
from threading import Thread
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
    """The pages that are written by hand have what the tables of the node have."""
    pytest.importorskip('rclpy', reason='ROS is not installed')
    made = importlib.import_module('ros_page')
    page = ''.join(path.read_text() for path in (ROOT / 'docs').glob('ros-*.md'))
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


def test_the_world_format_is_split_and_links_follow(tool: ModuleType, tmp_path: Path) -> None:
    """The second `<waypoint>` is the first one of its page."""
    (tmp_path / 'docs').mkdir()
    page = tmp_path / 'docs/world-format.md'
    page.write_text('# World files\n\nSee [tags](#waypoint-1).\n\n# Tags\n\nAll of them.\n\n'
                    '## `<controller class="raw">`\n\n## `<waypoint>`\n\n## `<actor>`\n\n'
                    '## `<waypoint>`\n\nAs [there](#waypoint).\n')
    (tmp_path / 'README.md').write_text('[a](docs/world-format.md#waypoint), [b](#waypoint)')
    tool.split_world_format(tmp_path)
    assert '[tags](world-format-elements.md#waypoint)' in page.read_text()
    assert '[there](world-format-controllers.md#waypoint)' in (
        tmp_path / 'docs/world-format-elements.md').read_text()
    assert (tmp_path / 'README.md').read_text() == (
        '[a](docs/world-format-controllers.md#waypoint), [b](#waypoint)')


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_searches_find_their_page(
        tool: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for module in NEEDED:
        pytest.importorskip(module)
    assert tool.build(tmp_path / 'site') == 0, capfd.readouterr().err
    index = (tmp_path / 'site/searchindex.js').read_text()
    for word in ('magic_formula', 'raw', 'retroreflector'):
        assert word in index
    assert 'Ctrl-C' in (tmp_path / 'site/reference/cli.html').read_text()
    found = first_results(tmp_path / 'site', [
        word for words in tool.SEARCHES.values() for word in words] + ['put my robot'])
    for page, words in tool.SEARCHES.items():
        assert {word: found[word] for word in words} == dict.fromkeys(words, f'{page}.html')
    assert found['put my robot'] == 'docs/urdf.html'


def first_results(site: Path, questions: list[str]) -> dict[str, str]:
    """Return the page that the search of a site lists first, for each question."""
    sync_api = pytest.importorskip('playwright.sync_api', reason='no Playwright')
    chromium = shutil.which('chromium') or pytest.skip('no Chromium: apt-get install chromium')
    found = {}
    with ThreadingHTTPServer(('127.0.0.1', 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=['--no-sandbox'])
            page = browser.new_page()
            for question in questions:
                page.goto(f'http://127.0.0.1:{server.server_port}/search.html?q={question}')
                link = page.wait_for_selector('#search-results ul.search > li > a')
                found[question] = str(link.get_attribute('href')).partition('#')[0]
            browser.close()
        server.shutdown()
    return found


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""
