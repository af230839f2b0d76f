# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Former import paths of packages and modules, kept until version 0.4 with a warning."""

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec  # noqa: I300
    from typing import Any

MOVED = {
    'arguments': 'base.arguments', 'export': 'recording.export', 'handles': 'simulation.handles',
    'live': 'window', 'messages': 'ros.messages', 'package_files': 'base.package_files',
    'raycast': 'sensors.raycast', 'registry': 'base.registry', 'render': 'sensors.opengl',
    'spec': 'world.spec', 'sweeps': 'studies.sweeps', 'tuning': 'studies.tuning',
    'viewer': 'pictures', 'world_file': 'world.file',
}
_PACKAGE = 'mvsim_ros2'


def new_name(name: str) -> str | None:
    """Return the dotted name that the module `name` has today, None where it has not moved."""
    package, _, rest = name.partition('.')
    first, dot, last = rest.partition('.')
    if package != _PACKAGE or first not in MOVED:
        return None
    return f'{_PACKAGE}.{MOVED[first]}{dot}{last}'


class MovedModules:
    """Finder and loader that gives a module its former name too (PEP 451)."""

    @classmethod
    def find_spec(cls, name: str, path: 'Any' = None, target: 'Any' = None) -> 'ModuleSpec | None':
        """Return how to load `name` where it is a former name."""
        if new_name(name) is None:
            return None
        from importlib.util import spec_from_loader
        return spec_from_loader(name, cls)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: 'ModuleSpec') -> None:
        """Let Python make the module that `exec_module` replaces."""

    @staticmethod
    def exec_module(module: 'Any') -> None:
        """Put the module of today in the place of `module`."""
        from importlib import import_module
        import warnings
        name: str = module.__name__
        now = new_name(name) or ''
        warnings.warn(f'{name} has moved to {now}; the old name ends with version 0.4',
                      DeprecationWarning, stacklevel=2)
        sys.modules[name] = import_module(now)


def keep_former_names() -> None:
    """Let `import` find modules under their former names, ahead of the folders it looks into."""
    if MovedModules not in sys.meta_path:
        sys.meta_path.insert(0, MovedModules)
