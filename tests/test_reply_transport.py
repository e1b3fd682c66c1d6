"""A reply is sent in one piece if it has a length, and at once if it has none."""

from __future__ import annotations

import socket
from pathlib import Path
from unittest.mock import Mock

import pytest

from croupier.server.connections import ReplyTransport
from tests.serving import running

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n"
LIVE = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"


class Wire:
    """What was sent, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.mock = Mock(write=self.pieces.append)
        self.reply = ReplyTransport(self.mock)


def test_the_head_leaves_with_the_first_piece_of_the_body() -> None:
    wire = Wire()
    for piece in (HEAD, b"ab", b"cd"):
        wire.reply.write(piece)
    assert wire.pieces == [HEAD + b"ab", b"cd"]


def test_a_body_of_nothing_is_a_piece() -> None:
    wire = Wire()
    wire.reply.write(HEAD)
    wire.reply.write(b"")
    assert wire.pieces == [HEAD]


def test_live_events_begin_at_once() -> None:
    wire = Wire()
    wire.reply.write(LIVE)
    assert wire.pieces == [LIVE]


def test_what_waits_is_sent_before_the_connection_closes() -> None:
    wire = Wire()
    wire.reply.write(HEAD)
    wire.reply.close()
    assert wire.pieces == [HEAD]
    wire.mock.close.assert_called_once_with()
    assert wire.reply.is_closing() is wire.mock.is_closing()


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_a_reply_without_a_body_is_sent_too(tmp_path: Path, method: str) -> None:
    request = f"{method} /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with running(tmp_path) as house:
        port = int(house.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
            for _ in range(2):
                line.sendall(request)
                assert line.recv(65_536).startswith(b"HTTP/1.1 ")
