# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Public names of a package that are imported when they are first used (PEP 562).

A package lists them as imports for type checkers, which this reads from its source, so that the
list is there once::

    if TYPE_CHECKING:
        from mvsim_ros2.simulation import Simulation
    else:
        __getattr__, __dir__ = lazy_names(__name__)

    __all__ = ['Simulation']

lazy_loader of Scientific Python (SPEC 1) does the same with a stub file next to the package.
"""

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable  # noqa: I300
    from typing import Any

__all__ = ['lazy_names']


def lazy_names(package: str) -> 'tuple[Callable[[str], Any], Callable[[], list[str]]]':
    """Return `__getattr__` and `__dir__` for a package."""
    module = sys.modules[package]
    origins: dict[str, str] = {}

    def load(name: str) -> 'Any':
        from importlib import import_module
        if not origins:
            origins.update(_origins(module.__file__ or ''))
        if name not in origins:
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        value = getattr(import_module(origins[name]), name)
        setattr(module, name, value)  # from now on Python finds it by itself
        return value

    def listed() -> list[str]:
        return sorted({*module.__all__, *(name for name in vars(module) if name.startswith('__'))})

    return load, listed


def _origins(path: str) -> dict[str, str]:
    """Return the modules of the names that a file imports for type checkers."""
    import ast
    with open(path, encoding='utf-8') as file:
        statements = ast.parse(file.read()).body
    return {
        alias.name: imported.module
        for block in statements if isinstance(block, ast.If)
        for imported in block.body if isinstance(imported, ast.ImportFrom) and imported.module
        for alias in imported.names}
