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
"""Side force and drive force together: held within the friction ellipse."""

import math

from mvsim_ros2.compiled import compiled

TINY = 1e-12  # a limit that small transmits nothing [N]


@compiled
def project(along: float, across: float, limit_along: float,
            limit_across: float) -> tuple[float, float]:
    """
    Return the force [N] shortened, in its direction, to the friction ellipse.

    `(F_x / L_x)^2 + (F_y / L_y)^2 <= 1`; a force within is returned as it is. An axis of limit
    0 transmits nothing.

    :param along: force along the wheel [N].
    :param across: force across it [N].
    :param limit_along: largest force along the wheel [N], at least 0.
    :param limit_across: largest force across it [N], at least 0.
    """
    used_along = used_across = 0.0
    if limit_along > TINY:
        used_along = along / limit_along
    else:
        along = 0.0
    if limit_across > TINY:
        used_across = across / limit_across
    else:
        across = 0.0
    used = math.sqrt(used_along * used_along + used_across * used_across)
    if used > 1.0:
        return along / used, across / used
    return along, across
