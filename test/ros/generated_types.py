# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Message types that the tests need and this machine may not have: generated once."""

import ctypes
import fcntl
import hashlib
import importlib.util
import os
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile

import pytest

INTERFACES = Path(__file__).parent / 'interfaces'


def build(definitions: Path, prefix: Path) -> None:
    """Generate the types of a package and install them below `prefix`."""
    commands = Path(sys.executable).parent
    cmake, environment = str(commands / 'cmake'), {
        **os.environ, 'PATH': f'{commands}:{os.environ["PATH"]}',
        'AMENT_PREFIX_PATH': sys.prefix, 'CMAKE_PREFIX_PATH': sys.prefix}
    with tempfile.TemporaryDirectory() as folder:
        for command in (
                [cmake, '-G', 'Ninja', '-S', str(definitions), '-B', folder,
                 f'-DCMAKE_INSTALL_PREFIX={prefix}', f'-DCMAKE_INSTALL_RPATH={prefix}/lib',
                 '-DCMAKE_BUILD_TYPE=None', '-DBUILD_TESTING=OFF',
                 f'-DPython3_EXECUTABLE={sys.executable}'],
                [cmake, '--build', folder, '-j', '2'], [cmake, '--install', folder]):
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def provide(package: str, patch: pytest.MonkeyPatch) -> None:
    """Have a message package in this process and in those that it starts."""
    definitions = INTERFACES / package
    found = importlib.util.find_spec(package)
    if found and 'mvsim_ros2_types_' not in str(found.origin):
        return  # it is installed, not left over from another test file
    if not (Path(sys.executable).parent / 'cmake').exists():
        pytest.skip(f'neither {package} nor the tools to generate it are there')
    digest = hashlib.sha256(sys.prefix.encode())
    for file in sorted(path for path in definitions.rglob('*') if path.is_file()):
        digest.update(file.read_bytes())
    prefix = Path(tempfile.gettempdir()) / f'mvsim_ros2_types_{digest.hexdigest()[:16]}'
    done = prefix / 'done'
    with (prefix.parent / f'{prefix.name}.lock').open('w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(prefix, ignore_errors=True)
            build(definitions, prefix)
            done.touch()
    version = f'python{sys.version_info[0]}.{sys.version_info[1]}'
    packages = prefix / 'lib' / version / 'site-packages'
    patch.syspath_prepend(str(packages))
    for name, folder in (('PYTHONPATH', packages), ('LD_LIBRARY_PATH', prefix / 'lib')):
        patch.setenv(name, str(folder), prepend=os.pathsep)
    # this process runs already: what it looks for by name is found where it is loaded
    for kind in ('fastrtps', 'introspection'):
        ctypes.CDLL(f'{prefix}/lib/lib{package}__rosidl_typesupport_{kind}_c.so')
