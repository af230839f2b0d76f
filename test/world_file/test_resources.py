# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Files that a world refers to."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import io
from pathlib import Path
import socket
import stat
from threading import Thread
import zipfile

import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.cli import main
from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.resources import resources as cache
from mvsim_ros2.world.file.resources.download import download
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec.common import Resource


class Server(ThreadingHTTPServer):
    """Web server that holds `files` and counts what is asked for."""

    files: dict[str, bytes]
    moved: dict[str, str]  # addresses that redirect, and where to
    asked: list[str]

    @property
    def address(self) -> str:
        """Return the start of its addresses."""
        return f'http://127.0.0.1:{self.server_address[1]}'


class Handler(BaseHTTPRequestHandler):
    """Answers from the files of the server."""

    server: Server

    def do_GET(self) -> None:  # noqa: N802
        """Send a file; one whose name has `short` in it breaks off."""
        self.server.asked.append(self.path)
        if self.path in self.server.moved:
            self.send_response(302)
            self.send_header('Location', self.server.moved[self.path])
            self.end_headers()
            return
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header('Content-Length', str(len(content) + ('short' in self.path)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Return a running server on this machine."""
    for name in ('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY', 'MVSIM_OFFLINE'):
        monkeypatch.delenv(name, raising=False)
    with Server(('127.0.0.1', 0), Handler) as running:
        running.files, running.moved, running.asked = {}, {}, []
        thread = Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def archive(**members: bytes) -> bytes:
    """Return a zip archive with members named by the keys, `__` for a slash."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w') as zipped:
        for name, data in members.items():
            zipped.writestr(name.replace('__', '/'), data)
    return content.getvalue()


def read(resource: Resource) -> bytes:
    """Return the content of a resource that was found."""
    assert resource.path is not None, resource.reason
    return Path(resource.path).read_bytes()


def test_local_forms(tmp_path: Path) -> None:
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'a.png').write_bytes(b'a')
    (tmp_path / 'package.zip').write_bytes(archive(inner__b=b'b'))
    resources = Resources(offline=True, cache=tmp_path / 'cache')
    for uri in ('../a.png', str(tmp_path / 'a.png'), f'file://{tmp_path}/a.png', '..\\a.png'):
        assert read(resources.find(uri, tmp_path / 'sub')) == b'a'
    assert read(resources.find('package.zip/inner/b', tmp_path)) == b'b'
    assert read(resources.find('package.zip', tmp_path)).startswith(b'PK')


@pytest.mark.parametrize(('uri', 'reason'), [
    pytest.param('nope.png', 'no file', id='missing'),
    pytest.param('.', 'no file', id='folder'),
    pytest.param('a\0b', 'no', id='null'),
    pytest.param('x' * 5000, 'no such file', id='long'),
    pytest.param('good.zip/nope', "no file 'nope'", id='not in the archive'),
    pytest.param('good.zip/../a.png', "no file '../a.png'", id='out of the archive'),
    pytest.param('good.zip//etc/passwd', "no file 'etc/passwd'", id='root in the archive'),
    pytest.param('bad.zip/b', 'cannot be read', id='broken archive'),
    pytest.param('package://no_such_package/a', 'no_such_package', id='unknown package'),
    pytest.param('https://host.invalid/a', 'not in the cache', id='offline'),
    pytest.param('ftp://host.invalid/a', 'no file', id='unknown scheme'),
])
def test_missing_file_has_a_reason(tmp_path: Path, uri: str, reason: str) -> None:
    (tmp_path / 'a.png').write_bytes(b'a')
    (tmp_path / 'good.zip').write_bytes(archive(b=b'b'))
    (tmp_path / 'bad.zip').write_bytes(archive(b=b'b')[:20])
    found = Resources(offline=True, cache=tmp_path / 'cache').find(uri, tmp_path)
    assert found.path is None
    assert reason in found.reason


def test_package_of_our_own(project: Path) -> None:
    found = Resources(offline=True).find('package://mvsim_ros2/package.xml', Path())
    assert read(found) == (project / 'package.xml').read_bytes()


def test_download_is_kept_by_content(server: Server, tmp_path: Path) -> None:
    server.files = {'/one/mesh.dae': b'first', '/two/mesh.dae': b'second', '/three.DAE': b'first'}
    resources = Resources(cache=tmp_path)
    first = resources.find(f'{server.address}/one/mesh.dae', tmp_path)
    assert read(first) == b'first'
    assert str(first.path).endswith('.dae')
    assert read(resources.find(f'{server.address}/two/mesh.dae', tmp_path)) == b'second'
    assert resources.find(f'{server.address}/three.DAE', tmp_path).path == first.path
    offline = Resources(offline=True, cache=tmp_path)
    assert offline.find(f'{server.address}/one/mesh.dae', tmp_path).path == first.path
    assert len(server.asked) == 3
    assert not list(tmp_path.rglob('tmp*'))


def test_archive_is_fetched_and_unpacked_once(server: Server, tmp_path: Path) -> None:
    server.files = {'/m.zip': archive(mesh__a_b=b'mesh', mesh__texture=b'texture')}
    for _ in range(2):
        resources = Resources(cache=tmp_path)
        mesh = resources.find(f'{server.address}/m.zip/mesh/a_b', tmp_path)
        assert read(mesh) == b'mesh'
        assert (Path(str(mesh.path)).parent / 'texture').read_bytes() == b'texture'
    assert server.asked == ['/m.zip']


@pytest.mark.parametrize(('path', 'reason'), [
    pytest.param('/missing.png', '404', id='not found'),
    pytest.param('/empty.png', 'empty', id='empty'),
    pytest.param('/short.png', 'broke off', id='broken off'),
])
def test_failed_download_is_not_kept(server: Server, tmp_path: Path, path: str,
                                     reason: str) -> None:
    server.files = {'/empty.png': b'', '/short.png': b'half'}
    found = Resources(cache=tmp_path).find(server.address + path, tmp_path)
    assert found.path is None
    assert reason in found.reason
    server.files = {path.replace('short', 'whole'): b'whole'}
    again = Resources(cache=tmp_path).find(
        server.address + path.replace('short', 'whole'), tmp_path)
    assert read(again) == b'whole'


def test_environment_forbids_the_network(server: Server, tmp_path: Path,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('MVSIM_OFFLINE', '1')
    server.files = {'/a': b'a'}
    assert Resources(cache=tmp_path).find(f'{server.address}/a', tmp_path).path is None
    assert server.asked == []


def test_unreachable_host_is_tried_once(tmp_path: Path, server: Server) -> None:
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        host = f'127.0.0.1:{free.getsockname()[1]}'
    resources = Resources(cache=tmp_path)
    assert 'is not reachable' in resources.find(f'http://{host}/a', tmp_path).reason
    assert 'was not reachable before' in resources.find(f'http://{host}/b', tmp_path).reason
    assert 'was not reachable before' in Resources(cache=tmp_path).find(
        f'http://{host}/a', tmp_path).reason


@pytest.mark.parametrize('name', [
    pytest.param('../evil', id='parent'),
    pytest.param('a/../../evil', id='parent inside'),
    pytest.param('/evil', id='root'),
    pytest.param('..\\evil', id='backslash'),
    pytest.param('C:/evil', id='drive'),
])
def test_archive_cannot_write_outside(tmp_path: Path, name: str) -> None:
    """
    Archives that a world names cannot write outside their folder.

    :reference: archives that try to
    """
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as zipped:
        zipped.writestr(name, b'evil')
    found = Resources(offline=True, cache=tmp_path / 'cache').find('a.zip/evil', tmp_path)
    assert 'unsafe' in found.reason
    assert not list(tmp_path.rglob('evil'))


def test_archive_cannot_hold_links(tmp_path: Path) -> None:
    link = zipfile.ZipInfo('link')
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as zipped:
        zipped.writestr(link, '/etc/passwd')
    found = Resources(offline=True, cache=tmp_path / 'cache').find('a.zip/link', tmp_path)
    assert 'unsafe' in found.reason


@pytest.mark.parametrize('limit', [
    pytest.param('MAX_UNPACKED_BYTES', id='bytes'),
    pytest.param('MAX_MEMBERS', id='members'),
])
def test_archive_cannot_be_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     limit: str) -> None:
    monkeypatch.setattr(cache, limit, 1)
    (tmp_path / 'a.zip').write_bytes(archive(a=b'aa', b=b'b'))
    found = Resources(offline=True, cache=tmp_path / 'cache').find('a.zip/a', tmp_path)
    assert 'archive h' in found.reason
    assert not list((tmp_path / 'cache' / 'unpacked').iterdir())


def test_cache_that_cannot_be_written_has_a_reason(server: Server, tmp_path: Path) -> None:
    server.files = {'/a': b'a'}
    (tmp_path / 'file').write_bytes(b'')
    found = Resources(cache=tmp_path / 'file').find(f'{server.address}/a', tmp_path)
    assert 'cannot be written' in found.reason


def test_cache_folder_follows_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    assert cache.cache_folder() == tmp_path / 'mvsim_ros2' / 'resources'
    monkeypatch.delenv('XDG_CACHE_HOME')
    monkeypatch.setenv('HOME', str(tmp_path))
    assert cache.cache_folder() == tmp_path / '.cache' / 'mvsim_ros2' / 'resources'


def test_a_redirection_stays_on_its_host(server: Server, tmp_path: Path) -> None:
    server.files['/new.bin'] = b'content'
    server.moved['/old.bin'] = '/new.bin'
    assert download(f'{server.address}/old.bin') == b'content'


@pytest.mark.parametrize('target', [
    'http://localhost:{port}/new.bin', 'http://127.0.0.1:1/new.bin', 'https://127.0.0.1:{port}/',
    'ftp://127.0.0.1:{port}/new.bin', 'file:///etc/passwd'])
def test_a_redirection_elsewhere_is_refused(server: Server, target: str) -> None:
    server.files['/new.bin'] = b'content'
    server.moved['/old.bin'] = target.format(port=server.server_address[1])
    with pytest.raises(ResourceError, match='another scheme or host|[Rr]edirect'):
        download(f'{server.address}/old.bin')
    assert server.asked == ['/old.bin']


def test_check_asks_no_server_unless_it_is_told_to(
        server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    path = tmp_path / 'one.world.xml'
    path.write_text(f"""<mvsim_world><block><init_pose>0 0 0</init_pose><visual>
      <model_uri>{server.address}/mesh.stl</model_uri></visual></block></mvsim_world>""")
    assert main(['check', str(path)]) == 0
    assert server.asked == []
    assert main(['check', str(path), '--online']) == 0
    assert server.asked == ['/mesh.stl']


def test_files_of_a_class_are_looked_for_beside_it_and_then_beside_the_world(
        tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    parts, robot = tmp_path / 'worlds' / 'parts', tmp_path / 'robot'
    for folder in (parts, robot):
        folder.mkdir(parents=True)
    (robot / 'body.stl').write_text('solid')
    (robot / 'more.xml').write_text('<vehicle:class name="bare"/>')
    (parts / 'own.stl').write_text('solid')
    (parts / 'bot.xml').write_text("""<vehicle:class name="bot"> <dynamics class="differential"/>
      <visual><model_uri>../robot/body.stl</model_uri></visual>
      <visual><model_uri>own.stl</model_uri></visual>
      <visual><model_uri>../../robot/body.stl</model_uri></visual></vehicle:class>
      <include file="../robot/more.xml"/>""")
    path = tmp_path / 'worlds' / 'w.world.xml'
    path.write_text("""<mvsim_world> <include file="parts/bot.xml"/>
      <vehicle class="bot"> <init_pose>0 0 0</init_pose> </vehicle> </mvsim_world>""")
    (vehicle,) = load_world(path, offline=True).vehicles
    found = [Path(each.model_uri.path).resolve() for each in vehicle.visuals]  # type: ignore
    assert found == [robot / 'body.stl', parts / 'own.stl', robot / 'body.stl']
    assert not caplog.records
