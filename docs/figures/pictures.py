# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the pictures of README and documents.

    python docs/figures/pictures.py [--into FOLDER] [NAME ...]

A name is a world below, or another script of this folder: all of them by default; `slam` needs the
packages of that extra. Those of the window in a browser are not among them, which window.py takes.
The pages experiments.md and gallery.md are written with their pictures by scripts of their own
beside this one.
"""

import argparse
from collections.abc import Sequence
import os
from pathlib import Path
import subprocess
import sys

from PIL import Image
from places import DOCS

from mvsim_ros2.cli import main as mvsim_ros2

COMMANDS = {  # docs/pictures/NAME.jpg
    'outdoor': '--from -8 -12.5 3.6 --at 2.5 -7.2 0.9',
    'demo': '--from -8.5 -21 20.5 --at -0.4 -0.7 0',
    'occupancy_map': '--from -1.5 -4 11.5 --at 0 -0.1 0',
    'office': '--from -13 -19 21 --at -1.5 -0.5 0',
    'warehouse': '--from -23 -19 13 --at -4 -3 0',
    'orchard': '--from -26.5 -14.5 3.6 --at -18.5 -8.6 0.5',
    'forest': '--from -7 -9.5 7.5 --at 1.5 1.5 0',
    'corridor': '--from -4.5 -5.9 2.1 --at 0.5 -5.1 0.7',
}
SCRIPTS = 'physics', 'sensors', 'light', 'tyres', 'learning', 'slam'
TOUR = 'demo_topview'  # docs/images/demo_topview.png, by the demo; needs ROS
NAMES = *COMMANDS, *SCRIPTS, TOUR


def draw_world(world: str, folder: Path) -> Path:
    """Draw a world with what its sensors measure, in full colour."""
    path, drawn = folder / f'{world}.jpg', folder / f'{world}.png'
    code = mvsim_ros2(['picture', world, '--sensors', '--size', '880x496', '-o', str(drawn),
                       *COMMANDS[world].split()])
    if code:
        sys.exit(code)
    with Image.open(drawn) as picture:
        picture.convert('RGB').save(path, quality=90, subsampling=0, optimize=True)
    drawn.unlink()
    return path


def draw(name: str, into: Path) -> None:
    """Draw the pictures of a name below a folder."""
    (into / 'pictures').mkdir(parents=True, exist_ok=True)
    if name in COMMANDS:
        draw_world(name, into / 'pictures')
        return
    words = [str(DOCS / 'figures' / f'{name}.py')] if name in SCRIPTS else [
        '-m', 'mvsim_ros2.ros.tools.demo_tour', '--duration', '60', '--realtime-factor', '4',
        '--no-window', '--output', str(into / 'images')]
    path = [str(DOCS.parent), str(DOCS.parent / 'test'), os.environ.get('PYTHONPATH', '')]
    subprocess.run([sys.executable, *words], check=True, env=os.environ | {
        'PICTURES_INTO': str(into), 'PYTHONPATH': os.pathsep.join(filter(None, path))})


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line, and draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('names', metavar='NAME', nargs='*', help=', '.join(NAMES))
    parser.add_argument('--into', metavar='FOLDER', type=Path, default=DOCS,
                        help='folder of images/ and pictures/ (default: docs)')
    options = parser.parse_args(words)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f'there are no pictures {unknown[0]!r}, only {", ".join(NAMES)}')
    for name in options.names or NAMES:
        draw(name, options.into.absolute())


if __name__ == '__main__':
    main()
