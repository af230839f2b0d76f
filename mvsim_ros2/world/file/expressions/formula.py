# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Evaluation of formulas of world files, the text between the braces of ``$f{...}``.

The language is the expression part of ExprTk, which the original uses: numbers, variables,
``+ - * / % ^``, comparisons, ``and or not nand nor xor xnor & |``, ``c ? a : b``, ``if(c, a, b)``
and functions. Names are case-insensitive. All numbers are double precision. Only the selected
branch of a condition is evaluated.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
import math
import operator
import re
from typing import Protocol

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.expressions.formula_functions import (
    CONSTANTS, FUNCTIONS, RANDOM_FUNCTIONS, RandomSource)
from mvsim_ros2.world.file.report import did_you_mean

MAX_LENGTH = 10_000
MAX_DEPTH = 60


class FormulaError(WorldFileError):
    """Raised for an invalid formula; the caller adds file, line and the formula."""


class Names(Protocol):
    """Interface of the names visible to a formula."""

    @property
    def random(self) -> RandomSource:
        """Return the source of the random functions."""

    def number(self, name: str) -> float | None:
        """Return the value of a variable, None where there is no such variable."""

    def variable_names(self) -> Iterable[str]:
        """Return the names of all variables."""


def evaluate(text: str, names: Names) -> float:
    """Return the value of a formula."""
    return _compiled(text)(names)


def format_number(value: float) -> str:
    """Return the shortest text that parses as `value`; integers without a point."""
    if value.is_integer() and abs(value) < 2.0**53:
        return str(int(value))
    return repr(value)


_Value = Callable[[Names], float]
_Step = Callable[[float, _Value, Names], float]

_TOKEN = re.compile(
    r'\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)'
    r'|(?P<symbol>:=|<=|>=|==|!=|<>|&&|\|\||[-+*/%^<>=&|?:(),;])|(?P<end>$)|(?P<bad>.))', re.S)
_STATEMENTS = {':=', ';', 'var', 'while', 'for', 'repeat', 'switch', 'return', 'break', 'else',
               'swap', 'continue', 'until'}


def _checked(shown: str, call: Callable[..., float], *values: float) -> float:
    try:
        result = float(call(*values))
        if not math.isnan(result) and (math.isfinite(result) or math.inf in map(abs, values)):
            return result
        reason = 'it is no finite number'
    except (ArithmeticError, ValueError) as error:
        reason = str(error)
    listed = ', '.join(map(format_number, values))
    raise FormulaError(f'{shown} of {listed} has no value: {reason}')


def _arithmetic(symbol: str, call: Callable[[float, float], float]) -> _Step:
    return lambda left, right, names: _checked(f"'{symbol}'", call, left, right(names))


def _logic(call: Callable[[bool, Callable[[], bool]], bool]) -> _Step:
    return lambda left, right, names: float(call(left != 0, lambda: right(names) != 0))


_or = _logic(lambda a, b: a or b())
_and = _logic(lambda a, b: a and b())
_equal = _arithmetic('==', operator.eq)
_unequal = _arithmetic('!=', operator.ne)
_POWER = 6
# operator: precedence and meaning; all but the power are left-associative
_BINARY: dict[str, tuple[int, _Step]] = {
    'or': (1, _or), '|': (1, _or), '||': (1, _or),
    'nor': (1, _logic(lambda a, b: not (a or b()))),
    'xor': (1, _logic(lambda a, b: a != b())),
    'xnor': (1, _logic(lambda a, b: a == b())),
    'and': (2, _and), '&': (2, _and), '&&': (2, _and),
    'nand': (2, _logic(lambda a, b: not (a and b()))),
    '<': (3, _arithmetic('<', operator.lt)), '<=': (3, _arithmetic('<=', operator.le)),
    '>': (3, _arithmetic('>', operator.gt)), '>=': (3, _arithmetic('>=', operator.ge)),
    '==': (3, _equal), '=': (3, _equal), '!=': (3, _unequal), '<>': (3, _unequal),
    '+': (4, _arithmetic('+', operator.add)), '-': (4, _arithmetic('-', operator.sub)),
    '*': (5, _arithmetic('*', operator.mul)), '/': (5, _arithmetic('/', operator.truediv)),
    '%': (5, _arithmetic('%', math.fmod)), '^': (_POWER, _arithmetic('^', math.pow)),
}


@lru_cache(maxsize=4096)
def _compiled(text: str) -> _Value:
    return _Parser(text).whole()


class _Parser:
    """Parser by precedence climbing; chains of operators are folded without recursion."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise FormulaError(f'it has {len(text)} characters, {MAX_LENGTH} are allowed')
        self._tokens = [(match.lastgroup or '', match.group(match.lastgroup or 0))
                        for match in _TOKEN.finditer(text.rstrip())]
        self._at = 0
        self._depth = 0

    def whole(self) -> _Value:
        value = self._choice()
        if self._kind != 'end':
            raise self._unexpected('an operator')
        return value

    @property
    def _kind(self) -> str:
        return self._tokens[self._at][0]

    @property
    def _token(self) -> str:
        return self._tokens[self._at][1].lower()

    def _take(self, *wanted: str) -> bool:
        if self._kind in ('symbol', 'name') and self._token in wanted:
            self._at += 1
            return True
        return False

    def _expect(self, wanted: str) -> None:
        if not self._take(wanted):
            raise self._unexpected(f"'{wanted}'")

    def _unexpected(self, wanted: str) -> FormulaError:
        if self._token in _STATEMENTS:
            return FormulaError(f"'{self._token}' begins a statement, which is not supported: "
                                'write one expression')
        found = 'the end' if self._kind == 'end' else f"'{self._tokens[self._at][1]}'"
        return FormulaError(f'expected {wanted}, found {found}')

    def _choice(self) -> _Value:
        """Parse ``c ? a : b`` and operators of higher precedence."""
        branches: list[tuple[_Value, _Value]] = []
        value = self._chain(0)
        while self._take('?'):
            branches.append((value, self._choice()))
            self._expect(':')
            value = self._chain(0)
        if not branches:
            return value

        def choose(names: Names) -> float:
            for condition, branch in branches:
                if condition(names) != 0:
                    return branch(names)
            return value(names)

        return choose

    def _chain(self, least: int) -> _Value:
        """Parse operands joined by operators of precedence `least` or more."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FormulaError('it is nested too deep')
        first = self._operand()
        steps: list[tuple[_Step, _Value]] = []
        while self._kind in ('symbol', 'name') and self._token in _BINARY:
            level, step = _BINARY[self._token]
            if level < least:
                break
            self._at += 1
            steps.append((step, self._chain(level if level == _POWER else level + 1)))
        self._depth -= 1
        if not steps:
            return first

        def fold(names: Names) -> float:
            value = first(names)
            for step, right in steps:
                value = step(value, right, names)
            return value

        return fold

    def _operand(self) -> _Value:
        kind, text = self._tokens[self._at]
        if self._take('+'):
            return self._chain(_POWER)
        if self._take('-'):
            negated = self._chain(_POWER)
            return lambda names: -negated(names)
        if self._take('('):
            value = self._choice()
            self._expect(')')
            return value
        if kind == 'number':
            self._at += 1
            return _constant(text)
        if kind != 'name' or self._token in _BINARY or self._token in _STATEMENTS:
            raise self._unexpected('a number, a name or (')
        self._at += 1
        if self._take('('):
            return self._call(text)
        if text.lower() == 'not':
            denied = self._chain(_POWER)
            return lambda names: float(denied(names) == 0)
        return _variable(text)

    def _call(self, name: str) -> _Value:
        arguments: list[_Value] = []
        if not self._take(')'):
            arguments.append(self._choice())
            while self._take(','):
                arguments.append(self._choice())
            self._expect(')')
        return _call(name, arguments)


def _constant(text: str) -> _Value:
    value = float(text)
    if math.isinf(value):
        raise FormulaError(f'{text} is too large')
    return lambda names: value


def _variable(name: str) -> _Value:
    def look_up(names: Names) -> float:
        value = names.number(name)
        if value is None:
            value = CONSTANTS.get(name.lower())
        if value is None:
            hint = did_you_mean(name, [*names.variable_names(), *CONSTANTS, *FUNCTIONS])
            raise FormulaError(f'there is no variable {name}{hint}')
        return value

    return look_up


def _call(name: str, arguments: list[_Value]) -> _Value:
    lower = name.lower()
    function = FUNCTIONS.get(lower) or RANDOM_FUNCTIONS.get(lower)
    if function is None:
        hint = did_you_mean(name, [*FUNCTIONS, *RANDOM_FUNCTIONS])
        raise FormulaError(f'there is no function {name}(){hint}')
    if not function.least <= len(arguments) <= function.most:
        raise FormulaError(f'{name}() takes {function.arguments}, found {len(arguments)}')
    shown, call = f'{name}()', function.call
    if lower == 'if':
        condition, yes, no = arguments
        return lambda names: yes(names) if condition(names) != 0 else no(names)
    if lower in RANDOM_FUNCTIONS:
        return lambda names: _checked(
            shown, partial(call, names.random), *(argument(names) for argument in arguments))
    return lambda names: _checked(shown, call, *(argument(names) for argument in arguments))
