# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs are whole or not there, are not repeated, and survive workers that are killed."""

import csv
import json
import os
from pathlib import Path
import signal
import socket
import subprocess
import sys
from typing import Any

import pytest
import yaml

from mvsim_ros2.cli import main
from mvsim_ros2.errors import PhysicsError, SweepError
from mvsim_ros2.studies.sweeps import engine
from mvsim_ros2.studies.sweeps.engine import _client, sweep
from mvsim_ros2.studies.sweeps.plan import Job, read_plan
from mvsim_ros2.studies.sweeps.run import log_run, Result, UNFINISHED, write_summary


def jobs_of(folder: Path, seeds: int = 3, duration: float = 2.0, more: str = '') -> list[Job]:
    """Return jobs of a plan in a folder."""
    path = folder / 'plan.yaml'
    path.write_text(f'worlds: [empty]\nseeds: {seeds}\ncontroller: eight,radius=1\n'
                    f'duration: {duration}\n{more}')
    return read_plan(path)


@pytest.fixture
def distributed() -> Any:
    """Return the module of Dask; skip without it."""
    return pytest.importorskip('dask.distributed', reason='Dask is not installed')


def note(job: Job, folder: Path) -> Result:
    """Note that this work was done, in a file beside the folders of the runs."""
    (folder / 'half').write_text('written')
    with (folder.parent / f'noted_{job.seed}').open('a') as file:
        file.write(f'{os.getpid()}\n')
    return {'seed_again': job.seed}


def die_once(job: Job, folder: Path) -> Result:
    """Kill the process of the worker in the middle of the first try of seed 1."""
    result = note(job, folder)
    if job.seed == 1 and len((folder.parent / 'noted_1').read_text().split()) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def die_always(job: Job, folder: Path) -> Result:
    """Kill the process of the worker each time at seed 1."""
    result = note(job, folder)
    if job.seed == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def fail(job: Job, folder: Path) -> Result:
    """Fail at seed 1."""
    if job.seed == 1:
        raise PhysicsError('a wheel\ncame off')
    return note(job, folder)


def tries(root: Path) -> list[int]:
    """Return how often each job was begun."""
    return [len(path.read_text().split()) for path in sorted(root.glob('noted_*'))]


def folders(root: Path) -> set[str]:
    """Return the names of the folders that are there."""
    return {path.name for path in root.iterdir() if path.is_dir()}


TALL = """
<mvsim_world version="1.0"> <simul_timestep>0.005</simul_timestep>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose> <init_vel>0 8 0</init_vel>
    <dynamics class="differential_4_wheels"> <chassis mass="15" zmin="0.15" zmax="2.0"/>
      <controller class="twist_pid"/> </dynamics>
    <friction class="default"> <mu>2.0</mu> </friction>
  </vehicle>
</mvsim_world>
"""


def test_the_table_tells_who_tipped_over(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, 1)
    (tmp_path / 'tall.world.xml').write_text(TALL)
    path = tmp_path / 'plan.yaml'
    path.write_text(path.read_text().replace('[empty]', f'[empty, {tmp_path}/tall.world.xml]'))
    jobs = read_plan(path)
    outcomes = sweep(jobs, tmp_path / 'out', workers=0)
    with write_summary(tmp_path / 'out', jobs, outcomes).open() as file:
        tipped = [row['tipped'] for row in csv.DictReader(file)]
    assert tipped == ['False', 'True']


def test_each_run_has_its_folder_and_the_table_a_row(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path)
    outcomes = sweep(jobs, tmp_path / 'out', workers=0)
    assert folders(tmp_path / 'out') == {job.name for job in jobs}
    for job, outcome in zip(jobs, outcomes, strict=True):
        folder = tmp_path / 'out' / job.name
        assert json.loads((folder / 'run.json').read_text()) == json.loads(json.dumps(outcome))
        pose = (folder / 'mvsim_robot_pose.csv').read_text().splitlines()
        assert len(pose) == 3 + 100 + 1
        assert outcome['result']['time_s'] == 2.0
        assert not outcome['result']['collided']
    again = sweep(jobs, tmp_path / 'again', workers=0)
    assert [each['result'] for each in again] == [each['result'] for each in outcomes]
    with write_summary(tmp_path / 'out', jobs, outcomes).open() as file:
        rows = list(csv.DictReader(file))
    assert [row['run'] for row in rows] == [job.name for job in jobs]
    assert [row['seed'] for row in rows] == ['0', '1', '2']
    assert float(rows[0]['distance_m']) > 0.5


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path)
    sweep(jobs[:2], tmp_path, workers=0, work=note)
    outcomes = sweep(jobs, tmp_path, workers=0, work=note)
    assert tries(tmp_path) == [1, 1, 1]
    assert [outcome['result']['seed_again'] for outcome in outcomes] == [0, 1, 2]


def test_a_run_that_fails_leaves_the_others(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path)
    outcomes = sweep(jobs, tmp_path, workers=0, work=fail)
    assert outcomes[1] == {'error': 'a wheel came off'}
    assert folders(tmp_path) == {jobs[0].name, jobs[2].name}
    assert 'a wheel came off' in write_summary(tmp_path, jobs, outcomes).read_text()
    assert 'result' in sweep(jobs, tmp_path, workers=0, work=note)[1]


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path)
    (tmp_path / jobs[1].name).mkdir()
    with pytest.raises(SweepError, match='contains no finished run'):
        sweep(jobs, tmp_path, workers=0, work=note)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / 'file').write_text('')
    with pytest.raises(SweepError, match='cannot be written'):
        sweep(jobs_of(tmp_path), tmp_path / 'file', workers=0, work=note)


def sweep_again(job: Job, folder: Path) -> Result:
    """Try to sweep into the folder of this very sweep."""
    sweep([job], folder.parent, workers=0, work=note)
    return {}


def test_two_sweeps_do_not_write_into_one_folder(tmp_path: Path) -> None:
    outcome, = sweep(jobs_of(tmp_path, seeds=1), tmp_path, workers=0, work=sweep_again)
    assert 'another sweep is writing there' in outcome['error']


def sweep_the_other_half(job: Job, folder: Path) -> Result:
    """Run the other jobs meanwhile, and try to run all."""
    if job.seed == 0:
        jobs = jobs_of(folder.parent)
        sweep(jobs, folder.parent, workers=0, work=note, shard=(2, 2))
        with pytest.raises(SweepError, match='another sweep is writing there'):
            sweep(jobs, folder.parent, workers=0, work=note)
        with pytest.raises(SweepError, match='another sweep is writing there'):
            sweep(jobs, folder.parent, workers=0, work=note, shard=(1, 2))
    return note(job, folder)


def test_shards_share_a_folder(tmp_path: Path) -> None:
    """Each does its jobs only; the same shard twice, or all at the same time, is refused."""
    jobs = jobs_of(tmp_path)
    outcomes = sweep(jobs, tmp_path, workers=0, work=sweep_the_other_half, shard=(1, 2))
    assert [outcome['result']['seed_again'] for outcome in outcomes] == [0, 2]
    assert tries(tmp_path) == [1, 1, 1]
    assert len(sweep(jobs, tmp_path, workers=0, work=note)) == 3
    assert tries(tmp_path) == [1, 1, 1]


def test_a_table_of_parquet_has_types(tmp_path: Path) -> None:
    parquet = pytest.importorskip('pyarrow.parquet', reason='no pyarrow')
    jobs = jobs_of(tmp_path)
    outcomes = sweep(jobs, tmp_path, workers=0, work=fail)
    table = parquet.read_table(write_summary(tmp_path, jobs, outcomes).with_suffix('.parquet'))
    rows = table.to_pylist()
    assert [row['seed'] for row in rows] == [0, 1, 2]
    assert rows[0]['error'] is None and 'came off' in rows[1]['error']
    assert rows[1]['seed_again'] is None


@pytest.mark.slow
@pytest.mark.usefixtures('distributed')
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """
    A sweep completes all runs although a worker is killed.

    :reference: the runs of the plan
    """
    jobs = jobs_of(tmp_path, seeds=4)
    outcomes = sweep(jobs, tmp_path, workers=2, work=die_once)
    assert [outcome['result']['seed_again'] for outcome in outcomes] == [0, 1, 2, 3]
    assert folders(tmp_path) == {job.name for job in jobs}
    assert tries(tmp_path)[1] == 2
    # the others: a second try only where it was under way or waiting in the killed process
    assert all(count <= 2 for count in tries(tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures('distributed')
def test_a_job_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, seeds=3)
    outcomes = sweep(jobs, tmp_path, workers=1, work=die_always)
    assert 'KilledWorker' in outcomes[1]['error']
    assert folders(tmp_path) == {jobs[0].name, jobs[2].name}


@pytest.mark.slow
@pytest.mark.parametrize('gone', [pytest.param(1, id='once'), pytest.param(9, id='always')])
def test_where_no_worker_comes_back_the_rest_is_begun_anew(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distributed: Any, gone: int) -> None:
    monkeypatch.setattr(engine, 'NO_WORKERS_TIMEOUT', '1s')
    times = 0

    class WithoutReturn(distributed.LocalCluster):
        """A cluster whose workers do not come back."""

        def __init__(self, **options: object) -> None:
            nonlocal times
            super().__init__(**options)
            times += 1
            if times <= gone:
                for nanny in self.workers.values():
                    nanny.auto_restart = False
                    nanny.close_gracefully()

    monkeypatch.setattr(distributed, 'LocalCluster', WithoutReturn)
    jobs = jobs_of(tmp_path, seeds=3)
    outcomes = sweep(jobs, tmp_path, workers=1, work=die_always if gone > 1 else die_once)
    assert times == min(gone + 1, engine.CLUSTERS)
    if gone == 1:
        assert [outcome['result']['seed_again'] for outcome in outcomes] == [0, 1, 2]
    else:
        # a result that the dying worker still held is lost with it
        errors = [outcome.get('error') for outcome in outcomes]
        assert errors[1] is not None
        assert all('NoWorkerError' in error for error in errors if error is not None)


@pytest.mark.slow
def test_a_scheduler_elsewhere_is_used(tmp_path: Path, distributed: Any) -> None:
    with distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        outcomes = sweep(jobs_of(tmp_path), tmp_path, scheduler=cluster.scheduler_address,
                         work=note)
    assert [outcome['result']['seed_again'] for outcome in outcomes] == [0, 1, 2]
    assert str(os.getpid()) not in (tmp_path / 'noted_0').read_text()


def test_a_killed_sweep_can_be_continued(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, seeds=3, duration=3000.0)
    out = tmp_path / 'out'
    with subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2', 'sweep', str(tmp_path / 'plan.yaml'), '-o',
             str(out), '--workers', '0'], stderr=subprocess.PIPE, text=True,
            cwd=Path(__file__).resolve().parents[3]) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith('[1/3]'):
            assert process.poll() is None
        process.kill()
    done = {name for name in folders(out) if not name.startswith(UNFINISHED)}
    assert {jobs[0].name} <= done < {job.name for job in jobs}
    sweep(jobs, out, workers=0, work=note)
    assert folders(out) == {job.name for job in jobs}
    assert len(tries(out)) == 3 - len(done)


def test_the_command_lists_runs_and_failures(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = jobs_of(tmp_path, seeds=2, duration=0.5)
    plan, out = str(tmp_path / 'plan.yaml'), str(tmp_path / 'out')
    assert main(['sweep', plan, '--list']) == 0
    assert capsys.readouterr().out.split() == [job.name for job in jobs]
    assert main(['sweep', plan, '-o', out, '--workers', '0']) == 0
    printed = capsys.readouterr()
    assert printed.out.strip() == str(Path(out) / 'summary.csv')
    assert '2 of 2 runs done, 0 of them before' in printed.err
    assert main(['sweep', plan, '-o', out, '--workers', '0', '--shard', '2/2']) == 0
    printed = capsys.readouterr()
    assert printed.out == '' and '1 of 1 runs done, 1 of them before' in printed.err
    with pytest.raises(SystemExit):
        main(['sweep', plan, '--shard', '3/2'])


def test_runs_can_be_recordings(tmp_path: Path) -> None:
    pytest.importorskip('rosbags')
    (plain,), (job,) = (jobs_of(tmp_path, 1, 0.5, more) for more in ('', 'record: true'))
    assert job.record and job.name != plain.name
    (outcome,) = sweep([job], tmp_path / 'out', workers=0)
    assert outcome['result']['messages'] > 100
    assert (tmp_path / 'out' / job.name / 'bag/metadata.yaml').is_file()


def has_web_page(dask_worker: Any = None) -> bool:
    """Return whether the web server of a worker takes connections."""
    return takes_connections(dask_worker.http_server.port)


def takes_connections(port: int) -> bool:
    """Return whether something listens on a port of this machine."""
    with socket.socket() as client:
        return client.connect_ex(('127.0.0.1', port)) == 0


@pytest.mark.slow
@pytest.mark.usefixtures('distributed')
def test_no_web_page_is_open() -> None:
    with _client(1, None) as client:
        assert not any(client.run(has_web_page).values())
        assert not takes_connections(client.cluster.scheduler.http_server.port)


@pytest.mark.slow
def test_only_this_run_may_give_jobs_to_its_workers(distributed: Any) -> None:
    """Their ports ask for its certificate: other users of the machine would run code here."""
    with _client(1, None) as client:
        (worker,) = client.scheduler_info()['workers']
        address = client.scheduler.address
        assert address.startswith('tls://127.0.0.1:') and worker.startswith('tls://127.0.0.1:')
        for where, given in ((address, distributed.Security.temporary()),
                             (address.replace('tls', 'tcp'), distributed.Security())):
            with pytest.raises(OSError):
                distributed.Client(where, security=given, timeout=3).close()
        assert client.submit(sum, [1, 2]).result() == 3


def test_the_command_says_how_far_it_is_and_writes_a_card(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs_of(tmp_path, 4, 0.2, 'validation: 0.25')
    root = tmp_path / 'out'
    assert main(['sweep', str(tmp_path / 'plan.yaml'), '-o', str(root), '--workers', '0']) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith('[')]
    assert [line.split()[0] for line in lines] == ['[1/4]', '[2/4]', '[3/4]', '[4/4]']
    assert all('about 0:00:0' in line for line in lines[:3]) and 'about' not in lines[3]
    train, val = ((root / f'{part}.txt').read_text().split() for part in ('train', 'val'))
    assert (len(train), len(val)) == (3, 1)
    assert folders(root) == {*train, *val}
    with (root / 'summary.csv').open() as file:
        assert {row['run'] for row in csv.DictReader(file) if row['part'] == 'val'} == {*val}
    page = (root / 'index.html').read_text()
    assert all(f'["{name}", ' in page for name in (*train, *val))
    _, front, text = (root / 'README.md').read_text().split('---\n')
    assert yaml.safe_load(front)['configs'] == [
        {'config_name': 'default', 'data_files': 'summary.csv'}]
    assert '# 4 simulated runs' in text and '| empty.world.xml | 4 | 0, 1, 2, 3 |' in text
    assert '0.8 simulated seconds' in text and '- collided: 0' in text


def test_without_pyyaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                        capsys: pytest.CaptureFixture[str]) -> None:
    jobs_of(tmp_path, 1)
    monkeypatch.setitem(sys.modules, 'yaml', None)
    assert main(['sweep', str(tmp_path / 'plan.yaml')]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith('error: ') and 'pip install' in line


@pytest.mark.parametrize(('rate', 'rows'), [(50, 101), (40, 81), (30, 61), (25, 51), (7, 15)])
def test_logs_have_as_many_rows_as_the_rate_says(rate: float, rows: int, tmp_path: Path) -> None:
    """In 2 s, the first row included; a controller is called 50 times a second."""
    log_run(jobs_of(tmp_path, 1, more=f'rate: {rate}')[0], tmp_path / 'run')
    log = tmp_path / 'run' / 'mvsim_robot_pose.csv'
    lines = [line for line in log.read_text().splitlines() if not line.startswith('#')]
    assert len(lines) - 1 == rows


def test_more_rows_than_calls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match='rate.*a number above 0, at most 50'):
        jobs_of(tmp_path, 1, more='rate: 60')
