"""Processes that may be killed: a helper that has everything loaded forks one for each task in some milliseconds.

It is a process of its own with a single thread, so that forking is safe. The tasks are the functions below that take
plain values and return plain values.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from croupier.store import Answer, Answered, Append, Committed, Conflict, StoreError, Write
from croupier.store.exporting import back_up, export_to
from croupier.store.opening import open_store
from croupier.store.verifying import verify
from tests.store.writers import GroupWriter

ROOT = Path(__file__).parent.parent.parent
PRODUCERS = 6
NOBODY = 65534


class Children:
    """The helper, as tests use it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.children"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, task: str, given: dict[str, Any], kill_after: float | None = None) -> dict[str, Any]:
        """The result of a child process; `{}` if it was killed, by itself or after this many seconds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([task, given, kill_after]) + "\n")
        self._process.stdin.flush()
        result: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in result, result["error"]
        return result

    def close(self) -> None:
        """End all processes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


# -- tasks ------------------------------------------------------------------------------------------------------------


def produce(address: str, acknowledged: str, point: str | None, nth: int, seconds: float) -> dict[str, Any]:
    """Producers write, each to a stream of its own and one in common, and note what was acknowledged.

    The nth time that a point is passed, the process is killed. A producer without an answer first asks again.
    """
    passed = 0

    def boundary(at: str) -> None:
        nonlocal passed
        passed += at == point
        if at == point and passed == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    store = open_store(address, boundary=boundary)
    writer = GroupWriter(store, boundary=boundary)
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    done = _noted(Path(acknowledged))
    end = time.monotonic() + seconds
    begun = [(writer, who, done.get(str(who), 0), notes, end) for who in range(PRODUCERS)]
    threads = [threading.Thread(target=_write, args=given) for given in begun]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    store.close()
    return {}


def _noted(file: Path) -> dict[str, int]:
    """How many writes of each producer were acknowledged."""
    made: dict[str, int] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        who, number = line.split()
        assert int(number) == made.get(who, 0) + 1
        made[who] = int(number)
    return made


def _write(writer: GroupWriter, who: int, done: int, notes: int, end: float) -> None:
    shared = 0  # the version of the common stream, found out by trying
    while time.monotonic() < end:
        number = done + 1
        document = f"{who} {number}".encode()
        own = Append(f"own/{who}", done, (document,))
        while True:
            write = Write(
                (own, Append("shared", shared, (document,))), Answer(f"producer {who}", str(number), b"", document)
            )
            outcome = writer.submit(write).result()
            if not isinstance(outcome, Conflict):
                break
            assert outcome.stream == "shared", outcome
            shared = outcome.version
        match outcome:
            case Committed():
                shared = outcome.heads[1].version
            case Answered():
                assert outcome.answer.reply == document
        os.write(notes, b"%d %d\n" % (who, number))
        done = number


def fill_up(path: str, bytes: int) -> dict[str, Any]:
    """Write until the file may not grow any more; then check what is there, and write again with more room."""
    store = open_store(f"sqlite:{path}")
    before, said = 0, ""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, hard))
    while not said:
        try:
            store.commit([Write((Append("a", before, (b"x" * 5000,)),))])
            before += 1
        except StoreError as error:
            said = str(error)
    after = len(store.read("a"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    store.close()
    return {"said": said, "before": before, "after": after}


def open_as_nobody(path: str, is_nobody: bool = True) -> dict[str, Any]:
    """Try to write to a store, to create one beside it and to read it, without administrator rights."""
    if is_nobody and os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    result: dict[str, Any] = {}
    for name, file in (("writing", path), ("making", str(Path(path).with_name("new.sqlite")))):
        try:
            open_store(f"sqlite:{file}").close()
            result[name] = ""
        except StoreError as error:
            result[name] = str(error)
    result["faults"] = len(verify(Path(path)).faults)
    store = open_store(f"sqlite:{path}", read_only=True)
    result["read"] = len(store.read("a"))
    store.close()
    return result


def export_with_little_room(path: str, file: str, copy: str, bytes: int) -> dict[str, Any]:
    """Export a store and copy it where files may not grow that large."""
    store = open_store(f"sqlite:{path}", read_only=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, resource.RLIM_INFINITY))
    result: dict[str, Any] = {}
    at = datetime(2026, 11, 15, tzinfo=UTC)
    try:
        export_to(store, Path(file), at)
    except StoreError as error:
        result["export"] = str(error)
    try:
        back_up(store, Path(copy), at)
    except StoreError as error:
        result["copy"] = str(error)
    store.close()
    return result


TASKS = {task.__name__: task for task in (produce, fill_up, open_as_nobody, export_with_little_room)}


# -- the helper itself ------------------------------------------------------------------------------------------------


def main() -> None:
    """Fork a child for each input line, and reply with its outcome."""
    for module in ("croupier.store.postgres", "croupier.store.sqlite"):
        import_module(module)  # here once, and not in each child
    for line in sys.stdin:
        task, given, kill_after = json.loads(line)
        print(json.dumps(_child(task, given, kill_after)), flush=True)


def _child(task: str, given: dict[str, Any], kill_after: float | None) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            result = TASKS[task](**given)
        except BaseException as error:
            result = {"error": f"{type(error).__name__}: {error}"}
        os.write(writing, json.dumps(result).encode())
        os._exit(0)
    os.close(writing)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return dict(json.loads(said)) if said else {}


if __name__ == "__main__":
    main()
