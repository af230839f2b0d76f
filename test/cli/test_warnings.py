# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every way to use a world shows its warnings, each once, and can refuse them."""

from collections.abc import Sequence
from pathlib import Path
import subprocess
import sys

import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.base.progress import warnings_collected
from mvsim_ros2.cli import main
from mvsim_ros2.errors import MvsimError

WORLD = """<mvsim_world>
  <vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><chassis mas="200"><mass>1.5 kg</mass></chassis>
      <controller class="twist_pid"/></dynamics>
    <visual><model_uri>missing.dae</model_uri></visual>
    <visual><model_uri>broken.stl</model_uri></visual>
    <sensor class="laser" name="scan"><raytrace_3d>true</raytrace_3d></sensor>
  </vehicle>
  <element class="property_region"><property_name>mu_scale</property_name>
    <value_double>0.5</value_double></element>
  <physics mode="mvsim"/>
</mvsim_world>"""
LOADED = ("attribute mas is not known in <chassis> and is ignored; did you mean 'mass'?",
          "<mass> is '1.5 kg': 'kg' after the number is ignored",
          "<model_uri> 'missing.dae' is not available")
BUILT = ("the region of mu_scale acts in physics mode 'physical' only",)
VERBS = {
    'log': (('log', 'WORLD', '--duration', '0.1', '-o', 'logs'), True),
    'picture': (('picture', 'WORLD', '--size', '64x48', '--after', '0'), True),
    'plan': (('picture', 'WORLD', '--top'), False),
    'record': (('record', 'WORLD', '--duration', '0.1', '-o', 'bag'), True),
    'tune': (('tune', 'WORLD', 'r1'), False),
    'sweep': (('sweep', 'plan.yaml', '--workers', '0'), True),
    'view': (('view', 'WORLD', '--export', 'page.html', '--duration', '0.1'), True)}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a world with faults, in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'broken.stl').write_bytes(b'solid nothing')
    (tmp_path / 'plan.yaml').write_text('worlds: [bad.world.xml]\nseeds: 2\nduration: 0.1')
    path = tmp_path / 'bad.world.xml'
    path.write_text(WORLD)
    return str(path)


@pytest.mark.parametrize('words, builds', VERBS.values(), ids=VERBS)
def test_a_verb_prints_each_warning_once(words: Sequence[str], builds: bool, world: str,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    if words[0] == 'view':
        pytest.importorskip('viser')
    main([world if word == 'WORLD' else word for word in words])
    printed = capsys.readouterr().err.splitlines()
    for text in LOADED + (BUILT if builds else ()):
        found = [line for line in printed if text in line]
        assert len(found) == 1, (text, printed)
        assert found[0].startswith(f'warning: {world}:')


@pytest.mark.parametrize('words', [words for words, _ in VERBS.values()], ids=VERBS)
def test_a_strict_verb_refuses_it(words: Sequence[str], world: str, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    before = set(tmp_path.iterdir())
    assert main([world if word == 'WORLD' else word for word in (*words, '--strict')]) == 1
    assert f'error: {world}:' in capsys.readouterr().err
    assert set(tmp_path.iterdir()) == before


def test_check_lists_what_a_run_would_say(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', world]) == 0
    printed = capsys.readouterr()
    assert printed.err == ''
    for text in (*LOADED, *BUILT, 'a primitive solid replaces the mesh broken.stl'):
        assert printed.out.count(text) == 1


def test_a_script_shows_warnings_without_a_line_for_it(world: str, project: Path) -> None:
    done = subprocess.run(
        [sys.executable, '-c', 'import sys, mvsim_ros2; mvsim_ros2.load_world(sys.argv[1])',
         world], capture_output=True, text=True, cwd=project)
    assert done.returncode == 0
    for text in LOADED:
        assert done.stderr.count(text) == 1


def test_a_strict_simulation_refuses_what_building_warns_of(tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text('<mvsim_world><physics mode="mvsim"/><element class="property_region">'
                    '<property_name>mu_scale</property_name><value_double>1</value_double>'
                    '</element></mvsim_world>')
    assert Simulation.from_file(path).steps == 0
    with pytest.raises(MvsimError, match="'physical' only"):
        Simulation.from_file(path, strict=True)


IDLE = """<mvsim_world><gui><ortho>true</ortho></gui>
<save_to_rawlog>a</save_to_rawlog>
<element class="ground_grid"/>
<block><init_pose>0 0 0</init_pose><publish><publish_topic>t</publish_topic></publish></block>
</mvsim_world>"""


@pytest.mark.parametrize('tag, remedy', [
    ('<ortho> (line 1)', 'mvsim_ros2 picture --top'),
    ('<save_to_rawlog> (line 2)', 'mvsim_ros2 record'),
    ('<element class="ground_grid"> (line 3)', 'a grid of their own'),
    ('<publish> (line 4)', 'ground_truth_poses')])
def test_a_tag_without_effect_says_so_and_what_to_use(
        tag: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text(IDLE)
    with warnings_collected() as warnings:
        assert load_world(path, strict=True).warnings == ()
    assert len(warnings) == 4
    (found,) = [warning for warning in warnings if tag in warning]
    assert 'without effect' in found and remedy in found


def test_equal_warnings_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    block = '<block><init_pose>0 0 0</init_pose><colr>1</colr></block>\n'
    path.write_text(f'<mvsim_world>\n{12 * block}</mvsim_world>')
    with warnings_collected() as warnings:
        load_world(path)
    assert len(warnings) == 1 and 'also in lines 3, 4, 5, 6, 7, 8, 9, 10 and 3 more' in warnings[0]
