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
"""What the node shows: a simulation, and the names of its things on the graph."""

from dataclasses import dataclass

from mvsim_ros2.messages.namespaces import Namespaces
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.ros.worlds import variables
from mvsim_ros2.share import world_path
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.load import load_world


@dataclass(frozen=True)
class Stage:
    """One world in motion; another stage takes its place when another world is loaded."""

    simulation: Simulation
    names: Namespaces

    def sensor_topics(self) -> dict[str, str]:
        """
        Return what the topics of each sensor begin with, by the name of the sensor.

        :raises MvsimError: where a topic would have two publishers.
        """
        return self.names.sensors(self.simulation.sensors.values())


def set_stage(settings: Settings, world: str) -> Stage:
    """
    Load a world and build it, with the names that the parameters ask for.

    :param world: a path, or the name of a world that comes with the package.
    :raises MvsimError: says what is wrong, where, and what to do.
    """
    spec = load_world(world_path(world), variables(settings.variables), settings.strict,
                      seed=settings.seed, offline=settings.offline)
    simulation = Simulation(spec, settings.seed, settings.physics or None)
    return Stage(simulation, Namespaces(settings, list(simulation.vehicles)))
