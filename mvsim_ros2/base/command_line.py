# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Words of a command line."""

from collections.abc import Sequence


def empty_value(words: Sequence[str]) -> str:
    """
    Return what is wrong with an empty value on a command line, '' where there is none.

    A shell makes one of a variable that is not set; taken as absent it would change the command.
    """
    for number, word in enumerate(words):
        name, equals, value = word.partition('=')
        if not word.strip():
            before = words[number - 1] if number else ''
            name = before if before.startswith('-') else f'argument {number + 1}'
        elif not (name.startswith('--') and equals and not value.strip()):
            continue
        return f'{name} is empty: give a value, or leave it out; is a variable of the shell unset?'
    return ''
