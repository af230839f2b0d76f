# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Damaged files for all parsers: no foreign exception, no hang, no memory over a limit.

    python test/fuzz/fuzz.py [PARSER ...] [--inputs 10000] [--begin N] [--seed N] [--only INPUT]

Prints what failed, with the numbers that give the same input again. A process of its own reads the
files, so that a crash of a library is found as well. What takes too long is read once more before
it counts as a hang: the first time may have compiled kernels.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
import logging
from pathlib import Path
from random import Random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from types import FrameType

from parsers import Parser, PARSERS

from mvsim_ros2.errors import MvsimError

HANG = 5.0  # s of the processor for one input whose kernels are compiled
ENDLESS = 60.0  # s of the processor after which reading is broken off, compilation included
KILLED_AFTER = 180.0  # s in which a process says nothing
MEMORY = 2 * 2 ** 30  # bytes
SLOW = 'hangs'


class Hang(BaseException):
    """Raised in an input that does not end."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise Hang


def _fault(parser: Parser, example: Path, data: bytes, root: Path) -> str:
    """Return what goes wrong in reading `data` in the place of an example; empty if nothing."""
    folder = root / 'input'
    shutil.copytree(parser.corpus, folder)
    path = folder / example.name
    path.write_bytes(data)
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    began = time.process_time()
    fault = ''
    try:
        parser.call(path)
    except MvsimError as error:
        if not str(error):
            fault = 'an error without words'
    except (Exception, Hang) as error:  # noqa: B902
        where = traceback.extract_tb(error.__traceback__)
        lines = [f'{Path(each.filename).name}:{each.lineno}' for each in where[-4:]]
        text = ' '.join(str(error).split())[:300]
        fault = f'{type(error).__name__} {text} ' + ' < '.join(reversed(lines))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        shutil.rmtree(folder)
    taken = time.process_time() - began
    return fault or (f'{SLOW} {taken:.0f} s' if taken > HANG else '')


def read_inputs(name: str, seed: int, begin: int, end: int,
                at: Callable[[int], None] = lambda number: None) -> Iterator[str]:
    """
    Read damaged files, and yield a line for each failure.

    :param at: called with the number of each input before it is read.
    """
    parser = PARSERS[name]
    examples = sorted(parser.corpus.glob(parser.files))
    before = signal.signal(signal.SIGPROF, _stop)
    with tempfile.TemporaryDirectory() as root:
        for number in range(begin, end):
            at(number)
            choice = Random(f'{name} {seed} {number}')
            example = choice.choice(examples)
            data = parser.damage(example.read_bytes(), choice)
            fault = _fault(parser, example, data, Path(root))
            if fault.startswith(SLOW):
                fault = _fault(parser, example, data, Path(root))
            if fault:
                yield f'{name} {number} {example.name} {fault}'
    signal.signal(signal.SIGPROF, before)


def work(name: str, seed: int, begin: int, end: int) -> None:
    """Read damaged files in a process of its own, and print."""
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for line in read_inputs(name, seed, begin, end,
                            lambda number: print('at', number, flush=True)):
        print('failed', line, flush=True)


def failures(name: str, seed: int, begin: int, end: int, seconds: float) -> Iterator[str]:
    """Yield what fails in a process of its own, which begins anew after a crash."""
    deadline = time.monotonic() + seconds
    at = begin
    while begin < end and time.monotonic() < deadline:
        with subprocess.Popen(
                [sys.executable, __file__, name, '--worker', str(seed), str(begin), str(end)],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            while time.monotonic() < deadline and select.select(
                    [process.stdout], [], [], KILLED_AFTER)[0]:
                line = process.stdout.readline().decode(errors='replace')
                if line.startswith('at '):
                    at = int(line.split()[1])
                elif line.startswith('failed '):
                    yield line.removeprefix('failed ').strip()
                elif not line:
                    break
            if time.monotonic() >= deadline:
                process.kill()
                print(f'{name}: time is over at input {at}', flush=True)
                return
            with suppress(subprocess.TimeoutExpired):
                process.wait(HANG)
            process.kill()
            code = process.wait()
        if code:
            yield f'{name} {at} the process ended with {code}'
        begin = at + 1


def main() -> int:
    """Read the command line and run."""
    words = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    words.add_argument('parsers', metavar='PARSER', nargs='*', help='all by default')
    words.add_argument('--inputs', type=int, default=10_000, help='for each parser')
    words.add_argument('--begin', type=int, default=0, help='number of the first input')
    words.add_argument('--seed', type=int, default=0)
    words.add_argument('--only', type=int, default=None, help='number of one input')
    words.add_argument('--seconds', type=float, default=float('inf'), help='for each parser')
    words.add_argument('--worker', nargs=3, type=int, help=argparse.SUPPRESS)
    options = words.parse_args()
    if options.worker:
        work(options.parsers[0], *options.worker)
        return 0
    names = options.parsers or list(PARSERS)
    begin = options.begin if options.only is None else options.only
    end = begin + (options.inputs if options.only is None else 1)
    count = 0
    for name in names:
        began = time.monotonic()
        for line in failures(name, options.seed, begin, end, options.seconds):
            count += 1
            print(line, flush=True)
        print(f'{name}: {time.monotonic() - began:.0f} s', flush=True)
    print(f'{count} failures')
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main())
