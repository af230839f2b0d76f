# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Lookup of files that a world refers to: local, of a package, in a zip archive, on the network.

Forms: a path, absolute or relative to the referring file; `file://`; `package://name/path`;
`http(s)://`; each may continue after `.zip/` with a path inside the archive.
"""

import os
from pathlib import Path
import re
from urllib.parse import unquote

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import MvsimError, ResourceError
from mvsim_ros2.world.file.resources.cache import cache_folder, ContentCache
from mvsim_ros2.world.spec.common import Resource

_IN_ARCHIVE = re.compile(r'(.+?\.zip)/(.+)', re.IGNORECASE | re.DOTALL)


class Resources:
    """Finds the files of one world."""

    def __init__(self, offline: bool = False, cache: Path | None = None) -> None:
        """
        Open the cache.

        :param offline: never use the network; MVSIM_OFFLINE=1 in the environment does the same.
        :param cache: folder of the cache, by default in the user's cache folder.
        """
        self._offline = offline or os.environ.get('MVSIM_OFFLINE', '') not in ('', '0')
        self._cache = ContentCache(cache or cache_folder())
        self._found: dict[tuple[str, Path], Resource] = {}

    def find(self, uri: str, base: Path) -> Resource:
        """
        Return the file of `uri`; its path is None where it is not available.

        :param base: folder of relative paths.
        """
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
    """
    Return the path of a local `uri`.

    :param base: folder of relative paths.
    :raises ResourceError: where a package is not known.
    """
    if uri.startswith('package://'):
        name, _, rest = uri.removeprefix('package://').partition('/')
        return share_directory(name) / rest
    return base / uri.removeprefix('file://').replace('\\', '/')
