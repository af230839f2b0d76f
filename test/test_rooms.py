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
"""Every room imports only what the design grants it, and the package needs little."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import subprocess
import sys

import pytest

PACKAGE = 'mvsim_ros2'
NEEDED = {'Box2D', 'lxml', 'numpy'}  # all that `import mvsim_ros2` may need

BASE = {'errors', 'frames', 'lazy', 'randomness', 'registry', 'short_repr'}
SPEC = BASE | {'world.spec'}
PUBLIC = SPEC | {'', 'handles', 'sensors.camera_view', 'sensors.observations', 'share',
                 'simulation', 'world'}
MESSAGES = {
    'builtin_interfaces', 'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rcl_interfaces',
    'rosgraph_msgs', 'sensor_msgs', 'std_msgs', 'std_srvs', 'tf2_msgs', 'visualization_msgs',
}


@dataclass(frozen=True)
class Room:
    """What the modules of a room may import, apart from each other."""

    own: frozenset[str]  # modules of this package, '' for the package itself
    other: frozenset[str]  # packages of others


def room(own: set[str], *other: str) -> Room:
    """Return the room that may import `own` and `other`."""
    return Room(frozenset(own), frozenset(other))


# The table of design section 2. A module belongs to the longest name here that it starts with.
ROOMS = {
    'errors': room(BASE, 'numpy'),
    'frames': room(BASE, 'numpy'),
    'lazy': room(set()),
    'short_repr': room(BASE, 'numpy'),
    'licence': room(set(), 'ament_copyright'),
    'randomness': room(BASE, 'numpy'),
    'registry': room(BASE),
    'share': room(BASE),
    'compiled': room(BASE | {'kernel_cache'}, 'numba', 'numpy'),
    'kernel_cache': room(BASE | {'compiled'}, 'numba', 'numpy'),
    'dispatch': room(BASE | {'compiled'}, 'llvmlite', 'numba'),
    'separate': room(BASE | {'compiled'}, 'llvmlite', 'numba'),
    'world.spec': room(SPEC, 'numpy'),
    'world': room(SPEC | {'share'}, 'PIL', 'lxml', 'numpy', 'xacro', 'yaml'),
    'physics': room(SPEC | {'compiled', 'dispatch', 'separate'}, 'Box2D', 'llvmlite', 'numba',
                    'numpy'),
    'scene': room(SPEC | {'compiled'}, 'PIL', 'collada', 'numpy', 'trimesh'),
    'sensors': room(SPEC | {'compiled', 'physics', 'scene', 'sensors.gl', 'separate'},
                    'llvmlite', 'numba', 'numpy'),
    'sensors.gl': room(SPEC | {'compiled', 'physics', 'scene', 'sensors'},
                       'moderngl', 'numpy'),
    'handles': room(SPEC | {'physics', 'sensors', 'simulation'}, 'numpy'),
    'population': room(SPEC | {'handles', 'physics', 'scene', 'sensors'}),
    'scene_queries': room(SPEC | {'scene', 'sensors'}, 'numpy'),
    'simulation': room(
        PUBLIC | {'compiled', 'physics', 'population', 'scene', 'scene_queries', 'sensors'},
        'numpy'),
    '': room(PUBLIC),
    'messages': room(PUBLIC | {'sensors'}, 'numpy'),
    'recording': room(PUBLIC | {'messages', 'trajectories'}, 'PIL', 'numpy', 'rosbags', 'yaml'),
    'converting': room(BASE, 'PIL', 'numpy', 'rosbags'),
    'benchmark': room(
        PUBLIC | {'recording', 'trajectories', 'viewer'}, 'numpy', 'rosbags'),
    'sweeps': room(PUBLIC | {'recording', 'trajectories'}, 'dask', 'yaml'),
    'trajectories': room(PUBLIC, 'numpy'),
    'tuning': room(PUBLIC | {'physics.kinds'}, 'numpy'),
    'viewer': room(PUBLIC | {'recording', 'tuning'}, 'PIL', 'av', 'matplotlib', 'numpy'),
    'ros': room(PUBLIC | {'messages', 'recording', 'viewer'}, 'numpy', 'rclpy', *MESSAGES),
    'cli': room(PUBLIC | {'benchmark', 'converting', 'recording', 'sweeps', 'trajectories',
                          'tuning', 'viewer'}, 'PIL'),
}

ROOT = Path(__file__).resolve().parents[1] / PACKAGE
MODULES = {
    '.'.join(path.relative_to(ROOT).with_suffix('').parts).removesuffix('__init__').rstrip('.'):
    path for path in sorted(ROOT.rglob('*.py'))
}


def room_of(module: str) -> str:
    """Return the name in `ROOMS` that `module`, named without the package, belongs to."""
    parts = module.split('.')
    names = ['.'.join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in ROOMS), '' if module == '' else 'no room')


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line number and dotted name of everything that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f'{path}:{node.lineno}: relative import'
            for alias in node.names:
                yield node.lineno, f'{node.module}.{alias.name}'


def allowed(module: str, name: str) -> bool:
    """Return whether `module` may import the dotted `name`."""
    own_room = room_of(module)
    grant = ROOMS[own_room]
    top, _, rest = name.partition('.')
    if top != PACKAGE:
        return top in sys.stdlib_module_names or top in grant.other
    target = rest
    while target not in MODULES:  # the last parts name things in a module
        target = target.rpartition('.')[0]
    target_room = room_of(target)
    return target_room == own_room or target_room in grant.own or target in grant.own


@pytest.mark.linter
@pytest.mark.parametrize('module', [pytest.param(name, id=name or PACKAGE) for name in MODULES])
def test_a_room_imports_only_what_it_may(module: str) -> None:
    assert room_of(module) in ROOMS, f'{module} belongs to no room of the design'
    bad = [f'{MODULES[module]}:{line}: the room "{room_of(module)}" may not import {name}'
           for line, name in imports(MODULES[module]) if not allowed(module, name)]
    assert not bad, '\n'.join(bad)


ALONE = f"""
import sys

class Others:
    def find_spec(self, name, path=None, target=None):
        top = name.partition('.')[0]
        if top not in sys.stdlib_module_names and top not in {NEEDED | {PACKAGE}}:
            raise ModuleNotFoundError('blocked: ' + name, name=name)

sys.meta_path.insert(0, Others())
import {PACKAGE}
print(*sorted(vars({PACKAGE})))
"""


def test_the_package_imports_without_optional_packages(project: Path) -> None:
    alone = subprocess.run(
        [sys.executable, '-c', ALONE], cwd=project, capture_output=True, text=True)
    assert alone.returncode == 0, alone.stderr


LEAN = f"""
import sys
import {PACKAGE}
{PACKAGE}.Simulation.from_file('worlds/two_robots.world.xml').step(40)
print(*sorted({{name.partition('.')[0] for name in sys.modules}}))
"""


def test_planar_lidars_load_neither_meshes_nor_graphics(project: Path) -> None:
    lean = subprocess.run(
        [sys.executable, '-c', LEAN], cwd=project, capture_output=True, text=True, check=True)
    assert not {'collada', 'embreex', 'moderngl', 'trimesh'} & set(lean.stdout.split())
