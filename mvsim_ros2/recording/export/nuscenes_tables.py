# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The tables of nuScenes: rows with tokens that name each other.

H. Caesar and others, *nuScenes: a multimodal dataset for autonomous driving*, CVPR 2020; columns
as in docs/schema_nuscenes.md of its development kit.
"""

from collections.abc import Iterable
import hashlib
import json
from pathlib import Path
from typing import Any

VERSION = 'v1.0-trainval'
SCENE = 'scene-0001'  # the first one of the split `train` of the development kit
NAMES = ('category', 'attribute', 'visibility', 'instance', 'sensor', 'calibrated_sensor',
         'ego_pose', 'log', 'scene', 'sample', 'sample_data', 'sample_annotation', 'map')
CATEGORIES = {'vehicle': 'vehicle.car', 'person': 'human.pedestrian.adult',
              'block': 'movable_object.barrier', 'vegetation': 'static.vegetation',
              'sensor': 'static.other'}  # what is not here is background
ATTRIBUTES = {('vehicle', True): 'vehicle.moving', ('vehicle', False): 'vehicle.stopped',
              ('person', True): 'pedestrian.moving', ('person', False): 'pedestrian.standing'}
VISIBILITIES = {'1': ('v0-40', 0.4), '2': ('v40-60', 0.6), '3': ('v60-80', 0.8),
                '4': ('v80-100', 1.0)}  # name, largest share

Row = dict[str, Any]


class Tables:
    """Tables that grow."""

    def __init__(self, identity: str) -> None:
        """
        Start with the tables that are the same for all recordings.

        :param identity: of the recording; tokens of equal identities are equal.
        """
        self._identity = identity
        self.rows: dict[str, list[Row]] = {name: [] for name in NAMES}
        for index, name in enumerate(CATEGORIES.values(), 1):
            self.add('category', name, name=name, description='', index=index)
        for name in ATTRIBUTES.values():
            self.add('attribute', name, name=name, description='')
        for token, (level, _) in VISIBILITIES.items():
            self.rows['visibility'].append({
                'token': token, 'level': level,
                'description': f'between {level[1:].replace("-", " and ")} % of it are seen'})

    def token(self, table: str, key: object) -> str:
        """Return the token of a row, 32 hexadecimal digits."""
        text = f'{self._identity}/{table}/{key}'
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def add(self, table: str, key: object, **columns: Any) -> str:
        """Append a row, and return its token."""
        token = self.token(table, key)
        self.rows[table].append({'token': token, **columns})
        return token

    def write(self, folder: Path) -> None:
        """Write a file for each table."""
        folder.mkdir(parents=True)
        for name, rows in self.rows.items():
            (folder / f'{name}.json').write_text(json.dumps(rows, indent=0) + '\n')


def chained(rows: Iterable[Row]) -> list[Row]:
    """Return rows of one chain, each with the tokens of the one before and after, or ''."""
    chain = list(rows)
    for row, before, after in zip(chain, [None, *chain[:-1]], [*chain[1:], None], strict=True):
        row['prev'] = before['token'] if before else ''
        row['next'] = after['token'] if after else ''
    return chain


def visibility_of(seen: int, hidden: int) -> str:
    """Return the token for pixels of an object that are seen, and that others hide."""
    share = seen / max(seen + hidden, 1)
    return next(token for token, (_, most) in VISIBILITIES.items() if share <= most)
