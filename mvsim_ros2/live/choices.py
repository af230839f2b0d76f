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
"""What the window is asked to show, shared by all who look."""

from dataclasses import dataclass

NONE = ''

CLOUD_COLOURS = ('height', 'intensity', 'ring', 'label', 'distance', 'plain')


@dataclass
class Choices:
    """
    The switches of the window.

    Written by the threads of the browser's callbacks, read by the one that draws: each is a
    single value.
    """

    selected: str = NONE  # name of a vehicle, block or actor
    driven: str = NONE  # name of the vehicle that keys and joystick drive
    follow: str = 'free'  # what the camera does: see `cameras`
    scans: bool = True
    scan_areas: bool = True
    clouds: bool = True
    cloud_colour: str = CLOUD_COLOURS[0]
    cloud_points: int = 12000  # points of a cloud that are sent, of all that were measured
    cones: bool = True
    images: bool = True
    frames: bool = False
    labels: bool = True
    true_paths: bool = True
    believed_paths: bool = False
    forces: bool = False
    contacts: bool = False
    views: bool = False  # fields of view
    regions: bool = False
