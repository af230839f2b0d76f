# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reference tables of the physics; vehicles and worlds are made by `small_worlds`."""

import csv

import pytest


@pytest.fixture(scope='session')
def table(shared):
    """Return a reader of reference tables of the models: rows of numbers and words by column."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text

    def read(name):
        with (shared / 'golden/models' / name).open() as file:
            return [{column: number(text) for column, text in row.items()}
                    for row in csv.DictReader(file)]
    return read
