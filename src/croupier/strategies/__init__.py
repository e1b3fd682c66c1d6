"""The strategies that come with the package: one TOML file each. Data only; `croupier.simulation` reads it."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def ids() -> list[str]:
    """The ids of the strategies in the package, in order."""
    return sorted(entry.stem for entry in HERE.glob("*.toml"))


def file(strategy_id: str) -> Path:
    """Where a strategy is written."""
    return HERE / f"{strategy_id}.toml"
