# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Build and install the package, for pip and for colcon."""

import os
from pathlib import Path
import subprocess
import sys

from setuptools import Extension, find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.install import install

NAME = 'mvsim_ros2'
# Packages have an upper bound where their private parts are used, which may change with any
# release: what numba keeps on disk and how it calls (it bounds llvmlite itself), the C interface
# of Embree 4, the writers of rosbags.
EXTRAS = {
    'cuda': ['numba-cuda[cu13]', 'torch'],  # sensors on a graphics card: gigabytes
    # The site: pages in Markdown, a theme for screens of all widths, cards, a button to copy.
    'docs': ['furo', 'myst-parser', 'sphinx', 'sphinx-copybutton', 'sphinx-design'],
    'episodes': ['pyarrow'],  # writes Parquet files, the tables of LeRobot
    'fast': ['numba>=0.60,<0.69'],
    'field': ['pygeomag'],  # the World Magnetic Model
    'images': ['Pillow', 'PyYAML'],
    # Environments keep to the rules of these two.
    'learn': ['gymnasium>=1.2', 'pettingzoo>=1.25'],
    'meshes': ['assimp-py', 'pycollada', 'scipy', 'trimesh'],
    'plots': ['matplotlib'],
    'policy': ['onnx', 'onnxruntime'],  # writes and runs trained policies
    # Where there are no wheels of these, own code does the same, slower.
    'raycast': ['embreex>=4.4,<5; platform_machine == "x86_64"'],
    'record': ['rosbags>=0.11.9,<0.12'],  # refused without
    'render': ['moderngl'],
    # SLAM packages and evo, which `benchmark slam` runs; yag-slam does not name OpenCV.
    'slam': ['evo', 'genz-icp', 'kiss-icp', 'opencv-python-headless', 'rko_lio', 'yag-slam'],
    'sweep': ['PyYAML', 'cryptography', 'dask[distributed]'],  # TLS between the processes
    'train': ['ray[rllib]', 'stable-baselines3'],  # with torch: gigabytes
    'urdf': ['xacro'],  # only for descriptions that are xacro
    'video': ['av'],
    'viewer': ['Pillow', 'viser>=1.1,<2'],  # the window in the browser
}
# The engine, Box2D, and what kernels call. It uses no part of Python, so that one build serves all
# its versions. Multiplications and additions are not fused, which would change results.
NATIVE = Extension(
    f'{NAME}._native', [f'{NAME}/jit/native_calls.cpp',
                        f'{NAME}/physics/engine/box2d_bridge.cpp', 'vendor/box2d/box2d.cpp'],
    depends=['setup.py', *map(str, Path('vendor/box2d').rglob('*.[ch]*'))],
    include_dirs=['vendor/box2d'], language='c++', py_limited_api=True,
    extra_compile_args=['-O3', '-ffp-contract=off', '-fvisibility=hidden', '-g0', '-w'])
LARGE = 'cuda', 'docs', 'episodes', 'slam', 'train'  # not in `all`
TEST = [
    'build',  # makes wheel and sdist, whose contents are tested
    'flake8-blind-except',
    'flake8-builtins',
    'flake8-class-newline',
    'flake8-comprehensions',
    'flake8-deprecated',
    'flake8-docstrings',
    'flake8-import-order',
    'flake8-quotes',
    'hypothesis',
    'lxml-stubs',
    'mcap',
    'mcap-ros2-support',
    'mypy',
    'playwright',  # drives a browser, for the tests of the window
    'pytest',
    'pytest-xdist',
    'types-PyYAML',
]


def shared_files(folder: str) -> list[tuple[str, list[str]]]:
    """Return the files under `folder` for `data_files`: pairs of share folder and its files."""
    files = sorted(path for path in Path(folder).rglob('*') if path.is_file())
    folders = sorted({path.parent for path in files})
    return [
        (f'share/{NAME}/{place}', [str(path) for path in files if path.parent == place])
        for place in folders
    ]


class BuildModules(build_py):
    """Copies the modules into the build folder, without those of an older build."""

    def run(self) -> None:
        """Remove old modules, then copy: one that was renamed since would hide its successor."""
        for path in Path(self.build_lib).rglob('*.py'):
            path.unlink()
        super().run()


class Install(install):
    """Installs, and in a workspace of colcon compiles the kernels of worlds."""

    def run(self) -> None:
        """Install, then run the worlds that `MVSIM_ROS2_KERNELS` names, '' for none."""
        super().run()
        names = os.environ.get('MVSIM_ROS2_KERNELS', 'demo outdoor').split()
        if names and 'COLCON' in os.environ:
            worlds = [str(Path(f'worlds/{each}.world.xml').resolve()) for each in names]
            given = os.environ.get('PYTHONPATH', '').split(os.pathsep)
            path = os.pathsep.join([  # without what colcon adds to set another prefix
                self.install_lib, *(each for each in given if 'prefix_override' not in each)])
            subprocess.run(  # where it fails the first start compiles, and says why
                [sys.executable, '-s', '-m', f'{NAME}.ros.kernels', *worlds], check=False,
                cwd=self.install_lib, env={**os.environ, 'PYTHONPATH': path})


setup(
    name=NAME,
    version='0.2.0',
    description='Light vehicle and sensor simulator for ROS 2',
    long_description=Path('README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    keywords=['robotics', 'simulation', 'ROS', 'LiDAR', 'vehicle dynamics', 'SLAM'],
    classifiers=[
        'Development Status :: 4 - Beta',
        'Intended Audience :: Science/Research',
        'Operating System :: POSIX :: Linux',
        'Programming Language :: Python :: 3 :: Only',
        'Topic :: Scientific/Engineering',
        'Typing :: Typed',
    ],
    license='BSD-3-Clause',
    license_files=['LICENSE', 'vendor/box2d/LICENSE'],
    maintainer='The mvsim_ros2 authors',
    maintainer_email='mvsim_ros2@example.org',
    python_requires='>=3.11',
    # Without it an editable install is a hook that type checkers and editors do not follow.
    package_dir={'': '.'},
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={NAME: ['py.typed', 'window/panels/*.js']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        *shared_files('launch'),
        *shared_files('config'),
        *shared_files('worlds'),
        *shared_files('benchmarks/slam'),
    ],
    ext_modules=[NATIVE],
    cmdclass={'build_py': BuildModules, 'install': Install},
    options={'bdist_wheel': {'py_limited_api': 'cp311'}},
    zip_safe=False,
    install_requires=['lxml', 'numpy>=1.26'],
    extras_require={
        **EXTRAS,
        'all': sorted(
            name for extra, names in EXTRAS.items() if extra not in LARGE for name in names),
        'test': TEST,
    },
    entry_points={
        'console_scripts': [
            f'mvsim_ros2 = {NAME}.cli.entry_point:main',
            f'mvsim_node = {NAME}.ros.tools.entry_points:mvsim_node',
            f'demo_tour = {NAME}.ros.tools.entry_points:demo_tour',
            f'mvsim_create = {NAME}.ros.tools.entry_points:mvsim_create',
            f'mvsim_teleop = {NAME}.ros.tools.entry_points:mvsim_teleop',
            f'policy_node = {NAME}.ros.tools.entry_points:policy_node',
        ],
        'ament_copyright.license': [f'bsd3_spdx = {NAME}.base.licence:SPDX'],
    },
)
