"""Makes files/version-1.sqlite: a store with the first version of the tables. Run once: python -m
tests.store.make_version_1. The file is never changed, so that every later version is tested with the same bytes."""

from __future__ import annotations

from pathlib import Path

import apsw

from croupier.store.group_commit import Batch, streams_of
from croupier.store.records import Answer, Append, Head, Secret, Write, anchor
from croupier.store.sqlite.file import APPLICATION_ID, MIGRATIONS

FILE = Path(__file__).parent / "files" / "version-1.sqlite"

WRITES = [
    Write((Append("table/craps", 0, (b'{"event":1}', b'{"event":2}')),), Answer("ann", "k1", b"d" * 32, b"first")),
    Write((Append("table/craps", 2, (b'{"event":3}',)), Append("account/ann", 0, (b'{"bought":1000}',)))),
    Write(refusal=b'{"refused":"bet"}', vault=(Secret("password/ann", b"hash"),)),
]


def main() -> None:
    """Write the file again."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.unlink(missing_ok=True)
    batch = Batch({stream: Head(stream, 0, anchor(stream)) for stream in streams_of(WRITES)}, {})
    batch.decide(WRITES)
    connection = apsw.Connection(str(FILE))
    with connection:
        for sql in MIGRATIONS[0]:
            connection.execute(sql)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", 1)
        for table, columns, rows in (
            ("records", "stream, version, document, hash", batch.records),
            ("heads", "stream, version, hash", batch.head_rows),
            ("answers", "who, key, digest, reply, seal", batch.new_answers),
            ("refusals", "document, seal", batch.refusals),
            ("vault", "name, value, seal", batch.secret_rows),
        ):
            marks = ", ".join("?" * len(columns.split(",")))
            connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
    connection.pragma("journal_mode", "WAL")
    connection.close()


if __name__ == "__main__":
    main()
