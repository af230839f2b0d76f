# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of tyre laws: what cannot be one, and vehicles without one."""

from dataclasses import dataclass

import pytest

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.errors import PhysicsError, PluginError
from mvsim_ros2.physics import MVSIM, PHYSICAL
from mvsim_ros2.physics.tyres import law
from mvsim_ros2.physics.tyres.law import LAWS, Mounting, TyreLaw
from mvsim_ros2.world.spec import DefaultTyre, LinearTyre, TyreSpec

WHEEL = Mounting(0.1, 0.05, 50.0)


@dataclass(frozen=True)
class SlickTyre(TyreSpec):
    """A tyre without a law."""

    XML_CLASS = 'slick'

    mu: float = 2.0


def secants(values, friction, load, slip_along, slip_across, limit):
    """Push nothing."""
    return 0.0, 0.0


@pytest.mark.parametrize('spec, fields, message', [
    pytest.param(int, {'brush': True}, 'a TyreSpec with an XML_CLASS', id='no tyre'),
    pytest.param(TyreSpec, {'brush': True}, 'a TyreSpec with an XML_CLASS', id='no class'),
    pytest.param(SlickTyre, {}, 'belongs to no physics mode', id='no kernel'),
    pytest.param(SlickTyre, {'brush': True, 'secants': secants}, 'leave out one', id='two'),
    pytest.param(SlickTyre, {'brush': True, 'columns': ('mu', 'C_s')},
                 r"columns \['C_s'\], which are no parameters", id='unknown column'),
    pytest.param(SlickTyre, {'brush': True, 'columns': ('mu',) * 13}, 'at most 12', id='too many'),
])
def test_what_cannot_be_a_law(spec, fields, message):
    with pytest.raises(ValueError, match=message):
        TyreLaw(spec, **fields)


def test_numbers_that_a_law_does_not_give_are_named():
    given = TyreLaw(SlickTyre, ('mu', 'width'), numbers=lambda tyre, wheel: {'mu': tyre.mu},
                    brush=True)
    with pytest.raises(PhysicsError, match="number 'width' of .* 'slick' is 'missing'"):
        given.values(SlickTyre(), WHEEL)
    values = TyreLaw(SlickTyre, ('mu',), brush=True).values(SlickTyre(), WHEEL)
    assert values[0] == 2.0 and not values[1:].any()


def test_a_tyre_without_a_law_is_an_error(vehicle, physics):
    with pytest.raises(PluginError, match='nothing says what the tyre of class .*SlickTyre does: '
                                          'add a record .* there are: bakker, clay, linear'):
        physics(vehicle(friction=SlickTyre()))


def test_a_mode_without_the_law_is_an_error(vehicle, physics):
    """It says which mode has it, and which laws the mode has."""
    with pytest.raises(PhysicsError, match="'linear', which physics mode 'mvsim' does not have: "
                                           "use mode 'physical', or 'default' or 'ellipse' or "
                                           "'wardiagnemma'"):
        physics(vehicle(friction=LinearTyre()), options={'mode': MVSIM})


def test_a_number_without_a_law_is_an_error(vehicle, physics):
    """Not another law in silence, in either mode."""
    for mode, tyre in ((MVSIM, DefaultTyre()), (PHYSICAL, LinearTyre())):
        world = physics(vehicle(friction=tyre), options={'mode': mode})
        world.step()
        world.vehicles.wheels['contacts'][:, 0, 0] = len(LAWS)
        with pytest.raises(LookupError, match='a number that stands for no kernel'):
            world.step()


def test_a_kernel_that_takes_other_parameters_is_an_error(monkeypatch):
    wrong = TyreLaw(SlickTyre, secants=lambda values: (0.0, 0.0))
    monkeypatch.setattr(law, 'LAWS', Registry('tyre', 'mvsim_ros2.no_group', (wrong,)))
    with pytest.raises(PluginError, match=r"'slick' cannot be used: .* takes \(values\)"):
        law.provide(wrong, PHYSICAL)
