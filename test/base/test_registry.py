# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of built-in things and of plugins."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mvsim_ros2.base import registry
from mvsim_ros2.base.registry import built_in, named, plugins, Registry, with_plugins
from mvsim_ros2.errors import PluginError

GROUP = 'mvsim_ros2.test_tyres'


@dataclass(frozen=True)
class Slick:
    XML_CLASS = 'slick'


@dataclass(frozen=True)
class Studded:
    XML_CLASS = 'studded'


@dataclass(frozen=True)
class Law:
    spec: type


@dataclass(frozen=True)
class Other:
    spec: type


SLICK, STUDDED, OTHER, NOTHING = Law(Slick), Law(Studded), Other(Studded), 3


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the file of the entry points of a package that is installed for a test."""
    folder = tmp_path / 'tyres_of_others-1.0.dist-info'
    folder.mkdir()
    (folder / 'METADATA').write_text('Metadata-Version: 2.1\nName: tyres-of-others\nVersion: 1\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.plugins.cache_clear()
    yield folder / 'entry_points.txt'
    registry.plugins.cache_clear()


def test_built_in_records_come_before_those_of_plugins(installed: Path) -> None:
    installed.write_text(f'[{GROUP}]\nstudded = {__name__}:STUDDED\n')
    tyres = Registry[Law]('tyre', GROUP, (SLICK,))
    assert tyres.names == ('slick', 'studded')
    assert list(tyres) == [SLICK, STUDDED]
    assert tyres[Studded] is STUDDED and tyres.number(Studded) == 1
    assert with_plugins((Slick,), GROUP) == (Slick, Studded)


def test_what_is_not_there_is_named(installed: Path) -> None:
    installed.write_text('')
    with pytest.raises(PluginError, match=r'tyre of class .*Studded does.*there are: slick'):
        Registry[Law]('tyre', GROUP, (SLICK,))[Studded]


@pytest.mark.parametrize('value, message', [
    pytest.param('no_such_module:LAW', 'No module named', id='no module'),
    pytest.param(f'{__name__}:NO_LAW', 'has no attribute', id='no attribute'),
    pytest.param(f'{__name__}:NOTHING', 'no class `spec`', id='no record'),
])
def test_a_broken_plugin_is_named_with_its_package(
        installed: Path, value: str, message: str) -> None:
    installed.write_text(f'[{GROUP}]\nbroken = {value}\n')
    with pytest.raises(PluginError, match=message) as error:
        plugins().of(GROUP)
    assert "'broken'" in str(error.value) and "'tyres-of-others'" in str(error.value)


def test_a_record_of_another_kind_is_refused(installed: Path) -> None:
    installed.write_text(f'[{GROUP}]\nstudded = {__name__}:OTHER\n')
    with pytest.raises(PluginError, match="'studded' is a Other: make it a .*Law"):
        len(Registry('tyre', GROUP, (SLICK,), Law))


def test_built_in_records_are_found_in_their_package(installed: Path) -> None:
    """By the name that they have in its modules, once each."""
    installed.write_text('')
    laws = built_in('mvsim_ros2.physics.tyres', 'LAW')
    assert [law.spec.XML_CLASS for law in laws] == [
        'bakker', 'clay', 'linear', 'default', 'ellipse', 'wardiagnemma', 'magic_formula',
        'sand']
    group, last = 'mvsim_ros2.tyres', laws[-1].spec
    assert tuple(Registry[Law]('tyre', group)) == laws
    assert with_plugins((last,), group) == (last, *(law.spec for law in laws[:-1]))


def test_functions_are_named_as_in_entry_points() -> None:
    assert named('mvsim_ros2.base.registry:plugins') is plugins


@pytest.mark.parametrize('name', [
    pytest.param('mvsim_ros2.no_such_module:plugins', id='no module'),
    pytest.param('mvsim_ros2.base.registry:no_such_function', id='no function'),
    pytest.param('not a name', id='no name'),
])
def test_a_function_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(PluginError, match=name):
        named(name)


def test_two_records_of_one_name_are_refused(installed: Path) -> None:
    installed.write_text(f'[{GROUP}]\nslick = {__name__}:SLICK\n')
    with pytest.raises(PluginError, match="class 'slick' is defined twice"):
        len(Registry[Law]('tyre', GROUP, (SLICK,)))


def test_own_records_are_looked_for_on_first_use(installed: Path) -> None:
    installed.write_text('')
    asked: list[int] = []

    def own() -> tuple[Law, ...]:
        asked.append(1)
        return (SLICK,)

    tyres = Registry[Law]('tyre', GROUP, own)
    assert not asked
    assert tyres.names == ('slick',) and tyres[Slick] is SLICK and len(asked) == 1


def test_plugins_installed_later_are_seen(installed: Path) -> None:
    installed.write_text('')
    tyres = Registry[Law]('tyre', GROUP, (SLICK,))
    assert tyres.names == ('slick',)
    installed.write_text(f'[{GROUP}]\nstudded = {__name__}:STUDDED\n')
    registry.plugins.cache_clear()
    assert tyres.names == ('slick', 'studded')


@pytest.mark.parametrize('own, specs, message', [
    pytest.param((SLICK,), (Slick, Studded), r'Studded does: add .* to LAWS of a file, or in a '
                 "package of your own by an entry point 'mvsim_ros2.test_tyres'", id='no record'),
    pytest.param((SLICK, STUDDED), (Slick,), r"LAWS of a file has a record .* 'studded' .*which "
                 'no world file can name', id='no spec'),
])
def test_rooms_that_disagree_are_told(installed: Path, own: tuple[Law, ...],
                                      specs: tuple[type, ...], message: str) -> None:
    installed.write_text('')
    tyres = Registry[Law]('tyre', GROUP, own, home='LAWS of a file', specs=lambda: specs)
    with pytest.raises(PluginError, match=message):
        len(tyres)


def test_world_files_know_no_two_classes_of_one_name(installed: Path) -> None:
    installed.write_text(f'[{GROUP}]\nstudded = {__name__}:STUDDED\n')
    other = type('Studs', (), {'XML_CLASS': 'studded'})
    with pytest.raises(PluginError, match="class 'studded' is defined twice, as .*Studs and as "
                                          '.*Studded'):
        with_plugins((Slick, other), GROUP)


def test_packages_in_a_package_are_looked_into(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file, text in {
            '__init__.py': '', 'summer.py': 'LAWS = 1, 2', 'winter.py': 'LAWS = 5', 'other.py': '',
            'tracks/__init__.py': '', 'tracks/rubber.py': 'LAWS = (3,)',
            'tracks/steel/__init__.py': '', 'tracks/steel/plain.py': 'LAWS = 4',
            'rails/__init__.py': '', 'rails/broad.py': 'raise ImportError'}.items():
        path = tmp_path / 'treads_of_others' / file
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert built_in('treads_of_others', 'LAWS', apart=('rails',)) == (1, 2, 3, 4, 5)
