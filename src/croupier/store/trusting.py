"""What a house asks of its store before it opens: that nobody else has written to it.

Everything is held against the house's key, which lies outside the store. What does not fit is told in one sentence, and
the house stays shut: a forged password or a forged snapshot must not even be looked at by those who come in.

An event that is merely damaged is another matter: its stream is not served, and the others are.
"""

from __future__ import annotations

from datetime import datetime

from croupier.store.checkpoints import STREAM, Chained, Checkpoint, Sealer, begun, follow, read_checkpoint
from croupier.store.contract import BESIDE, CorruptStore, Reading, Store
from croupier.store.keys import HouseKey
from croupier.store.records import Head
from croupier.store.seals import DIGEST_BYTES, Seals
from croupier.store.view import unsealed

# Of a store up to this size everything is looked at; of a larger one all but what is proved by counting through all
# answers and refusals and all checkpoints. `croupier verify` looks at everything, however large.
LOOKED_AT_WHOLE = 64 * 2**20


def trusted(store: Store, key: HouseKey, house: str, at: datetime) -> Sealer:
    """See that the store is the house's own, and have it sealed from now on. Raises StoreError.

    A store from before seals is taken over as it is: what is private in it is sealed, and a checkpoint says so. After
    that nothing is believed that bears no seal.
    """
    sealer = Sealer(store, key, house)
    seals, is_small = Seals(key), store.room().taken <= LOOKED_AT_WHOLE
    with store.still() as view:
        last = _last(view)
        is_old = last is None or last.statement.format == 1
        _check_seals(view, seals, bare=is_old)
        if last is not None:
            _check_streams(view, _vouched(view, last, whole=is_small))
            if is_small:
                _check_beside(view, last)
        is_empty = not view.heads() and next(view.entries(), None) is None
    store.use(seals)
    if is_old and not is_empty:
        store.adopt()
    if (is_old and not is_empty) or (last is not None and _are_gone(store, last)):
        sealer.seal(at, anyway=True)
    return sealer


def _forged(view: Reading, what: str, stream: str | None = None, version: int | None = None) -> CorruptStore:
    return CorruptStore(f"{view.name} holds what the house did not write: {what}", stream, version)


def _not_signed(view: Reading, number: int) -> CorruptStore:
    return _forged(view, f"checkpoint {number} is not what it signed.", STREAM, number)


def _last(view: Reading) -> Checkpoint | None:
    version = view.head(STREAM).version
    if not version:
        return None
    found = _read(view, version)
    if not found.has_good_signature() or found.statement.number != version:
        raise _not_signed(view, version)
    return found


def _check_seals(view: Reading, seals: Seals, *, bare: bool) -> None:
    """`bare`: whether it is a store from before seals, where there may be none."""
    for entry in view.entries():
        if not seals.is_sealed(entry.mark) and not (bare and len(entry.mark) == DIGEST_BYTES):
            raise _forged(view, unsealed(entry.what))


def _vouched(view: Reading, last: Checkpoint, *, whole: bool) -> dict[str, tuple[Head, int]]:
    """The last word of checkpoints on each stream: that of the last one, or of the `whole` row that it vouches for."""
    found: dict[str, tuple[Head, int]] = {}
    one, number = last, last.statement.number
    while True:
        for head in one.heads:
            found.setdefault(head.stream, (head, number))
        if one.statement.whole or not whole or number == 1:
            return found
        expected, number = one.statement.previous, number - 1
        one = _read(view, number)
        if one.digest != expected:
            raise _not_signed(view, number)


def _read(view: Reading, number: int) -> Checkpoint:
    try:
        return read_checkpoint(view.read(STREAM, number - 1, 1)[0].document)
    except ValueError:
        raise _not_signed(view, number) from None


def _check_streams(view: Reading, vouched: dict[str, tuple[Head, int]]) -> None:
    """No stream that holds together may be another than the one that was signed."""
    for stream, (head, number) in vouched.items():
        try:
            record = view.read(stream, head.version - 1, 1)
        except CorruptStore:
            continue  # it is damaged, and not served: whoever forges takes care that it holds together
        if not record or record[0].hash != head.hash:
            raise _forged(view, f"checkpoint {number} was signed over other events of {stream}.", stream, head.version)


def _check_beside(view: Reading, last: Checkpoint) -> None:
    for kind in BESIDE:
        chained = last.statement.chained(kind)
        if chained is not None and chained.number:
            made = follow(view, kind, begun(kind, chained.since), chained.number)
            if made.hash != chained.hash and made.number:
                raise _forged(view, f"checkpoint {last.statement.number} was signed over other {kind}.")


def _are_gone(store: Store, last: Checkpoint) -> bool:
    """Whether answers or refusals are not there at all, as in a store that was imported."""
    settled = store.settled()
    chains = [(last.statement.chained(kind), settled[kind]) for kind in BESIDE]
    return any(isinstance(chained, Chained) and chained.number > 0 == number for chained, number in chains)
