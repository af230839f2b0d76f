# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every example runs, and the gallery shows it."""

import ast
import importlib.util
import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys

from environments import linked
from processes import python, ROOT
import pytest

EXAMPLES = ROOT / 'examples'
SCRIPTS = {path.stem: path for path in sorted(EXAMPLES.glob('*.py'))}
GALLERY = (ROOT / 'docs/gallery.md').read_text()
SAYS = {  # what an example prints at last: the result is what it should be
    'deploy_policy': r'room 2: there after \d+\.\d s',
    'drive': r'34 s, \d+ measurements, odometry is off by 0\.\d\d m',
    'label_dataset': r"{'images': 10, 'annotations': \d\d}",
    'many_robots': r'25 robots, 10 s, [0-3] touched something',
    'offroad_tyres': r'sand, 30 psi: 0.8\d, .*',
    'own_robot': r'6 kg, at 0.7\d -0.1\d, box at 1.3\d m',
    'sensors': r'robot/\w+: .*',
    'sweep': r'loaded_MASS-80_seed1_\w+',
    'yaw_gain': r'the formula and the simulation differ by at most 0\.\d\d %'}
NEEDS = {'deploy_policy': ('onnxruntime', 'gymnasium'),
         'label_dataset': ('rosbags', 'PIL'),
         'score_slam': ('evo', 'kiss_icp', 'rosbags', 'matplotlib'),
         'sweep': ('matplotlib',), 'offroad_tyres': ('matplotlib',), 'yaw_gain': ('matplotlib',)}


@pytest.mark.parametrize('name', [
    *SAYS, pytest.param('score_slam', marks=pytest.mark.slow)])
def test_it_runs_and_draws(name: str, tmp_path: Path) -> None:
    for module in NEEDS.get(name, ()):
        pytest.importorskip(module)
    if name == 'score_slam' and not shutil.which('evo_ape', path=str(Path(sys.executable).parent)):
        pytest.skip('evo is not installed')
    done = python(SCRIPTS[name], 'pictures', cwd=tmp_path)
    assert re.fullmatch(SAYS.get(name, '.*'), done.stdout.splitlines()[-1]), done.stdout
    assert (tmp_path / f'pictures/{name}.png').stat().st_size > 5000
    assert [path.name for path in tmp_path.iterdir()] == ['pictures']


def test_nav2_is_asked_for_where_it_is_missing(tmp_path: Path) -> None:
    if importlib.util.find_spec('nav2_simple_commander') is not None:
        pytest.skip('Nav2 is installed: this would drive a robot')
    done = python(SCRIPTS['nav2_waypoints'], 'pictures', cwd=tmp_path, code=1)
    assert 'apt install' in done.stderr
    assert (tmp_path / 'pictures/nav2_waypoints.png').is_file()


@pytest.mark.parametrize('path', [
    pytest.param(path, id=path.stem) for path in EXAMPLES.rglob('*.ipynb')])
def test_cells_of_a_notebook_run(path: Path, tmp_path: Path) -> None:
    """Where the extras are installed that its first cell names, and nothing else."""
    cells = json.loads(path.read_text())['cells']
    needs = re.search(r"pip install '\.\[([\w,]+)\]'", ''.join(cells[0]['source']))
    assert needs and not any(cell.get('outputs') for cell in cells)
    other_python = linked(tmp_path / 'sim', needs[1].split(',')) / 'bin/python'
    code = '\n'.join(''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code')
    done = subprocess.run([str(other_python), '-c', code], cwd=path.parent, capture_output=True,
                          text=True, env=os.environ | {'PYTHONPATH': str(ROOT)})
    assert done.returncode == 0, done.stderr


def test_every_example_is_tested_and_in_the_gallery() -> None:
    assert set(SCRIPTS) == {*SAYS, 'score_slam', 'nav2_waypoints'}
    for name in SCRIPTS:
        assert f'../examples/{name}.py' in GALLERY
        assert f'![{name}](gallery/{name}.' in GALLERY.replace('\n', ' ')
        said = ast.get_docstring(ast.parse(SCRIPTS[name].read_text())) or ''
        assert f'python examples/{name}.py' in said
    for notebook in EXAMPLES.rglob('*.ipynb'):
        assert f'../examples/{notebook.relative_to(EXAMPLES)}' in GALLERY
    for picture in re.findall(r'\((gallery/[\w.]+)\)', GALLERY):
        assert (ROOT / 'docs' / picture).is_file()
