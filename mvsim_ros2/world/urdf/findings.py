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
"""What a conversion could not take over, and what it had to assume."""

from dataclasses import dataclass
from dataclasses import field

from mvsim_ros2.world.spec.common import Source


@dataclass(frozen=True)
class Finding:
    """One thing of a robot description that is not in the vehicle as it is written."""

    source: Source
    text: str  # what, and what to do about it
    lost: bool  # False: it was only assumed

    def __str__(self) -> str:
        """Return file, line and text."""
        return f'{self.source}: {self.text}'


@dataclass
class Findings:
    """Findings of one conversion, each once, in order."""

    found: dict[Finding, None] = field(default_factory=dict)

    def lost(self, source: Source, text: str) -> None:
        """Note what is not taken over."""
        self.found[Finding(source, text, True)] = None

    def assumed(self, source: Source, text: str) -> None:
        """Note what the description does not say, or says in two ways."""
        self.found[Finding(source, text, False)] = None
