# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the examples and put their pictures into the gallery.

    python docs/figures/gallery.py [NAME ...]

The picture of the plugin is drawn with the package of `examples/plugin` installed for the while.
"""

import os
from pathlib import Path
import shutil
import subprocess
import sys
from tempfile import TemporaryDirectory

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / 'docs/gallery'
WIDTH = 860


def shrink(path: Path) -> None:
    """Put a picture into the gallery, in full colour."""
    with Image.open(path) as picture:
        small = picture.convert('RGB')
        small.thumbnail((WIDTH, WIDTH), Image.Resampling.LANCZOS)
        small.save(GALLERY / f'{path.stem}.webp', quality=88, method=6)


def draw_plugin(folder: Path) -> None:
    """Draw the world of the plugin."""
    source = shutil.copytree(ROOT / 'examples/plugin', folder / 'plugin')
    subprocess.run([sys.executable, '-m', 'pip', 'install', '--quiet', '--no-deps',
                    '--no-build-isolation', '--target', str(folder / 'site'), str(source)],
                   check=True)
    subprocess.run([sys.executable, '-m', 'mvsim_ros2', 'picture', '--sensors',
                    str(source / 'orchard.world.xml'), '-o', str(folder / 'plugin.png')],
                   check=True, env=os.environ | {'PYTHONPATH': f'{folder / "site"}:{ROOT}'})


def draw(names: list[str]) -> None:
    """Run examples, all by default."""
    GALLERY.mkdir(exist_ok=True)
    with TemporaryDirectory() as place:
        folder = Path(place)
        for script in sorted((ROOT / 'examples').glob('*.py')):
            if not names or script.stem in names:
                subprocess.run([sys.executable, str(script), place],
                               env=os.environ | {'PYTHONPATH': str(ROOT)})
                shrink(folder / f'{script.stem}.png')
        if not names or 'plugin' in names:
            draw_plugin(folder)
            shrink(folder / 'plugin.png')


if __name__ == '__main__':
    draw(sys.argv[1:])
