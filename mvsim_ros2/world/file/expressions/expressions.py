# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Values of world files, the names that they see, and the limits of their expansion.

They are ``${NAME|default}``, ``$env{NAME|default}``, ``$f{formula}`` and ``$(command)``, and may
occur in any value and attribute and be nested, with balanced braces: ``$f{${WIDTH|2}*2}``. A
default is evaluated only where it is needed. ``$(ros2 pkg prefix NAME)`` and other commands for
the place of a package are answered without a shell.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
import math
import os
from pathlib import Path
import re
import subprocess
from typing import Self

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.expressions.formula import evaluate, format_number, FormulaError
from mvsim_ros2.world.file.expressions.formula_functions import RandomSource
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.spec import Source

LIMITS = {
    'elements': 300_000,
    'loop iterations, conditions and variables': 150_000,
    'includes': 20_000,
    'characters': 50_000_000,
}
ELEMENTS, STEPS, INCLUDES, CHARACTERS = LIMITS
DIRECTORY = 'MVSIM_CURRENT_FILE_DIRECTORY'
OBJECT_NAMES = ('NAME', 'PARENT_NAME')
_WORDS = {'true': '1', 'false': '0'}


class ExpansionLimits:
    """Counters against `LIMITS` for one world."""

    def __init__(self) -> None:
        self._left = dict(LIMITS)

    def spend(self, what: str, source: Source, amount: int = 1) -> None:
        """Count `amount` of `what`."""
        self._left[what] -= amount
        if self._left[what] < 0:
            raise WorldFileError(f'{source}: the world has more than {LIMITS[what]} {what} when '
                                 'expanded: check its loops and includes')


@dataclass(frozen=True)
class Scope:
    """
    The names visible to a value.

    A look-up covers the attributes of the ``<include>`` of the file, then the present object, then
    the variables of the world. ``${NAME}`` also falls back to the environment. The attributes of
    outer includes are not visible in included files.
    """

    chain: tuple[str, ...]  # open files, the world first
    frames: tuple[dict[str, str], ...]  # innermost first; new variables go to `home`
    home: dict[str, str]
    random: RandomSource
    attributes: dict[str, str] = field(default_factory=dict)  # of the include
    allow_shell: bool = False
    included_at: Source | None = None
    class_file: str = ''  # file of the present class
    layer: Node | None = None  # include attributes of the present instance in this file
    budget: ExpansionLimits = field(default_factory=ExpansionLimits)  # of the world
    used: set[str] = field(default_factory=set)  # names that have been used, shared as well

    @property
    def file(self) -> str:
        """Return the present file."""
        return self.chain[-1]

    @property
    def in_object(self) -> bool:
        """Return whether the scope is inside an object."""
        return any('NAME' in frame for frame in self.frames)

    def inside(self, frame: dict[str, str]) -> Self:
        """Return the scope with the names of `frame` before the other frames."""
        return replace(self, frames=(frame, *self.frames))

    def assign(self, name: str, value: str) -> None:
        """Set a variable; it also hides an include attribute of that name."""
        self.home[name] = value
        if name in self.attributes:
            self.attributes[name] = value

    def variable(self, name: str) -> str | None:
        """Return the text of a variable, None where there is none."""
        self.used.add(name)
        if name == DIRECTORY:
            return os.path.abspath(os.path.dirname(self.file))
        if name in self.attributes:
            return self._with_object_names(self.attributes[name])
        return next((frame[name] for frame in self.frames if name in frame), None)

    def text(self, name: str) -> str | None:
        """Return the text of a variable or of the environment, None where there is none."""
        value = self.variable(name)
        if value is None and name not in OBJECT_NAMES:
            value = os.environ.get(name)
        return value

    def number(self, name: str) -> float | None:
        """Return the value of a variable in a formula, None where there is none."""
        text = self.variable(name)
        if text is None:
            same = (known for known in self.variable_names() if known.lower() == name.lower())
            known = next(same, None)
            text = None if known is None else self.variable(known)
        if text is None:
            return None
        try:
            value = float(_WORDS.get(text.strip().lower(), text))
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise FormulaError(f'variable {name} is {text[:40]!r}, which is not a number')
        return value

    def variable_names(self) -> Iterator[str]:
        """Return the names of all variables, the nearest first."""
        yield from self.attributes
        for frame in self.frames:
            yield from frame

    def _with_object_names(self, value: str) -> str:
        """Substitute names of include attributes that depend on the object."""
        for name in OBJECT_NAMES:
            if f'${{{name}}}' in value:
                known = next((frame[name] for frame in self.frames if name in frame), '')
                value = value.replace(f'${{{name}}}', known)
        return value


MAX_DEPTH = 20
SHELL_TIMEOUT = 10.0  # s

_START = re.compile(r'\$(?:(env|f)?\{|\()')
_PACKAGE = re.compile(  # commands that say where a package is
    r'\s*(?:ros2\s+pkg\s+prefix(?:\s+--share|(?=.*\s--share))|rospack\s+find|find|find-pkg-share|'
    r'(?P<prefix>ros2\s+pkg\s+prefix|find-pkg-prefix))\s+(?P<name>[A-Za-z][\w-]*)(\s+--share)?\s*')
_CLOSING = {'{': '}', '(': ')'}


def substitute(text: str, scope: Scope, source: Source, keep: Collection[str] = ()) -> str:
    """Return `text` with its expressions replaced by their values."""
    scope.budget.spend(CHARACTERS, source, len(text))
    return _Substitution(scope, source, keep).run(text, 0) if '$' in text else text


class _Substitution:

    def __init__(self, scope: Scope, source: Source, keep: Collection[str]) -> None:
        self._scope = scope
        self._source = source
        self._keep = keep

    def run(self, text: str, depth: int) -> str:
        if depth > MAX_DEPTH:
            raise self._error(f'${{...}} are nested more than {MAX_DEPTH} deep')
        parts = []
        at = 0
        while match := _START.search(text, at):
            parts.append(text[at:match.start()])
            body, at = self._body(text, match)
            parts.append(self._value(match.group(), body, depth + 1))
            if match.group() == '$(' and (package := _PACKAGE.fullmatch(body)):
                tail = f'/share/{package["name"]}'
                if package['prefix'] and text.startswith(tail, at) and (
                        not parts[-1].endswith(tail)):
                    # the share folder of a package that is used from its source has no prefix
                    folder = self._share(package['name'])
                    parts[-1], at = str(folder), at + len(tail)
            self._scope.budget.spend(CHARACTERS, self._source, len(parts[-1]))
        return ''.join([*parts, text[at:]])

    def _body(self, text: str, start: re.Match[str]) -> tuple[str, int]:
        """Return the text between balanced brackets and the index after them."""
        opening = text[start.end() - 1]
        closing = _CLOSING[opening]
        level = 0
        for match in re.compile(f'[{opening}{closing}]').finditer(text, start.end() - 1):
            level += 1 if match.group() == opening else -1
            if level == 0:
                return text[start.end():match.start()], match.end()
        raise self._error(f"'{_short(text[start.start():])}' is never closed: "
                          f"add the missing '{closing}'")

    def _value(self, start: str, body: str, depth: int) -> str:
        if start in ('${', '$env{'):
            return self._variable(start, body, depth)
        inner = self.run(body, depth)
        return self._formula(inner) if start == '$f{' else self._shell(inner)

    def _variable(self, start: str, body: str, depth: int) -> str:
        """Return the value of a variable, or of one of the environment."""
        bar = _bar(body)
        name = self.run(body[:bar], depth).strip()
        if start == '$env{':
            value = os.environ.get(name)
        elif name in self._keep:
            return f'${{{name}}}'
        else:
            value = self._scope.text(name)
        if value is not None:
            return value
        if bar < len(body):
            return self.run(body[bar + 1:], depth)
        if start == '$env{':
            raise self._error(f'there is no environment variable {name}: set it, '
                              f'or write $env{{{name}|default}}')
        name = _short(name)
        hint = did_you_mean(name, list(self._scope.variable_names()))
        place = self._scope.included_at
        remedy = f'give {name}="..." to the <include> of {place}' if place else (
            f'write <variable name="{name}" value="..."/> before')
        raise self._error(f'there is no variable {name}: {remedy}, '
                          f'or a default as in ${{{name}|0}}{hint}')

    def _formula(self, formula: str) -> str:
        try:
            return format_number(evaluate(formula, self._scope))
        except FormulaError as error:
            raise self._error(f'$f{{{_short(formula)}}}: {error}') from error

    def _share(self, package: str) -> Path:
        try:
            return share_directory(package)
        except ResourceError as error:
            raise self._error(str(error)) from error

    def _shell(self, command: str) -> str:
        package = _PACKAGE.fullmatch(command)
        try:
            folder = self._share(package['name']) if package else None
        except WorldFileError:
            if not self._scope.allow_shell:
                raise
            folder = None
        if package and folder:
            is_installed = folder.parts[-2:] == ('share', package['name'])
            return str(folder.parents[1] if package['prefix'] and is_installed else folder)
        shown = f'$({_short(command)})'
        if not self._scope.allow_shell:
            raise self._error(f'{shown} would run a shell command, which is not allowed. If '
                              'you trust the world, allow it with --allow-shell, or allow_shell '
                              'in a script or as a parameter')
        try:
            done = subprocess.run(command, shell=True, capture_output=True, check=False,
                                  text=True, errors='replace', timeout=SHELL_TIMEOUT)
        except (subprocess.TimeoutExpired, OSError, ValueError) as error:
            raise self._error(f'{shown} cannot run: {error}') from error
        if done.returncode != 0:
            raise self._error(f'{shown} ended with exit code {done.returncode}: '
                              f'{done.stderr.strip()[:200]}')
        return done.stdout.replace('\r', '').replace('\n', '').strip()

    def _error(self, message: str) -> WorldFileError:
        return WorldFileError(f'{self._source}: {message}')


def _bar(body: str) -> int:
    """Return the index of the first bar outside of braces, else the length."""
    level = 0
    for at, character in enumerate(body):
        level += (character == '{') - (character == '}')
        if character == '|' and level == 0:
            return at
    return len(body)


def _short(text: str) -> str:
    line = ' '.join(text.split())
    return line if len(line) <= 80 else f'{line[:77]}...'
