# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What stands where nothing reads it: the warning says where it belongs, or how it is written."""

from collections.abc import Callable

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.binding.tags import how_to_say, spec_classes
from mvsim_ros2.world.spec.fields import entries
from mvsim_ros2.world.spec.world import WorldSpec

Load = Callable[..., WorldSpec]
VEHICLE = ('<vehicle name="r"><init_pose>0 0 0</init_pose>{}'
           '<dynamics class="ackermann_drivetrain">{}</dynamics></vehicle>')


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param('<physics>mvsim</physics>',
                 "the text 'mvsim' in <physics> is ignored; write mode=\"mvsim\"", id='physics'),
    pytest.param('<air>1.1</air>', "the text '1.1' in <air> is ignored; it takes density=\"...\", "
                 'wind="..."', id='air'),
    pytest.param('<weather>fog</weather>', "the text 'fog' in <weather> is ignored; it takes "
                 'rain="...", snow="...", snow_is_wet="..." and others', id='weather'),
    pytest.param(VEHICLE.format('', '<drivetrain> open_rear <!-- so --> </drivetrain>'),
                 "the text 'open_rear' in <drivetrain> is ignored; write type=\"open_rear\"",
                 id='drivetrain'),
    pytest.param(VEHICLE.format('', '<brakes torque="3">5</brakes>'),
                 "the text '5' in <brakes> is ignored",
                 id='brakes'),
    pytest.param(VEHICLE.format('', '<chassis>20</chassis>'),
                 "the text '20' in <chassis> is ignored; it takes mass=\"...\"", id='chassis'),
    pytest.param(VEHICLE.format('', '<chassis><shape>m <pt>0 0</pt><pt>1 0</pt><pt>0 1</pt>'
                                '</shape></chassis>'),
                 "the text 'm' in <shape> is ignored; it takes <pt>x y</pt>", id='outline'),
    pytest.param(VEHICLE.format('a robot', ''), "the text 'a robot' in <vehicle name=\"r\"> is "
                 'ignored', id='vehicle'),
    pytest.param('<block:class name="a">a box</block:class>', "the text 'a box' in "
                 '<block:class name="a"> is ignored', id='class'),
    pytest.param('spare text', "the text 'spare text' in <mvsim_world> is ignored", id='root')])
def test_text_among_tags_is_told(load: Load, content: str, message: str) -> None:
    warnings = load(content).warnings
    assert len(warnings) == 1
    assert warnings[0].message.startswith(message)


def test_every_group_of_tags_tells_of_text() -> None:
    """Otherwise a word that stands there would be read by nobody, in silence."""
    groups = [spec for spec in spec_classes()
              if not any(entry.tag.content for entry in entries(spec))]
    assert len(groups) > 50
    for spec in groups:
        assert how_to_say('some text', spec).startswith('; it takes ')


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param(VEHICLE.format('<chassis mass="3"/>', ''),
                 '<chassis> is not known in <vehicle name="r"> and is ignored; it belongs in '
                 '<dynamics>', id='chassis'),
    pytest.param(VEHICLE.format('<controller class="raw"/>', ''),
                 '<controller> is not known in <vehicle name="r"> and is ignored; it belongs in '
                 '<dynamics>', id='controller'),
    pytest.param(VEHICLE.format('', '<friction class="default"/>'), '<friction> is not known in '
                 '<dynamics class="ackermann_drivetrain"> and is ignored; it belongs in '
                 '<vehicle>, <rr_wheel>, <rl_wheel> and others', id='friction'),
    pytest.param(VEHICLE.format('', '<sensor class="imu"/>'), '<sensor> is not known in '
                 '<dynamics class="ackermann_drivetrain"> and is ignored; it belongs in '
                 '<vehicle>', id='sensor'),
    pytest.param(VEHICLE.format('', '<vert_nrays>3</vert_nrays>'), '<vert_nrays> is not known in '
                 '<dynamics class="ackermann_drivetrain"> and is ignored; it belongs in '
                 '<sensor>', id='elsewhere'),
    pytest.param('<sensor class="imu" name="i"><vert_nrays>3</vert_nrays></sensor>',
                 '<vert_nrays> is not known in <sensor class="imu" name="i"> and is ignored; it '
                 'belongs in <sensor class="lidar3d">, <sensor class="radar">', id='other class'),
    pytest.param('<wind>1 0</wind>', '<wind> is not known in <mvsim_world> and is ignored; it '
                 'belongs in <air>', id='root'),
    pytest.param('<air shape="1"/>', 'attribute shape is not known in <air> and is ignored',
                 id='attribute that many have'),
    pytest.param('<block shape="1" name="b"><init_pose>0 0 0</init_pose></block>',
                 'attribute shape is not known in <block name="b"> and is ignored; write it as a '
                 'tag, <shape>', id='tag only')])
def test_a_misplaced_tag_is_told_where_it_belongs(load: Load, content: str, message: str) -> None:
    assert [each.message for each in load(content).warnings] == [message]


@pytest.mark.parametrize(('content', 'message'), [
    ('<sensor type="imu" name="i"/>', '; write class="imu" in place of type="imu"'),
    ('<sensor name="imu">laser</sensor>', "; write class=\"laser\" in place of the text 'laser'"),
    (VEHICLE.format('', '<controller>twist_pid</controller>'),
     "; write class=\"twist_pid\" in place of the text 'twist_pid'"),
    ('<sensor name="imu"/>', 'thermal_camera, event_camera')])
def test_a_class_that_stands_elsewhere_is_pointed_at(
        load: Load, content: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=r' has no class: there are ') as error:
        load(content)
    assert str(error.value).endswith(message)
