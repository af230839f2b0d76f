# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Formulas: values against closed forms and against Python, bounds and messages."""

from collections.abc import Callable, Iterable
import math
import operator

from hypothesis import given, strategies as st
import pytest

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.world.file.expressions.formula import evaluate, format_number, FormulaError
from mvsim_ros2.world.file.expressions.formula_functions import RandomSource


class _Names:

    def __init__(self, **variables: float) -> None:
        self.variables = variables
        self.random = RandomSource(stream(7, 'world'))

    def number(self, name: str) -> float | None:
        return self.variables.get(name)

    def variable_names(self) -> Iterable[str]:
        return self.variables


def _value(text: str, **variables: float) -> float:
    return evaluate(text, _Names(**variables))


@pytest.mark.parametrize('text, value', [
    ('1 + 2 * 3', 7), ('(1 + 2) * 3', 9), ('7 - 2 - 1', 4), ('8 / 4 / 2', 1), ('7 % 4', 3),
    ('-7 % 4', -3), ('2 ^ 3 ^ 2', 512), ('-2 ^ 2', -4), ('2 ^ -1', 0.5), ('-3 * 2', -6),
    ('2 * -3', -6), ('- - 3', 3), ('+3', 3), ('.5 + 1.', 1.5), ('1e3 + 1E-3', 1000.001),
    ('4500000.25', 4500000.25), ('1/3', 1 / 3),
    ('1 < 2', 1), ('2 <= 1', 0), ('2 > 1', 1), ('1 >= 2', 0), ('1 == 1', 1), ('1 = 2', 0),
    ('1 != 2', 1), ('1 <> 1', 0), ('1 + 1 == 2', 1),
    ('1 or 0 and 0', 1), ('1 | 0', 1), ('1 & 0', 0), ('2 && 3', 1), ('0 || 0', 0),
    ('1 nand 1', 0), ('0 nor 0', 1), ('1 xor 2', 0), ('1 xor 0', 1), ('2 xnor 3', 1),
    ('not 0', 1), ('not(3)', 0), ('not 1 or 1', 1), ('TRUE and not FALSE', 1),
    ('1 < 2 ? 3 : 4', 3), ('0 ? 1 : 0 ? 2 : 3', 3), ('1 ? 0 ? 1 : 2 : 3', 2),
    ('if(2 > 1, 5, 1/0)', 5), ('0 and 1/0', 0), ('1 or 1/0', 1),
    ('IF(0, 1, Max(2, 3))', 3), ('pi', math.pi), ('M_PI', math.pi), ('m_e', math.e),
    ('inf', math.inf), ('-inf', -math.inf), ('epsilon > 0', 1),
    ('avg(1, 2, 6)', 3), ('sum(1, 2, 3)', 6), ('mul(2, 3, 4)', 24), ('min(3, 1, 2)', 1),
    ('max(4)', 4), ('mand(1, 2, 0)', 0), ('mor(0, 0, 2)', 1),
    ('clamp(0, 5, 3)', 3), ('clamp(0, -5, 3)', 0), ('clamp(0, 2, 3)', 2),
    ('iclamp(0, 5, 3)', 5), ('iclamp(0, 1, 3)', 0), ('iclamp(0, 2, 3)', 3),
    ('inrange(0, 2, 3)', 1), ('inrange(0, 4, 3)', 0),
    ('floor(-1.5)', -2), ('ceil(-1.5)', -1), ('trunc(-1.5)', -1), ('int(1.9)', 1),
    ('round(2.5)', 3), ('round(-2.5)', -3), ('round(0.49999999999999994)', 0),
    ('roundn(1.2345, 2)', 1.23), ('frac(-1.25)', -0.25), ('sgn(-2)', -1), ('sgn(0)', 0),
    ('abs(-3)', 3), ('hypot(3, 4)', 5), ('pow(2, 10)', 1024), ('root(27, 3)', 3),
    ('root(-8, 3)', -2), ('mod(7, 4)', 3), ('logn(8, 2)', 3), ('equal(1, 1 + 1e-12)', 1),
    ('not_equal(1, 1.1)', 1), ('sinc(0)', 1), ('ncdf(0)', 0.5), ('deg2rad(180)', math.pi),
    ('rad2deg(pi)', 180), ('deg2grad(90)', 100), ('grad2deg(100)', 90), ('cot(pi/4)', 1),
    ('sec(0)', 1), ('csc(pi/2)', 1), ('atan2(1, 0)', math.pi / 2), ('sin(pi/6)', 0.5),
    ('log(m_e)', 1), ('log10(1000)', 3), ('log2(8)', 3), ('expm1(0)', 0), ('log1p(0)', 0),
    ('erf(0)', 0), ('erfc(0)', 1), ('acosh(1)', 0), ('sqrt(16)', 4),
], ids=str)
def test_value(text: str, value: float) -> None:
    assert _value(text) == pytest.approx(value, rel=1e-14, abs=1e-15)


def test_variables() -> None:
    assert _value('iX * W2 + größe', iX=2, W2=3, größe=1) == 7
    assert _value('pi', pi=3) == 3, 'a variable comes before a constant'


@pytest.mark.parametrize('text, part', [
    ('', 'expected a number, a name or (, found the end'),
    ('1 +', 'found the end'),
    ('1 2', "expected an operator, found '2'"),
    ('2x', "expected an operator, found 'x'"),
    ('(1', "expected ')', found the end"),
    ('max(1, 2', "expected ')'"),
    ('max()', 'max() takes at least 1 argument, found 0'),
    ('rand(1)', 'rand() takes no arguments, found 1'),
    ('if(1, 2)', 'if() takes 3 arguments, found 2'),
    ('1 ? 2', "expected ':'"),
    ('sine(1)', "there is no function sine(); did you mean 'sin'?"),
    ('WIDHT', "there is no variable WIDHT; did you mean 'WIDTH'?"),
    ('var x := 3', "'var' begins a statement, which is not supported: write one expression"),
    ('x := 3', "':=' begins a statement"),
    ('1; 2', "';' begins a statement"),
    ('while(1, 2)', "'while' begins a statement"),
    ("'a'", "found '''"),
    ('1/0', "'/' of 1, 0 has no value: float division by zero"),
    ('1 % 0', 'has no value'),
    ('sqrt(-1)', 'sqrt() of -1 has no value'),
    ('log(0)', 'has no value'),
    ('(-8) ^ (1/3)', 'has no value'),
    ('0 ^ -1', 'has no value'),
    ('9^9^9^9', 'has no value'),
    ('exp(1000)', 'has no value'),
    ('1e308 * 10', 'it is no finite number'),
    ('1e999', '1e999 is too large'),
    ('inf - inf', 'has no value'),
    ('floor(inf)', 'has no value'),
    ('root(2, 0)', 'has no value'),
    ('roundn(1, 400)', 'has no value'),
    ('randomize(-1)', 'whole number'),
    ('randomize(inf)', 'whole number'),
    pytest.param('(' * 10_000, 'nested too deep', id='many-brackets'),
    pytest.param('-' * 9_000 + '1', 'nested too deep', id='many-signs'),
    pytest.param('2^' * 4_000 + '1', 'nested too deep', id='many-powers'),
    pytest.param('not ' * 2_000 + '1', 'nested too deep', id='many-nots'),
    pytest.param('1+' * 6_000 + '1', '10000 are allowed', id='too-long'),
], ids=str)
def test_errors(text: str, part: str) -> None:
    with pytest.raises(FormulaError) as caught:
        _value(text, WIDTH=1)
    assert part in str(caught.value)


def test_long_chains_are_no_recursion() -> None:
    assert _value('1+' * 4_900 + '1') == 4_901
    assert _value('0?1:' * 2_400 + '5') == 5


def test_random_functions() -> None:
    names = _Names()
    draws = [evaluate('rand()', names) for _ in range(1000)]
    assert all(0 <= draw < 1 for draw in draws)
    assert len(set(draws)) == 1000
    assert 0.45 < sum(draws) / 1000 < 0.55
    normal = [evaluate('randn()', names) for _ in range(1000)]
    assert abs(sum(normal)) < 100
    assert all(-3 <= evaluate('unifrnd(-3, 5)', names) < 5 for _ in range(100))


def test_randomize_starts_anew() -> None:
    one, other = _Names(), _Names()
    evaluate('rand()', one)
    drawn = [(evaluate('randomize(3)', names), evaluate('rand()', names))
             for names in (one, other)]
    assert drawn[0] == drawn[1]
    assert drawn[0][0] == 0


@given(st.floats(allow_nan=False))
def test_numbers_read_back(value: float) -> None:
    text = format_number(value)
    assert float(text) == value
    assert not value.is_integer() or abs(value) >= 2**53 or text == str(int(value))


_Pair = tuple[str, str]  # a formula and the Python expression that must have the same value


def _finite(call: Callable[..., float]) -> Callable[..., float]:
    def checked(*values: float) -> float:
        result = float(call(*values))
        if not math.isfinite(result):
            raise OverflowError
        return result
    return checked


_ORACLE = {name: _finite(call) for name, call in {
    'add': operator.add, 'sub': operator.sub, 'mul': operator.mul, 'div': operator.truediv,
    'pow': math.pow, 'mod': math.fmod, 'lt': operator.lt, 'le': operator.le, 'gt': operator.gt,
    'ge': operator.ge, 'eq': operator.eq, 'ne': operator.ne, 'neg': operator.neg,
    'differ': lambda a, b: (a != 0) != (b != 0), 'absolute': abs, 'sin': math.sin,
    'cos': math.cos, 'atan': math.atan, 'tanh': math.tanh, 'exp': math.exp, 'sqrt': math.sqrt,
    'log': math.log, 'erf': math.erf, 'hypot': math.hypot, 'atan2': math.atan2}.items()}
_FORMS: list[tuple[int, str, str]] = [  # operands, formula, Python
    *((2, f'({{}}) {sign} ({{}})', f'{call}({{}}, {{}})') for sign, call in {
        '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '^': 'pow', '%': 'mod', '<': 'lt',
        '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne', 'xor': 'differ'}.items()),
    (2, '({}) or ({})', '(1.0 if ({}) != 0 or ({}) != 0 else 0.0)'),
    (2, '({}) and ({})', '(1.0 if ({}) != 0 and ({}) != 0 else 0.0)'),
    (1, '-({})', 'neg({})'), (1, 'abs({})', 'absolute({})'),
    (3, 'if({1}, {0}, {2})', '(({}) if ({}) != 0 else ({}))'),
    (3, '({1}) ? ({0}) : ({2})', '(({}) if ({}) != 0 else ({}))'),
    *((1, f'{name}({{}})', f'{name}({{}})')
      for name in ('sin', 'cos', 'atan', 'tanh', 'exp', 'sqrt', 'log', 'erf')),
    *((2, f'{name}({{}}, {{}})', f'{name}({{}}, {{}})') for name in ('hypot', 'atan2')),
]


def _extended(inner: st.SearchStrategy[_Pair]) -> st.SearchStrategy[_Pair]:
    def fill(form: tuple[int, str, str], operands: list[_Pair]) -> _Pair:
        formulas, pythons = zip(*operands[:form[0]], strict=True)
        return form[1].format(*formulas), form[2].format(*pythons)

    return st.builds(fill, st.sampled_from(_FORMS), st.lists(inner, min_size=3, max_size=3))


_PAIRS = st.recursive(st.one_of(
    st.integers(0, 20).map(lambda value: (str(value), f'{value}.0')),
    st.floats(0, 1e6).map(lambda value: (repr(value), repr(value))),
    st.just(('x', 'x'))), _extended, max_leaves=15)


@given(_PAIRS, st.floats(-100, 100))
def test_same_as_python(pair: _Pair, x: float) -> None:
    formula, python = pair
    try:
        expected = eval(python, {'x': x, **_ORACLE})  # only the oracle; the package has no eval
    except (ArithmeticError, ValueError):
        with pytest.raises(FormulaError):
            _value(formula, x=x)
        return
    assert _value(formula, x=x) == expected


@given(st.text(alphabet='0123456789.eE+-*/%^()<>=!&|?:,;xyzpiinfrandmaxorn t', max_size=60))
def test_any_text_ends_in_a_number_or_an_error(text: str) -> None:
    try:
        value = _value(text, x=1, y=2.5)
    except FormulaError as error:
        assert str(error)
        return
    assert not math.isnan(value)
    assert math.isfinite(value) or 'inf' in text.lower()
