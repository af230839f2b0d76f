# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Words of a command line to the run of a command: its warnings, its error, its exit code."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
import difflib
import logging
import os
import re
import sys
from typing import NoReturn, TextIO

from mvsim_ros2 import __version__
from mvsim_ros2.base.command_line import empty_value
from mvsim_ros2.base.interrupts import Interrupts
from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.cli import (
    benchmark, check, completion, convert, convert_sdf, convert_urdf, experiment, log, new,
    picture, plot, record, sweep, tune, verify, view, zoo)
from mvsim_ros2.cli.terminal import clear_line, drop_output, flush_output, open_streams
from mvsim_ros2.errors import MvsimError

COMMANDS = (new, check, view, picture, log, plot, tune, record, verify, convert, sweep,
            benchmark, experiment, convert_urdf, convert_sdf, zoo, completion)
TRACEBACK = 'MVSIM_ROS2_TRACEBACK'  # variable of the environment


class _Printer(logging.StreamHandler[TextIO]):
    """Prints each warning once, as a line on the standard error output."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(logging.Formatter('warning: %(message)s'))
        self._printed: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record that is new."""
        message = record.getMessage()
        if message not in self._printed:
            self._printed.add(message)
            clear_line(self.stream)
            super().emit(record)


@contextmanager
def _warnings_printed() -> Iterator[None]:
    printer = _Printer()
    LOGGER.addHandler(printer)
    try:
        yield
    finally:
        LOGGER.removeHandler(printer)


class _Parser(argparse.ArgumentParser):
    """A parser that says what was probably meant by a command that there is not."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and end with code 2."""
        wrong = re.match("argument COMMAND: invalid choice: '(.*?)' ", message)
        if wrong:
            known = re.findall("'([^']+)'", message.partition('choose from')[2])
            near = difflib.get_close_matches(wrong[1], known, 1)
            message = f'there is no command {wrong[1]!r}' + (
                f': did you mean {near[0]!r}?' if near else f', only {", ".join(known)}')
        super().error(message)


def make_parser() -> argparse.ArgumentParser:
    """Return what reads the words of the command line, and prints their help."""
    parser = _Parser(
        prog='mvsim_ros2', description='Vehicle and sensor simulator.')
    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    commands = parser.add_subparsers(title='commands', metavar='COMMAND', required=True,
                                     parser_class=argparse.ArgumentParser)
    for module in COMMANDS:
        summary, _, description = (module.__doc__ or '').strip().partition('.\n\n')
        command = commands.add_parser(
            module.__name__.rpartition('.')[2].replace('_', '-'),
            help=summary[:1].lower() + summary[1:], description=' '.join(description.split()))
        module.add_options(command)
        command.set_defaults(run=module.run)
    return parser


def _options(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    wrong = empty_value(words)
    if wrong and words[0] != 'completion':  # the word that is typed may be empty
        parser.error(wrong)
    try:
        return parser.parse_args(words)
    except SystemExit:  # help is printed
        flush_output()
        raise


def run_command(arguments: Sequence[str] | None, interrupts: Interrupts | None = None) -> int:
    """
    Run one command and return the exit code.

    :param arguments: words after the program name; None for the process's.
    """
    if arguments is None:
        open_streams()
    parser = make_parser()
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if not words:
            parser.print_help()
            flush_output()
            return 0
        options = _options(parser, words)
        with interrupts.raised() if interrupts else nullcontext(), _warnings_printed():
            code: int = options.run(options)
        flush_output()
        return code
    except BrokenPipeError:  # who reads the output has seen enough
        drop_output()
        return 1
    except Exception as error:  # noqa: B902
        if os.environ.get(TRACEBACK):
            raise
        print('error:', ' '.join(_sentence(error).split()), file=sys.stderr)
        return 1


def _sentence(error: Exception) -> str:
    """Return what went wrong, in words for those who gave the command."""
    if isinstance(error, MvsimError):
        return str(error)
    if isinstance(error, MemoryError):
        return (f'there is not enough memory: {error}: make the world, the images or the run '
                'smaller')
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f'{error.filename}: {error.strerror}'
    return (f'mvsim_ros2 failed ({type(error).__name__}: {error}); this is a bug: please '
            f'report it with the output of {TRACEBACK}=1 in the environment')
