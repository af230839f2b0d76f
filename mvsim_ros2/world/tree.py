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
"""Element of a world file as read, before it is bound to a spec."""

from dataclasses import dataclass
from dataclasses import field

from mvsim_ros2.world.spec.common import Source


@dataclass
class Node:
    """One XML element; `text` is all text directly in it, joined."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ''
    children: list['Node'] = field(default_factory=list)
    source: Source = Source()

    def child(self, tag: str) -> 'Node | None':
        """Return the first child called `tag`."""
        return next((child for child in self.children if child.tag == tag), None)


@dataclass(frozen=True)
class Item:
    """
    One thing of the world, expanded: includes, loops, conditions and formulas are done.

    `layers` are the nodes that describe it, the most important first: the instance, what it
    includes, its class. Every vehicle, block and actor has an attribute `name` in its first layer,
    every sensor too. Relative paths in a node are relative to `node.source.file`.
    """

    tag: str  # 'vehicle', 'block', 'element', 'vehicle:class', ...
    layers: tuple[Node, ...]


@dataclass(frozen=True)
class ExpandedWorld:
    """A world file with everything expanded, in file order."""

    path: str
    root: Node  # attributes of the root element
    items: tuple[Item, ...]
    variables: dict[str, str]
