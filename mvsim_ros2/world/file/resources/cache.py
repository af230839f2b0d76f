# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Cache of files from the network in the user's cache folder, addressed by content.

A file is stored once under the SHA-256 of its content; an index maps addresses to contents. Files
are written under a temporary name and renamed, so that a failed download or concurrent processes
never leave an incomplete file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import hashlib
import os
from pathlib import Path
import shutil
import stat
import tempfile
import zipfile
import zlib

from mvsim_ros2.errors import ResourceError

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
        """
        Store the content of `url` under a file name with the extension of `name`.

        :raises ResourceError: where the content is empty or the folder cannot be written.
        """
        if not content:
            raise ResourceError('the file is empty')
        digest = hashlib.sha256(content).hexdigest()
        kept = f'blobs/{digest}/file{Path(name).suffix.lower()}'
        with self._writing():
            self._write(self._folder / kept, content)
            self._write(self._index(url), kept.encode())
        return self._folder / kept

    def unpack(self, archive: Path) -> Path:
        """
        Return the folder that holds the members of a zip archive.

        :raises ResourceError: where the archive is broken, unsafe or too large.
        """
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
    """
    Extract an archive into `folder`.

    :raises ResourceError: where it is broken, too large, or a member is outside of `folder`.
    """
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
    """
    Return the path of a member.

    :raises ResourceError: where it is outside of `folder`, or a link.
    """
    parts = member.filename.replace('\\', '/').split('/')
    link = stat.S_ISLNK(member.external_attr >> 16)
    if link or '..' in parts or not parts[0] or ':' in parts[0]:
        raise ResourceError(f'the archive has an unsafe member: {member.filename!r}')
    return folder.joinpath(*parts)
