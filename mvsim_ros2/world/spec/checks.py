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
"""What rules of the format have in common: each yields a sentence for what is wrong."""

from collections.abc import Callable
from collections.abc import Iterator
from typing import Any

Problems = Iterator[str]

RECTANGLE = ('x_min', 'x_max'), ('y_min', 'y_max')


def no_problems(spec: Any) -> Problems:
    """Yield nothing: any values are possible together."""
    yield from ()


def ordered(spec: Any, *pairs: tuple[str, str]) -> Problems:
    """Yield a sentence for each pair of fields whose second is not larger than its first."""
    for low, high in pairs:
        if getattr(spec, high) <= getattr(spec, low):
            yield (f'{high} is {getattr(spec, high):g} and {low} is {getattr(spec, low):g}: '
                   f'{high} must be larger')


def ranges(*pairs: tuple[str, str]) -> Callable[[Any], Problems]:
    """Return the check that pairs of fields are ordered."""
    return lambda spec: ordered(spec, *pairs)
