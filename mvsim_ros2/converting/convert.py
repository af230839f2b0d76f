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
"""One way into all formats."""

from pathlib import Path
import shutil
import uuid

from mvsim_ros2.converting.coco import to_coco
from mvsim_ros2.converting.euroc import to_euroc
from mvsim_ros2.converting.kitti import to_kitti
from mvsim_ros2.converting.source import open_bag
from mvsim_ros2.errors import ConversionError

FORMATS = ('kitti', 'euroc', 'coco')


def convert(bag: str | Path, form: str, folder: str | Path, vehicle: str | None = None,
            topic: str | None = None, cameras: list[str] | None = None) -> dict[str, int]:
    """
    Write a bag in another format, into a folder that appears when all is written.

    :param form: one of `FORMATS`.
    :param folder: must not exist yet.
    :param vehicle: name, None for the only one.
    :param topic: of the point cloud for KITTI, of the IMU for EuRoC; None for the first one.
    :param cameras: names, such as ``camera`` or ``stereo/left``; None for all that fit.
    :returns: how much of what was written.
    :raises ConversionError: where the bag lacks something, or the folder cannot be written.
    """
    if form not in FORMATS:
        raise ConversionError(f'there is no format {form!r}, only {", ".join(FORMATS)}')
    folder = Path(folder)
    if folder.exists():
        raise ConversionError(f'{folder} exists already: choose another folder')
    work = folder.with_name(f'.{folder.name}-{uuid.uuid4().hex[:8]}')
    try:
        work.mkdir(parents=True)
        with open_bag(bag, vehicle) as source:
            if form == 'kitti':
                counts = to_kitti(source, work, topic, cameras)
            elif form == 'euroc':
                counts = to_euroc(source, work, topic, cameras)
            else:
                counts = to_coco(source, work, cameras)
        work.rename(folder)
    except OSError as error:
        raise ConversionError(f'{folder}: cannot be written: {error}') from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return counts
