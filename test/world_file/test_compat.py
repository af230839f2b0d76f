# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What MVSim has and what it is here: the page, the tables, `check --compat`."""

from pathlib import Path

import pytest

from mvsim_ros2.cli.run_command import run_command
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.world.file.differences import DIFFERENCES, differences, ORIGINAL_TAGS, titles
from mvsim_ros2.world.file.load import load_world, load_world_text
from mvsim_ros2.world.spec import ElementSpec, SensorSpec
from mvsim_ros2.world.spec.fields import entries


def rows(project: Path, title: str) -> list[list[str]]:
    """Return the cells of the rows of the table below a title of the page."""
    text = (project / 'docs' / 'from-mvsim.md').read_text()
    section = text.partition(f'## {title}\n')[2].partition('\n## ')[0]
    return [line.removesuffix(' |').rsplit(' | ', 2) for line in section.splitlines()
            if line.startswith('| ')][1:]


def test_what_shows_newer_things_is_there(project: Path) -> None:
    table = rows(project, 'What MVSim has had since 1.2')
    shown = [cells[-1].strip('`') for cells in table if cells[-1].strip()]
    assert [test for test in shown if not (project / 'test' / test).is_file()] == []
    assert len(shown) > 0.8 * len(table) > 20


def test_every_tag_of_the_original_is_read_here() -> None:
    """
    Every tag of MVSim's world files is read.

    :reference: the list of its tags, versions 1.2 to 1.6
    """
    known = {title: {name for entry in entries(spec) for name in entry.names}
             for spec, title in titles().items()}
    for title, names in ORIGINAL_TAGS.items():
        assert title in known, title
        extra = {'class', 'ignore_parent_body'}  # of all sensors there, of those that look here
        assert names - known[title] <= extra, title


def test_rules_name_tags_that_are_there() -> None:
    for rule in DIFFERENCES:
        names = {name for spec in titles() if issubclass(spec, rule.spec)
                 for entry in entries(spec) for name in entry.names}
        assert not rule.tag or rule.tag in names, rule
        assert issubclass(rule.spec, SensorSpec | ElementSpec) or rule.spec in titles()


def test_parameters_of_the_table_are_there(project: Path) -> None:
    table = rows(project, 'Parameters of the node')
    assert len(table) > 10
    for *_, here in table:
        if here.startswith('`') and not here.startswith('`qos'):
            assert hasattr(Settings(), here.split('`')[1]), here


@pytest.mark.parametrize('text, said', [
    ('<gravity>9.81</gravity>', ['equations of MVSim']),
    ('<physics mode="mvsim"/>', []),
    ('<physics mode="mvsim"/> <sensor class="laser" name="l"> <fov_degrees>360</fov_degrees> '
     '</sensor>', ['no ray twice', 'not the largest range']),
    ('<physics mode="mvsim"/> <sensor class="sonar" name="s"> <rays>3</rays> </sensor>',
     ['<sensor sonar> rays: an addition']),
    ('<physics mode="mvsim"/> <vehicle name="r"> <init_pose>0 0 0</init_pose> '
     '<init_vel>1 0 0</init_vel> <odometry source="motion"/> <dynamics class="differential"> '
     '<controller class="twist_ideal"/> </dynamics> </vehicle>',
     ['init_vel: it is in the frame of the vehicle', 'drifts sideways',
      '<odometry> source: an addition'])])
def test_what_behaves_otherwise_is_said(text: str, said: list[str]) -> None:
    found = [str(each) for each in differences(load_world_text(text, 'a string'))]
    own = [each for each in found if '<physics> mode: an addition' not in each
           and 'sensor sonar> name' not in each]
    for words in said:
        assert any(words in each for each in own), (words, own)
    assert len(own) == len(said), own


def test_the_command_prints_it_with_file_and_line(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text('<mvsim_world version="1.0">\n<sensor class="lidar3d" name="l"/>\n'
                    '</mvsim_world>')
    assert run_command(['check', str(path), '--compat']) == 0
    out = capsys.readouterr().out
    assert f'{path}:2: <sensor lidar3d> rolling: columns fire over' in out
    assert 'differences from MVSim: 3' in out


def test_what_holds_by_default_is_told_where_its_tag_would_be(tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text('<mvsim_world>\n\n<vehicle name="r"> <init_pose>0 0 0</init_pose>\n'
                    '<dynamics class="differential"/> </vehicle>\n</mvsim_world>')
    lines = [str(each) for each in differences(load_world(path))]
    assert any(each.startswith(f'{path}:1: <physics> mode, by default: ') for each in lines)
    assert any(each.startswith(f'{path}:3: <odometry> source, by default: ') for each in lines)
    assert all(each.startswith(f'{path}:') for each in lines), lines
