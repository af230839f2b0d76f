# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Values: what `${}`, `$env{}`, `$f{}` and `$()` become, and what they refuse."""

from pathlib import Path

import pytest

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.expressions.expressions import Scope, substitute
from mvsim_ros2.world.file.expressions.formula_functions import RandomSource
from mvsim_ros2.world.spec import Source

PLACE = Source('w.xml', 7)


def _scope(allow_shell: bool = False, included_at: Source | None = None,
           attributes: dict[str, str] | None = None, **variables: str) -> Scope:
    return Scope(('worlds/w.xml',), (variables,), variables, RandomSource(stream(0, 'world')),
                 attributes or {}, allow_shell, included_at)


def _value(text: str, **variables: str) -> str:
    return substitute(text, _scope(**variables), PLACE)


@pytest.mark.parametrize('text, value', [
    ('plain {text} $ 5', 'plain {text} $ 5'),
    ('${A}', '3'),
    ('<${A}, ${ B }>', '<3, x y>'),
    ('${A|9}', '3'),
    ('${NONE|9}', '9'),
    ('${NONE|}', ''),
    ('${NONE|a|b}', 'a|b'),
    ('${NONE|${ALSO_NONE|${A}}}', '3'),
    ('${${C}}', '3'),
    ('${${C}|${D}}', '3'),
    ('${${NO|C}_x|1}', '1'),
    ('${A|${UNDEFINED}}', '3'),
    ('$f{2*3}', '6'),
    ('$f{A*2}', '6'),
    ('$f{a*2}', '6'),
    ('$f{${A|2}*2}', '6'),
    ('$f{${NONE|2}*2}', '4'),
    ('$f{1/4} $f{A}m', '0.25 3m'),
    ('$f{4500000.25}', '4500000.25'),
    ('$f{123456.789}', '123456.789'),
    ('$f{1/3}', '0.3333333333333333'),
    ('$f{1e20}', '1e+20'),
    ('$f{-0.0}', '0'),
    ('$f{NO + YES}', '1'),
    ('$env{MVSIM_TEST_VALUE}', 'from outside'),
    ('$env{MVSIM_TEST_VALUE|other}', 'from outside'),
    ('$env{MVSIM_NOT_SET|other}', 'other'),
    ('$env{MVSIM_NOT_SET|}', ''),
    ('$env{MVSIM_NOT_SET|${LAST}}', 'VALUE'),
    ('${MVSIM_TEST_VALUE}', 'from outside'),
    ('${MVSIM_TEST_VALUE|4}', 'from outside'),
    ('$env{MVSIM_TEST_${LAST}}', 'from outside'),
    ('#${NONE|ff000080}', '#ff000080'),
], ids=str)
def test_value(text: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('MVSIM_TEST_VALUE', 'from outside')
    assert _value(text, A='3', B='x y', C='A', NO='false', YES=' True ', LAST='VALUE') == value


def test_values_are_not_read_again() -> None:
    assert _value('${A}', A='${A}${B}') == '${A}${B}'


def test_include_attributes_come_first() -> None:
    scope = _scope(attributes={'A': '1'}, A='2', B='3')
    assert substitute('${A} $f{A+B}', scope, PLACE) == '1 4'


def test_directory_of_the_file() -> None:
    assert _value('${MVSIM_CURRENT_FILE_DIRECTORY}') == str(Path('worlds').absolute())


def test_names_of_objects_do_not_come_from_the_environment(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('NAME', 'outside')
    assert _value('${NAME|none}') == 'none'


def test_names_kept_for_later() -> None:
    assert substitute('/${NAME|x}/${A}', _scope(A='1'), PLACE, {'NAME'}) == '/${NAME}/1'
    scope = _scope(attributes={'topic': '/${PARENT_NAME}/${NAME}'}, NAME='s', PARENT_NAME='r')
    assert substitute('${topic}', scope, PLACE) == '/r/s'


def test_shell() -> None:
    scope = _scope(allow_shell=True, A='3')
    assert substitute('$(printf "1\\n2 "; echo "(${A})")', scope, PLACE) == '12 (3)'
    with pytest.raises(WorldFileError, match=r'w.xml:7: \$\(exit 3\) ended with exit code 3'):
        substitute('$(exit 3)', scope, PLACE)


@pytest.mark.parametrize('text', [
    '$(ros2 pkg prefix mvsim_ros2)/share/mvsim_ros2/worlds',
    '$(ros2 pkg prefix --share mvsim_ros2)/worlds',
    '$(ros2 pkg prefix mvsim_ros2 --share)/worlds', '$(rospack find mvsim_ros2)/worlds',
    '$(find mvsim_ros2)/worlds', '$(find-pkg-share ${P})/worlds'])
def test_places_of_packages_need_no_shell(text: str, project: Path) -> None:
    assert _value(text, P='mvsim_ros2') == str(project / 'worlds')


@pytest.mark.parametrize('text, tail', [
    ('$(ros2 pkg prefix other)/share/other/x', 'share/other/x'), ('$(ros2 pkg prefix other)', ''),
    ('$(find other)', 'share/other')])
def test_places_of_installed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str,
                                      tail: str) -> None:
    marker = tmp_path / 'share/ament_index/resource_index/packages/other'
    marker.parent.mkdir(parents=True)
    marker.write_text('')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    assert _value(text) == str(tmp_path / tail)


@pytest.mark.parametrize('text, message', [
    ('${WIDHT}', 'w.xml:7: there is no variable WIDHT: write <variable name="WIDHT" '
     'value="..."/> before, or a default as in ${WIDHT|0}; did you mean \'WIDTH\'?'),
    ('${}', 'w.xml:7: there is no variable '),
    ('${A', "w.xml:7: '${A' is never closed: add the missing '}'"),
    ('$f{${A}', "w.xml:7: '$f{${A}' is never closed"),
    ('$(a', "w.xml:7: '$(a' is never closed: add the missing ')'"),
    ('$env{MVSIM_NOT_SET}', 'w.xml:7: there is no environment variable MVSIM_NOT_SET'),
    ('$(rm -r x)', 'w.xml:7: $(rm -r x) would run a shell command, which is not allowed. If '
     'you trust the world, allow it with --allow-shell, or allow_shell in a script or as a '
     'parameter'),
    ('$(ros2 pkg prefix none_such)', 'package "none_such": no share folder found'),
    ('$f{1/0}', "w.xml:7: $f{1/0}: '/' of 1, 0 has no value: float division by zero"),
    ('$f{WIDTH*2}', "w.xml:7: $f{WIDTH*2}: variable WIDTH is '3 m', which is not a number"),
    ('$f{NOT_A_NUMBER}', 'which is not a number'),
    ('$f{lenght}', "w.xml:7: $f{lenght}: there is no variable lenght; did you mean 'LENGTH'?"),
    pytest.param('${A|' * 21 + '1' + '}' * 21, 'nested more than 20 deep', id='deep'),
    pytest.param('${A|' * 100_000, 'is never closed', id='deep-and-open'),
    pytest.param('${BIG}' * 60, 'the world has more than 50000000 characters', id='laughs'),
    pytest.param(f'${{{"x" * 10_000}}}', 'xxx...', id='long-name'),
], ids=str)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(WorldFileError) as caught:
        _value(text, WIDTH='3 m', LENGTH='2', NOT_A_NUMBER='nan', BIG='x' * 1_000_000)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_missing_include_attribute_names_the_include() -> None:
    with pytest.raises(WorldFileError, match='give x="..." to the <include> of world.xml:3'):
        substitute('${x}', _scope(included_at=Source('world.xml', 3)), PLACE)
