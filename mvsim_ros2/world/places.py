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
"""Where a spec class finds its values in the elements of a world file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from mvsim_ros2.registry import with_plugins
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.fields import classes_of
from mvsim_ros2.world.spec.fields import Tag
from mvsim_ros2.world.spec.fields import tags_of
from mvsim_ros2.world.spec.fields import xml_name
from mvsim_ros2.world.tree import Node

_ELEMENT_KINDS = ('spec', 'specs', 'polygon', 'segments')  # never written as an attribute


@dataclass(frozen=True)
class Place:
    """One place of a tag: its text, and its element unless it is an attribute."""

    name: str
    label: str  # for messages
    text: str
    source: Source
    node: Node | None


@dataclass(frozen=True)
class Entry:
    """A bound field of a spec class."""

    field: str
    tag: Tag
    names: tuple[str, ...]  # the XML name and its aliases

    @property
    def own_classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold, without those of further records."""
        return classes_of(self.tag.spec)

    @property
    def classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold."""
        group = self.tag.plugins
        return with_plugins(self.own_classes, group) if group else self.own_classes


@cache
def entries(spec: type) -> tuple[Entry, ...]:
    """Return the bound fields of a spec class."""
    return tuple(Entry(item.name, tag, (xml_name(item), *tag.aliases))
                 for item, tag in tags_of(spec))


@cache
def known_names(specs: tuple[type, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of attributes and of child elements that the specs have."""
    chosen = {'class'} if hasattr(specs[0], 'XML_CLASS') else set()
    attributes, children = set(chosen), set(chosen)
    for spec in specs:
        for entry in entries(spec):
            if entry.tag.content:
                continue
            if entry.tag.kind != 'name':
                children.update(entry.names)
            if entry.tag.kind not in _ELEMENT_KINDS:
                attributes.update(entry.names)
    return frozenset(attributes), frozenset(children)


def describe(node: Node) -> str:
    """Return the opening tag of a node in short, for messages."""
    shown = (f' {key}="{node.attributes[key]}"' for key in ('class', 'type', 'name')
             if key in node.attributes)
    return f'<{node.tag}{"".join(shown)}>'


def places_in(entry: Entry, layer: Node) -> Iterator[Place]:
    """Yield the places of an entry in one layer."""
    if entry.tag.content:
        yield Place(entry.names[0], describe(layer), layer.text, layer.source, layer)
        return
    if entry.tag.kind not in _ELEMENT_KINDS:
        for name in entry.names:
            if name in layer.attributes:
                label = f'attribute {name} of <{layer.tag}>'
                yield Place(name, label, layer.attributes[name], layer.source, None)
    for child in layer.children:
        if child.tag in entry.names and entry.tag.kind != 'name':
            yield Place(child.tag, f'<{child.tag}>', child.text, child.source, child)
