# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which tags of a world the original knows, and which objects of a loaded one there are."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from mvsim_ros2.world.file.binding.tag_lookup import entries, Entry
from mvsim_ros2.world.file.binding.tag_places import spec_classes
from mvsim_ros2.world.file.compat.original_tags import ORIGINAL_TAGS
from mvsim_ros2.world.spec.common import Source


@cache
def titles() -> dict[type, str]:
    """Return the titles of all spec classes, those of `ORIGINAL_TAGS` for what MVSim has."""
    found: dict[type, str] = {}
    for spec, names in spec_classes().items():
        own = getattr(spec, 'XML_CLASS', '')
        known = [f'{name} {own}'.strip() for name in names]
        title = next((each for each in known if each in ORIGINAL_TAGS), known[0])
        found[spec] = title
    return found


def is_original(spec: type, entry: Entry) -> bool:
    """Return whether MVSim knows a tag too."""
    title = titles().get(spec, '')
    if title == 'waypoint':  # those of actors and those of trajectories
        return True
    return any(name in ORIGINAL_TAGS.get(title, ()) for name in entry.names)


def parts_of(thing: Any, within: Source = Source()) -> Iterator[tuple[Any, Source]]:
    """
    Yield a spec and all specs in it, each with its place: without a tag that of its holder.

    :param within: place of the holder of this one.
    """
    place = getattr(thing, 'source', within)
    place = place if place.file else within
    yield thing, place
    for item in fields(thing):
        value = getattr(thing, item.name)
        for each in value if isinstance(value, tuple) else (value,):
            if is_dataclass(each) and not isinstance(each, type) and hasattr(each, 'source'):
                yield from parts_of(each, place)


def given(spec: Any) -> Iterator[Entry]:
    """Yield the tags of a spec that have other values than by default."""
    kind: Any = type(spec)
    for item in fields(spec):
        entry = next((each for each in entries(kind) if each.field == item.name), None)
        if entry is not None and getattr(spec, item.name) != item.default:
            yield entry
