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
"""Bounds that end a world which would expand without end."""

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.common import Source

LIMITS = {
    'elements': 300_000,
    'loop iterations, conditions and variables': 1_000_000,
    'includes': 20_000,
    'characters': 50_000_000,
}
ELEMENTS, STEPS, INCLUDES, CHARACTERS = LIMITS


class Budget:
    """What is left of `LIMITS` for one world."""

    def __init__(self) -> None:
        self._left = dict(LIMITS)

    def spend(self, what: str, source: Source, amount: int = 1) -> None:
        """
        Count `amount` of `what`.

        :raises WorldFileError: where that is more than one world may have.
        """
        self._left[what] -= amount
        if self._left[what] < 0:
            raise WorldFileError(f'{source}: the world has more than {LIMITS[what]} {what} when '
                                 'expanded: check its loops and includes')
