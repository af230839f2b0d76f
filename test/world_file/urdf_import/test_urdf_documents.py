# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text of robot descriptions: xacro, its places, its faults; whatever damage, our errors only."""

from functools import cache
from pathlib import Path
import random
import re

from drawn_examples import examples
from hypothesis import example, given, settings, strategies
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.urdf_import.convert import class_text, convert
from mvsim_ros2.world.file.urdf_import.description.document import arguments_of, read_document
from mvsim_ros2.world.spec import Source

pytest.importorskip('xacro')

FOLDER = Path(__file__).resolve().parents[3] / 'worlds' / 'descriptions'
SHIPPED = [pytest.param(path, id=path.name) for path in sorted(FOLDER.glob('*.urdf*'))]
HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'


def read(path: Path, text: str, **arguments: str) -> tuple[list[str], object]:
    """Return the warnings and the document of a file with this text."""
    path.write_text(text)
    said: list[str] = []
    document = read_document(str(path), arguments,
                             lambda source, text: said.append(f'{source}: {text}'))
    return said, document


def test_elements_keep_their_places_through_macros_and_includes(tmp_path: Path) -> None:
    (tmp_path / 'parts.xacro').write_text(HEAD + """
      <xacro:macro name="part" params="name">
        <link name="${name}"/>
      </xacro:macro></robot>""")
    _, document = read(tmp_path / 'robot.xacro', HEAD + """
      <xacro:include filename="parts.xacro"/>
      <xacro:arg name="first" default="a"/>
      <xacro:part name="$(arg first)"/>
      <link name="b"/>
      <mesh at="$(find mvsim_ros2)/x"/></robot>""", first='mine')
    first, second, mesh = document.root.children
    assert (first.attributes, first.source) == (
        {'name': 'mine'}, Source(str(tmp_path / 'parts.xacro'), 4))
    assert second.source == Source(str(tmp_path / 'robot.xacro'), 6)
    assert mesh.attributes['at'] == f'{FOLDER.parents[1]}/x'
    assert 'written-at' not in document.text
    assert '<link name="mine"/>' in document.text


@pytest.mark.parametrize(('text', 'message'), [
    pytest.param('<xacro:nope/></robot>', 'unknown macro name: xacro:nope', id='macro'),
    pytest.param('<a b="${1/0}"/></robot>', 'division by zero', id='expression'),
    pytest.param('<a b="${c}"/></robot>', "name 'c' is not defined", id='name'),
    pytest.param('<a b="$(arg c)"/></robot>', 'Undefined substitution argument c', id='argument'),
    pytest.param('<a b="1></robot>', r'robot\.xacro:2: .*not well-formed', id='xml'),
    pytest.param('<xacro:include filename="none.xacro"/></robot>', 'No such file', id='include'),
    pytest.param('<xacro:include filename="$(find none_such)/a"/></robot>',
                 'robot.xacro: package "none_such": no share folder found', id='package'),
    pytest.param('<xacro:include filename="robot.xacro"/></robot>', 'without an end', id='itself'),
    pytest.param('<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/></robot>',
                 'without an end', id='recursion'),
    pytest.param('</robot><!--', 'cannot expand', id='comment'),
])
def test_faults_of_xacro_name_the_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message) as raised:
        read(tmp_path / 'robot.xacro', HEAD + text)
    assert str(tmp_path / '') in str(raised.value).partition(':')[0]


def test_output_of_xacro_is_a_warning(tmp_path: Path) -> None:
    said, _ = read(tmp_path / 'robot.xacro', HEAD + '<xacro:property name="a" value="1" b="2"/>'
                   '<link name="l"/></robot>')
    assert any('unknown attribute' in line for line in said)


def test_arguments_that_a_file_takes(tmp_path: Path) -> None:
    """They are declared, or asked for; what is neither is said."""
    text = (HEAD + '<xacro:arg name="wide" default="1"/><xacro:if value="$(arg wide)">'
            '<link name="${xacro.arg(\'called\')}$(arg plain)"/></xacro:if></robot>')
    _, document = read(tmp_path / 'robot.xacro', text, called='l', plain='1')
    assert 'name="l1"' in document.text and document.unused == ''
    _, document = read(tmp_path / 'robot.xacro', text, called='l', plain='1', wode='2')
    assert document.unused.endswith(
        "has no argument wode; did you mean 'wide'?; there are called, plain, wide")


def test_plain_files_take_no_arguments(tmp_path: Path) -> None:
    _, document = read(tmp_path / 'robot.urdf', '<robot name="r"><link name="a"/></robot>',
                       camera='true')
    assert 'takes no arguments' in document.unused
    assert document.text == '<robot name="r"><link name="a"/></robot>'


@pytest.mark.parametrize('text', ['<world/>', '<robot/><robot/>'], ids=['world', 'two robots'])
def test_the_root_is_one_robot(tmp_path: Path, text: str) -> None:
    with pytest.raises(WorldFileError, match='has one root, <robot>'):
        read(tmp_path / 'robot.urdf', text)


def test_a_file_that_is_missing_is_no_world(tmp_path: Path) -> None:
    path = str(tmp_path / 'no.urdf')
    with pytest.raises(WorldFileError) as raised:
        convert(path, {}, lambda source, message: None)
    assert str(raised.value) == (
        f'{path}: cannot read the robot description: No such file or directory')


def test_arguments() -> None:
    here = Source('world.xml', 3)
    assert arguments_of('a:=1 b:="two words" c:=', here) == {'a': '1', 'b': 'two words', 'c': ''}
    with pytest.raises(WorldFileError, match="world.xml:3: urdf_args has ':=1'"):
        arguments_of(':=1', here)


@pytest.mark.parametrize('path', SHIPPED)
def test_converting_is_repeatable(path: Path) -> None:
    texts = [class_text(convert(str(path), {}, lambda source, text: None), path.name)
             for _ in range(2)]
    assert texts[0] == texts[1]


PIECES = ('"', '<', '>', '/', '-', 'nan', '1e400', '0', ' ', '</link>', '<link name="x"/>', '${',
          'xyz=', '\0', 'é', '-1', '<joint>', '&', 'base_link')


@cache
def expanded(path: Path) -> str:
    """Return the URDF of a description."""
    return read_document(str(path), {}, lambda source, text: None).text


@settings(max_examples=examples(60))
@given(path=strategies.sampled_from([param.values[0] for param in SHIPPED]),
       seed=strategies.integers(0, 2 ** 32 - 1), plain=strategies.booleans())
def test_damaged_descriptions_give_our_errors_only(
        tmp_path_factory: pytest.TempPathFactory, path: Path, seed: int, plain: bool) -> None:
    choice = random.Random(seed)
    text = path.read_text()
    if plain and path.suffix == '.xacro':
        text = expanded(path)
    for _ in range(choice.randint(1, 3)):
        at = choice.randrange(len(text))
        length = choice.choice((0, 1, 5, 40, 400))
        text = text[:at] + choice.choice(('', *PIECES)) + text[at + length:]
    damaged = tmp_path_factory.getbasetemp() / f'damaged{"" if plain else path.suffix}'
    damaged.write_text(text)
    try:
        class_text(convert(str(damaged), {}, lambda source, text: None), 'damaged')
    except WorldFileError as error:
        assert str(error).startswith(str(damaged.parent))


@settings(max_examples=examples(120))
@given(path=strategies.sampled_from([param.values[0] for param in SHIPPED]),
       seed=strategies.integers(0, 2 ** 32 - 1))
@example(path=next(param.values[0] for param in SHIPPED
                   if param.values[0].name == 'car.urdf.xacro'), seed=78305429)  # no wheelbase
def test_wild_values_give_worlds_or_our_errors(
        tmp_path_factory: pytest.TempPathFactory, path: Path, seed: int) -> None:
    choice = random.Random(seed)
    text = expanded(path)
    for _ in range(choice.randint(1, 4)):
        place = choice.choice(list(re.finditer(r'(?<=[">\s])[-+\d.e]+(?=["<\s])', text)))
        wild = choice.choice(('0', '-1', '1e9', '1e-9', '-0.0', 'x', '3 4', '', 'inf', '2'))
        text = text[:place.start()] + wild + text[place.end():]
    folder = tmp_path_factory.getbasetemp()
    (folder / 'wild.urdf').write_text(text)
    world = folder / 'wild.world.xml'
    world.write_text('<mvsim_world><vehicle name="r" urdf="wild.urdf"><init_pose>0 0 0'
                     '</init_pose></vehicle></mvsim_world>')
    try:
        (vehicle,) = load_world(world).vehicles
        assert vehicle.dynamics.chassis.mass > 0
    except WorldFileError as error:
        assert str(error).startswith(str(folder))
