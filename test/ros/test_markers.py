# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Markers of the world, contacts and a map at a height, as the real node publishes them."""

from collections.abc import Iterator

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import OccupancyGrid, Odometry
import numpy as np
import pytest
from ros_client import Client, running, Simulator, stamp_ns, WALL, WORLDS
from visualization_msgs.msg import Marker, MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.publishers.markers import MAX_FACES, triangles

TRUTH = '/base_pose_ground_truth'


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    """Provide a client of a node with a robot and a wall, and its map half a metre up."""
    with running(domain, WALL, 'map_height:=0.5', 'map_resolution:=0.1') as each:
        each.listen(Odometry, TRUTH)
        each.fresh(TRUTH)
        yield each


@pytest.fixture(scope='module')
def crate(domain: int) -> Iterator[Client]:
    """Provide a client of a node with a crate that can be pushed."""
    with running(domain, f'world:={WORLDS}/commands.world.xml',
                 ros_args=('-r', '__ns:=/other')) as each:
        each.listen(MarkerArray, '/other/moving_markers')
        each.fresh('/other/moving_markers')
        yield each


def test_what_stands_is_shown_once_and_for_all(client: Client) -> None:
    client.listen(MarkerArray, '/world_markers')
    (message,) = client.wait('markers', lambda: client.heard['/world_markers'])
    first, *markers = message.markers
    assert first.action == Marker.DELETEALL
    walls = [marker for marker in markers if marker.ns == 'block: wall']
    assert walls and {marker.ns for marker in markers} >= {'block: wall', 'block: crate'}
    assert not any('robot' in marker.ns for marker in markers)
    points = np.array([(p.x, p.y, p.z) for marker in walls for p in marker.points])
    assert all(marker.type == Marker.TRIANGLE_LIST for marker in walls)
    assert points.min(axis=0) == pytest.approx([4.95, -2.0, 0.0])
    assert points.max(axis=0) == pytest.approx([5.05, 6.0, 1.0])
    assert all(marker.header.frame_id == 'map' for marker in markers)
    other = Client(client.node.context.get_domain_id())  # a late subscriber gets them as well
    try:
        other.listen(MarkerArray, '/world_markers')
        other.wait('markers', lambda: other.heard['/world_markers'])
    finally:
        other.close()


def test_what_moves_is_shown_where_it_is(crate: Client) -> None:
    message = TransformStamped(child_frame_id='crate')
    message.transform.translation.x = 3.0
    publisher = crate.publisher(TransformStamped, '/other/mvsim/set_pose')
    crate.wait('the crate elsewhere', lambda: any(
        marker.pose.position.x == pytest.approx(3.0, abs=1e-3)
        for marker in crate.heard['/other/moving_markers'][-1].markers),
        lambda: publisher.publish(message))
    (marker,) = [m for m in crate.fresh('/other/moving_markers').markers if m.action == Marker.ADD]
    assert marker.ns == 'block: crate'
    points = np.array([(p.x, p.y) for p in marker.points])
    assert np.abs(points).max() == pytest.approx(0.2)


def test_parts_of_many_triangles_are_shown_as_boxes() -> None:
    corners = np.random.default_rng(1).uniform(-1.0, 2.0, (MAX_FACES + 1, 3, 3))
    red = np.tile([1.0, 0.0, 0.0, 1.0], (len(corners), 1))
    marker = triangles('map', 1, 'a', 1, Pose(), corners, red)
    points = np.array([(p.x, p.y, p.z) for p in marker.points])
    assert len(points) == 36
    assert points.min(axis=0) == pytest.approx(corners.reshape(-1, 3).min(axis=0))
    assert points.max(axis=0) == pytest.approx(corners.reshape(-1, 3).max(axis=0))
    # the box is closed, its triangles face outwards
    a, b, c = points.reshape(-1, 3, 3).transpose(1, 0, 2)
    volume = (np.cross(a, b) * c).sum() / 6
    assert volume == pytest.approx(np.prod(points.max(axis=0) - points.min(axis=0)))


def test_contacts_say_who_and_where(client: Client) -> None:
    client.listen(MarkerArray, '/contacts')
    assert [m.action for m in client.fresh('/contacts').markers] == [Marker.DELETEALL]
    message = TransformStamped(child_frame_id='robot 1')
    message.transform.translation.x, message.transform.translation.y = 4.6, 2.0
    client.publisher(TransformStamped, '/mvsim/set_pose').publish(message)
    touched = client.wait('a contact', lambda: [
        marker for message in client.heard['/contacts'] for marker in message.markers[1:]],
        lambda: client.command('/cmd_vel', 0.3))
    assert touched[0].ns == 'wall'
    assert touched[0].pose.position.x == pytest.approx(4.95, abs=0.02)
    assert touched[0].pose.position.y == pytest.approx(2.0, abs=0.25)
    assert touched[0].header.frame_id == 'map'


def test_a_short_contact_is_published_with_the_next_state(domain: int) -> None:
    client = Client(domain)
    start = TransformStamped(child_frame_id='robot 1')  # a centimetre within the wall
    start.transform.translation.x, start.transform.translation.y = 4.76, 2.0
    with Simulator(domain, WALL, 'cmd_vel_timeout:=0.0',
                   'odom_rate:=4.0', ros_args=('-r', '__ns:=/short')) as client.simulator:
        client.listen(Odometry, f'/short{TRUTH}')
        client.listen(MarkerArray, '/short/contacts')
        publisher = client.publisher(TransformStamped, '/short/mvsim/set_pose')

        def was_published() -> bool:
            away = {stamp_ns(m.header) for m in client.heard[f'/short{TRUTH}']
                    if m.pose.pose.position.x < 4.7}
            return any(message.markers[1:] and stamp_ns(message.markers[0].header) in away
                       for message in client.heard['/short/contacts'])

        seen: list[int] = []

        def start_anew() -> None:
            """After each state that is away from the wall, once."""
            truth = client.heard[f'/short{TRUTH}']
            if len(truth) not in seen and truth and truth[-1].pose.pose.position.x < 4.0:
                client.command('/short/cmd_vel', -1.0)
                publisher.publish(start)
            seen.append(len(truth))

        client.wait('a contact that is over', was_published, start_anew)
    client.close()


def test_the_map_is_drawn_at_the_height_asked_for(client: Client) -> None:
    client.listen(OccupancyGrid, '/map')
    grid = client.wait('a map', lambda: client.heard['/map'])[0]
    info, cells = grid.info, np.array(grid.data).reshape(grid.info.height, grid.info.width)
    assert info.resolution == pytest.approx(0.1)
    assert set(np.unique(cells)) == {0, 100}
    rows, columns = np.nonzero(cells)
    x = info.origin.position.x + (columns + 0.5) * info.resolution
    y = info.origin.position.y + (rows + 0.5) * info.resolution
    wall = (x > 4.8) & (x < 5.2)
    assert y[wall].min() == pytest.approx(-2.0, abs=0.1)
    assert y[wall].max() == pytest.approx(6.0, abs=0.1)
