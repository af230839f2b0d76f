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
"""Elements of a world file, made and written."""

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape
from xml.sax.saxutils import quoteattr

from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.tree import Node

_INDENT = '  '
_NONE: Mapping[str, str] = MappingProxyType({})


def element(tag: str, source: Source, text: str = '', children: Iterable[Node] = (),
            attributes: Mapping[str, str] = _NONE) -> Node:
    """Return an element; attributes without text are left out."""
    return Node(tag, {key: text for key, text in attributes.items() if text}, text,
                list(children), source)


def xml(node: Node) -> str:
    """Return the text of an element and all in it, indented."""
    return '\n'.join(_lines(node, '')) + '\n'


def _lines(node: Node, indent: str) -> Iterator[str]:
    attributes = ''.join(f' {key}={quoteattr(text)}' for key, text in node.attributes.items())
    text = escape(node.text.strip())
    if not (node.children or text):
        yield f'{indent}<{node.tag}{attributes}/>'
    elif not node.children:
        yield f'{indent}<{node.tag}{attributes}>{text}</{node.tag}>'
    else:
        yield f'{indent}<{node.tag}{attributes}>'
        for child in node.children:
            yield from _lines(child, indent + _INDENT)
        yield f'{indent}</{node.tag}>'
