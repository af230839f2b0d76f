# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The meaning of names at one place of a world file, and the limits of its expansion."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
import math
import os
from typing import Self

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.expressions.formula import FormulaError
from mvsim_ros2.world.file.expressions.formula_functions import RandomSource
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
