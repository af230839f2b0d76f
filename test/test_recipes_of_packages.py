# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of images and packages name what the project needs, and what there is."""

import ast
import json
from pathlib import Path
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest
import yaml

from mvsim_ros2 import __version__

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = xml.parse(ROOT / 'package.xml').getroot()
RECIPE = yaml.safe_load((ROOT / 'packaging/conda/recipe.yaml').read_text())
DOCKERFILES = sorted((ROOT / 'packaging/docker').iterdir())
EXTRAS = set(re.findall(r"^    '(\w+)': \[", (ROOT / 'setup.py').read_text(), re.MULTILINE)) | {
    'all', 'test'}
CONDA = {'python3-collada': 'pycollada', 'python3-lxml': 'lxml',
         'python3-matplotlib': 'matplotlib-base', 'python3-numba': 'numba',
         'python3-numpy': 'numpy', 'python3-pil': 'pillow', 'python3-scipy': 'scipy',
         'python3-yaml': 'pyyaml'}
MODULES = {'PIL': 'python3-pil', 'yaml': 'python3-yaml'}  # others are called as their packages
NO_KEY = {  # no rosdep key for what works without pip; see package.xml
    'Box2D', 'ament_copyright', 'assimp_py', 'av', 'cuda', 'dask', 'distributed', 'embreex',
    'gymnasium', 'llvmlite', 'moderngl', 'onnx', 'onnxruntime', 'people_msgs', 'pettingzoo',
    'pyarrow', 'pygeomag', 'rosbags', 'stable_baselines3', 'torch', 'trimesh', 'viser',
    'nav2_common', 'websockets'}  # viser brings the last


def test_the_manifest_is_one_that_bloom_takes() -> None:
    """What bloom and REP 149 ask for: a version, a description, a licence, a mail address."""
    assert PACKAGE.get('format') == '3'
    assert re.fullmatch(r'\d+\.\d+\.\d+', PACKAGE.findtext('version') or '')
    assert (PACKAGE.findtext('description') or '').strip()
    (maintainer,) = PACKAGE.findall('maintainer')
    assert re.fullmatch(r'\S+@\S+\.\S+', maintainer.get('email') or '')
    (licence,) = PACKAGE.findall('license')
    assert (ROOT / str(licence.get('file'))).is_file()
    assert PACKAGE.findtext('export/build_type') == 'ament_python'
    keys = [each.text or '' for each in PACKAGE if each.tag.endswith('_depend')]
    assert keys and len(set(keys)) == len(keys)
    assert not [key for key in keys if key.endswith('-pip')], 'the build farm takes no pip keys'


def test_the_changelog_is_one_that_bloom_takes(tmp_path: Path) -> None:
    """Each item of each version, once the next one has its number."""
    changelog = pytest.importorskip('catkin_pkg.changelog')
    text = (ROOT / 'CHANGELOG.md').read_text()
    written = subprocess.run(
        [sys.executable, str(ROOT / 'packaging/changelog.py')], capture_output=True, text=True)
    assert 'Forthcoming\n-----------\n* ' in written.stdout
    (tmp_path / 'CHANGELOG.rst').write_text(written.stdout.replace(
        'Forthcoming\n-----------', f'{__version__} (2027-01-01)\n------------------'))
    found = changelog.get_changelog_from_path(str(tmp_path))
    versions = {version: items for version, _, items in found.foreach_version()}
    assert set(versions) == {'0.1.0', __version__}
    assert sum(len(each.bullets) for each in versions[__version__]) == len(
        re.findall('^- ', text, re.MULTILINE))


def test_the_manifest_names_what_the_package_imports() -> None:
    declared = {each.text for each in PACKAGE if each.tag == 'exec_depend'}
    imported: set[str] = set()
    for path in (ROOT / 'mvsim_ros2').rglob('*.py'):
        text = path.read_text()
        imported |= set(re.findall(r"import_module\('(\w+)", text))
        if 'ros' in path.relative_to(ROOT / 'mvsim_ros2').parts[0]:
            imported |= set(re.findall(r"'(\w+_(?:msgs|interfaces))/", text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition('.')[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).partition('.')[0])
    imported -= {*sys.stdlib_module_names, 'mvsim_ros2', *NO_KEY}
    lacking = {name for name in imported if not declared & {
        name, MODULES.get(name, f'python3-{name}')}}
    assert not lacking


def test_the_conda_recipe_needs_what_the_manifest_does() -> None:
    run = {need.split()[0] for need in RECIPE['requirements']['run']}
    wanted = {CONDA.get(key, 'ros-jazzy-' + key.replace('_', '-'))
              for each in PACKAGE if each.tag == 'exec_depend' and (key := each.text or '')}
    assert run - wanted == {'python', 'ros-jazzy-ros-workspace', 'ros2-distro-mutex'}
    assert not wanted - run
    assert RECIPE['context']['version'] == __version__
    assert (ROOT / RECIPE['about']['license_file']).is_file()


@pytest.mark.parametrize('path', [pytest.param(each, id=each.name) for each in DOCKERFILES])
def test_images_use_what_there_is(path: Path) -> None:
    text = path.read_text().replace('\\\n', ' ')
    known = {'CMD', 'COPY', 'ENTRYPOINT', 'EXPOSE', 'FROM', 'RUN', 'SHELL', 'USER', 'WORKDIR'}
    assert {line.split()[0] for line in text.splitlines() if line[:1].isalpha()} <= known
    for extras in re.findall(r'/src\[([\w,]+)\]', text):
        assert set(extras.split(',')) <= EXTRAS
    for launch in re.findall(r'(\w+\.launch\.py)', text):
        assert (ROOT / 'launch' / launch).is_file()
    for ignored in ('.git', '.venv*'):
        assert ignored in (ROOT / '.dockerignore').read_text().splitlines()
    assert f'--file packaging/docker/{path.name} ' in text


@pytest.mark.parametrize('path', [pytest.param(each, id=each.name) for each in DOCKERFILES])
def test_hadolint_finds_nothing(path: Path) -> None:
    hadolint = shutil.which('hadolint')
    if hadolint is None:
        pytest.skip('hadolint is not installed')
    done = subprocess.run([hadolint, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ''), done.stdout


def test_pins_are_those_of_the_project() -> None:
    bounds = re.findall(r"'([\w-]+)((?:>=|<)[^';]+)", (ROOT / 'setup.py').read_text())
    image = (ROOT / 'packaging/docker/ros.Dockerfile').read_text()
    for name, bound in bounds:
        if name in ('embreex', 'rosbags', 'viser'):
            assert f"'{name}{bound}'" in image, name


def test_the_devcontainer_sets_up_as_everyone_does() -> None:
    container = json.loads((ROOT / '.devcontainer/devcontainer.json').read_text())
    assert container['postCreateCommand'].endswith('scripts/setup')
    assert container['forwardPorts'] == [8080]


@pytest.mark.parametrize('path', [pytest.param(each, id=each.name) for each in sorted(
    (ROOT / '.github/workflows').iterdir())])
def test_workflows_run_the_scripts_and_are_short(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text())['jobs']
    commands = [step['run'] for job in jobs.values() for step in job['steps'] if 'run' in step]
    assert commands and all((ROOT / command.split()[0]).is_file() for command in commands)
    assert len(path.read_text().splitlines()) <= 3
