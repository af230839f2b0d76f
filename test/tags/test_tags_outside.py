# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags that show outside a run: lines for RViz, CSV logs, named poses, arguments of xacro."""

from pathlib import Path
from typing import Any

import pytest
from tag_effects import bits, effects, filled, ROBOT_URDF, Row, table

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.cli.run_command import run_command
from mvsim_ros2.ros.publishers.markers import lines


def drawn(simulation: Simulation) -> Any:
    """Return the lines on `world_markers`."""
    return [str(each) for each in lines(simulation, 'map', 0)]


POINTS = ''.join(f'<waypoint t="{x}" x="{x}" y="0"/>' for x in range(3))
LINES = f"""<mvsim_world> <gui> {{gui: <show_trajectories>true</show_trajectories>}} </gui>
 <marker> {{marker: <points>[0 0 1; 1 1 1]</points>}} </marker>
 <vehicle name="r"> <init_pose>0 0 0</init_pose> <dynamics class="differential">
 <controller class="trajectory"> {{controller trajectory}} {POINTS} </controller>
 </dynamics> </vehicle> </mvsim_world>"""
test_lines = effects(LINES, """
gui
 show_trajectories | false | true
controller trajectory
 viz_height | 0.5 | 1
marker
 type | line_strip | ! points
 color | #ffffff | #ff0000
 translation | 0 0 0 | 1 0 0
 points | [0 0 1; 1 1 1] | [0 0 1; 2 1 1]
""", drawn)
VEHICLES = """<mvsim_world>
 <vehicle name="r"> {vehicle: <init_pose>0 0 0</init_pose>} <dynamics class="differential"/>
 </vehicle> <vehicle name="s"> <init_pose>0 3 0</init_pose> <dynamics class="differential"/>
 </vehicle> </mvsim_world>"""
LOGS = table("""
vehicle
 log_path | - | mine_
 auto_start_recording | false | true
""")


@pytest.mark.parametrize('row', LOGS, ids=str)
def test_names_of_logs(row: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for number, value in enumerate((row.one, row.other)):
        world, folder = tmp_path / f'{number}.world.xml', tmp_path / str(number)
        world.write_text(filled(VEHICLES, row, value))
        assert run_command(['log', str(world), '-o', str(folder), '--duration', '0.05']) == 0
        found.append({str(each.relative_to(folder)) for each in folder.rglob('*.csv')})
    assert found[0] and found[1] and found[0] != found[1]
    capsys.readouterr()


XACRO = ROBOT_URDF.replace('<robot name="robot">', (
    '<robot name="robot" xmlns:xacro="http://www.ros.org/wiki/xacro"> '
    '<xacro:arg name="size" default="0.4"/>')).replace('"0.4 0.3 0.1"', '"$(arg size) 0.3 0.1"')
ARGUMENTS = table("""
vehicle
 urdf_args | - | size:=0.6
""")


@pytest.mark.parametrize('row', ARGUMENTS, ids=str)
def test_arguments_of_descriptions(row: Row, tmp_path: Path) -> None:
    (tmp_path / 'robot.urdf.xacro').write_text(XACRO)
    text = VEHICLES.replace('{vehicle: ', '{vehicle: <urdf>robot.urdf.xacro</urdf> ')
    shapes = []
    for value in (row.one, row.other):
        (tmp_path / 'w.world.xml').write_text(filled(text, row, value))
        world = load_world(tmp_path / 'w.world.xml', allow_xacro=True)
        shapes.append(bits(Simulation(world).vehicles['r'].footprint))
    assert shapes[0] != shapes[1]


# the services that tell of named poses: test/ros/test_standard_entities.py, test_named_poses
ELSEWHERE = {'named_pose': {'name', 'pose', 'description', 'tags', 'size'},
             'door': {'name'}, 'window': {'name'},
             'weather': {'water_film'}}  # of spray: test_spray


def test_named_poses_have_their_test() -> None:
    source = (Path(__file__).parents[1] / 'ros/test_standard_entities.py').read_text()
    _, _, body = source.partition('def test_named_poses(')
    body = body.partition('\ndef ')[0]
    for word in ('dock.name', 'dock.description', 'dock.tags', 'dock.pose', 'bounds.points'):
        assert word in body


@pytest.mark.parametrize('kind', ['door', 'window'])
def test_names_of_openings_are_in_the_spec(kind: str, tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text('<mvsim_world> <element class="vertical_plane"> '
                    f'<{kind} name="kitchen"/> </element> </mvsim_world>')
    wall, = load_world(path, strict=True).elements
    opening, = wall.doors + wall.windows
    assert opening.name == 'kitchen'
