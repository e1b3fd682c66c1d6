"""Atomic file writes: a file is written beside its target and then renamed, so it is complete and durable or absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from croupier.store.contract import StoreError


@contextmanager
def draft(target: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """Open a draft file. It replaces the target when the block succeeds, and is removed when it fails.

    Raises StoreError in place of any OSError; other exceptions of the block pass through.
    """
    beside = draft_of(target)
    try:
        with file_errors(target):
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            put_in_place(beside, target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def draft_of(target: Path) -> Path:
    """Return the path of the draft for a target. Raises StoreError if the draft could not be moved there."""
    if target.is_dir():
        raise StoreError(f"{target} cannot be written: it is a folder.")
    if not target.parent.is_dir():
        raise StoreError(f"{target} cannot be written: there is no folder {target.parent}.")
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def put_in_place(beside: Path, target: Path) -> None:
    """Move a draft into place, durably."""
    beside.replace(target)
    settle_folder(target.parent)


def settle_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, on systems that support it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def file_errors(target: Path) -> Iterator[None]:
    """Report any file error in the block as one sentence about the target."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror or error}.") from error
