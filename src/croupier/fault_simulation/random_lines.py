"""Random lines for simulated tables: bets, throws, voids, and every act of a book, sensible or not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from random import Random

from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, Act
from croupier.table.state import State

Line = dict[str, object]


def _acts(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Acts that stop a game or exclude a person for good: they happen, but rarely.
RARE = _acts(
    "find_device exclude_from_game exclude_from_casino report_malfunction dice_off send_out declare_lost limit_players"
    " one_per_area close_table remove_drop_box start_cashless"
)
RARELY = 0.2
CURIOSITY = 6
# Acts possible between a throw and its settlement.
MOMENTS = _acts(
    "rest uncover call_result enter_result confirm_result overrule_call amend_entry observe let_stand dispute_face"
    " decide_face report_leaning display_shows confirm_late find_invalid_in_roll"
)
# Acts that hand over the dice and throw them.
HANDING = _acts(
    "bring_dice inspect_dice offer accept decline choose place_coins tumble press_no_more_bets throw uncover"
    " house_takes ask_back pass stop_spinning"
)
# Acts of disputes and wrong payments, which take many steps.
CASEWORK = _acts(
    "raise_dispute decide_dispute ask_review review_dispute final_decision dissatisfied tell_right close_dispute"
    " accept_decision operator_decides_case report_error"
    " complain receive_complaint report_mispayment enquire contact_patron ask_return offer_reimbursement reimburse"
    " give_back tell_nicc month_end try_to_identify identify_patron find_impractical put_right_elsewhere"
)
PAYMENTS = _acts("enquire offer_reimbursement ask_return reimburse give_back")
OWING = "owing "
SILENCE = _acts("take_silence take_over order_pass")  # for a person who was asked again and says nothing
REMINDED = "reminded "
SEARCH = _acts("search find_dice check_dice return_dice bowl_dice declare_lost new_set ask_back allow_old_set")
REPAIR = _acts("rectify notify_inspector introduce_procedures settle_streaks return_streaks confirm_result")
# Urgent acts, by what the table remembers.
PRESSING = {
    "throw": MOMENTS,
    "play stopped": REPAIR,
    "missing": SEARCH,
    "found": SEARCH,
    "lost": SEARCH,
    "table": _acts("close_table reopen_table count_float"),
    "float reported": _acts("confirm_count"),
}
LONG_ENOUGH = 30 * 60  # seconds that people spend on one case
TEXTS = {
    "colour": ("red", "blue"),
    "mark": ("star",),
    "denominations": ("1 x 5.00", "2 x 5.00", "1 x 1.00"),
    "document": ("Q3JhcHM=",),
    "digest": ("171eaf154a7da5053df1fe2117a5997c852f88ae10de1ba94cafeb328457638e",),  # of that document
    "person": ("guest-1", "player-2", "player-6"),
    "patron": ("player-4", "player-5"),
}


class RandomLines:
    """Random lines for the tables of a book."""

    def __init__(self, book: Book, players: Sequence[str], random: Random) -> None:
        self._book = book
        self._players = players
        self._random = random
        self._acts: dict[tuple[str, ...], list[Act]] = {}
        self.done: Counter[str] = Counter()
        self.seen = State()  # the table as the next speaker sees it

    def wager(self) -> Line:
        """Return a wager in the form of a line."""
        wager = self._random.choice(self._book.rules.wagers)
        return {"wager": wager.id, "pick": self._random.choice(list(self._book.picks(wager)))}

    def bet(self) -> Line:
        """Return a bet or, now and then, a line about an existing one."""
        chance = self._random.random()
        if chance < 0.1:
            return {"do": "take", **self.wager()}
        if chance < 0.15:
            return {"do": "call", "on": self._random.random() < 0.5, **self.wager()}
        checks = {"checks": self._random.choice(TEXTS["colour"])} if self.seen.checks and chance > 0.7 else {}
        return {"do": "bet", "amount": self.amount(), **checks, **self.wager()}

    def amount(self) -> str:
        """Return an amount, sometimes above any table's limit."""
        return format_cents(self._random.choice([100, 500, 1000, 1000, 2500, 333, 200_000]))

    def faces(self) -> object:
        """Return faces that might be thrown, as a line says them."""
        rules = self._book.rules.throw
        faces = [self._random.choice(rules.faces) for _ in range(rules.throw)]
        return "".join(map(str, faces)) if isinstance(faces[0], str) else faces

    def throw(self) -> Line:
        """Return a whole throw in one line."""
        rules = self._book.rules.throw
        return {"do": rules.command, rules.field: self.faces()}

    def of_the_game(self) -> Line:
        """Return a line that moves the game on."""
        rules, chance = self._book.rules, self._random.random()
        if chance < 0.05:
            return {"do": "void", "reason": self._random.choice(rules.void.grounds)}
        if chance < 0.1:
            player = self._random.choice(self._players)
            word = self._random.choice(["bet", "find"])
            return {"do": word, "player": player, "amount": self.amount(), **self.wager()}
        if chance < 0.12:
            return {"do": "adopt", "book": rules.book.id}
        if rules.betting is not None and chance < 0.5:
            return {"do": "no_more_bets"}
        return self.throw()

    def act(self, titles: Sequence[str], at: datetime) -> Line | None:
        """Return an act that one of these titles may do; None if there is none."""
        return self._chosen(self._acts_of(tuple(titles)), at)

    def pressing(self, facts: Mapping[str, object], titles: Sequence[str], at: datetime) -> Line | None:
        """Return an act that the table is waiting for; None if there is none."""
        groups = [group for fact, group in PRESSING.items() if facts.get(fact)]
        groups += [PAYMENTS] if any(fact.startswith(OWING) for fact in facts) else []
        groups += [SILENCE] if any(fact.startswith(REMINDED) for fact in facts) else []
        return self.one_of(self._random.choice(groups), titles, at) if groups else None

    def one_of(self, group: frozenset[str], titles: Sequence[str], at: datetime) -> Line | None:
        """Return an act of a group; None if there is none."""
        return self._chosen([act for act in self._acts_of(tuple(titles)) if act.id in group], at)

    def _acts_of(self, titles: tuple[str, ...]) -> list[Act]:
        if titles not in self._acts:
            conduct = self._book.conduct
            self._acts[titles] = [act for act in conduct.acts if any(conduct.may(title, act.by) for title in titles)]
        return self._acts[titles]

    def _chosen(self, acts: Sequence[Act], at: datetime) -> Line | None:
        """Return one of the acts, preferring those done less often."""
        if not acts:
            return None
        act = min(self._random.choices(acts, k=CURIOSITY), key=lambda act: self.done[act.id])
        if act.id in RARE and self._random.random() > RARELY:
            return None
        form, known = self._random.choice(act.forms), self._standing() | self._owing() | self._remembered(act)
        return {"do": act.id, **{field: known.get(field) or self._field(act, field, at) for field in form}}

    def _remembered(self, act: Act) -> Line:
        """Return values for an act's fields: mostly those in the table's facts, for acts that need them."""
        known: Line = {}
        for need in act.needs:
            if need.fact is not None and "{" in need.fact and not need.holds_of_nothing:
                found = [match for match in map(_pattern(need.fact).fullmatch, self.seen.facts) if match]
                known |= self._random.choice(found).groupdict() if found and self._random.random() < 0.7 else {}
        return known

    def _owing(self) -> Line:
        """Return values for a case: mostly those of an unresolved wrong payment."""
        facts = self.seen.facts
        owing = [fact for fact in facts if fact.startswith(OWING)]
        if not owing or self._random.random() < 0.3:
            return {}
        fact = self._random.choice(owing)
        cents = facts[fact]
        return {"case": fact.removeprefix(OWING), **({"amount": format_cents(cents)} if isinstance(cents, int) else {})}

    def _standing(self) -> Line:
        """Return values for a wager: mostly one on the layout, for acts that concern one."""
        layout = self.seen.layout
        if not layout or self._random.random() < 0.3:
            return {}
        area = self._random.choice(list(layout))
        player = self._random.choice(list(layout[area]))
        amount = format_cents(layout[area][player].amount)
        return {"player": player, "wager": _selection(area.wager, area.pick), "amount": amount}

    def _field(self, act: Act, field: str, at: datetime) -> object:
        if field in act.choices:
            return self._random.choice(act.choices[field])
        match KINDS.get(field, "text"):
            case "player":
                return self._random.choice(self._players)
            case "money":
                return self._random.choice(["5.00", "10.00"]) if field == "minimum" else self.amount()
            case "count":
                return self._random.choice([1, 1, 2, 3, 4, 5])
            case "time":
                return (at + timedelta(minutes=self._random.choice([20, 21, 30]))).isoformat()
            case "faces":
                return self.faces()
            case "reason":
                return self._random.choice(act.grounds or self._book.rules.void.grounds)
            case "wager":
                wager = self.wager()
                return _selection(str(wager["wager"]), wager["pick"])
            case "role":
                return self._random.choice(self._book.conduct.role_ids)
        if field == "case":
            return f"case {int(at.timestamp()) // LONG_ENOUGH}{self._random.choice('ab')}"
        if field == "month":
            return f"{at - timedelta(days=self._random.choice([0, 30])):%Y-%m}"
        return self._random.choice(TEXTS.get(field, ("this and that",)))


@cache
def _pattern(fact: str) -> re.Pattern[str]:
    """Return a pattern for facts such as `device {person}` that captures the person."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(fact)))


def _selection(wager: str, pick: object) -> str:
    return wager if pick is None else f"{wager} {pick}"
