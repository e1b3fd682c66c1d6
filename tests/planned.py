"""Someone who plays flat stakes at a real table, so that what the table settles can be compared with predictions."""

from __future__ import annotations

from collections import Counter

from croupier.maths.plan import Lot, Plan
from croupier.table.decide import Refused
from tests.tables import new_table, throw

CHIP = 100


class Player:
    """Someone who plays a plan at a real table: each wager is made, in order, as soon as the table accepts it."""

    def __init__(self, plan: Plan) -> None:
        self.lots = plan.lots
        self.table = new_table(plan.game.book.id, CHIP)
        self.brought = self.table.state.chips["ann"]
        wagers = plan.game.book.wagers
        self.refusals = {c.code for lot in plan.lots for c in wagers[lot.wager].place}
        self.refusals |= {"flat_wager_missing", "bets_closed"}
        self.falls = Counter(tuple(sorted(faces, key=str)) for faces in plan.game.book.outcomes.all)
        self.results: Counter[int] = Counter()

    def make_wagers(self) -> None:
        for lot in self.lots:
            definition = self.table.view.game.wager(lot.wager)
            follows = definition.behind is not None and lot.pick is None
            for pick in self.table.view.game.book.picks(definition) if follows else [lot.pick]:
                if not self.stands(lot):
                    self.make(lot, pick)

    def make(self, lot: Lot, pick: object) -> None:
        try:
            self.table.bet("ann", lot.wager, f"{int(lot.stake) // 100}.00", pick=pick)
        except Refused as refused:
            if refused.code not in self.refusals:
                raise

    def stands(self, lot: Lot) -> bool:
        areas = [area for area, stakes in self.table.state.layout.items() if "ann" in stakes]
        return any(area.wager == lot.wager and lot.pick in (None, area.pick) for area in areas)

    def worth(self) -> int:
        """Chips in hand and on the layout, at face value, and the commission paid for them."""
        standing = [stake for _, _, stake in self.table.state.wagers()]
        laid = sum(stake.amount + stake.commission for stake in standing)
        return self.table.state.chips["ann"] + laid - self.brought

    def play_all(self, throws: int, ways: int = 1) -> Counter[int]:
        """Every sequence of throws; dice that differ only in their order are played once."""
        if throws == 0:
            self.results[self.worth()] += ways
            return self.results
        self.make_wagers()
        ready = self.table.state
        for faces, count in self.falls.items():
            self.table.state = ready
            throw(self.table, faces)
            self.play_all(throws - 1, ways * count)
        return self.results
