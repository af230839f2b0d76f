# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Queries of the scene of a simulation; they do not change measurements."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.arguments import check_type, real, vector
from mvsim_ros2.errors import ArgumentError, SceneError
from mvsim_ros2.scene.camera_view import ALL_LAYERS, CameraFrame, CameraView, Layer
from mvsim_ros2.scene.floor_plan import floor_plan
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.simulation.base import SimulationBase
from mvsim_ros2.world.spec import OccupancyMap, RuntimeObject
from mvsim_ros2.world.spec.view import MOST


class SceneQueries(SimulationBase):
    """Part of a `Simulation`: pictures, rays and maps of what is there, without noise."""

    __slots__ = ()

    def render(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS) -> CameraFrame:
        """
        Return a picture of the present state from anywhere.

        Planes are not drawn from the side that `<cull_face>` leaves out; where the world has no
        ground there is a plain floor.

        :param view: the camera.
        :param layers: which layers to make, of ``'colour'``, ``'depth'`` and ``'ids'``.
        :returns: `colour`, shape (height, width, 3), uint8, sRGB. `depth` along the optical axis
            [m], shape (height, width), float32, inf for the sky. `ids`, shape (height, width, 2),
            uint16: label and object.
        :raises RenderContextError: where there is neither OpenGL nor a ray caster.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> from mvsim_ros2.pictures import automatic_view
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> frame = simulation.render(automatic_view(simulation, 64, 48), ('colour', 'depth'))
        >>> frame.colour.shape, frame.depth.shape, frame.ids
        ((48, 64, 3), (48, 64), None)
        """
        check_type('view', view, CameraView, 'make one by mvsim_ros2.pictures.automatic_view')
        return self._suite.render(view, layers, self.time_ns)

    def cast_rays(self, origin: tuple[float, float], bearings: ArrayLike, max_range: float,
                  ignore: str | None = None) -> NDArray[np.float64]:
        """
        Return how far it is to what a planar LiDAR would meet, without any noise.

        It draws no random numbers, and so changes nothing of what sensors measure.

        :param origin: x, y in the world [m].
        :param bearings: of the rays in the world [rad], shape (n,).
        :param max_range: reach [m].
        :param ignore: name of a vehicle that is not seen, such as the one that asks.
        :returns: distances [m], inf where nothing is in reach, shape (n,), float64.
        :raises SensorError: where a number is not finite.
        :raises ArgumentError: where something is no number.
        :raises PhysicsError: where there is no such vehicle.

        >>> from math import pi
        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.cast_rays((-2.0, 0.0), [0.0, pi / 2], 10.0, ignore='robot').round(2)
        array([3.2 , 3.95])
        """
        numbers = [vector(name, values) for name, values in (
            ('origin', origin), ('bearings', bearings))]
        if numbers[0].shape != (2,):
            raise ArgumentError(f'origin is {origin!r}: give x and y')
        return self._suite.cast((float(numbers[0][0]), float(numbers[0][1])), numbers[1],
                                real('max_range', max_range), ignore, self.time_ns)

    @property
    def runtime_objects(self) -> tuple[RuntimeObject, ...]:
        """Return the objects that are only seen, see `show_objects`."""
        return self._suite.views.objects

    def show_objects(self, objects: Iterable[RuntimeObject]) -> None:
        """
        Let cameras and pictures see these objects from now on, in place of those before.

        Nothing touches them, and no LiDAR or range finder meets them. They stay where they are
        when the simulation is reset.

        :raises SceneError: where two have the same name, or there are too many.

        >>> import numpy as np
        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> from mvsim_ros2.world.spec import RuntimeObject
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> corners = np.array([[[0, 0, 0.01], [1, 0, 0.01], [0, 1, 0.01]]])
        >>> mark = RuntimeObject('mark', Pose(x=2.0), corners, np.array([[1.0, 0, 0, 1]]))
        >>> simulation.show_objects([mark])
        >>> simulation.scene().thing_names[-1]
        'mark'
        """
        shown = tuple(objects)
        names = {each.name for each in shown}
        if len(names) < len(shown) or len(shown) > MOST:
            raise SceneError(f'{len(shown)} objects with {len(names)} names: give at most {MOST}, '
                             'each its own name')
        self._suite.views.show(shown)

    def scene(self, overlays: Sequence[RuntimeObject] = ()) -> Scene:
        """
        Return the shapes of everything where it is at present.

        :param overlays: further objects, which no sensor sees.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.scene().thing_names[1:4]
        ('element horizontal_plane1', 'wall_0001', 'wall_0002')
        """
        return self._suite.scene(self.time_ns, overlays)

    def movers(self) -> MoverStates:
        """
        Return where everything is at present that moves in `scene`, in its rows.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> simulation.movers().vehicles.shape, simulation.movers().wheel_angle.shape
        ((1, 6), (2,))
        """
        return self._suite.movers(self.time_ns)

    def floor_plan(self, height: float, resolution: float) -> OccupancyMap:
        """
        Return an occupancy map of what stands at a height, cannot move and is not intangible.

        :param height: above z = 0 [m].
        :param resolution: size of a cell [m].
        :raises SceneError: where the map would have too many cells.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.floor_plan(height=0.3, resolution=0.1)
        OccupancyMap(values=<int8 (102, 122)>, resolution=0.1, x_min=-6.1, y_min=-5.1)
        """
        return floor_plan(self.scene(), height, resolution, {
            block.name for block in self._suite.views.things.blocks if block.intangible})
