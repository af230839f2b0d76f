# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Walls from the lines of a mesh."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.walls import wall_outlines
from mvsim_ros2.world.spec.world import WorldSpec

Load = Callable[..., WorldSpec]

LINES = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="6">{ends}</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<lines count="1"><input offset="1" semantic="VERTEX" source="#v"/>
<input offset="0" semantic="TEXCOORD" source="#t"/><p>7 0 7 1</p></lines>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node>{moves}<instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes></COLLADA>"""
LINE = LINES.format(unit=1, up='Y_UP', ends='0 0 0 1 0 0', moves='')


def _walls(tmp_path: Path, load: Load, options: str = '', unit: str = '1', up: str = 'Y_UP',
           ends: str = '0 0 0 2 0 0', moves: str = '') -> tuple[tuple[float, float], ...]:
    (tmp_path / 'w.dae').write_text(LINES.format(unit=unit, up=up, ends=ends, moves=moves))
    return load(f'<walls><model_uri>w.dae</model_uri>{options}</walls>').walls[0].shape


def test_walls_of_the_shared_mesh(shared: Path, load: Load) -> None:
    """Seven walls: a long one, a piece opposite, and five stubs; a robot stops at one."""
    mesh = shared / 'worlds/mvsim/models/testWalls.dae'
    world = load(f"""<walls><model_uri>{mesh}</model_uri></walls>
        <vehicle name="r1"><init_pose>6 2 0</init_pose>
        <dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>""")
    assert world.walls[0].shape == (
        (-4, 0), (16, 0), (-4, 4), (-1.4, 4), *(
            (x, y) for x in (0, 4, 8, 12, 16) for y in (0, 4)))
    assert len(wall_outlines(world.walls[0])) == 7
    physics = PhysicsWorld(world, RandomStreams(0))
    physics.vehicles.set_twist(0, 1.0, 0.0)
    physics.step(800)
    assert physics.vehicles.pose[0, 0] == pytest.approx(8 - 0.05 - 0.6, abs=0.03)


@pytest.mark.parametrize(('changes', 'end'), [
    ({}, (2, 0)),
    ({'unit': '0.5'}, (1, 0)),
    ({'up': 'Z_UP', 'ends': '0 0 0 0 0 3'}, (0, 3)),
    ({'moves': '<rotate>0 0 1 90</rotate><scale>2 1 1</scale>'}, (0, 4)),
    ({'moves': '<matrix>0 -1 0 0 1 0 0 0 0 0 1 0 0 0 0 1</matrix>'}, (0, 2)),
    ({'options': '<transformation>[0 -1 0 0; 1 0 0 0; 0 0 1 0; 0 0 0 1]</transformation>'},
     (0, 2)),
    ({'ends': '0 0 0 0 0 2',
      'options': '<transformation>[0 0 1 0; 0 1 0 0; 1 0 0 0; 0 0 0 1]</transformation>'}, (2, 0)),
], ids=['as drawn', 'unit', 'z up', 'turned and stretched', 'matrix', 'transformation',
        'transformation from upright'])
def test_lines_are_brought_into_the_plan(
        tmp_path: Path, load: Load, changes: dict[str, str], end: tuple[float, float]) -> None:
    """Units, axes, nodes and the transformation of the walls act on the lines."""
    first, last = _walls(tmp_path, load, **changes)
    assert first == pytest.approx((0, 0)) and last == pytest.approx(end)


def test_moved_lines(tmp_path: Path, load: Load) -> None:
    """Translations of nodes act too."""
    assert _walls(tmp_path, load, moves='<translate>1 2 0</translate>') == ((1, 2), (3, 2))


@pytest.mark.parametrize(('content', 'message'), [
    ('no mesh at all', 'cannot be read as one'),
    ('<COLLADA/>', 'has no <lines>'),
    (LINES.format(unit=1, up='Y_UP', ends='0 0 0 0 0 0', moves=''), 'has no length'),
    (LINES.format(unit=1, up='Y_UP', ends='0 0 0', moves=''), 'cannot be read as one'),
    (LINE.replace('7 0 7 1', '7 0 7 1 7 0'), 'a line has one end only'),
    (LINE.replace('7 0 7 1', '7 0 7 99999999999999999999'), 'cannot be read as one'),
    (LINES.format(unit='x', up='Y_UP', ends='0 0 0 1 0 0', moves=''), 'cannot be read as one'),
], ids=['no xml', 'nothing in it', 'no length', 'missing vertex', 'one end',
        'large index', 'no number'])
def test_faults_of_a_mesh_are_errors(
        tmp_path: Path, load: Load, content: str, message: str) -> None:
    """Errors name the line of the world file."""
    (tmp_path / 'w.dae').write_text(content)
    with pytest.raises(WorldFileError, match=f'test.world.xml:2: .*{message}'):
        load('<walls><model_uri>w.dae</model_uri></walls>')
