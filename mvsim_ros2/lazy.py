# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Public names of a package that are imported when they are first used (PEP 562).

A package lists them as imports for type checkers, which this reads from its source, so that the
list is there once::

    if TYPE_CHECKING:
        from mvsim_ros2.simulation import Simulation
    else:
        __getattr__, __dir__ = lazy_names(__name__)

    __all__ = ['Simulation']

lazy_loader of Scientific Python (SPEC 1) does the same with a stub file beside the package.
"""

import ast
from collections.abc import Callable
from importlib import import_module
import sys
from typing import Any

__all__ = ['lazy_names']


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """
    Return `__getattr__` and `__dir__` for a package.

    :param package: its `__name__`; the names are those that ``if TYPE_CHECKING:`` imports.
    """
    module = sys.modules[package]
    assert module.__file__ is not None
    with open(module.__file__, encoding='utf-8') as file:
        statements = ast.parse(file.read()).body
    origins = {
        alias.name: imported.module
        for block in statements if isinstance(block, ast.If)
        for imported in block.body if isinstance(imported, ast.ImportFrom) and imported.module
        for alias in imported.names}

    def load(name: str) -> Any:
        if name not in origins:
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        value = getattr(import_module(origins[name]), name)
        setattr(module, name, value)  # from now on Python finds it by itself
        return value

    def listed() -> list[str]:
        return sorted({*module.__all__, *(name for name in vars(module) if name.startswith('__'))})

    return load, listed
