"""A connection to a PostgreSQL server that can be cut: between two statements, or between a commit and its answer."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

_COMMIT = b"COMMIT\0"  # not READ COMMITTED


class Cable:
    """Forwards everything between a port of its own and the server's socket until it is cut."""

    def __init__(self, url: str) -> None:
        """`url` leads to a server on a local socket."""
        parts = urlsplit(url)
        self._server = str(Path(parse_qs(parts.query)["host"][0]) / ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        port = self._listening.getsockname()[1]
        self.url = f"postgresql://postgres:a-secret-word@127.0.0.1:{port}{parts.path}"
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._is_whole = True
        self._cut_at_commit: str | None = None
        self._woken, self._waking = socket.socketpair()
        self._is_open = True
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def cut(self) -> None:
        """End all connections, and accept no new ones."""
        self._is_whole = False
        self._wake()

    def mend(self) -> None:
        """Accept new connections again."""
        self._is_whole = True
        self._wake()

    def cut_at_commit(self, when: str, mend: bool) -> None:
        """Cut it at the next commit: `before` the server gets it, or `after` that but before anyone gets the answer.

        With `mend` it accepts new connections at once.
        """
        self._cut_at_commit = when
        self._mend_at_once = mend

    def close(self) -> None:
        """Close everything."""
        self._is_open = False
        self._wake()
        self._thread.join()
        self._drop_all()
        for one in (self._listening, self._woken, self._waking):
            one.close()

    def _wake(self) -> None:
        self._waking.send(b"x")

    def _run(self) -> None:
        while self._is_open:
            ready, _, _ = select.select([self._listening, self._woken, *self._pairs], [], [])
            if self._woken in ready:
                self._woken.recv(100)
            if not self._is_whole:
                self._drop_all()
            for one in ready:
                if one is self._listening:
                    self._accept()
                elif one in self._pairs:
                    self._pass_on(one)

    def _accept(self) -> None:
        with suppress(OSError):
            client, _ = self._listening.accept()
            if not self._is_whole:
                client.close()
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            self._pairs |= {client: server, server: client}

    def _pass_on(self, one: socket.socket) -> None:
        other = self._pairs[one]
        try:
            content = one.recv(65536)
        except OSError:
            content = b""
        is_commit = self._cut_at_commit is not None and _COMMIT in content
        if is_commit and self._cut_at_commit == "before":
            content = b""
        if not content:
            self._drop(one)
        else:
            with suppress(OSError):
                other.sendall(content)
        if is_commit:
            self._cut_at_commit = None
            self._is_whole = self._mend_at_once
            if content:
                other.recv(65536)  # the server has done it: no one will hear of it
            self._drop_all()

    def _drop(self, one: socket.socket) -> None:
        other = self._pairs.pop(one)
        self._pairs.pop(other)
        one.close()
        other.close()

    def _drop_all(self) -> None:
        while self._pairs:
            self._drop(next(iter(self._pairs)))
