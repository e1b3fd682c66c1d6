"""Files that are whole and on the disk, or not there: each is written beside its target first."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from croupier.store.contract import StoreError


@contextmanager
def draft(target: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """A file to write to. It takes its place when the block ends well, and is gone when it does not.

    Raises StoreError, and whatever is raised in the block other than an OSError.
    """
    beside = draft_of(target)
    try:
        with told_of(target):
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            put_in_place(beside, target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def draft_of(target: Path) -> Path:
    """Where a file is written before it takes its place. Raises StoreError where it could not take it."""
    if target.is_dir():
        raise StoreError(f"{target} cannot be written: it is a folder.")
    if not target.parent.is_dir():
        raise StoreError(f"{target} cannot be written: there is no folder {target.parent}.")
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def put_in_place(beside: Path, target: Path) -> None:
    """Let a draft take its place, for good."""
    beside.replace(target)
    settle_folder(target.parent)


def settle_folder(folder: Path) -> None:
    """Have the names in a folder on the disk; some systems do not know how, and need not be told."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def told_of(target: Path) -> Iterator[None]:
    """Whatever goes wrong in here with a file is told of the target, in one sentence."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror or error}.") from error
