"""Houses in processes of their own, which may be killed, starved or closed: `croupier serve`, and nothing else.

A helper that has everything loaded forks a process for each house in some milliseconds. It has a single thread, so that
forking is safe.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from croupier.cli.main import main as croupier
from croupier.server import serving
from croupier.server.running_house import RunningHouse
from croupier.server.settings import PREFIX
from croupier.server.system import SteadyClock
from croupier.store.contract import Boundary
from tests.clocks import Ahead
from tests.passwords import hash_quickly

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0  # seconds that a start or an end may take, on a machine that does much else
NOBODY = 65534
OPEN = "The house is open at "
LISTENING = "0A"  # a state in /proc/net/tcp

# What a house in these tests has unless a test says otherwise: any port, and no limit on how often people act.
_MANY = dict.fromkeys(("sign_ins_a_minute", "sign_ups_a_day", "orders_a_second", "sessions_of_one_person"), "1000000")
USUAL = {"port": "0", "log": "warning", **_MANY}


class Mortal:
    """A house in a process of its own. `url` is empty if it did not open."""

    def __init__(self, nursery: Nursery, pid: int, said: str, log: Path) -> None:
        self._nursery = nursery
        self._log = log
        self.pid = pid
        self.url = said.removeprefix(OPEN).strip() if said.startswith(OPEN) else ""
        self.status: int | None = None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self.status is None:
            os.kill(self.pid, number)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for its end; return its exit status, or the negative number of the signal that killed it."""
        if self.status is None:
            self.status = int(self._nursery.ask("wait", pid=self.pid, seconds=seconds)["status"])
        return self.status

    def kill(self) -> None:
        """Kill it at once."""
        self.send(signal.SIGKILL)
        self.wait()

    def close(self) -> None:
        """Close it properly."""
        self.send(signal.SIGTERM)
        assert self.wait() == 0, self.said()

    def bytes_in_memory(self) -> int:
        """How much memory it uses."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    def connections(self) -> int:
        """How many connections of clients it has open, closed by the client or not."""
        own = set()
        for file in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # it may be closed meanwhile
                own.add(os.readlink(file))
        port = f":{urlsplit(self.url).port:04X}"
        sockets = [line.split() for line in Path(f"/proc/{self.pid}/net/tcp").read_text().splitlines()[1:]]
        return sum(
            local.endswith(port) and state != LISTENING and f"socket:[{inode}]" in own
            for _, local, _, state, *_, inode in (row[:10] for row in sockets)
        )

    def said(self) -> str:
        """Everything it has written to standard error."""
        return self._log.read_text()


class Nursery:
    """The helper, as tests use it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mortal"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._houses: list[Mortal] = []
        self._logs = tempfile.TemporaryDirectory()  # apart: a house may be in a folder where nothing can be written

    def ask(self, do: str, **given: object) -> dict[str, Any]:
        """Have the helper do something."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **given}) + "\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in told, told["error"]
        return told

    def open(
        self,
        folder: Path,
        *arguments: str,
        point: str | None = None,
        nth: int = 1,
        is_nobody: bool = False,
        most_bytes: int | None = None,
        most_files: int | None = None,
        ahead: Path | None = None,
        **settings: object,
    ) -> Mortal:
        """Open a house in a folder with these settings. It kills itself the nth time it passes a write boundary.

        `is_nobody` runs it without administrator rights, no file may grow beyond `most_bytes`, and no more than
        `most_files` may be open. `ahead` is the file by which its clock can be advanced.
        """
        log = Path(self._logs.name) / f"{len(self._houses)}.log"
        environment = {f"{PREFIX}{name.upper()}": str(value) for name, value in (USUAL | settings).items()}
        told = self.ask(
            "open",
            folder=str(folder),
            log=str(log),
            arguments=["serve", *arguments],
            environment=environment,
            point=point,
            nth=nth,
            is_nobody=is_nobody,
            most_bytes=most_bytes,
            most_files=most_files,
            ahead=None if ahead is None else str(ahead),
        )
        self._houses.append(Mortal(self, told["pid"], told["said"], log))
        return self._houses[-1]

    def close(self) -> None:
        """End all processes."""
        for house in self._houses:
            house.kill()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()
        self._logs.cleanup()


# -- the helper itself ------------------------------------------------------------------------------------------------


def main() -> None:
    """Do what each input line asks for, and reply with the outcome."""
    # Here once, and not in each house; one that has no rights may not even be able to read them.
    for module in ("croupier.cli.house", "croupier.store.postgres", "croupier.store.sqlite", "encodings.idna"):
        import_module(module)
    outputs: dict[int, int] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            told = _open(asked, outputs) if asked["do"] == "open" else _wait(asked["pid"], asked["seconds"], outputs)
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(told), flush=True)
    for pid in outputs:  # whoever tested was killed as well
        os.kill(pid, signal.SIGKILL)


def _open(asked: dict[str, Any], outputs: dict[int, int]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        for other in (reading, *outputs.values()):
            os.close(other)
        status = 1
        try:
            status = _serve(asked, writing)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    outputs[child] = reading
    said = b""
    while not said.endswith(b"\n"):
        if not select.select([reading], [], [], PATIENCE)[0]:
            raise TimeoutError(f"the house says nothing: {Path(asked['log']).read_text()[-2000:]}")
        piece = os.read(reading, 1)
        if not piece:
            break
        said += piece
    return {"pid": child, "said": said.decode()}


def _serve(asked: dict[str, Any], output: int) -> int:
    """In the new process: be the house until it ends."""
    log = os.open(asked["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for source, target in ((os.open(os.devnull, os.O_RDONLY), 0), (output, 1), (log, 2)):
        os.dup2(source, target)
    os.closerange(3, 64)
    os.chdir(asked["folder"])
    os.environ.update(asked["environment"])
    if asked["most_bytes"] is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (asked["most_bytes"], hard))
    if asked["most_files"] is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (asked["most_files"], asked["most_files"]))
    if asked["is_nobody"] and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    hash_quickly()
    if asked["ahead"] is not None:
        vars(serving)["RunningHouse"] = partial(RunningHouse, clock=SteadyClock(Ahead(Path(asked["ahead"]))))
    if asked["point"] is not None:
        serving.serve = partial(serving.serve, boundary=_deadly(asked["point"], asked["nth"]))
    status = croupier(asked["arguments"])
    sys.stdout.flush()
    return status


def _deadly(point: str, nth: int) -> Boundary:
    passed = 0

    def boundary(at: str) -> None:
        nonlocal passed
        passed += at == point
        if passed >= nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return boundary


def _wait(pid: int, seconds: float, outputs: dict[int, int]) -> dict[str, Any]:
    """Wait for a house to end. Its output ends with it in either case."""
    while True:
        if not select.select([outputs[pid]], [], [], seconds)[0]:
            raise TimeoutError("the house does not end")
        if not os.read(outputs[pid], 65536):
            break
    os.close(outputs.pop(pid))
    _, status = os.waitpid(pid, 0)
    return {"status": os.waitstatus_to_exitcode(status)}


if __name__ == "__main__":
    main()
