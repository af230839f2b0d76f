# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`convert-urdf --check`: a class against the description that it was made from."""

from pathlib import Path
import re

import pytest

from mvsim_ros2.cli.run_command import run_command

WHEEL = """<link name="{n}"><collision><geometry><cylinder radius="0.1" length="0.05"/></geometry>
</collision><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0"
 iyz="0"/></inertial></link>
<joint name="{n}_joint" type="continuous"><parent link="base_link"/><child link="{n}"/>
<origin xyz="0 {y} 0.1" rpy="-1.5708 0 0"/><axis xyz="0 0 1"/></joint>"""
ROBOT = f"""<robot name="r"><link name="base_link"><inertial><mass value="10"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin
xyz="0 0 0.2"/><geometry><box size="0.5 0.3 0.1"/></geometry></collision></link>
{WHEEL.format(n='left', y=0.2)}{WHEEL.format(n='right', y=-0.2)}</robot>"""


@pytest.mark.parametrize('was, now, said', [
    ('', '', ''),
    ('pos="0 0.2"', 'pos="0 0.25"',
     'left_joint: y is 0.2000 m in the description, 0.2500 m in the class'),
    ('diameter="0.2"', 'diameter="0.22"', 'diameter is 0.2000 m in the description, 0.2200 m'),
    ('joint="left_joint"', 'joint="l_joint"', "the joint is 'left_joint' in the description")])
def test_differences_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], was: str,
                               now: str, said: str) -> None:
    description, made = tmp_path / 'r.urdf', tmp_path / 'r.vehicle.xml'
    description.write_text(ROBOT)
    assert run_command(['convert-urdf', str(description), '-o', str(made)]) == 0
    text = made.read_text()
    assert was in text
    made.write_text(text.replace(was, now, 1) if was else text)
    code = run_command(['convert-urdf', str(description), '--check', str(made)])
    out = capsys.readouterr().out
    assert code == (1 if said else 0), out
    assert said in out
    assert re.search('1 differences from' if said else 'wheels and sensors are those of', out)
