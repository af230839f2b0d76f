# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Damage of files, the same for the same random numbers."""

from random import Random
import re

WORDS = (
    b'', b'0', b'-1', b'1e999', b'nan', b'inf', b'-0.0', b'1e-320', b'99999999999999999999',
    b'1,5', b'0x7fffffff', b'true', b'\x00', b'\xff\xfe', b'\xe2\x98\x83', b'<', b'>', b'/>',
    b'<!--', b'&', b'"', b"'", b'${', b'}', b'$f{1/0}', b'$(ls)', b'[', b']', b'{', b': ', b'- ',
    b'#', b',', b'\n', b'../..', b'/dev/zero', b'*anchor', b'!!python/object:os.system',
    b'a' * 300, b'solid', b'\x00\x00')
NUMBERS = (0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 2 ** 63 - 1,
           2 ** 64 - 1)
_NUMBER = re.compile(rb'-?\d+(\.\d+)?')


def damaged(data: bytes, choice: Random) -> bytes:
    """Return `data` with a few places damaged."""
    for _ in range(choice.choice((1, 1, 2, 4))):
        data = choice.choice(_WAYS)(data, choice)
    return data


def _flip(data: bytes, choice: Random) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(choice.choice((1, 1, 8))):
        changed[choice.randrange(len(data))] ^= 1 << choice.randrange(8)
    return bytes(changed)


def _cut_off(data: bytes, choice: Random) -> bytes:
    return data[:choice.randint(0, len(data))]


def _part(data: bytes, choice: Random) -> tuple[int, int]:
    begin = choice.randint(0, len(data))
    return begin, min(len(data), begin + choice.choice((1, 3, 10, 100)))


def _drop(data: bytes, choice: Random) -> bytes:
    begin, end = _part(data, choice)
    return data[:begin] + data[end:]


def _double(data: bytes, choice: Random) -> bytes:
    begin, end = _part(data, choice)
    return data[:end] + data[begin:end] * choice.choice((1, 1, 30)) + data[end:]


def _move(data: bytes, choice: Random) -> bytes:
    begin, end = _part(data, choice)
    rest = data[:begin] + data[end:]
    to = choice.randint(0, len(rest))
    return rest[:to] + data[begin:end] + rest[to:]


def _insert(data: bytes, choice: Random) -> bytes:
    at = choice.randint(0, len(data))
    return data[:at] + choice.choice(WORDS) + data[at:]


def _number(data: bytes, choice: Random) -> bytes:
    """Replace a number of a text."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return _binary_number(data, choice)
    one = choice.choice(found)
    return data[:one.start()] + choice.choice(WORDS) + data[one.end():]


def _binary_number(data: bytes, choice: Random) -> bytes:
    size = choice.choice((1, 2, 4, 8))
    at = choice.randint(0, max(0, len(data) - size))
    number = choice.choice(NUMBERS) % 256 ** size
    return data[:at] + number.to_bytes(size, choice.choice(('little', 'big'))) + data[at + size:]


_WAYS = (_flip, _cut_off, _drop, _double, _move, _insert, _number, _number, _binary_number)
