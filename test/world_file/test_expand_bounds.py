# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that would expand without end are ended with an error."""

from cProfile import Profile
from pathlib import Path

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.expand import expand_text
from mvsim_ros2.world.file.expressions.expressions import INCLUDES, LIMITS


def _message(body: str, folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f'{name}.xml').write_text(text)
    with pytest.raises(WorldFileError) as caught:
        expand_text(f'<mvsim_world>{body}</mvsim_world>', str(folder / 'w.xml'),
                    warn=lambda source, message: None)
    return str(caught.value)


def _loop(body: str, times: int, name: str = 'i') -> str:
    return f'<for var="{name}" from="1" to="{times}">{body}</for>'


@pytest.mark.parametrize('body, part', [
    pytest.param(_loop(_loop('<if condition="0"/>', 2_000, 'j'), 2_000),
                 'w.xml:1: the world has more than 150000 loop iterations', id='loops'),
    pytest.param(_loop('<a/>', 10 ** 9), 'loop iterations', id='a loop of a thousand million'),
    pytest.param(_loop(_loop(_loop('<a/>', 1000), 1000), 1000), 'loop iterations', id='cube'),
    pytest.param('<for var="i" from="1" to="$f{1+1}">' * 90 + '<a/>' + '</for>' * 90,
                 'loop iterations', id='2 to the 90th'),
    pytest.param('<a>' * 10 ** 6, 'nested more than 100 deep', id='deep'),
    pytest.param(_loop('<a/>' * 20, 60_000), 'w.xml:1: the world has more than 300000 elements',
                 id='elements'),
    pytest.param('<variable name="a" value="xxxxxxxxxx"/>'
                 + _loop('<variable name="a" value="${a}${a}"/>', 100),
                 'more than 50000000 characters', id='doubling-variable'),
    pytest.param('<variable name="a" value="$"/>'
                 '<variable name="b" value="${a}{b}${a}{b}"/><a>${b}</a><a>${${b}}</a>',
                 'there is no variable', id='variable-that-names-itself'),
    pytest.param(_loop(f'<a x="{"y" * 1000}"/>', 100_000), 'more than 50000000 characters',
                 id='text'),
    pytest.param('<block:class name="c">' + '<a x="$f{1}"/>' * 1100 + '</block:class>'
                 + _loop('<block class="c"/>', 1000, 'j'), 'more than 300000 elements',
                 id='classes'),
    pytest.param('<if condition="1">' * 98 + '<a/>' + '</if>' * 98, '', id='nested-conditions'),
])
def test_bounds(body: str, part: str, tmp_path: Path) -> None:
    """
    Loops without end are refused at once, even those that are nested.

    Calls are counted, which is the same on every machine: 10 million take some 2 s.
    """
    if part:
        with Profile(builtins=False) as profile:
            assert part in _message(body, tmp_path)
        calls = sum(entry.callcount for entry in profile.getstats())
        assert calls < (20_000_000 if 'loop' in part or 'deep' in part else 10_000_000)
    else:
        world = expand_text(f'<mvsim_world>{body}</mvsim_world>', 'w.xml',
                            warn=lambda source, message: None)
        assert len(world.items) == 1


def test_file_that_includes_itself(tmp_path: Path) -> None:
    message = _message('<include file="a.xml"/>', tmp_path, a='\n<include file="a.xml"/>')
    assert message.startswith(f'{tmp_path / "a.xml"}:2: ')
    assert f'{tmp_path / "a.xml"} includes itself' in message


def test_circle_of_includes(tmp_path: Path) -> None:
    message = _message('<include file="a.xml"/>', tmp_path, a='<include file="b.xml"/>',
                       b='<c/>\n<include file="./sub/../a.xml"/>')
    chain = ' > '.join(str(tmp_path / name) for name in ('w.xml', 'a.xml', 'b.xml', 'a.xml'))
    assert message == (f'{tmp_path / "b.xml"}:2: {tmp_path / "a.xml"} includes itself: {chain}')


def test_circle_through_a_class(tmp_path: Path) -> None:
    message = _message('<include file="a.xml"/><block class="c"/>', tmp_path,
                       a='<block:class name="c"><include file="a.xml"/></block:class>')
    assert 'includes itself' in message


def test_depth_of_includes(tmp_path: Path) -> None:
    files = {f'f{n}': f'<include file="f{n + 1}.xml"/>' for n in range(40)}
    assert 'includes are nested more than 30 deep' in _message(
        '<include file="f0.xml"/>', tmp_path, f40='<a/>', **files)


def test_includes_that_double(tmp_path: Path) -> None:
    files = {f'f{n}': f'<include file="f{n + 1}.xml"/>' * 2 for n in range(25)}
    assert f'more than {LIMITS[INCLUDES]} includes when expanded' in _message(
        '<include file="f0.xml"/>', tmp_path, f25='<if condition="0"/>', **files)


def test_conditions_nested_through_files(tmp_path: Path) -> None:
    files = {f'f{n}': '<if condition="1">' * 95 + f'<include file="f{n + 1}.xml"/>' + '</if>' * 95
             for n in range(25)}
    assert 'nested too deep: use fewer levels' in _message(
        '<include file="f0.xml"/>', tmp_path, f25='<a/>', **files)


def test_warnings_that_raise_are_errors(tmp_path: Path) -> None:
    def refuse(source: object, message: str) -> None:
        raise WorldFileError(f'{source}: {message}')

    with pytest.raises(WorldFileError, match='w.xml:1: closing tag </b> closes <a>'):
        expand_text('<mvsim_world><a></b></mvsim_world>', 'w.xml', warn=refuse)
