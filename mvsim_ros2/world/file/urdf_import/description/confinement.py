# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A process that takes its own rights away: for programs that came with a file.

After `confine` it can compute, read below some folders and write to the pipes that it has. Every
other system call fails: sockets, new processes, signals, changes of files. The kernel enforces
this, by seccomp (which system calls) and Landlock (which files), so it holds for machine code as
well. Numbers of system calls, flags and structures are those of the Linux user-space interface.
"""

from collections.abc import Iterable, Sequence
import ctypes
import errno
import os
import platform
import resource
import struct

READ_ONLY = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND  # flags refused
FCNTL_COMMANDS = (0, 1, 2, 3, 1030)  # duplicate, get and set flags

# machine -> architecture of seccomp, and system calls by number
_ALWAYS = {
    'x86_64': (
        0xC000003E,
        (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 21, 24, 25, 28, 32, 35, 39,
         60, 63, 79, 89, 96, 102, 104, 107, 108, 131, 186, 201, 202, 217, 218, 228, 229, 230, 231,
         262, 267, 269, 271, 273, 318, 324, 332, 334, 439)),
    'aarch64': (
        0xC00000B7,
        (17, 23, 48, 57, 61, 62, 63, 64, 65, 66, 67, 73, 78, 79, 80, 93, 94, 96, 98, 99, 101, 113,
         114, 115, 124, 132, 134, 135, 139, 160, 169, 172, 174, 175, 176, 177, 178, 214, 215, 216,
         222, 226, 233, 278, 283, 291, 293, 439))}
# machine -> number of the system call, and of its argument with flags
_OPENING = {'x86_64': ((2, 1), (257, 2)), 'aarch64': ((56, 2),)}
_FCNTL = {'x86_64': 72, 'aarch64': 25}
_IOCTL = {'x86_64': 16, 'aarch64': 29}

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER_MODE = 22, 38, 2
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _BENEATH = 1, 1
_READ_FILE_AND_FOLDER = 0b1100
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version of Landlock -> rights to files it knows


class ConfinementError(OSError):
    """Raised where the kernel does not confine processes."""


def confine(folders: Iterable[str], memory: int, seconds: int) -> bool:
    """
    Take the rights of this process away for good.

    :param folders: what it can still read.
    :param memory: bytes of address space.
    :param seconds: of computing, after which it is killed.
    :returns: whether reading is confined; kernels before 5.13 confine all but that.
    :raises ConfinementError: where the kernel confines nothing.
    """
    machine = platform.machine()
    if platform.system() != 'Linux' or machine not in _ALWAYS:
        raise ConfinementError(f'{platform.system()} on {machine} does not support this')
    for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds),
                        (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_NOFILE, 64)):
        resource.setrlimit(kind, (limit, limit))
    libc = ctypes.CDLL(None, use_errno=True)
    _called(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    reads_confined = _confine_reading(libc, folders)
    rules = b''.join(_rules(machine))
    memory_of_rules = ctypes.create_string_buffer(rules, len(rules))
    program = struct.pack('HxxxxxxP', len(rules) // 8, ctypes.addressof(memory_of_rules))
    _called(libc.prctl(_PR_SET_SECCOMP, _FILTER_MODE, program, 0, 0))
    return reads_confined


def _called(result: int) -> int:
    if result < 0:
        raise ConfinementError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _confine_reading(libc: ctypes.CDLL, folders: Iterable[str]) -> bool:
    """Let Landlock refuse everything but reading below some folders; return whether it does."""
    version = libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    if version < 1:
        return False
    handled = (1 << _RIGHTS.get(version, max(_RIGHTS.values()))) - 1
    network, scopes = (0b11 if version >= 4 else 0), (0b11 if version >= 6 else 0)
    attributes = struct.pack('QQQ', handled, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _called(libc.syscall(_CREATE_RULESET, attributes, size, 0))
    for folder in folders:
        try:
            place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        _called(libc.syscall(_ADD_RULE, ruleset, _BENEATH,
                             struct.pack('=Qi', _READ_FILE_AND_FOLDER, place), 0))
        os.close(place)
    _called(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)
    return True


def _rules(machine: str) -> Sequence[bytes]:
    """Return the program of seccomp: what is not allowed fails with EPERM."""
    architecture, allowed = _ALWAYS[machine]
    rules = [_rule(_LOAD, 4), _rule(_EQUAL, architecture, 1, 0),
             _rule(_RETURN, _FAIL | errno.EPERM), _rule(_LOAD, 0)]
    for number in allowed:
        rules += [_rule(_EQUAL, number, 0, 1), _rule(_RETURN, _ALLOW)]
    rules += [_rule(_EQUAL, _IOCTL[machine], 0, 1), _rule(_RETURN, _FAIL | errno.ENOTTY)]
    for number, argument in _OPENING[machine]:
        rules += [_rule(_EQUAL, number, 0, 4), _rule(_LOAD, _argument(argument)),
                  _rule(_ANY_BIT, READ_ONLY, 0, 1), _rule(_RETURN, _FAIL | errno.EPERM),
                  _rule(_RETURN, _ALLOW)]
    commands = [rule for command in FCNTL_COMMANDS
                for rule in (_rule(_EQUAL, command, 0, 1), _rule(_RETURN, _ALLOW))]
    rules += [_rule(_EQUAL, _FCNTL[machine], 0, 1 + len(commands)), _rule(_LOAD, _argument(1)),
              *commands, _rule(_RETURN, _FAIL | errno.EPERM)]
    return rules


def _argument(number: int) -> int:
    """Return the place of the lower half of an argument of a system call."""
    return 16 + 8 * number


def _rule(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack('HBBI', code, if_true, if_false, value)
