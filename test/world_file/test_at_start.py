# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things that stand at the start as nobody means it are warned of, with numbers."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.world.file.at_start import overlap
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec.world import WorldSpec

Load = Callable[..., WorldSpec]
SQUARE = '<shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape>'
TWO = ('<block name="a"><init_pose>0 0 0</init_pose></block>'
       '<block name="b"><init_pose>6 0 90</init_pose></block>'
       '<joint body_a="a" body_b="b" anchor_a="0.5 0" anchor_b="0 0.5" {}/>')  # 5 m apart
TRAJECTORY = ('<controller class="trajectory"><waypoint t="0" x="{}" y="0"/>'
              '<waypoint t="9" x="9" y="0"/></controller>')
STOREY = '<element class="horizontal_plane"><z>3</z></element>'
RAMP = ('<block name="b"><init_pose>0 0 0</init_pose><static>true</static><shape_from_visual/>'
        '<geometry type="ramp" lx="4" ly="4" lz="1"/></block>')
UTM = '<georeference latitude="36.7" longitude="-4.4" world_is_utm="true"/>'


def robot(pose: str, inside: str = '', beside: str = '', name: str = 'r') -> str:
    """Return a robot of 2 m by 2 m, from 0.1 to 0.6 m high."""
    return (f'<vehicle name="{name}">{pose}{beside}<dynamics class="differential">'
            f'<chassis zmin="0.1" zmax="0.6">{SQUARE}</chassis>{inside}</dynamics></vehicle>')


def at(x: float, y: float = 0.0, yaw: float = 0.0) -> str:
    """Return a place on the ground."""
    return f'<init_pose>{x} {y} {yaw}</init_pose>'


def block(x: float, inside: str = '<static>true</static>') -> str:
    """Return a block of 2 m by 2 m at a place along x."""
    return f'<block name="b">{at(x)}{SQUARE}{inside}</block>'


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param(TWO.format('type="pin"'), 'are 5.00 m apart at the start, at (0.50, 0.00) and '
                 '(5.50, 0.00) m, and a pin joint holds them together', id='pin'),
    pytest.param(TWO.format('type="rope" max_length="2"'), 'are 5.00 m apart at the start, at '
                 '(0.50, 0.00) and (5.50, 0.00) m, and max_length is 2 m', id='rope'),
    pytest.param(TWO.format('type="rope" max_length="5"'), '', id='long rope'),
    pytest.param(TWO.format('type="distance" max_length="7" min_length="7"'),
                 'max_length and min_length are 7 m', id='rod'),
    pytest.param(TWO.format('type="distance" max_length="5" min_length="5"'), '', id='long rod'),
    pytest.param(robot(at(0), TRAJECTORY.format(12)), "the trajectory of vehicle 'r' begins at "
                 '(12, 0), 12.0 m from where it starts, at (0, 0)', id='trajectory'),
    pytest.param(robot(at(1), TRAJECTORY.format(0)), '', id='trajectory nearby'),
    pytest.param(UTM + robot(at(0)), "vehicle 'r' starts at (0, 0), and world_is_utm says",
                 id='UTM'),
    pytest.param(UTM + robot(at(374000, 4063000)), '', id='place in UTM'),
    pytest.param(robot(at(0)) + block(1.21), "vehicle 'r' starts 0.79 m deep in block 'b' (",
                 id='block'),
    pytest.param(robot(at(0)) + block(1.21, ''), "vehicle 'r' starts 0.79 m deep in block 'b' (",
                 id='movable block'),
    pytest.param(robot(at(0)) + block(1.99), '', id='touching block'),
    pytest.param(robot(at(0)) + block(1, '<intangible>true</intangible>'), '', id='intangible'),
    pytest.param(robot(at(0)) + block(1, '<zmin>0.7</zmin><zmax>0.8</zmax>'), '', id='table'),
    pytest.param(robot('<init_pose3d>0 0 2 0 0 0</init_pose3d>', '', '<skip_elevation_adjust/>')
                 + block(1), '', id='above'),
    pytest.param(robot(at(0, yaw=45)) + block(2.2), "starts 0.21 m deep in block 'b'",
                 id='turned'),
    pytest.param(robot(at(0)) + robot(at(1.5), name='s'), "vehicle 'r' starts 0.50 m deep in "
                 "vehicle 's'", id='vehicle'),
    pytest.param(robot(at(0)) + robot(at(1.5), name='s') + '<joint type="pin" body_a="r" '
                 'body_b="s" anchor_a="0.75 0" anchor_b="-0.75 0"/>', '', id='trailer'),
    pytest.param(robot(at(0)) + '<walls><shape><pt>0.5 -9</pt><pt>0.5 9</pt></shape></walls>',
                 "vehicle 'r' starts 0.55 m deep in a wall", id='wall'),
    pytest.param(robot(at(0)) + '<element class="vertical_plane" name="w"><x0>0.9</x0><x1>0.9</x1>'
                 '<y0>-5</y0><y1>5</y1></element>', "starts 0.11 m deep in element 'w'",
                 id='plane'),
    pytest.param(robot('<init_pose3d>0 0 1 0 0 0</init_pose3d>') + block(0), '',
                 id='on a platform'),
    pytest.param(robot('<init_pose3d>0 0 1 0 0 0</init_pose3d>') + block(0, ''), '',
                 id='on a block that can be pushed'),
    pytest.param(robot('<init_pose3d>0 0 1 0 0 0</init_pose3d>') + block(0, '')
                 + block(9, '').replace('"b"', '"c"') + '<joint type="pin" body_a="b" body_b="c" '
                 'anchor_a="4.5 0" anchor_b="-4.5 0"/>', "starts on block 'b' (",
                 id='on a block with a joint'),
    pytest.param(block(0) + robot('<init_pose3d>0 0 1 0 0 0</init_pose3d>') + '<block name="c">'
                 f'<init_pose3d>0.8 0 1 0 0 0</init_pose3d>{SQUARE}</block>',
                 "starts 1.20 m deep in block 'c'", id='in what is on it'),
    pytest.param(robot('<init_pose3d>0 0 3 0 0 0</init_pose3d>') + block(1) + STOREY, '',
                 id='on a storey'),
    pytest.param(robot('<init_pose3d>0 0 3 0 0 0</init_pose3d>') + STOREY + '<block name="b">'
                 f'<init_pose3d>1 0 3 0 0 0</init_pose3d>{SQUARE}</block>',
                 "starts 1.00 m deep in block 'b'", id='in a block of a storey'),
    pytest.param(robot('<init_pose3d>0 0 2 0 0 0</init_pose3d>') + '<block name="b">'
                 f'{at(0)}{SQUARE}<static>true</static><animation type="keyframes"><time_pose3d>'
                 '0 0 0 1 0 0 0</time_pose3d><time_pose3d>9 0 0 5 0 0 0</time_pose3d></animation>'
                 '</block>' + '<block name="c"><init_pose3d>0 0 2 0 0 0</init_pose3d>'
                 f'{SQUARE}</block>', "starts 2.00 m deep in block 'c'", id='on a lift'),
    pytest.param(robot('<init_pose3d>1 0 0.5 0 0 0</init_pose3d>') + RAMP, '', id='on a ramp'),
    pytest.param(robot(at(-1.2)) + RAMP, '', id='before a ramp'),
    pytest.param(robot(at(4)) + RAMP, "starts 1.00 m deep in block 'b'", id='end of a ramp'),
    pytest.param(robot('<init_pose3d>1 0 0.5 0 0 0</init_pose3d>') + '<physics mode="mvsim"/>'
                 + RAMP, "starts 2.00 m deep in block 'b'", id='a ramp is a wall'),
    pytest.param(robot('<init_pose3d>0 0 1 0 0 0</init_pose3d>') + '<physics mode="mvsim"/>'
                 + block(0), 'or choose physics mode physical', id='heights do not count'),
    pytest.param(robot('<init_pose3d>0 0 0.5 0 0 0</init_pose3d>') + '<block name="b">'
                 '<init_pose>0 0 0</init_pose><geometry type="semi_cylinder_bump" lx="4" ly="4" '
                 'lz="0.5"/><static>true</static><shape_from_visual/></block>', '',
                 id='on a bump'),
    pytest.param(robot(at(0)) + block(1) + '<element class="elevation_map">'
                 '<elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix></element>', '',
                 id='hills'),
    pytest.param(robot(at(0)) + block(1) + '<element class="horizontal_plane"/>',
                 "starts 1.00 m deep in block 'b'", id='floor'),
])
def test_what_hardly_is_meant_at_the_start(load: Load, content: str, message: str) -> None:
    messages = [each.message for each in load(content).warnings]
    assert len(messages) == bool(message)
    assert all(message in each for each in messages)


@pytest.mark.parametrize(('x', 'deep'), [(1.0, True), (6.0, False)])
def test_a_robot_in_the_cells_of_a_map(load: Load, tmp_path: Path, x: float, deep: bool) -> None:
    cells = np.full((100, 100), 255, np.uint8)
    cells[:, 60:65] = 0  # from 1 to 1.5 m along x
    Image.fromarray(cells).save(tmp_path / 'map.png')
    grid = ('<element class="occupancy_grid" name="g"><file>map.png</file><resolution>0.1'
            '</resolution><centerpixel_x>50</centerpixel_x><centerpixel_y>50</centerpixel_y>'
            '</element>')
    messages = [each.message for each in load(robot(at(x)) + grid).warnings]
    assert len(messages) == deep
    assert all("m deep in element 'g'" in each for each in messages)


def test_the_depth_is_how_far_it_is_shoved(load: Load) -> None:
    """The number of the warning is what the engine does with the robot."""
    world = load('<physics mode="physical"/>' + robot(at(0)) + block(1.21))
    assert "starts 0.79 m deep in block 'b'" in world.warnings[0].message
    simulation = Simulation(world)
    simulation.run(3.0)
    assert math.hypot(simulation.vehicles['r'].pose.x, simulation.vehicles['r'].pose.y) == (
        pytest.approx(0.79, abs=0.05))


def test_many_pairs_are_those_of_each_by_itself(load: Load) -> None:
    generator = np.random.default_rng(3)
    places = [(f'v{number}', *generator.uniform(-20, 20, 2), generator.uniform(-180, 180))
              for number in range(60)]
    world = load(''.join(robot(at(x, y, yaw), name=name) for name, x, y, yaw in places))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    polygons = [tuple(map(tuple, corners @ np.array([
        (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))]) + (x, y)))
        for _, x, y, yaw in places for turn in (math.radians(yaw),)]
    expected = {(i, k) for k in range(60) for i in range(k)
                if overlap(polygons[i], polygons[k]) > 0.02}
    assert len(expected) > 5
    told = {tuple(int(word[2:-1]) for word in each.message.split() if word.startswith("'v"))
            for each in world.warnings}
    assert told == expected


def test_a_vehicle_whose_place_comes_later_is_not_judged() -> None:
    """What is added to a running world is read alone, at the origin."""
    text = f'<mvsim_world>{robot("", TRAJECTORY.format(12))}</mvsim_world>'
    world = load_world_text(text, 'a string', optional={'init_pose'})
    assert world.warnings == ()
