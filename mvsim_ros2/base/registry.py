# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Records of one kind, such as tyres, from this package and installed plugins.

A record describes one kind of thing: `spec` is the class of its parameters, by the name in the
world file. Other rooms use the other attributes. All users of a kind look it up in its registry,
so a new kind needs no change elsewhere.

A third-party package adds records by Python entry points, one for each::

    [project.entry-points."mvsim_ros2.tyres"]
    dugoff = "my_package.dugoff:LAW"

Modules with records are imported when needed, not to read a world file whose classes are all
declared in `spec`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points, EntryPoint
from pkgutil import iter_modules, resolve_name
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from mvsim_ros2.errors import PluginError


class Record(Protocol):
    """The attributes of all records."""

    @property
    def spec(self) -> type[Any]:
        """Return the class of the parameters."""


R = TypeVar('R', bound=Record)

# group of entry points -> package whose modules hold the built-in records, and the name in them
_BUILT_IN = {
    'mvsim_ros2.controllers': ('mvsim_ros2.physics.controllers', 'CONTROLLERS'),
    'mvsim_ros2.elements': ('mvsim_ros2.world.spec.elements', 'ELEMENT'),
    'mvsim_ros2.tyres': ('mvsim_ros2.physics.tyres', 'LAW'),
    'mvsim_ros2.vehicles': ('mvsim_ros2.physics.vehicle_classes', 'CLASSES'),
}


@cache
def plugins() -> 'Plugins':
    """Return the records that installed packages add, looked for once in a process."""
    return Plugins()


class Plugins:
    """The records of all kinds that installed packages add."""

    def __init__(self) -> None:
        self._entries = entry_points()
        self._records: dict[str, tuple[Any, ...]] = {}

    def of(self, group: str) -> tuple[Any, ...]:
        """Return the records of a kind, in the order of their names."""
        if group not in self._records:
            self._records[group] = tuple(_load(entry) for entry in sorted(
                self._entries.select(group=group), key=lambda each: (each.name, each.value)))
        return self._records[group]


def _load(entry: EntryPoint) -> Any:
    """Return the record that an entry point names."""
    package = entry.dist.name if entry.dist else entry.value
    where = (f'plugin {entry.name!r} of the package {package!r} ({entry.group} = {entry.value})')
    try:
        record = entry.load()
    except Exception as error:  # noqa: B902  # code of others may fail in any way
        raise PluginError(f'{where} cannot be loaded: {type(error).__name__}: {error}; mend '
                          f'it, or take it out with `pip uninstall {package}`') from error
    if not isinstance(getattr(record, 'spec', None), type):
        raise PluginError(f'{where} is no record: it has no class `spec`; see '
                          'docs/extending.md')
    return record


def with_plugins(own: tuple[type[Any], ...], group: str) -> tuple[type[Any], ...]:
    """Return the classes of parameters that a world file can name: `own` and from records."""
    built = built_in(*_BUILT_IN[group]) if group in _BUILT_IN else ()
    specs = dict.fromkeys((*own, *(record.spec for record in (*built, *plugins().of(group)))))
    _check_names(specs)
    return tuple(specs)


@cache
def built_in(package: str, attribute: str, apart: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """
    Return the `attribute` of all modules below a package that have one, by name of module.

    Those of packages in it come at their place. Where the attribute is a tuple, what is in it.
    """
    values = (getattr(module, attribute) for module in _modules(package, apart)
              if hasattr(module, attribute))
    return tuple(record for value in values
                 for record in (value if isinstance(value, tuple) else (value,)))


def _modules(package: str, apart: tuple[str, ...]) -> Iterator[ModuleType]:
    for found in iter_modules(import_module(package).__path__):
        name = f'{package}.{found.name}'
        if not found.ispkg:
            yield import_module(name)
        elif found.name not in apart:
            yield from _modules(name, apart)


@cache
def named(name: str) -> Any:
    """
    Return the function that a record names as ``'module:function'``.

    So a record says what other rooms do with its kind without importing them: the module is
    imported here, when the function is first called.
    """
    try:
        return resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise PluginError(f'a record names the function {name!r}, which cannot be imported: '
                          f"{type(error).__name__}: {error}; write 'module:function'") from error


class Registry(Generic[R]):
    """
    All records of a kind, built-in ones first.

    Iterates over the records. A record's place in this order is its number in arrays.
    """

    def __init__(self, what: str, group: str,
                 own: tuple[R, ...] | Callable[[], tuple[R, ...]] | None = None,
                 kind: type[R] | None = None, *, home: str = '',
                 specs: Callable[[], tuple[type[Any], ...]] | None = None) -> None:
        """
        Import nothing: records are looked for when one is first asked for.

        :param what: they are, for messages: ``'tyre'``.
        :param group: of the entry points that add to them.
        :param own: built-in records, or what returns them; without, those in the modules of the
            group's package.
        :param kind: class that all records must have.
        :param home: where this package keeps its records, for messages: ``'LAWS of a file in
            mvsim_ros2/tyres'``.
        :param specs: returns the classes of parameters that world files can name, where these
            are listed in another room; each needs a record.
        """
        self._what, self._group, self._own = what, group, own
        self._kind, self._home, self._specs = kind, home, specs
        self._added: tuple[Any, ...] | None = None  # records of plugins among `_records`
        self._records: dict[type[Any], R] = {}

    @property
    def _by_spec(self) -> dict[type[Any], R]:
        added = plugins().of(self._group)
        if self._added is not added:
            self._records = self._collect(added)
            self._added = added
        return self._records

    def _collect(self, added: tuple[Any, ...]) -> dict[type[Any], R]:
        """Return all records by their specs, checked."""
        records: dict[type[Any], R] = {}
        own = built_in(*_BUILT_IN[self._group]) if self._own is None else self._own
        every = (*(own() if callable(own) else own), *added)
        _check_names(record.spec for record in every)
        for record in every:
            if self._kind is not None and not isinstance(record, self._kind):
                raise PluginError(
                    f'the record of the {self._what} class {record.spec.XML_CLASS!r} is a '
                    f'{type(record).__name__}: make it a {_full_name(self._kind)}, or of a class '
                    'derived from that; see docs/extending.md')
            records[record.spec] = record
        if self._specs is not None:
            self._compare(records, self._specs())
        return records

    def _compare(self, records: dict[type[Any], R], specs: tuple[type[Any], ...]) -> None:
        """Check that there is a record for each class that world files can name, and no other."""
        for spec in specs:
            if spec not in records:
                raise PluginError(self._missing(spec))
        for spec in records:
            if spec not in specs:
                raise PluginError(
                    f'{self._home} has a record of the {self._what} class {spec.XML_CLASS!r} '
                    f'({_full_name(spec)}), which no world file can name: list it with the specs')

    def _missing(self, spec: type[Any]) -> str:
        """Return what to say where there is no record for parameters of a class."""
        home = f'to {self._home}, or in a package of your own ' if self._home else ''
        return (f'nothing says what the {self._what} of class {_full_name(spec)} does: add a '
                f'record with this `spec` {home}by an entry point {self._group!r}')

    def __iter__(self) -> Iterator[R]:
        return iter(self._by_spec.values())

    def __len__(self) -> int:
        return len(self._by_spec)

    def __contains__(self, spec: object) -> bool:
        return spec in self._by_spec

    def __getitem__(self, spec: type[Any]) -> R:
        """
        Return the record for parameters of the class `spec`.

        :raises PluginError: where there is none; says what is missing.
        """
        try:
            return self._by_spec[spec]
        except KeyError:
            raise PluginError(
                f'{self._missing(spec)}; there are: {", ".join(self.names)}') from None

    def number(self, spec: type[Any]) -> int:
        """Return the place of the record for parameters of the class `spec`."""
        record = self[spec]
        return next(i for i, each in enumerate(self) if each is record)

    @property
    def names(self) -> tuple[str, ...]:
        """Return what world files call them."""
        return tuple(spec.XML_CLASS for spec in self._by_spec)


def _check_names(specs: Iterable[type[Any]]) -> None:
    """Check that no two things have the same name in world files."""
    names: dict[str, type[Any]] = {}
    for spec in specs:
        name = spec.XML_CLASS
        if name in names:
            raise PluginError(f'the class {name!r} is defined twice, as {_full_name(names[name])} '
                              f'and as {_full_name(spec)}: rename one')
        names[name] = spec


def _full_name(kind: type[Any]) -> str:
    return f'{kind.__module__}.{kind.__qualname__}'
