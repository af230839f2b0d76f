# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plans become jobs; what is wrong in one is said before anything runs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.studies.sweeps.plan import read_plan

WritePlan = Callable[[str], Path]
WORLD = """<mvsim_world version="1.0">
  <variable name="BOTH" value="${A} ${B}"/>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose> </vehicle>
</mvsim_world>"""


@pytest.fixture
def written(tmp_path: Path) -> WritePlan:
    """Return a function that writes a plan."""
    def write(text: str) -> Path:
        path = tmp_path / 'plan.yaml'
        path.write_text(text)
        return path
    return write


def test_jobs_are_worlds_x_parameters_x_seeds(written: WritePlan, tmp_path: Path) -> None:
    for name in 'one', 'two':
        (tmp_path / f'{name}.world.xml').write_text(WORLD)
    jobs = read_plan(written(
        'worlds: [one.world.xml, {world: two.world.xml, controller: eight, duration: 5}]\n'
        'seeds: [3, 7]\nduration: 9\n'
        'parameters: {A: [1, 2.5, yes], B: some}\n'))
    assert len(jobs) == 2 * 3 * 2
    assert [job.seed for job in jobs[:4]] == [3, 7, 3, 7]
    assert jobs[0].variables == (('A', '1'), ('B', 'some'))
    assert jobs[5].variables == (('A', 'true'), ('B', 'some'))
    assert (jobs[0].controller, jobs[-1].controller) == ('', 'eight')
    assert (jobs[0].duration, jobs[-1].duration) == (9.0, 5.0)
    assert len({job.name for job in jobs}) == 12
    assert jobs[0].name.startswith('one_A-1_B-some_seed3_')


def test_the_name_of_a_run_stays_while_nothing_of_it_changes(
        written: WritePlan, tmp_path: Path) -> None:
    world = tmp_path / 'own.world.xml'
    world.write_text('<mvsim_world version="1.0"></mvsim_world>')
    first = read_plan(written('worlds: [own.world.xml]'))
    more = read_plan(written('worlds: [demo, own.world.xml]\nseeds: 3'))
    assert first[0].name in {job.name for job in more}
    world.write_text('<mvsim_world version="1.0"> </mvsim_world>')
    assert read_plan(written('worlds: [own.world.xml]'))[0].name != first[0].name


def test_the_name_changes_with_the_route(written: WritePlan, tmp_path: Path) -> None:
    (tmp_path / 'way.csv').write_text('0 0\n1 0\n')
    plan = written('worlds: [demo]\ncontroller: follow:way.csv')
    first = read_plan(plan)[0].name
    (tmp_path / 'way.csv').write_text('0 0\n2 0\n')
    assert read_plan(plan)[0].name != first


@pytest.mark.parametrize('text, message', [
    pytest.param('', 'there should be worlds', id='empty'),
    pytest.param('worlds: [', 'cannot be read', id='no yaml'),
    pytest.param('seeds: 3', 'worlds is None', id='no worlds'),
    pytest.param('worlds: demo', "worlds is 'demo': it must be a list", id='no list'),
    pytest.param('worlds: [nowhere]', "no world 'nowhere'", id='no such world'),
    pytest.param(f'worlds: [{"a" * 300}]', "no world 'aaaa", id='a name too long for a file'),
    pytest.param(f'worlds: [demo]\ncontroller: follow:{"a" * 300}', 'aaaa', id='a long route'),
    pytest.param('worlds: [{controller: eight}]', 'world is not set', id='no world'),
    pytest.param('worlds: [demo]\nseed: 3', "'seed' is not a key of a plan", id='key'),
    pytest.param('worlds: [{world: demo, seeds: 3}]', "'seeds' is not a key", id='key of a world'),
    pytest.param('worlds: [demo]\nseeds: [1, -1]', 'list of integers', id='negative seed'),
    pytest.param('worlds: [demo]\nseeds: 0', 'seeds is 0', id='no seeds'),
    pytest.param('worlds: [demo]\nseeds: [1, 1]', 'two runs are the same', id='seed twice'),
    pytest.param('worlds: [demo]\nduration: long', "duration is 'long'", id='no number'),
    pytest.param('worlds: [demo]\nduration: -3', 'duration is -3', id='negative'),
    pytest.param('worlds: [demo]\nphysics: quantum', "physics is 'quantum'", id='mode'),
    pytest.param('worlds: [demo]\ncontroller: dance', "no controller 'dance'", id='controller'),
    pytest.param('worlds: [demo]\ncontroller: follow:no.csv', r'no\.csv: cannot', id='file'),
    pytest.param('worlds: [demo]\ncontroller: eight\nvehicle: it', "vehicle is 'it'", id='robot'),
    pytest.param('worlds: [demo]\nparameters: [1]', 'parameters is', id='parameters'),
    pytest.param('worlds: [demo]\nparameters: {A: []}', 'parameters is', id='no values'),
    pytest.param('worlds: [demo]\nparameters: {nosuch: [1, 2]}',
                 'world 1: parameters: variable nosuch is given, but nothing', id='unused'),
])
def test_a_bad_plan_is_refused(written: WritePlan, text: str, message: str) -> None:
    with pytest.raises(MvsimError, match=message):
        read_plan(written(text))


def test_a_plan_that_is_missing_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(MvsimError) as caught:
        read_plan(tmp_path / 'no.yaml')
    assert str(caught.value) == (
        f'{tmp_path / "no.yaml"}: the plan cannot be read: No such file or directory')


def test_a_share_of_the_runs_is_for_validation(written: WritePlan) -> None:
    text = 'worlds: [empty]\nseeds: 10\n'
    alone = read_plan(written(text))
    jobs = read_plan(written(text + 'validation: 0.2'))
    assert [job.name for job in jobs] == [job.name for job in alone]
    assert sorted(job.part for job in jobs) == ['train'] * 8 + ['val'] * 2
    assert {job.part for job in alone} == {'train'}
    assert [job.part for job in jobs] != sorted(job.part for job in jobs)
    assert read_plan(written(text + 'validation: 0.2')) == jobs
