# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Environments that have some packages of the present one, and nothing else."""

from collections.abc import Iterable
from importlib.metadata import distribution, PackageNotFoundError
from pathlib import Path
import re
import venv

from packaging.requirements import Requirement
import pytest

SETUP = (Path(__file__).resolve().parents[1] / 'setup.py').read_text()


def names_of(extra: str) -> list[str]:
    """Return the packages of an extra of setup.py."""
    found = re.search(rf"^    '{extra}': \[(.*?)\]", SETUP, re.DOTALL | re.MULTILINE)
    assert found, f'setup.py has no extra {extra!r}'
    return re.findall(r"'(.+?)'", found[1])


def linked(place: Path, extras: Iterable[str] = ()) -> Path:
    """
    Make an environment with what the package needs, alone or with extras; skip where it lacks.

    Nothing is installed: it has links to what the present environment has.

    :returns: `place`.
    """
    venv.create(place, with_pip=False, symlinks=True)
    modules = next((place / 'lib').glob('python*')) / 'site-packages'
    optional = [name for extra in extras for name in names_of(extra)]
    for name in _needed(['lxml', 'numpy', *optional]):
        _link(name, modules)
    return place


def _needed(requirements: list[str]) -> set[str]:
    """Return the names of packages, and of all that they need."""
    found: set[str] = set()
    left = [Requirement(each) for each in requirements]
    while left:
        need = left.pop()
        chosen = {'', *need.extras}
        if need.marker is None or need.marker.evaluate():
            if not _is_installed(need.name):
                pytest.skip(f'{need.name} is not installed')
            if need.name not in found or need.extras:
                left += [each for each in map(Requirement, distribution(need.name).requires or ())
                         if each.marker is None or any(
                             each.marker.evaluate({'extra': extra}) for extra in chosen)]
            found.add(need.name)
    return found


def _is_installed(name: str) -> bool:
    """Return whether the present environment has a package."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _link(name: str, modules: Path) -> None:
    """Link what a package of the present environment installed."""
    files = distribution(name).files or ()
    for top in {file.parts[0] for file in files if not file.parts[0].startswith('..')}:
        if not (modules / top).exists():  # some packages share a folder
            (modules / top).symlink_to(distribution(name).locate_file(top))
