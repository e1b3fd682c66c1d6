"""Every kernel is compiled before the first simulation: none that a user could need is left out."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from croupier.execution import compile_ahead as ahead
from croupier.execution.compile_ahead import compile_ahead, kernels, main
from croupier.execution.local import run, run_given
from croupier.execution.simulating import plan_of, results


def _versions() -> dict[str, list[object]]:
    return {f"{kernel.__module__}.{kernel.__name__}": list(kernel.signatures) for kernel in kernels()}


@pytest.mark.parametrize("bankroll", [None, "20.00", "200.00", "1000000.00"])
@pytest.mark.parametrize(
    ("book", "strategies", "rolls", "sessions"),
    [
        ("craps-nsw-2024", ["three-point-molly", "place-6-8-press"], 2100, 40),
        ("craps-nsw-2024", ["field-martingale"], 1, 3),
        ("sic-bo-nsw-2016", ["single-die"], 30, 33),
        ("two-up-nsw-2016", ["spinner-heads"], 30, 16),
    ],
)
def test_nothing_is_compiled_later(
    book: str, strategies: list[str], rolls: int, sessions: int, bankroll: str | None
) -> None:
    compile_ahead()
    before = _versions()
    order = plan_of(book, strategies, sessions=sessions, rolls=rolls, seed=2**64 - 1, bankroll=bankroll)
    for general in (False, True):
        order = msgspec.structs.replace(order, general=general)
        engines = order.engines()
        counted, _ = run(order, engines, jobs=2)
        results(order, engines, counted.tallies, 1.0)
    run_given(engines, np.zeros((2, rolls), np.uint16))
    assert _versions() == before


def test_all_the_kernels_that_play_are_among_them() -> None:
    compile_ahead()
    played = {name.removeprefix("croupier.simulation.kernels.") for name, versions in _versions().items() if versions}
    assert {
        "walking.walk",
        "walking.play",
        "walking.play_given",
        "product.recount",
        "product._explore",
    } <= played


def test_it_says_what_it_did(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    main()
    assert capsys.readouterr().out.startswith("The kernels for simulations are ")
    monkeypatch.setattr(ahead, "kernels", lambda: iter(()))
    main()
    assert "for this run only" in capsys.readouterr().out
