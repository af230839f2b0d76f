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
                 '-DCMAKE_BUILD_TYPE=Debug', '-DBUILD_TESTING=OFF',
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
