# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All sensors of a world: what they look into, and when each is due."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import SensorError
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, Layer
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.sensors.base import full_name, Sensor
from mvsim_ros2.sensors.delivery import Delivery
from mvsim_ros2.sensors.factory import make_sensors, mounted_sensors, without_noise
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.schedule import Schedule, TOLERANCE_NS
from mvsim_ros2.sensors.views.instant import Instant
from mvsim_ros2.sensors.views.overview_camera import OverviewCamera
from mvsim_ros2.sensors.views.views import SceneViews, ShapeView
from mvsim_ros2.world.spec import (
    BlockSpec, Footprint, RuntimeObject, SensorSpec, VehicleSpec, WorldSpec)


class SensorScheduler:
    """
    The sensors of a simulation, by the name ``'vehicle/sensor'``.

    :ivar schedule: when each is due, in their order.
    :ivar views: what they look into.
    """

    def __init__(self, world: WorldSpec, physics: PhysicsWorld, streams: RandomStreams,
                 footprints: Mapping[str, Footprint], with_sensors: bool = True) -> None:
        """
        Make the sensors of all vehicles and those that stand in the world.

        :param footprints: outlines of meshes by name of vehicle or block.
        :param with_sensors: False makes none.
        :raises SensorError: where two sensors of a vehicle have the same name.
        """
        self._world = world
        self._physics = physics
        self._streams = streams
        self._with_sensors = with_sensors
        self.sensors: dict[str, Sensor] = {}
        self._off: set[str] = set()  # sensors that do not measure by themselves
        self._triggered: set[str] = set()  # that are to measure once
        self._delivery = Delivery(streams)
        self._noisy = True
        self._periods: dict[str, float] = {}  # other ones than those of the specs [s]
        self.schedule = Schedule((), (), (), ())
        self._passed = False  # whether there were measurements that are not counted yet
        self.views = SceneViews(world, physics, footprints)
        self._make_sensors(0)

    def update(self, now_ns: int, footprints: Mapping[str, Footprint]) -> None:
        """Look again at the vehicles and blocks of the physics, after some came or went."""
        self.views.change(footprints)
        self._make_sensors(now_ns)

    def take_in(self, thing: VehicleSpec | BlockSpec, now_ns: int,
                footprints: Mapping[str, Footprint]) -> bool:
        """
        Look also at a vehicle or block that came behind the others.

        :returns: whether there are other sensors now.
        """
        self.views.take_in(thing, footprints)
        if isinstance(thing, BlockSpec) or not thing.sensors:
            return False
        self._make_sensors(now_ns)
        return True

    def set_noise(self, on: bool, now_ns: int) -> None:
        """Make all sensors with random errors anew, with or without these, due as before."""
        if on != self._noisy:
            self._noisy = on
            self._make_sensors(now_ns, {full_name(owner, spec) for owner, spec in self._mounted()
                                        if without_noise(spec) is not spec})

    def set_rate(self, name: str, rate: float, now_ns: int) -> None:
        """
        Make a sensor anew that measures at another rate [Hz], for the first time after a period.

        :raises SensorError: where there is none of this name, or it would be due between steps.
        """
        self.check(name)
        most = 1.0 / self._physics.dt
        if not 0.0 < rate <= most + 1e-9:
            raise SensorError(f'a rate of {rate:g} Hz for {name!r}: it should be above 0, and at '
                              f'most {most:g} Hz, once a step')
        if 1.0 / rate != self.sensors[name].spec.sensor_period:
            self._periods[name] = 1.0 / rate
            self._make_sensors(now_ns, {name}, {name})

    def _mounted(self) -> list[tuple[str, SensorSpec]]:
        """Return name of the vehicle and spec of every sensor that there shall be."""
        world = replace(self._world, vehicles=tuple(self._physics.vehicles.specs))
        mounted = mounted_sensors(world) if self._with_sensors else []
        return [(owner, replace(spec, sensor_period=self._periods[name], sensor_phase=None)
                 if (name := full_name(owner, spec)) in self._periods else spec)
                for owner, spec in mounted]

    def _make_sensors(self, now_ns: int, anew: Collection[str] = (),
                      begun: Collection[str] = ()) -> None:
        """
        Keep the sensors of vehicles that are still there, but for some; make all others.

        :param anew: those that are made again, due as before.
        :param begun: those of them whose periods begin now.
        """
        self._count_passed()
        timing = dict(zip(self.sensors, self.schedule.timing, strict=True))
        for name in begun:
            del timing[name]
        mounted = self._mounted()
        kept = {name: sensor for name, sensor in self.sensors.items() if name not in anew}
        known = kept | make_sensors(
            [(owner, spec if self._noisy else without_noise(spec)) for owner, spec in mounted
             if full_name(owner, spec) not in kept],
            self._streams, self.views)
        self.sensors = {name: known[name] for name in (full_name(*pair) for pair in mounted)}
        self._off &= self.sensors.keys()
        self._triggered &= self.sensors.keys()
        self._delivery.keep(self.sensors)
        self._find_followers()
        # of each its own name and that of its carrier
        self._names = [(name, name.rpartition('/')[0]) for name in self.sensors]
        sensors = self.sensors.values()
        self.schedule = Schedule(
            [1e9 * sensor.spec.sensor_period for sensor in sensors],
            [sensor.sweep_ns for sensor in sensors],
            [self._is_on(name) for name in self.sensors],
            [timing.get(name) or _first(sensor, now_ns) for name, sensor in self.sensors.items()])

    def shapes(self, now_ns: int) -> Scene:
        """Return the scene that sensors see in three dimensions; another object after a change."""
        self.views.begin(now_ns)
        return self.views.use(ShapeView).scene

    @property
    def measuring(self) -> list[Sensor]:
        """Return the sensors that are on."""
        sensors = list(self.sensors.values())
        return [sensors[row] for row in self.schedule.enabled]

    def check(self, name: str) -> None:
        """
        Make sure that there is a sensor.

        :raises SensorError: where there is none of this name.
        """
        if name not in self.sensors:
            raise SensorError(f'there is no sensor {name!r}, only '
                              f'{", ".join(self.sensors) or "none"}')

    def enable(self, name: str, on: bool) -> None:
        """Let a sensor measure when it is due, or not."""
        if on == (name not in self._off):
            return
        (self._off.discard if on else self._off.add)(name)
        self.schedule.enable(list(self.sensors).index(name), self._is_on(name))

    def steps_until_due(self, now_ns: int, step_ns: int, limit: int) -> int:
        """Return the steps to go, at least one, until there is something to do, or `limit`."""
        if self._passed:
            self._count_passed()
        arrives = max(1, -(-(self._delivery.next_ns - now_ns) // step_ns))
        return self.schedule.steps_until_due(now_ns, step_ns, min(limit, arrives))

    @property
    def begins_ns(self) -> int:
        """Return the time until which steps need nothing from here [ns]."""
        return min(self.schedule.begins_ns, self._delivery.next_ns)

    def trigger(self, name: str, now_ns: int) -> None:
        """
        Let a sensor measure once, from the next step on.

        :raises SensorError: where it measures by itself, or is off.
        """
        self.check(name)
        spec = self.sensors[name].spec
        if spec.trigger != 'external':
            raise SensorError(f'{spec.source}: what triggers {name} is its {spec.trigger}: give '
                              'it <trigger>external</trigger> to trigger it by hand')
        if name in self._off:
            raise SensorError(f'{name} is off: turn it on before it is triggered')
        self._plan(name, now_ns + 1)

    def _plan(self, name: str, begins_ns: int) -> None:
        """Let a sensor begin to measure at a time [ns]."""
        row, timing = list(self.sensors).index(name), self.schedule.timing
        timing[row] = begins_ns + self.sensors[name].sweep_ns + TOLERANCE_NS, 0
        self._triggered.add(name)
        self.schedule.begin([self._is_on(each) for each in self.sensors], timing)

    def _is_on(self, name: str) -> bool:
        """Return whether a sensor measures when the schedule says so."""
        return name not in self._off and (
            self.sensors[name].spec.trigger == 'period' or name in self._triggered)

    def _find_followers(self) -> None:
        """
        Find which sensors are triggered by others.

        :raises SensorError: where there is no sensor of that name on the same vehicle.
        """
        self._followers: dict[str, list[str]] = {}
        for name, sensor in self.sensors.items():
            source = sensor.spec.trigger
            if source in ('period', 'external'):
                continue
            leader = full_name(name.rpartition('/')[0], replace(sensor.spec, name=source))
            if leader not in self.sensors:
                raise SensorError(f'{sensor.spec.source}: {name} is triggered by {source!r}, '
                                  'which is no sensor of the same vehicle: name one, or '
                                  'write external')
            self._followers.setdefault(leader, []).append(name)

    def measure_due(self, now_ns: int) -> list[Observation]:
        """Measure with the enabled sensors that are due."""
        rows, named = self.schedule.take_due(now_ns), []
        while rows:
            due = [self._names[row] for row in rows]
            named += due
            rows = []
            if self._triggered or self._followers:
                self._go_on([name for name, _ in due], now_ns)
                rows = self.schedule.take_due(now_ns)
        measured = self._measure(named, now_ns) if named else []
        return self._delivery.pass_on(
            [self.sensors[name] for name, _ in named], measured, now_ns)

    def _go_on(self, measured: Sequence[str], now_ns: int) -> None:
        """Turn off what was triggered and has measured, and trigger those that follow it."""
        for name in self._triggered.intersection(measured):
            self._triggered.discard(name)
            self.schedule.enable(list(self.sensors).index(name), False)
        for name in measured:
            for follower in self._followers.get(name, ()):
                self._plan(follower, now_ns + round(
                    1e9 * (self.sensors[follower].spec.sensor_phase or 0.0)))

    def pass_over(self) -> None:
        """Mark all measurements that are due now as made."""
        self._passed = True

    def _count_passed(self) -> None:
        """Count what was passed over."""
        if self._passed:
            self._passed = False
            self.schedule.take_due(self._physics.steps * round(1e9 * self._physics.dt))

    def measure(self, names: Sequence[str], now_ns: int) -> list[Observation]:
        """Measure the present state with some sensors."""
        return self._measure([(name, name.rpartition('/')[0]) for name in names], now_ns)

    def _measure(self, named: Sequence[tuple[str, str]], now_ns: int) -> list[Observation]:
        """
        Measure the present state with sensors.

        :param named: names of sensors and their carriers, in the order of what is returned.
        """
        instant = self.views.begin(now_ns)
        if len(named) == 1:
            name, carrier = named[0]
            sensor, stamp_ns = self.sensors[name], self.sensors[name].clock(now_ns)
            if stamp_ns == now_ns:
                return [sensor.measure_at(instant, carrier)]
            return [sensor.measure(stamp_ns, instant.body(carrier))]
        states = {carrier: instant.body(carrier) for _, carrier in named}
        groups: dict[tuple[type[Sensor], int], list[tuple[str, str]]] = {}
        for each in named:
            sensor = self.sensors[each[0]]
            groups.setdefault((type(sensor), sensor.clock(now_ns)), []).append(each)
        measured: dict[str, Observation] = {}
        for (kind, stamp_ns), group in groups.items():
            measured |= zip([name for name, _ in group], kind.measure_together(
                [self.sensors[name] for name, _ in group], stamp_ns,
                [states[carrier] for _, carrier in group]), strict=True)
        return [measured[name] for name, _ in named]

    def render(self, view: CameraView, layers: tuple[Layer, ...], now_ns: int) -> CameraFrame:
        """Return what an onlooker sees of the present state."""
        self.views.begin(now_ns)
        return self.views.use(OverviewCamera).render(view, layers)

    def cast(self, origin: tuple[float, float], bearings: ArrayLike, max_range: float,
             ignore: str | None, now_ns: int) -> NDArray[np.float64]:
        """Return distances along rays in the plane: see `Simulation.cast_rays`."""
        instant = self.views.begin(now_ns)
        row = -1 if ignore is None else self._physics.vehicles.index(ignore)
        return self.views.planar.cast(origin, bearings, max_range, instant.planar.poses, row)

    def scene(self, now_ns: int, overlays: Sequence[RuntimeObject] = ()) -> Scene:
        """Return what sensors in three dimensions see at present, in arrays of its own."""
        views, states = self.views, self.views.begin(now_ns).movers
        return build_scene(
            views.world, views.footprints, views.things.vehicles, views.things.blocks, states,
            objects=(*views.objects, *overlays))

    def movers(self, now_ns: int) -> MoverStates:
        """Return where everything is at present that can move."""
        return Instant(self._physics, now_ns, self.views.past).movers

    def reset(self) -> None:
        """Forget all measurements and start the periods anew."""
        self.views.past.forget()
        self._passed = False
        self._delivery.forget()
        self._triggered.clear()
        for sensor in self.sensors.values():
            sensor.reset()
        self.schedule.begin([self._is_on(name) for name in self.sensors],
                            [_first(sensor, 0) for sensor in self.sensors.values()])

    def snapshot(self) -> dict[str, Any]:
        """Return what the sensors remember, when each is due, and the past that they know."""
        self._count_passed()
        return {'past': self.views.past.snapshot(), 'delivery': self._delivery.snapshot(),
                'triggered': sorted(self._triggered), 'memories': {
            name: (timing, sensor.state()) for (name, sensor), timing in zip(
                self.sensors.items(), self.schedule.timing, strict=True)}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `snapshot` of the same sensors."""
        memories = state['memories']
        self._passed = False
        self._delivery.restore(state['delivery'])
        self._triggered = set(state['triggered'])
        self.schedule.begin([self._is_on(name) for name in self.sensors],
                            [memories[name][0] for name in self.sensors])
        for name, sensor in self.sensors.items():
            sensor.set_state(memories[name][1])
        self.views.past.restore(state['past'])


def _first(sensor: Sensor, now_ns: int) -> tuple[float, int]:
    """
    Return when the periods of a new sensor begin [ns], and how many its first measurement waits.

    A sweep begins after the start.
    """
    spec = sensor.spec
    phase = 1e9 * (spec.sensor_period if spec.sensor_phase is None else spec.sensor_phase)
    missing = max(0.0, sensor.sweep_ns - phase - 0.5)
    return now_ns + phase, math.ceil(missing / (1e9 * spec.sensor_period))
