# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What clients of `simulation_interfaces` say of entities: category, description, tags."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

ALL = 1  # mode of simulation_interfaces/msg/TagsFilter: every tag, not any


@dataclass(frozen=True)
class Info:
    """Category, description and tags of one entity."""

    category: int
    description: str = ''
    tags: tuple[str, ...] = ()


class EntityInfos:
    """The infos of all entities; first the tag of one is its class in the world file."""

    def __init__(self) -> None:
        """Start with what the world says."""
        self._given: dict[str, Info] = {}

    def of(self, name: str, handle: Any, category: int) -> Info:
        """
        Return the info of an entity.

        :param handle: its handle.
        :param category: its category unless another one has been set.
        """
        kind = getattr(getattr(handle, 'spec', None), 'class_name', '')
        return self._given.get(name) or Info(category, '', (kind,) if kind else ())

    def change(self, name: str, message: Any) -> None:
        """
        Replace the info of an entity.

        :param message: a simulation_interfaces/msg/EntityInfo.
        """
        self._given[name] = Info(
            message.category.category, message.description, tuple(message.tags))

    def forget(self, *names: str) -> None:
        """Forget what was set for some entities; without names for all."""
        for name in names or list(self._given):
            self._given.pop(name, None)


def passes(wanted: Any, tags: Collection[str]) -> bool:
    """
    Return whether tags pass a filter.

    :param wanted: a simulation_interfaces/msg/TagsFilter; without tags everything passes.
    """
    found = [each in tags for each in wanted.tags]
    return not found or (all(found) if wanted.filter_mode == ALL else any(found))
