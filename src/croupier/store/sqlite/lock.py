"""One house at a time on a file: a lock that the operating system takes back when its holder dies."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

from croupier.store.contract import StoreError

TRIES = 4
PAUSE = 0.05  # seconds between them

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # the byte that is locked: beyond the process's number, which others may read

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_of(path: Path) -> Path:
    """The file beside a store that its house holds."""
    return path.with_name(f"{path.name}.lock")


class FileLock:
    """Held until it is let go of, or until the process ends in whatever way."""

    def __init__(self, path: Path, name: str) -> None:
        """Raises StoreError where another process holds it, and OSError where there is no place for the lock."""
        file = lock_of(path)
        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        if not self._is_taken():
            holder = _read(self._descriptor)
            os.close(self._descriptor)
            raise StoreError(f"{name} is in use by another house{holder}.")
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, b"%d\n" % os.getpid())

    def _is_taken(self) -> bool:
        """Whether it is ours now. Somebody may be looking whether it is held (`is_held`), which takes no time."""
        for _ in range(TRIES):
            try:
                _take(self._descriptor)
            except OSError:
                sleep(PAUSE)
            else:
                return True
        return False

    def release(self) -> None:
        """Let go. The file stays: if it were removed, two could hold a lock on files of the same name."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether a house is at work on a store."""
    try:
        descriptor = os.open(lock_of(path), os.O_RDWR)
    except OSError:
        return False
    try:
        _take(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _read(descriptor: int) -> str:
    with suppress(OSError):
        number = os.pread(descriptor, 20, 0) if hasattr(os, "pread") else b""
        if number.strip().isdigit():
            return f" (process {int(number)})"
    return ""
