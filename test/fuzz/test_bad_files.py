# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A broken file ends a command with one line that names it, and leaves nothing behind."""

from collections.abc import Callable
import os
from pathlib import Path
import struct
import time

from PIL import Image
import pytest
from two_wheels import ROBOT

from mvsim_ros2.cli import main

WORLD = """<mvsim_world>{}<vehicle name="r1"><init_pose>0 0 0</init_pose>
<dynamics class="differential"/></vehicle></mvsim_world>"""
GRID = '<element class="occupancy_grid"><file>{}</file></element>'
IMAGE = '<element class="elevation_map"><elevation_image>{}</elevation_image></element>'
POINTS = '<element class="elevation_map"><dem_xyzrgb_file>{}</dem_xyzrgb_file></element>'
MESH = '<block><init_pose>3 0 0</init_pose><visual><model_uri>{}</model_uri></visual></block>'
MAP = b'image: map.png\nresolution: 1\norigin: [0, 0, 0]\n'
PLAN = b'worlds: [empty]\n'
TRIANGLE = struct.pack('<12fH', 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
OneLine = Callable[..., str]
LOG = b'# log\nTimestamp, qx\n0.1, 1\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, which has nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> OneLine:
    """Return what runs a command that fails, and returns its line."""
    def one_line(*words: str) -> str:
        before = set(folder.rglob('*'))
        assert main([*words]) == 1
        printed = capsys.readouterr()
        assert printed.out == ''
        lines = printed.err.splitlines()
        assert [line for line in lines if not line.startswith('warning: ')] == lines[-1:], lines
        assert lines[-1].startswith('error: ')
        assert 'this is a bug' not in lines[-1]
        assert set(folder.rglob('*')) == before
        return lines[-1]
    return one_line


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
                                  one_line: OneLine) -> None:
    (folder / name).write_bytes(data)
    (folder / 'one.world.xml').write_text(WORLD.format(content.format(name)))
    output = [] if verb == 'check' else ['-o', 'out.png']
    line = one_line(verb, 'one.world.xml', *output)
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
def test_a_broken_plan(data: bytes, folder: Path, one_line: OneLine) -> None:
    (folder / 'plan.yaml').write_bytes(data)
    one_line('sweep', 'plan.yaml', '--workers', '0')


@pytest.mark.parametrize('data', [b'', b'x y', b'0 0\n1', b'0 0\n1 nan', b'0 0\n0 0', b'\xff\x00',
                                  b'0 0 0 0 0 0 0 2\n1 1 0 0 0 0 0 2'])
@pytest.mark.parametrize('kind', ['--trajectory', '--replay'])
def test_a_broken_route(kind: str, data: bytes, folder: Path, one_line: OneLine) -> None:
    (folder / 'route.csv').write_bytes(data)
    line = one_line('record', 'empty', kind, 'route.csv', '-o', 'bag')
    assert 'route.csv' in line


@pytest.mark.parametrize(('data', 'place'), [
    (LOG + b'a, b\n0.2, 1\n', ':4: '), (LOG + b'0.2, 1, 7\n0.3, 1\n', ':4: '),
    (LOG + b'0.2\n0.3, 1\n', ':4: '), (LOG + b'0.2, nan\n', ':4: '), (b'', ': '),
    (b'\xff\xfe', ': ')])
def test_a_broken_log(data: bytes, place: str, folder: Path, one_line: OneLine) -> None:
    (folder / 'mvsim_r1_pose.csv').write_bytes(data)
    line = one_line('plot', '.')
    assert f'mvsim_r1_pose.csv{place}' in line


@pytest.mark.parametrize('name', ['', ' ', '${NONE|}'])
@pytest.mark.parametrize('tag', ['vehicle', 'block', 'actor', 'element', 'sensor'])
def test_an_empty_name_is_said(tag: str, name: str, folder: Path,
                               capsys: pytest.CaptureFixture[str]) -> None:
    inside = {'vehicle': '<init_pose>5 5 0</init_pose><dynamics class="differential"/>',
              'element': '', 'sensor': ''}.get(tag, '<init_pose>5 5 0</init_pose>')
    kind = {'element': 'horizontal_plane', 'sensor': 'laser'}.get(tag)
    text = f'<{tag} name="{name}"' + (f' class="{kind}"' if kind else '') + f'>{inside}</{tag}>'
    (folder / 'one.world.xml').write_text(
        WORLD.format('').replace('</vehicle>', f'{text}</vehicle>') if tag == 'sensor'
        else WORLD.format(text))
    assert main(['check', 'one.world.xml']) == 0
    assert f'the name of <{tag}> is empty' in capsys.readouterr().out


@pytest.mark.parametrize('cell', ['1e9', '1e-9', '0', '-1', 'nan'])
@pytest.mark.parametrize('name', ['map.png', 'map.yaml', 'heights.png'])
def test_cells_of_impossible_size(name: str, cell: str, folder: Path, one_line: OneLine) -> None:
    for image in 'map.png', 'heights.png':
        Image.new('L', (3, 3)).save(folder / image)
    (folder / 'map.yaml').write_text(MAP.decode().replace('tion: 1', f'tion: {cell}'))
    content = (IMAGE if name == 'heights.png' else GRID).format(name)
    if name != 'map.yaml':
        content = content.replace('<resolution>1</resolution>', '').replace(
            '</element>', f'<resolution>{cell}</resolution></element>')
    (folder / 'one.world.xml').write_text(WORLD.format(content))
    line = one_line('check', 'one.world.xml')
    assert line.startswith('error: one.world.xml:1: ')


@pytest.mark.parametrize('kind', ['png', 'tiff', 'bmp', 'jpg', 'webp', 'pgm'])
def test_a_height_image_that_is_cut_off(kind: str, folder: Path, one_line: OneLine) -> None:
    path = folder / f'heights.{kind}'
    Image.effect_noise((200, 200), 80.0).save(path)
    path.write_bytes(path.read_bytes()[:-2000])
    (folder / 'one.world.xml').write_text(WORLD.format(IMAGE.format(path.name)))
    assert 'cannot be read' in one_line('check', 'one.world.xml')


@pytest.mark.parametrize(('old', 'new', 'said'), [
    ('<mass value="1"/>', '<mass value="0"/>', "link 'base_link' has a mass of 0"),
    ('<box size="1 1 1"/>', '<mesh filename="no.stl"/>', 'the mesh no.stl cannot be read'),
    ('</robot>', '<gazebo reference="base_link"><sensor name="s" type="gpu_lidar"><lidar><scan>'
     '<horizontal><samples>x</samples></horizontal></scan></lidar></sensor></gazebo></robot>',
     "<samples> is 'x'")])
def test_parts_of_a_robot_that_are_lost(old: str, new: str, said: str, folder: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    """By both ways to a vehicle."""
    assert old in ROBOT
    (folder / 'robot.urdf').write_text(ROBOT.replace(old, new, 1))
    (folder / 'one.world.xml').write_text(
        '<mvsim_world><vehicle name="r" urdf="robot.urdf"><init_pose>0 0 0</init_pose></vehicle>'
        '</mvsim_world>')
    for words in ['convert-urdf', 'robot.urdf', '--no-drive'], ['check', 'one.world.xml']:
        main(words)
        printed = capsys.readouterr()
        assert said in printed.out + printed.err


@pytest.mark.parametrize('words', [
    'sweep P', 'convert-urdf P', 'convert-urdf robot.urdf --no-drive --check P', 'plot P_pose.csv',
    'record empty -o out --poses P', 'record empty -o out --trajectory P',
    'record empty -o out --replay P', 'record empty -o out --controller follow:P', 'verify bag',
    'convert bag --to euroc -o out', 'view bag --no-browser --duration 0.1', 'view P --no-browser',
    'picture P --top', 'picture empty --top -o P.png', 'log empty --duration 0.01 -o P',
    'view empty --duration 0.1 --export P', 'tune P r1', 'check P', 'new P'])
@pytest.mark.parametrize('kind', ['pipe', 'sparse'])
def test_pipes_and_files_of_3_gb(words: str, kind: str, folder: Path,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    """No command waits for a pipe, or reads all of a large file."""
    if kind == 'sparse' and ('-o P' in words or '--export' in words or words.startswith(
            ('verify', 'convert bag', 'view bag'))):
        pytest.skip('a large bag is one, and outputs are replaced')
    (folder / 'robot.urdf').write_text(ROBOT)
    (folder / 'bag').mkdir()
    (folder / 'bag/run.json').write_text('{"topics": {}}')
    (folder / 'bag/metadata.yaml').write_text('')
    for name in 'P', 'P.png', 'P_pose.csv', 'bag/run.mcap':
        if kind == 'pipe':
            os.mkfifo(folder / name)
        else:
            (folder / name).touch()
            os.truncate(folder / name, 3 * 10 ** 9)
    began = time.process_time()
    assert main(words.split()) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith('error: ') and 'this is a bug' not in last
    assert time.process_time() - began < 5.0


def test_a_class_of_dynamics_that_is_none(folder: Path, one_line: OneLine) -> None:
    (folder / 'robot.urdf').write_text(ROBOT)
    line = one_line('convert-urdf', 'robot.urdf', '--dynamics', 'hover', '-o', 'out.xml')
    assert "robot.urdf: there is no class of dynamics 'hover', only differential, " in line
