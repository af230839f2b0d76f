# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A broken file ends a command with one line that names it, and leaves nothing behind."""

from pathlib import Path
import struct

import pytest

from mvsim_ros2.cli import main

WORLD = """<mvsim_world>{}<vehicle name="r1"><init_pose>0 0 0</init_pose>
<dynamics class="differential"/></vehicle></mvsim_world>"""
GRID = '<element class="occupancy_grid"><file>{}</file></element>'
IMAGE = '<element class="elevation_map"><elevation_image>{}</elevation_image></element>'
POINTS = '<element class="elevation_map"><dem_xyzrgb_file>{}</dem_xyzrgb_file></element>'
MESH = '<block><init_pose>3 0 0</init_pose><visual><model_uri>{}</model_uri></visual></block>'
MAP = b'image: map.png\nresolution: 1\norigin: [0, 0, 0]\n'
PLAN = b'worlds: [empty]\n'
ROBOT = b"""<robot name="r"><link name="base_link"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>"""
TRIANGLE = struct.pack('<12fH', 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
LOG = b'# log\nTimestamp, qx\n0.1, 1\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, which has nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one_line(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that fails, and return its line."""
    before = set(folder.rglob('*'))
    assert main(words) == 1
    printed = capsys.readouterr()
    assert printed.out == ''
    lines = printed.err.splitlines()
    assert [line for line in lines if not line.startswith('warning: ')] == lines[-1:], lines
    assert lines[-1].startswith('error: ')
    assert 'fault of the program' not in lines[-1]
    assert set(folder.rglob('*')) == before
    return lines[-1]


@pytest.mark.parametrize(('content', 'name', 'data'), [
    pytest.param(GRID, 'map.png', b'\x89PNG\r\n\x1a\n\x00\x00', id='cut map'),
    pytest.param(GRID, 'map.pgm', b'P5\n100 100\n255\nabc', id='short map'),
    pytest.param(GRID, 'map.gridmap', b'\x00\x01\x02', id='cut gridmap'),
    pytest.param(GRID, 'map.yaml', b'image: [', id='broken yaml'),
    pytest.param(GRID, 'map.yaml', MAP.replace(b'map.png', b'"\\0"'), id='nul in yaml'),
    pytest.param(GRID, 'map.yaml', MAP + b'mode: [a]', id='mode of yaml'),
    pytest.param(IMAGE, 'heights.png', b'no image', id='no image'),
    pytest.param(POINTS, 'heights.txt', b'\xff\xfe\x00', id='no text'),
    pytest.param(POINTS, 'heights.txt', b'0 0 1 0 0 0\n1 2\n', id='cut row')])
@pytest.mark.parametrize('verb', ['check', 'log', 'record', 'picture'])
def test_a_broken_file_of_a_world(verb: str, content: str, name: str, data: bytes, folder: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    (folder / name).write_bytes(data)
    (folder / 'one.world.xml').write_text(WORLD.format(content.format(name)))
    output = [] if verb == 'check' else ['-o', 'out.png']
    line = one_line([verb, 'one.world.xml', *output], folder, capsys)
    assert line.startswith('error: one.world.xml:1: ')
    assert name in line


@pytest.mark.parametrize('data', [
    b'solid x', bytes(84), bytes(80) + struct.pack('<I', 2) + TRIANGLE,
    bytes(80) + struct.pack('<I', 1) + TRIANGLE[:-9], b'solid a\nfacet normal 0 0 1\nouter'],
    ids=['text', 'empty', 'one of two', 'part of one', 'cut text'])
def test_a_truncated_mesh(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / 'part.stl').write_bytes(data)
    (folder / 'one.world.xml').write_text(WORLD.format(MESH.format('part.stl')))
    assert main(['check', 'one.world.xml']) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if 'part.stl' in line]
    assert len(told) == 1
    assert 'one.world.xml:1: a primitive solid replaces the mesh part.stl' in told[0]
    assert main(['check', 'one.world.xml', '--strict']) == 1


@pytest.mark.parametrize('data', [
    b'', b'\xff\xfe', b'worlds: 3', b'[]', b'worlds: [1]', b'&a [*a]', b'? [a]\n: b', b'{', b'\0',
    PLAN + b'parameters: {a: [[1]]}', PLAN + b'duration: 1e999', PLAN + b'physics: [a]',
    PLAN + b'controller: "follow:\\0"', PLAN + b'vehicle: zz\ncontroller: eight'])
def test_a_broken_plan(data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / 'plan.yaml').write_bytes(data)
    one_line(['sweep', 'plan.yaml', '--workers', '0'], folder, capsys)


@pytest.mark.parametrize('data', [b'', b'x y', b'0 0\n1', b'0 0\n1 nan', b'0 0\n0 0', b'\xff\x00',
                                  b'0 0 0 0 0 0 0 2\n1 1 0 0 0 0 0 2'])
@pytest.mark.parametrize('kind', ['--trajectory', '--replay'])
def test_a_broken_route(kind: str, data: bytes, folder: Path,
                        capsys: pytest.CaptureFixture[str]) -> None:
    (folder / 'route.csv').write_bytes(data)
    line = one_line(['record', 'empty', kind, 'route.csv', '-o', 'bag'], folder, capsys)
    assert 'route.csv' in line


@pytest.mark.parametrize(('data', 'place'), [
    (LOG + b'a, b\n0.2, 1\n', ':4: '), (LOG + b'0.2, 1, 7\n0.3, 1\n', ':4: '),
    (LOG + b'0.2\n0.3, 1\n', ':4: '), (LOG + b'0.2, nan\n', ':4: '), (b'', ': '),
    (b'\xff\xfe', ': ')])
def test_a_broken_log(data: bytes, place: str, folder: Path,
                      capsys: pytest.CaptureFixture[str]) -> None:
    (folder / 'mvsim_r1_pose.csv').write_bytes(data)
    line = one_line(['plot', '.'], folder, capsys)
    assert f'mvsim_r1_pose.csv{place}' in line


def test_a_class_of_dynamics_that_is_none(folder: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    (folder / 'robot.urdf').write_bytes(ROBOT)
    line = one_line(['convert-urdf', 'robot.urdf', '--dynamics', 'hover', '-o', 'out.xml'],
                    folder, capsys)
    assert "robot.urdf: there is no class of dynamics 'hover', only differential, " in line
