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
"""The world of a recording."""

from collections.abc import Mapping

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.errors import WindowError
from mvsim_ros2.share import world_path
from mvsim_ros2.world.load import load_world
from mvsim_ros2.world.spec.world import WorldSpec


def world_of(path: object, named: str | None, told: str | None,
             variables: Mapping[str, str]) -> WorldSpec:
    """
    Return the world of a recording: the one that is named, or else the one it tells of.

    :param path: of the recording.
    :param named: file or name of a world, None for none.
    :param told: what the recording says.
    :raises WindowError: where neither is there.
    :raises MvsimError: where it cannot be loaded.
    """
    if not (named or told):
        raise WindowError(f'{path} does not say in which world it was recorded: give --world')
    try:
        return load_world(world_path(named or told or ''), variables)
    except MvsimError as error:
        if named:
            raise
        raise WindowError(f'{path} was recorded in {told}, which cannot be loaded here ({error}): '
                          'give that world with --world') from error


def name_in(world: WorldSpec, name: str, path: object, alone: bool) -> str:
    """
    Return the name of a vehicle in a world.

    :param alone: True where it is the only one of a recording: then it is the only one of the
        world too, whatever its name.
    :raises WindowError: where there is none.
    """
    names = [vehicle.name for vehicle in world.vehicles]
    if name in names:
        return name
    if alone and len(names) == 1:
        return names[0]
    raise WindowError(f'{path}: there is no vehicle {name!r} in {world.path}, only '
                      f'{", ".join(names) or "none"}: give the world it was recorded in with '
                      '--world')
