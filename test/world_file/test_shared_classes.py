# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Classes that many objects have are read once, where they are the same for all."""

from collections.abc import Callable

from mvsim_ros2.world.spec import WorldSpec


def test_a_class_that_never_varies_is_read_once(load: Callable[..., WorldSpec]) -> None:
    """So many objects may have a large one; each has its own tags before those of the class."""
    corners = '<pt>1 1</pt>' * 400 + '<pt>-1 1</pt><pt>-1 -1</pt><pt>1 -1</pt>'
    blocks = load(
        f'<block:class name="c"><shape>{corners}</shape><mass>7</mass><static>1</static>'
        '</block:class>' + ''.join(
            f'<block class="c"><init_pose>{i} 0 0</init_pose>'
            f'{"<mass>8</mass>" if i == 5 else ""}</block>' for i in range(3000)),
        strict=True).blocks
    assert len(blocks) == 3000 and blocks[2999].name == 'block3000'
    assert [block.mass for block in blocks[4:7]] == [7.0, 8.0, 7.0]
    assert [block.init_pose.x for block in blocks[4:7]] == [4.0, 5.0, 6.0]
    assert all(block.shape is blocks[0].shape and block.static for block in blocks)


def test_a_class_with_expressions_is_read_for_each_object(load: Callable[..., WorldSpec]) -> None:
    blocks = load('<block:class name="1"><mass>${NAME}</mass><init_pose>0 0 0</init_pose>'
                  '</block:class><block class="1" name="2"/><block class="1" name="3"/>').blocks
    assert [block.mass for block in blocks] == [2.0, 3.0]
