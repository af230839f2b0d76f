# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Build the documentation site: `scripts/docs [FOLDER]`, `python docs/site/make_site.py [FOLDER]`.

The pages are those of docs/ and the root of the project, and pages of reference that are generated
from the parsers, the parameters and topics of the node, and the public packages. They are staged
in a folder for themselves, so that links between them hold. Warnings are errors, and every link
within the site must lead to a file and a place in it that there are.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from html.parser import HTMLParser
import importlib
from importlib.util import find_spec
from pathlib import Path
import re
import shutil
import sys
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from mvsim_ros2.cli.run_command import make_parser
from mvsim_ros2.ros.messages.settings import Settings, TYPE_NAMES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGES = {  # what they need beyond the package
    'mvsim_ros2': '', 'mvsim_ros2.simulation.handles': '', 'mvsim_ros2.sensors': '',
    'mvsim_ros2.trajectories': '', 'mvsim_ros2.recording': 'rosbags', 'mvsim_ros2.pictures': '',
    'mvsim_ros2.studies.sweeps': '', 'mvsim_ros2.gym': 'gymnasium', 'mvsim_ros2.policies': '',
    'mvsim_ros2.world.spec': '', 'mvsim_ros2.errors': ''}

SEARCHES = {  # page: what somebody types who looks for it, besides the words of its title
    'docs/urdf': ('put my robot in', 'robot description', 'turtlebot', 'xacro', 'sdf'),
    'docs/nav2': ('nav2', 'navigation', 'costmap'),
    'docs/slam-toolbox': ('slam', 'mapping'),
    'docs/datasets': ('bag', 'rosbag', 'record', 'ground truth'),
    'docs/formats': ('kitti', 'euroc', 'tum', 'coco'),
    'docs/learning': ('train', 'gymnasium', 'reinforcement learning'),
    'docs/performance': ('slow', 'speed', 'real-time factor'),
    'docs/first-steps': ('install', 'teleop', 'joystick'),
    'docs/viewer': ('browser', 'screenshot'),
    'docs/lidars': ('lidar',), 'docs/cameras': ('camera',),
    'docs/sensors-navigation': ('imu', 'gps'),
    'docs/ros-interface': ('topic', 'cmd_vel'), 'docs/ros-services': ('service', 'tf', 'frame'),
    'docs/ros-parameters': ('parameter',),
    'docs/tyres': ('friction', 'slip'), 'docs/tyres-soil': ('clay', 'sand', 'soil'),
    'docs/drives': ('motor', 'brake', 'differential'),
    'docs/extending': ('plugin', 'own sensor'),
    'docs/from-mvsim': ('mvsim', 'migrate')}
GROUPS = {  # of the tags of the world format, by their headings; others belong to the one before
    'world': r'<(mvsim_world|physics|gui|lights|air|weather|georeference)>',
    'vehicles': r'<vehicle>|<dynamics|<animation>|<light_group>|<(motor|brakes)>',
    'controllers': r'<controller', 'tyres': r'<friction', 'sensors': r'<sensor',
    'elements': r'<element|<block>|<actor>|<joint>|<marker>'}


# ------------------------------------- generated pages -------------------------------------
def cli_page() -> str:
    """Return the page of the command line, from its parsers."""
    parser = make_parser()
    lines = ['# Command line', '', f'`{parser.prog} COMMAND ...`: {parser.description}', '',
             '0 is success, 1 an error in one line, 2 wrong usage, 130 Ctrl-C. `--version` and '
             '`--help` are there, and the [Tab key](../docs/first-steps.md#which-terminal).', '']
    for name, command in _commands(parser):
        usage = ' '.join(command.format_usage().removeprefix('usage: ').split())
        lines += [f'## `{name}`', '', command.description or '', '', '```text', usage, '```', '',
                  '| | |', '|---|---|']
        for action in command._actions:
            if action.help and '--help' not in action.option_strings and (
                    action.help != argparse.SUPPRESS):
                value = action.metavar or ''
                value = ' '.join(value) if isinstance(value, tuple) else value
                what = ', '.join(action.option_strings) or value
                if action.option_strings and value:
                    what = f'{what} {value}'
                lines.append(f'| `{_cell(what)}` | {_cell(action.help % vars(action))} |')
        lines.append('')
    return '\n'.join(lines)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield names and parsers of the commands, and of commands of commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                if any(isinstance(each, argparse._SubParsersAction) for each in command._actions):
                    yield from ((f'{name} {inner}', each) for inner, each in _commands(command))
                else:
                    yield name, command


def _cell(text: str) -> str:
    return text.replace('|', r'\|').replace('$', r'\$').replace('<', '&lt;').replace('*', r'\*')


def node_page() -> str:
    """Return the page of the parameters of the node."""
    lines = ['# Parameters of the node', '', 'As `mvsim_node --help` lists them; topics, services '
             'and frames are on the page [ROS interface](../docs/ros-interface.md).', '',
             '| parameter | type | default | meaning |', '|---|---|---|---|']
    for item in fields(Settings):
        default = list(item.default) if isinstance(item.default, tuple) else item.default
        lines.append(f'| `{item.name}` | {TYPE_NAMES[type(default)]} | `{default!r}` | '
                     f'{_cell(item.metadata["doc"])} |')
    return '\n'.join(lines) + '\n'


def ros_page() -> str:
    """Return the page of topics and services, for which the messages of ROS are needed."""
    if find_spec('rclpy') is None:
        raise SystemExit('docs: the page of topics is made from the node, which needs ROS 2: run '
                         'scripts/setup, or source an installation')
    return str(importlib.import_module('ros_page').page())


def write_python_pages(folder: Path) -> None:
    """Write a page for each public package, and one that leads to them."""
    pages: list[str] = []
    shown: set[int] = set()  # what has its place already; others only show it again
    for name, need in PACKAGES.items():
        if need and find_spec(need) is None:
            raise SystemExit(f'docs: {name} needs {need}: pip install {need}')
        package = importlib.import_module(name)
        objects = [(each, found) for each, found in (
            (each, getattr(package, each))
            for each in getattr(package, '__all__', None) or sorted(vars(package)))
            if not each.startswith('_') and getattr(found, '__module__', name).startswith('mvsim')]
        text = [f'# `{name}`', '', '```{eval-rst}', f'.. automodule:: {name}', '   :no-members:',
                '']
        for each, found in objects:
            again = id(found) in shown
            shown.add(id(found))
            kind = ('autoexception' if isinstance(found, type) and issubclass(found, Exception)
                    else 'autoclass' if isinstance(found, type)
                    else 'autofunction' if callable(found)
                    else 'automodule' if hasattr(found, '__file__') else 'autodata')
            options = ['   :members:'] if kind in ('autoclass', 'automodule') else []
            text += [f'.. {kind}:: {name}.{each}', *options,
                     *(['   :no-index:'] if again else []), '']
        text.append('```')
        (folder / f'{name}.md').write_text('\n'.join(text) + '\n')
        pages.append(name)
    (folder / 'python.md').write_text('\n'.join([
        '# Python API', '', 'The public packages. What each is for is on the page '
        '[Python](../docs/python.md); every example is run by a test.', '', '```{toctree}',
        ':maxdepth: 1', *pages, '```', '']))


# ----------------------------------------- staging -----------------------------------------
def stage(place: Path) -> None:
    """Put all pages into a folder."""
    shutil.copytree(ROOT / 'docs', place / 'docs',
                    ignore=shutil.ignore_patterns('site', 'figures', '__pycache__'))
    shutil.copytree(ROOT / 'examples', place / 'examples',
                    ignore=shutil.ignore_patterns('__pycache__', '*.onnx'))
    for page in ROOT.glob('*.md'):
        shutil.copy(page, place)
    for name in ('LICENSE', 'CITATION.cff'):
        shutil.copy(ROOT / name, place)
    for page in [*HERE.glob('*.md'), HERE / 'conf.py']:
        shutil.copy(page, place)
    (place / '_static').mkdir()
    shutil.copy(HERE / 'site.css', place / '_static')
    reference = place / 'reference'
    reference.mkdir()
    (reference / 'cli.md').write_text(cli_page())
    (reference / 'node.md').write_text(node_page())
    (reference / 'topics.md').write_text(ros_page())
    write_python_pages(reference)
    for page in [*place.glob('*.md'), *place.glob('docs/*.md'), *place.glob('examples/**/*.md')]:
        page.write_text(_without_folders(page))
    split_world_format(place)
    for name, words in SEARCHES.items():
        page = place / f'{name}.md'
        title, _, rest = page.read_text().partition('\n')
        entries = ', '.join(f'!{word}' for word in words)  # main entries come first in a search
        page.write_text('\n'.join([title, '', f'```{{index}} {entries}', '```', rest]))


def split_world_format(place: Path) -> None:
    """Split the tags of the world format into a page for each group, and turn links to these."""
    page = place / 'docs/world-format.md'
    text, _, tags = page.read_text().partition('\n# Tags\n')
    intro, *sections = re.split(r'^(?=## )', tags, flags=re.MULTILINE)
    pages: dict[str, list[str]] = {group: [] for group in GROUPS}
    group, where, seen = 'world', dict[str, tuple[str, str]](), Counter[tuple[str, str]]()
    for section in sections:
        title = section.partition('\n')[0].removeprefix('## ').replace('`', '')
        group = next((name for name, pattern in GROUPS.items() if re.match(pattern, title)), group)
        pages[group].append(section)
        slug = re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-')
        old, new = (f'{slug}-{seen[key, slug]}' if seen[key, slug] else slug
                    for key in ('', group))
        seen.update([('', slug), (group, slug)])
        where[old] = f'world-format-{group}.md', new
    toctree = '\n'.join(f'world-format-{group}' for group in pages)
    page.write_text(f'{text}\n## Tags\n{intro}\n```{{toctree}}\n{toctree}\n```\n')
    for group, found in pages.items():
        (page.parent / f'world-format-{group}.md').write_text(
            f'# Tags: {group}\n\n' + ''.join(found))

    def turned(match: re.Match[str]) -> str:
        folder, anchor = match[1] or '', match[2]
        if anchor not in where:
            return match[0] if match[1] is not None else f'](world-format.md#{anchor})'
        file, slug = where[anchor]
        return f']({folder}{file}#{slug})'

    for each in place.rglob('*.md'):
        if each.name.startswith('world-format'):
            each.write_text(re.sub(r'\]\(()#([^)]+)\)', turned, each.read_text()))
        each.write_text(re.sub(r'\]\(((?:\.\./|docs/)*)world-format\.md#([^)]+)\)', turned,
                               each.read_text()))


def _without_folders(page: Path) -> str:
    """Return a page whose links to folders, which a site does not have, are plain text."""
    def plain(match: re.Match[str]) -> str:
        target = (page.parent / match[2].partition('#')[0])
        there = target.is_file() or match[2].startswith(('http', '#', 'mailto'))
        return match[0] if there else match[1]

    return re.sub(r'(?<!!)\[([^\]\[]*)\]\(([^)\s]+)\)', plain, page.read_text())


# ------------------------------------- links of the site -------------------------------------
class _Page(HTMLParser):
    """The links of a page, and the places that others can link to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down links and places."""
        for name, value in attrs:
            if name in ('href', 'src') and value:
                self.links.append(value)
            elif name == 'id' and value:
                self.places.add(value)


def broken_links(site: Path) -> list[str]:
    """Return the links within a site that lead nowhere."""
    pages = {path.resolve(): _Page(path) for path in site.rglob('*.html')
             if 'docs/run.html' not in str(path) and '_downloads' not in path.parts}
    found = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r'[a-z]+:|//', link):
                continue
            file, _, place = unquote(link).partition('#')
            target = (path.parent / file.partition('?')[0]).resolve() if file else path
            target = target / 'index.html' if target.is_dir() else target
            if not target.is_file():
                found.append(f'{path.relative_to(site.resolve())}: {link}: there is no such file')
            elif place and target in pages and place not in pages[target].places:
                found.append(f'{path.relative_to(site.resolve())}: {link}: no such place')
    return found


def build(site: Path) -> int:
    """Build the site and check its links; return the exit code."""
    try:
        from sphinx.cmd.build import main as sphinx
    except ModuleNotFoundError as error:
        print(f"docs: {error}: pip install '.[docs]'", file=sys.stderr)
        return 1
    with TemporaryDirectory() as place:
        source = Path(place) / 'source'
        source.mkdir()
        stage(source)
        code = sphinx(['-b', 'html', '-W', '--keep-going', '-q', '-d', f'{place}/doctrees',
                       str(source), str(site)])
    if code:
        return code
    broken = broken_links(site)
    for line in broken:
        print(f'docs: {line}', file=sys.stderr)
    print(f'{site / "index.html"}: {sum(1 for _ in site.rglob("*.html"))} pages')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else 'out/site').resolve()))
