# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Lookup of files that a world refers to: local, of a package, in a zip archive, on the network.

Forms: a path, absolute or relative to the referring file; `file://`; `package://name/path`;
`http(s)://`; each may continue after `.zip/` with a path inside the archive.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import hashlib
import os
from pathlib import Path
import re
import shutil
import stat
import tempfile
from urllib.parse import unquote
import zipfile
import zlib

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import MvsimError, ResourceError
from mvsim_ros2.world.spec.common import Resource

_IN_ARCHIVE = re.compile(r'(.+?\.zip)/(.+)', re.IGNORECASE | re.DOTALL)


class Resources:
    """Finds the files of one world."""

    def __init__(self, offline: bool = False, cache: Path | None = None) -> None:
        self._offline = offline or os.environ.get('MVSIM_OFFLINE', '') not in ('', '0')
        self._cache = ContentCache(cache or cache_folder())
        self._found: dict[tuple[str, Path], Resource] = {}

    def find(self, uri: str, base: Path) -> Resource:
        """Return the file of `uri`; its path is None where it is not available."""
        key = uri, base
        if key not in self._found:
            try:
                self._found[key] = Resource(uri, str(self._locate(uri, base)))
            except MvsimError as error:
                self._found[key] = Resource(uri, None, str(error))
            except (OSError, ValueError) as error:  # not a valid file name
                self._found[key] = Resource(uri, None, f'there is no such file: {error}')
        return self._found[key]

    def _locate(self, uri: str, base: Path) -> Path:
        remote = uri.startswith(('http://', 'https://'))
        location = uri if remote else str(local_path(uri, base))
        if not remote and os.path.isfile(location):
            return Path(location)
        inside = _IN_ARCHIVE.fullmatch(location)
        whole = inside[1] if inside else location
        archive = self._fetch(whole) if remote else Path(whole)
        if not archive.is_file():
            raise ResourceError(f'there is no file {whole}')
        if inside is None:
            return archive
        folder = self._cache.unpack(archive).resolve()
        member = (folder / (unquote(inside[2]) if remote else inside[2])).resolve()
        if not member.is_relative_to(folder) or not member.is_file():
            raise ResourceError(f'the archive has no file {inside[2]!r}')
        return member

    def _fetch(self, url: str) -> Path:
        kept = self._cache.get(url)
        if kept is not None:
            return kept
        if self._offline:
            raise ResourceError('it is not in the cache, and the network is not to be used')
        from mvsim_ros2.world.file.resources.download import download
        return self._cache.put(url, download(url), url.split('?')[0])


def local_path(uri: str, base: Path) -> Path:
    """Return the path of a local `uri`."""
    if uri.startswith('package://'):
        name, _, rest = uri.removeprefix('package://').partition('/')
        return share_directory(name) / rest
    return base / uri.removeprefix('file://').replace('\\', '/')


MAX_UNPACKED_BYTES = 2 ** 30
MAX_MEMBERS = 20_000
_CHUNK = 2 ** 20


def cache_folder() -> Path:
    """Return the folder of the cache: in XDG_CACHE_HOME, else in ~/.cache."""
    base = os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache'
    return Path(base) / 'mvsim_ros2' / 'resources'


class ContentCache:
    """Files by content hash, and an index of addresses."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, url: str) -> Path | None:
        """Return the file stored for `url`, None without one."""
        try:
            path = self._folder / self._index(url).read_text().strip()
            return path if path.stat().st_size > 0 else None
        except OSError:
            return None

    def put(self, url: str, content: bytes, name: str) -> Path:
        """Store the content of `url` under a file name with the extension of `name`."""
        if not content:
            raise ResourceError('the file is empty')
        digest = hashlib.sha256(content).hexdigest()
        kept = f'blobs/{digest}/file{Path(name).suffix.lower()}'
        with self._writing():
            self._write(self._folder / kept, content)
            self._write(self._index(url), kept.encode())
        return self._folder / kept

    def unpack(self, archive: Path) -> Path:
        """Return the folder that holds the members of a zip archive."""
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        folder = self._folder / 'unpacked' / digest
        if folder.is_dir():
            return folder
        with self._writing():
            folder.parent.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(dir=folder.parent))
            try:
                _extract(archive, temporary)
                try:
                    temporary.rename(folder)
                except OSError:
                    if not folder.is_dir():  # else another process has written it
                        raise
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
        return folder

    def _index(self, url: str) -> Path:
        return self._folder / 'index' / hashlib.sha256(url.encode()).hexdigest()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ResourceError(f'the cache {self._folder} cannot be written: {error}') from error

    @staticmethod
    def _write(path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        try:
            with open(descriptor, 'wb') as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise


def _extract(archive: Path, folder: Path) -> None:
    """Extract an archive into `folder`."""
    left = MAX_UNPACKED_BYTES
    try:
        with zipfile.ZipFile(archive) as zipped:
            members = zipped.infolist()
            if len(members) > MAX_MEMBERS:
                raise ResourceError(
                    f'the archive has {len(members)} files, {MAX_MEMBERS} are allowed')
            for member in members:
                target = _target(folder, member)
                if member.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(member) as packed, open(target, 'wb') as file:
                    while chunk := packed.read(_CHUNK):
                        left -= len(chunk)
                        if left < 0:
                            raise ResourceError(
                                f'the archive holds more than {MAX_UNPACKED_BYTES} bytes')
                        file.write(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError,
            ValueError) as error:
        raise ResourceError(f'the archive cannot be read: {error}') from error


def _target(folder: Path, member: zipfile.ZipInfo) -> Path:
    """Return the path of a member."""
    parts = member.filename.replace('\\', '/').split('/')
    link = stat.S_ISLNK(member.external_attr >> 16)
    if link or '..' in parts or not parts[0] or ':' in parts[0]:
        raise ResourceError(f'the archive has an unsafe member: {member.filename!r}')
    return folder.joinpath(*parts)
