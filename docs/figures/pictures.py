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
"""Draw the pictures of README and documents: `python docs/figures/pictures.py`."""

from pathlib import Path

from PIL import Image

from mvsim_ros2.cli import main

PICTURES = Path(__file__).resolve().parents[1] / 'pictures'
COMMANDS = {
    'outdoor': '--from -8 -12.5 3.6 --at 2.5 -7.2 0.9',
    'demo': '',
    'occupancy_map': '',
    'office': '--from -13 -19 21 --at -1.5 -0.5 0',
    'warehouse': '--from -23 -19 13 --at -4 -3 0',
    'orchard': '--from -26 -15 4.6 --at -15 -7.5 0.6',
    'forest': '--from -7 -9.5 7.5 --at 1.5 1.5 0',
    'corridor': '--from -4.5 -5.9 2.1 --at 0.5 -5.1 0.7',
}


def draw() -> None:
    """Draw every picture, in a file as small as it gets."""
    PICTURES.mkdir(exist_ok=True)
    for world, options in COMMANDS.items():
        path = PICTURES / f'{world}.png'
        main(['picture', world, '--sensors', '--size', '880x496', '-o', str(path),
              *options.split()])
        with Image.open(path) as picture:
            picture.quantize(160).save(path, optimize=True)


if __name__ == '__main__':
    draw()
