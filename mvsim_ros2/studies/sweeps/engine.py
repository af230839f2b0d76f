# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Execution of a plan in many processes, by Dask."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, ExitStack
from multiprocessing import active_children, resource_tracker
from pathlib import Path
import signal
from typing import Any

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.errors import MvsimError, needed_for, SweepError
from mvsim_ros2.studies.sweeps.plan import Job
from mvsim_ros2.studies.sweeps.run import (
    do_job, finished, Outcome, perform, remove_unfinished, Work)

fcntl: Any
try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None

OnOutcome = Callable[[Job, Outcome], None]
LOCK_FILE = '.sweep.lock'
NO_HTTP = 'mvsim_ros2.studies.sweeps.no_http'
CLUSTERS = 3  # that are started one after the other, where all workers of one have gone
NO_WORKERS_TIMEOUT = '60s'  # after which Dask says so
NO_WORKERS = 'NoWorkerError', 'NoValidWorkerError'  # of newer, older versions


def sweep(jobs: Sequence[Job], root: str | Path, workers: int = 2,
          scheduler: str | None = None, work: Work = do_job,
          on_outcome: OnOutcome | None = None, shard: tuple[int, int] = (1, 1)) -> list[Outcome]:
    """
    Run the jobs that are not finished yet, and return the outcomes in their order.

    A failed run has an outcome with 'error' instead of 'result', leaves no folder, and is
    repeated by the next sweep. Where a worker process dies, Dask reschedules its job; a job that
    has killed four workers has failed. Where no worker comes back, the rest is begun anew, with
    another local cluster, up to three in all.

    :param root: folder of the folders of the runs; on a cluster, a path that all machines share.
    :param workers: processes on this machine; 0 runs the jobs sequentially in this process,
        without Dask.
    :param scheduler: address of a Dask scheduler to use instead, such as ``tcp://host:8786``.
    :param on_outcome: called with each job that has finished or failed.
    :param shard: number, from 1 on, of this of so many processes that share the jobs: see
        `jobs_of`. Shards may run in one folder at the same time, on any machine that has it.
    :raises SweepError: where the folder is in use or cannot be written, or Dask is missing.
    """
    root = Path(root).absolute()
    whole = shard[1] == 1
    jobs = jobs_of(jobs, shard)
    with ExitStack() as claims:
        claims.enter_context(_claimed(root, LOCK_FILE, shared=not whole))
        if whole:
            remove_unfinished(root)
        else:
            claims.enter_context(_claimed(root, f'.sweep-{shard[0]}-of-{shard[1]}.lock'))
        outcomes: dict[str, Outcome] = {}
        for job in jobs:
            known = finished(job, root)
            if known is not None:
                outcomes[job.name] = known
        missing = [job for job in jobs if job.name not in outcomes]
        try:
            for job, outcome in _run(missing, root, workers, scheduler, work):
                outcomes[job.name] = outcome
                for warning in outcome.get('warnings', ()):
                    LOGGER.warning('%s', warning)
                if on_outcome is not None:
                    on_outcome(job, outcome)
        finally:
            if whole:
                remove_unfinished(root)
    return [outcomes[job.name] for job in jobs]


def jobs_of(jobs: Sequence[Job], shard: tuple[int, int]) -> list[Job]:
    """Return every n-th job, from the k-th on, for a shard (k, n)."""
    return list(jobs[shard[0] - 1::shard[1]])


@contextmanager
def _claimed(root: Path, name: str, shared: bool = False) -> Iterator[None]:
    """Lock a file of a folder against other sweeps, or only against those that do not share."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = (root / name).open('w')
    except OSError as error:
        raise SweepError(f'{root}: the folder cannot be written: {error}') from error
    with lock:
        if fcntl is None:
            LOGGER.warning('%s: this system has no locks that other programs notice: run one '
                           'sweep at a time in this folder', root)
            yield
            return
        try:
            fcntl.flock(
                lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            raise SweepError(f'{root}: another sweep is writing there: wait for it, or choose '
                             'another folder') from error
        yield


def _run(jobs: list[Job], root: Path, workers: int, scheduler: str | None,
         work: Work) -> Iterator[tuple[Job, Outcome]]:
    """Yield jobs with their outcomes in order of completion."""
    if not jobs:
        return
    if workers == 0 and scheduler is None:
        for job in jobs:
            yield job, _tried(job, root, work)
        return
    for _ in range(CLUSTERS if scheduler is None else 1):
        left: list[tuple[Job, Outcome]] = []
        with _client(min(workers, len(jobs)), scheduler) as client:
            for job, outcome, tried in _distributed(jobs, client, root, work):
                if tried:
                    yield job, outcome
                else:
                    left.append((job, outcome))
        if not left:
            return
        jobs = [job for job, _ in left]
    yield from left


def _distributed(jobs: list[Job], client: Any, root: Path, work: Work,
                 ) -> Iterator[tuple[Job, Outcome, bool]]:
    """Yield jobs with their outcomes in order of completion, and whether there was a worker."""
    from dask.distributed import as_completed
    futures = {client.submit(_tried, job, root, work, pure=False): job for job in jobs}
    for future in as_completed(futures):
        try:
            outcome, tried = future.result(), True
        except Exception as error:  # noqa: B902 (KilledWorker, or any error of Dask)
            outcome = {'error': ' '.join(f'{type(error).__name__}: {error}'.split())}
            tried = type(error).__name__ not in NO_WORKERS
        yield futures[future], outcome, tried


def _tried(job: Job, root: Path, work: Work) -> Outcome:
    try:
        return perform(job, root, work)
    except MvsimError as error:
        return {'error': ' '.join(str(error).split())}


@contextmanager
def _client(workers: int, scheduler: str | None) -> Iterator[Any]:
    """Connect to the scheduler at an address, or to a new local one."""
    with needed_for('runs in several processes (more than 0 workers)', 'sweep', SweepError):
        from dask import config
        from dask.distributed import Client, LocalCluster, Security
        security = Security.temporary() if scheduler is None else None  # TLS of this run
    if scheduler is not None:
        try:
            client = Client(scheduler)
        except (OSError, TimeoutError, ValueError) as error:
            raise SweepError(f'there is no Dask scheduler at {scheduler!r}: {error}') from error
        with client:
            if not client.nthreads():
                LOGGER.warning('the Dask scheduler at %s has no workers: waiting for some',
                               scheduler)
            yield client
        return
    # no job is queued in a worker: its death would count as a failure of the queued job as well
    closed = {f'distributed.{node}.{key}': value for node in ('scheduler', 'worker')
              for key, value in (('preload', [NO_HTTP]), ('http.routes', []))}
    # a worker that dies just after it started may stay dead: Dask takes it for one that starts
    with config.set({'distributed.scheduler.worker-saturation': 1.0,
                     'distributed.scheduler.no-workers-timeout': NO_WORKERS_TIMEOUT, **closed}), \
            ExitStack() as stack:
        others, clusters = set(active_children()), set(LocalCluster._instances)
        try:
            with _interrupts_blocked():
                cluster = stack.enter_context(LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True,
                    dashboard_address=None, protocol='tls://', security=security))
            yield stack.enter_context(Client(cluster))
        except KeyboardInterrupt:
            for each in set(LocalCluster._instances) - clusters:  # also one that is starting
                for nanny in each.workers.values():
                    nanny.close_gracefully()  # it shall not start its worker again
            ours = set(active_children()) - others
            for process in ours:
                process.kill()  # before it complains that this one is gone
            for process in ours:
                process.join()  # it writes no more into folders that are removed next
            raise


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """
    Block SIGINT in threads that start here, and in the processes that these start.

    Ctrl-C goes to all processes of a terminal: this one ends the others.
    """
    if not hasattr(signal, 'pthread_sigmask'):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # unblocks SIGINT where it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
