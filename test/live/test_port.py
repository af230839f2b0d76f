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
"""Where the window listens."""

import logging
import socket

import pytest

from mvsim_ros2.errors import WindowError
from mvsim_ros2.live import port as ports


def test_taken_port_is_an_error_and_without_one_the_next_is_taken(caplog, monkeypatch):
    with socket.socket() as other:
        other.bind((ports.LOCAL, 0))
        other.listen(1)
        taken = other.getsockname()[1]
        with pytest.raises(WindowError, match=f'port {taken} of 127.0.0.1 is taken'):
            ports.free_port(ports.LOCAL, taken)
        monkeypatch.setattr(ports, 'FIRST_PORT', taken)
        with caplog.at_level(logging.WARNING, 'mvsim_ros2'):
            assert ports.free_port(ports.LOCAL, None) > taken
        assert f'port {taken} is taken' in caplog.text


@pytest.mark.parametrize('host, port, words', [
    pytest.param(ports.LOCAL, 70000, 'no port', id='port'),
    pytest.param('192.0.2.1', 0, 'no address of this machine', id='address'),
    pytest.param('no such host', 0, 'no host', id='host')])
def test_impossible_places(host, port, words):
    with pytest.raises(WindowError, match=words):
        ports.free_port(host, port)


@pytest.mark.parametrize('host, warns', [
    pytest.param('127.0.0.1', False, id='local'), pytest.param('0.0.0.0', True, id='all')])
def test_others_are_warned_of(host, warns, caplog):
    with caplog.at_level(logging.WARNING, 'mvsim_ros2'):
        ports.warn_of(host)
    assert ('without a password' in caplog.text) is warns
