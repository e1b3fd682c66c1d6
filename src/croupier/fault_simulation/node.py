"""One process of the simulated house: it decides, commits in groups, and may crash at any boundary of a commit.

Time passes between a commit and its processing, as it does when the store has its own thread: meanwhile other orders
are decided and other groups committed, and a crash loses the outcome.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import NamedTuple

from croupier.contract.replies import OrderReply
from croupier.fault_simulation.faults import Agenda, Crash, Faults
from croupier.house import live_streams
from croupier.house.house import House, NotLoaded, Pending
from croupier.house.live_streams import Intervals
from croupier.house.names import AT_HAND, PROMOTIONS, TABLES, name_of, table_stream
from croupier.house.orders import AtTable, CloseEntries, FreeSeat, NotePresence, RunOn, Submission
from croupier.house.orders.promotions import draw_secret
from croupier.house.orders.rounds import secret_name
from croupier.house.promotion_state import PromotionState
from croupier.house.reporting.bookkeeping import entries
from croupier.house.reporting.tickets import Plays, counting_of, tables_that_count
from croupier.house.stored_events import Entry
from croupier.rules.shelf import Shelf
from croupier.store.contract import InDoubt, Store, StoreError
from croupier.store.records import Outcome, Secret, Write

TICK = 1.0
LOOKS = 0.003  # of the ticks at which someone goes away or comes back
RESTART = 5.0
BETWEEN_SNAPSHOTS = 40  # events of a stream
NOTHING = Write()

Reply = Callable[[OrderReply], None]


class PendingReply(NamedTuple):
    """A decided order, and the callback for its reply."""

    pending: Pending
    reply: Reply


class Published(NamedTuple):
    """An event published to listeners by a process."""

    stream: str
    version: int
    hash: bytes


class Node:
    """A house in memory on a shared store. `life` counts its starts."""

    def __init__(self, agenda: Agenda, store: Store, shelf: Shelf, faults: Faults, random: Random) -> None:
        self._agenda = agenda
        self._store = store
        self._shelf = shelf
        self._faults = faults
        self._random = random
        self.others: Sequence[Node] = ()
        self.life = 0
        self.restored = 0
        self.published: list[Published] = []
        self.findings: list[str] = []
        self._numbers = 0
        self._skew = timedelta()
        self._has_clock = True
        self._start()

    def _start(self) -> None:
        self.life += 1
        self.is_up = True
        self.house = House(self._shelf, self._publish)
        self._told: dict[str, int] = {}
        self._intervals = Intervals(BETWEEN_SNAPSHOTS)
        self._queue: list[PendingReply] = []
        self._committed_groups: deque[tuple[list[PendingReply], list[Outcome | StoreError]]] = deque()
        self._is_writing = False
        for head in (head for kind in AT_HAND for head in self._store.heads(kind)):
            self.load(head.stream)
        self._in(TICK, self._tick)

    def _crash(self) -> None:
        """Lose everything in memory; the process restarts after a while."""
        self.is_up = False
        self._agenda.after(RESTART, self._start)

    def _in(self, seconds: float, step: Callable[[], None]) -> None:
        """Schedule a step that a crash cancels."""
        life = self.life

        def if_alive() -> None:
            if self.is_up and self.life == life:
                step()

        self._agenda.after(seconds, if_alive)

    @property
    def clock(self) -> datetime:
        """The time on this machine's clock."""
        return self._agenda.now + self._skew

    def _publish(self, stream: str, entries: list[Entry]) -> None:
        """Record published events, checking that they have no gaps."""
        for entry in entries:
            if entry.version != self._told[stream] + 1:
                self.findings.append(f"{stream}: event {entry.version} was published after {self._told[stream]}")
            self._told[stream] = entry.version
            self.published.append(Published(stream, entry.version, entry.hash))

    # Orders

    def take(self, given: Submission, reply: Reply) -> None:
        """Take an order. A process that is down gives no answer."""
        if not self.is_up:
            return
        pending = self._decided(given)
        if pending.write == NOTHING:
            reply(pending.answer)
            return
        self._queue.append(PendingReply(pending, reply))
        if not self._is_writing:
            self._is_writing = True
            self._in(self._faults.delay("disk_slow"), self._write)

    def _decided(self, given: Submission) -> Pending:
        while True:
            try:
                return self.house.decide(given, self.clock, self._random.randbytes)
            except NotLoaded as missing:
                self.load(missing.stream)

    def load(self, stream: str) -> None:
        """Load a stream from its snapshot on, or catch up with what others wrote to it."""
        has, restored = self.house.has(stream), None
        kept = None if has else self._store.snapshot(stream)
        if kept is not None:
            restored = live_streams.restored(kept)
            self.restored += restored is not None
            self._intervals.found(stream, kept.version)
        after = self.house.head(stream).version if has else (restored.head.version if restored is not None else 0)
        self.house.take_in(stream, self._store.read(stream, after), self._secrets(stream), restored)
        if not has:
            self._told[stream] = self.house.head(stream).version

    def _secrets(self, stream: str) -> dict[str, bytes]:
        kept: list[Secret] = []
        if stream.startswith(TABLES):
            kept = self._store.secrets(secret_name(name_of(stream)))
        elif stream.startswith(PROMOTIONS):
            name = draw_secret(name_of(stream))
            kept = [Secret(name, self._store.secret(name))]
        return {one.name: one.value for one in kept if one.value is not None}

    # Writing

    def _write(self) -> None:
        """Commit one group; orders decided meanwhile go into the next."""
        batch, self._queue = self._queue, []
        self._is_writing = False
        try:
            outcomes = self._committed([waiting.pending.write for waiting in batch])
        except Crash:
            self._crash()
            return
        self._committed_groups.append((batch, outcomes))
        self._in(self._faults.delay(), self._settle_next)

    def _committed(self, writes: list[Write]) -> list[Outcome | StoreError]:
        if self._faults.happens("disk_fails"):
            return [StoreError("The disk is full.")] * len(writes)
        self._faults.plan_crash()
        streams = {append.stream for write in writes for append in write.appends}
        outcomes: list[Outcome | StoreError] = list(self._store.commit([*writes, *self._snapshots(streams)]))
        self._notify(streams)
        if self._faults.happens("in_doubt"):
            return [InDoubt("The connection was lost.")] * len(writes)
        return outcomes[: len(writes)]

    def _snapshots(self, streams: set[str]) -> list[Write]:
        """Return snapshot writes for streams that have grown enough since their last one."""
        made = []
        for stream in sorted(streams):
            head = self.house.head(stream)
            if self._intervals.is_due(stream, head.version):
                self._intervals.found(stream, head.version)
                snapshot = live_streams.taken(stream, self.house.state(stream), head)
                made += [Write(snapshots=(snapshot,))] if snapshot is not None else []
        return made

    def _notify(self, streams: set[str]) -> None:
        """Notify the other processes, late or never if a fault occurs."""
        for other in self.others:
            for stream in sorted(streams):
                if not self._faults.happens("notice_lost"):
                    self._agenda.after(self._faults.delay(), partial(other.hear, stream))

    def hear(self, stream: str) -> None:
        """Catch up with another process's write, for tables, promotions and streams already in memory."""
        if self.is_up and (stream.startswith(AT_HAND) or self.house.has(stream)):
            self.load(stream)

    def _settle_next(self) -> None:
        """Settle the group committed first, regardless of each one's delay."""
        batch, outcomes = self._committed_groups.popleft()
        for waiting, outcome in zip(batch, outcomes, strict=True):
            self._settle(waiting, outcome)

    def _settle(self, waiting: PendingReply, outcome: Outcome | StoreError) -> None:
        pending, reply = waiting
        if isinstance(outcome, StoreError):
            self.house.failed(pending)
            if not isinstance(outcome, InDoubt):
                return  # the caller sees a failure, and retries
            told = None
        else:
            told = self.house.settle(pending, outcome)
        if told is not None:
            reply(told)
            return
        for stream in pending.drafted:
            self.load(stream)
        self.take(pending.submission, reply)

    # Clock

    def stop_the_clock(self) -> None:
        """Stop advancing tables; let work in progress finish."""
        self._has_clock = False

    def _tick(self) -> None:
        if not self._has_clock:
            return
        if self._faults.happens("crash_idle"):
            self._crash()
            return
        if self._faults.happens("clock_jumps"):
            self._skew += timedelta(seconds=self._random.uniform(-600, 600))
        for when, table in self.house.due():
            if when <= self.clock:
                self._numbers += 1
                number = f"clock-{self._random.getrandbits(32):08x}-{self._numbers}"
                self.take(Submission(id=number, order=RunOn(table=table)), lambda told: None)
        self._look_around()
        for state in self.house.promotions():
            closes = state.promotion.terms.time("entries_close")
            if state.promotion.stage == "running" and closes is not None and closes <= self.clock:
                self._close_entries(state)
        self._in(TICK, self._tick)

    def _look_around(self) -> None:
        """Note now and then that a player has gone away or come back, or free the seat of one who is away."""
        if self._random.random() > LOOKS:
            return
        for table in self.house.tables():
            if table.rhythm is None or not table.game.chips:
                continue
            person = self._random.choice(sorted(table.game.chips))
            is_away = person in table.away
            order: AtTable = NotePresence(table=table.name, person=person, here=is_away)
            if is_away and self._random.random() < 0.3:
                order = FreeSeat(table=table.name, person=person, minutes=0.1)
            self._numbers += 1
            number = f"presence-{self._random.getrandbits(32):08x}-{self._numbers}"
            self.take(Submission(id=number, order=order), lambda told: None)

    def _close_entries(self, state: PromotionState) -> None:
        """Close entries with what play has earned, as far as it is stored."""
        counting = counting_of(state.promotion.terms)
        assert counting is not None, "simulated promotions are all earned by play"
        plays, tables = Plays(counting), dict[str, int]()
        for name in tables_that_count(self._shelf, state.book, state.promotion.terms, self.house.tables()):
            read = list(entries(self._store.read(table_stream(name))))
            plays.take_in(read)
            tables[name] = len(read)
        self._numbers += 1
        order = CloseEntries(promotion=state.name, entries=plays.entries(), tables=tables)
        number = f"entries-{self._random.getrandbits(32):08x}-{self._numbers}"
        self.take(Submission(id=number, order=order), lambda told: None)
