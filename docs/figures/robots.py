# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Make the robots of worlds/vehicles/ from their descriptions, and the page about them.

    python docs/figures/robots.py [NAME ...]

Looks and sensors of a class are those of worlds/descriptions/robots/NAME.urdf.xacro, and so are
its wheels, masses and controller, unless its file has a <dynamics> of its own. The page
docs/robots.md gets the numbers with their sources, and a picture of each robot; the page
docs/urdf.md the tables of what is read.
"""

from collections.abc import Sequence
from pathlib import Path
import re
import sys
import tempfile
from typing import ClassVar

from PIL import Image

from mvsim_ros2 import load_world
from mvsim_ros2.cli import main as mvsim_ros2
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import import drive, sensor_kinds
from mvsim_ros2.world.file.urdf_import.convert import convert
from mvsim_ros2.world.file.urdf_import.description.xml_values import Findings, xml
from mvsim_ros2.world.spec import Source

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / 'worlds/descriptions/robots'
CLASSES = ROOT / 'worlds/vehicles'
PAGE = ROOT / 'docs/robots.md'
READING = ROOT / 'docs/urdf.md'
PICTURES = ROOT / 'docs/pictures/robots'
NAMES = sorted(path.name.removesuffix('.urdf.xacro') for path in SOURCES.glob('*.urdf.xacro'))
MARK = '  <!-- Looks and sensors: docs/figures/robots.py, of {}. -->\n'
OWN = '<!-- Made by docs/figures/robots.py of {}, where its numbers and their sources are. -->\n'
TABLE = re.compile(r'<xacro:property name="(\w+)" value="([^"]*)"/> +<!-- (.*?) -->')
TITLE = re.compile(r'\A<\?xml[^>]*>\s*<!-- (.*?) -->')
SIZE = 400, 300  # of a picture [px]
LINKS = {'create3_sim': 'iRobotEducation/create3_sim', 'f1tenth_gym': 'f1tenth/f1tenth_gym',
         'f1tenth_system': 'f1tenth/f1tenth_system', 'andino_description': 'Ekumen-OS/andino',
         'husky_description': 'husky/husky', 'jackal_description': 'jackal/jackal',
         'leo_description': 'LeoRover/leo_common-ros2',
         'limo_description': 'agilexrobotics/limo_ros2',
         'linorobot2_description': 'linorobot/linorobot2',
         'rosbot_description': 'husarion/rosbot_ros',
         'turtlebot3_description': 'ROBOTIS-GIT/turtlebot3',
         'turtlebot4_description': 'turtlebot/turtlebot4'}


def class_text(name: str) -> str:
    """Return the text of the class of a robot."""
    source = f'../descriptions/robots/{name}.urdf.xacro'
    node = convert(str(SOURCES / f'{name}.urdf.xacro'), {}, lambda source, text: None).node
    parts: dict[str, str] = dict.fromkeys(('dynamics', 'friction', 'visual', 'sensor'), '')
    for child in node.children:
        parts[child.tag] += re.sub('^', '  ', xml(child), flags=re.MULTILINE).rstrip(' ')
    path = CLASSES / f'{name}.vehicle.xml'
    head = path.read_text() if path.exists() else OWN
    mark = MARK.format(source)
    if head.startswith(OWN[:20]):
        head = (OWN.format(source) + f'<vehicle:class name="{name}">\n{parts["dynamics"]}'
                f'{parts["friction"]}')
    else:
        head = re.split(f'{re.escape(mark)}|    <if condition="..default_sensors|</vehicle:class>',
                        head)[0]
    return (f'{head}{mark}  <if condition="${{looks|true}}">\n{parts["visual"]}  </if>\n'
            f'  <if condition="${{default_sensors|true}}">\n{parts["sensor"]}  </if>\n'
            '</vehicle:class>\n')


def page_text() -> str:
    """Return the text of the page."""
    introduction = PAGE.read_text().split('\n## Robots\n')[0]
    parts = [introduction, '\n## Robots\n']
    for name in NAMES:
        text = (SOURCES / f'{name}.urdf.xacro').read_text()
        (title,) = TITLE.findall(text)
        parts += [f'\n### `{name}`\n\n![{name}](pictures/robots/{name}.webp)\n\n{title}.\n',
                  '\n| what | value | unit, source |\n|---|---|---|\n']
        parts += [f'| {what} | {value} | {linked(source)} |\n'
                  for what, value, source in TABLE.findall(text)]
    return ''.join(parts)


class _Asked(Node):
    """An element in which every tag is found, empty; its source notes the path to it."""

    read: ClassVar[set[str]] = set()  # paths of elements whose texts or attributes are read

    def child(self, tag: str) -> Node:
        """Return an element of any tag."""
        path = f'{self.source.file}/{tag}'.lstrip('/')
        self.read.discard(self.source.file)
        self.read.add(path)
        return _Asked(tag, source=Source(path))


def reading_text(page: str) -> str:
    """Return the text of the page of descriptions, with the tables of what is read."""
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for kind, convert_kind in sensor_kinds._KINDS.items():
        _Asked.read.clear()
        made = convert_kind(_Asked('sensor', {'type': kind}, source=Source()), Findings())
        read = {re.sub('/[xyz]/', '/x, y, z/', path) for path in _Asked.read}
        rows.setdefault((made.kind, tuple(sorted(read))), []).append(kind)
    lines = ['| type of a `<sensor>` | class | tags that are read |', '|---|---|---|']
    for (name, paths), kinds in rows.items():
        grouped: dict[str, list[str]] = {}
        for path in paths:
            folder, _, tag = path.rpartition('/')
            grouped.setdefault(folder, []).append(tag)
        said = '; '.join(f'`{folder}`: ' * bool(folder) + ', '.join(f'`{tag}`' for tag in tags)
                         for folder, tags in grouped.items())
        lines.append(f'| {", ".join(f"`{kind}`" for kind in kinds)} | `{name}` | {said} |')
    lines += ['', 'Names of plugins and controllers, without signs and in small letters:', '',
              '| in the name | kinematics |', '|---|---|']
    for pattern, kinematics in drive._DRIVES.items():
        bar = '\\|'
        lines.append(f'| `{pattern.replace("|", bar)}` | {kinematics} |')
    begin, end = '<!-- by docs/figures/robots.py -->', '<!-- end -->'
    return (page[:page.index(begin)] + begin + '\n' + '\n'.join(lines) + '\n'
            + page[page.index(end):])


def linked(source: str) -> str:
    """Return a source with links to the repositories that it names."""
    return re.sub(r'\w+', lambda word: f'[{word[0]}](https://github.com/{LINKS[word[0]]})'
                  if word[0] in LINKS else word[0], source)


def draw(name: str, folder: Path = PICTURES) -> None:
    """Draw the picture of a robot."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / 'one.world.xml'
        path.write_text(f"""<mvsim_world>
          <element class="horizontal_plane"> <x_min>-9</x_min> <x_max>9</x_max> <y_min>-9</y_min>
            <y_max>9</y_max> <color>#d9dcd6</color> </element>
          <include file="{CLASSES / name}.vehicle.xml"/>
          <vehicle name="r" class="{name}"> <init_pose>0 0 0</init_pose> </vehicle>
          </mvsim_world>""")
        (robot,) = load_world(path).vehicles
        corners = [*robot.dynamics.chassis.shape, *(
            (wheel.pos[0] + wheel.radius * x, wheel.pos[1] + wheel.width * y)
            for wheel in robot.dynamics.wheels for x in (-1, 1) for y in (-1, 1))]
        high = max(robot.dynamics.chassis.zmax, *(each.pose.z for each in robot.sensors))
        long = max(max(x for x, _ in corners) - min(x for x, _ in corners), 1.2 * high)
        eye = f'{1.3 * long} {-1.55 * long} {high + 0.6 * long}'
        picture = folder / f'{name}.png'
        code = mvsim_ros2(['picture', str(path), '--size', '{}x{}'.format(*SIZE), '-o',
                           str(picture), '--from', *eye.split(), '--at', '0', '0',
                           f'{0.45 * high}'])
        if code:
            sys.exit(code)
    with Image.open(picture) as drawn:
        drawn.convert('RGB').save(folder / f'{name}.webp', quality=90, method=6)
    picture.unlink()


def main(names: Sequence[str]) -> None:
    """Write all."""
    for name in names or NAMES:
        (CLASSES / f'{name}.vehicle.xml').write_text(class_text(name))
        draw(name)
    PAGE.write_text(page_text())
    READING.write_text(reading_text(READING.read_text()))


if __name__ == '__main__':
    main(sys.argv[1:])
