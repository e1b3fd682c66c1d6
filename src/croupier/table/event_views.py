"""Events and standing wagers as people see them, per wager and player, with money as text.

The protocol prints them, scenarios compare with them, and the terminal game shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from croupier.contract import shown_events as shown
from croupier.contract.lines import StandingWager
from croupier.money import format_cents
from croupier.rules.book import shown_value
from croupier.rules.machine import typed_pick
from croupier.rules.schema import Fact
from croupier.table import events
from croupier.table.commands import Limit, PlayerSign, Settings
from croupier.table.placing import limit_for
from croupier.table.state import TableView

Rows = list[shown.EventView]
Row = TypeVar("Row", bound=shown.JsonRecord)
Change = TypeVar("Change", bound=shown.WagerChange)


def event_rows(view: TableView, event: events.AnyEvent) -> Rows:
    """Return one event as people see it; an event about several players gives one row for each."""
    return _ROWS[type(event)](view, event)


def standing_wagers(view: TableView) -> list[StandingWager]:
    """Return every standing wager. `on` says whether it acts on the next throw, if the book has wagers that sleep."""
    found: list[StandingWager] = []
    sleepers = view.game.book.call_clause is not None
    for area, stakes in view.state.layout.items():
        wager, pick = view.wager_of(area), view.shown_pick(area)
        for player, stake in stakes.items():
            found.append(
                StandingWager(
                    player=player,
                    wager=area.wager,
                    pick=pick,
                    amount=format_cents(stake.amount),
                    tokens=_money_or_none(stake.tokens),
                    checks=_by_colour(stake.checks) if stake.checks else {},
                    on=view.asleep(wager, stake) is None if sleepers else None,
                )
            )
    return found


def printable_facts(facts: Mapping[str, Fact | None]) -> dict[str, Fact | None]:
    """Return the facts. Amounts are unbounded; a number with too many digits for JSON becomes text."""
    huge = {name: value for name, value in facts.items() if isinstance(value, int) and abs(value) >= _TOO_LONG_A_NUMBER}
    return {**facts, **{name: format_cents(value * 100)[:-3] for name, value in huge.items()}}


_TOO_LONG_A_NUMBER = 10**4000


def phase_values(view: TableView) -> dict[str, int | str | None]:
    """Return what the phases show: the puck's point, the Odds in a row."""
    return {
        phase.id: shown_value(phase.shows, view.state.phases[phase.id])
        for phase in view.game.book.rules.phases
        if phase.shows is not None
    }


# -- the sign -------------------------------------------------------------------------------------------------------


def stake_limits(limit: Limit) -> shown.StakeLimits:
    """Return a minimum and a maximum."""
    return shown.StakeLimits(min=_cents_or_none(limit.minimum), max=_cents_or_none(limit.maximum))


def selection_limits(settings: Settings) -> dict[str, shown.StakeLimits]:
    """Return the limits of everything the sign names."""
    named = {name: name.partition(" ") for name in settings.selections}
    return {
        name: stake_limits(limit_for(settings, kind, None, typed_pick(pick))) for name, (kind, _, pick) in named.items()
    }


def own_sign(sign: PlayerSign) -> shown.OwnSign:
    """Return a player's own sign: its general limits, and those for single wagers, if any."""
    wagers = {name: stake_limits(limit) for name, limit in sign.wagers.items()}
    return shown.OwnSign(min=_cents_or_none(sign.minimum), max=_cents_or_none(sign.maximum), limits=wagers)


def printed_sign(settings: Settings) -> shown.PrintedSign:
    """Return what the table's sign states besides the general limits."""
    return shown.PrintedSign(
        limits=selection_limits(settings),
        player_max=_cents_or_none(settings.player_maximum),
        unit=_cents_or_none(settings.unit),
        seats=settings.seats,
        dice="manual" if settings.manual_dice else None,
        late=True if settings.late_bets else None,
        player_limits={player: own_sign(own) for player, own in settings.player_limits.items()},
        without=list(settings.without),
        fixed_stakes={option: format_cents(amount) for option, amount in settings.fixed_stakes.items()},
    )


def _cents_or_none(cents: int | None) -> str | None:
    return None if cents is None else format_cents(cents)


def _money_or_none(cents: int) -> str | None:
    """Return an amount, or None for nothing."""
    return format_cents(cents) if cents else None


def _by_colour(checks: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Return amounts in checks without a face value, by colour."""
    return {colour: format_cents(cents) for colour, cents in checks}


def _copy(kind: type[Row], event: msgspec.Struct, **changed: object) -> Row:
    """Make a row from the fields of an event, with these values in place of its own."""
    return kind(**{name: changed[name] if name in changed else getattr(event, name) for name in kind.__struct_fields__})


def _row(kind: type[shown.EventView], **money: str) -> Callable[[TableView, Any], Rows]:
    """Return a function that copies an event into its public form, with amounts made from fields in cents."""

    def rows(view: TableView, event: msgspec.Struct) -> Rows:
        amounts = {name: format_cents(getattr(event, source)) for name, source in money.items()}
        return [_copy(kind, event, **amounts)]

    return rows


# -- people and chips -----------------------------------------------------------------------------------------------


def _opened(view: TableView, event: events.TableOpened) -> Rows:
    settings, limit = event.settings, event.settings.limit
    return [
        shown.TableOpened(
            book=event.terms.book,
            chip=format_cents(settings.chip),
            min=_cents_or_none(limit.minimum),
            max=_cents_or_none(limit.maximum),
            units="exact" if settings.exact_units else "any",
            pay_table=dict(event.terms.choices),
            readings=list(event.terms.readings),
            sign=printed_sign(settings),
            call=event.call,
        )
    ]


def _left(view: TableView, event: events.PlayerLeft) -> Rows:
    tokens = _money_or_none(event.tokens)
    return [_copy(shown.PlayerLeft, event, chips=format_cents(event.chips), tokens=tokens)]


# -- wagers ---------------------------------------------------------------------------------------------------------


def _placed(view: TableView, event: events.WagerPlaced) -> Rows:
    return [_changed(view, shown.WagerPlaced, event, event.checks)]


def _reduced(view: TableView, event: events.WagerReduced) -> Rows:
    return [_taken_off(view, event)]


def _taken_off(view: TableView, event: events.WagerReduced) -> shown.WagerReduced | shown.WagerRemoved:
    checks = [(colour, back) for colour, _, back in event.checks]
    if event.stake:
        return _changed(view, shown.WagerReduced, event, checks)
    return _changed(view, shown.WagerRemoved, event, checks)


def _changed(
    view: TableView,
    kind: type[Change],
    event: events.WagerPlaced | events.WagerReduced,
    checks: Iterable[tuple[str, int]],
) -> Change:
    return kind(
        player=event.player,
        wager=event.wager,
        pick=view.shown_pick(event.area),
        amount=format_cents(event.amount),
        stake=format_cents(event.stake),
        commission=format_cents(event.commission),
        tokens=_money_or_none(event.tokens),
        checks=_by_colour(checks),
        clause=event.clause,
    )


def _called(view: TableView, event: events.WagerCalled) -> Rows:
    return [_copy(shown.WagerCalled, event, pick=view.shown_pick(event.area))]


def _settled(view: TableView, event: events.AreaSettled) -> Rows:
    return list(_settlements(view, event))


def _settlements(view: TableView, event: events.AreaSettled) -> list[shown.WagerSettled]:
    pick = view.shown_pick(event.area)
    tokens = {player: (laid, back) for player, laid, back in event.tokens}
    checks: dict[str, list[tuple[str, int, int]]] = {}
    for player, colour, laid, back in event.checks:
        checks.setdefault(player, []).append((colour, laid, back))
    rows = []
    for player, stake, paid, returned in event.stakes:
        laid, back = tokens.get(player, (0, 0))
        in_checks = checks.get(player, ())
        rows.append(
            shown.WagerSettled(
                player=player,
                wager=event.wager,
                pick=pick,
                result=event.result,
                stake=format_cents(stake),
                paid=format_cents(paid),
                returned=format_cents(returned),
                tokens=_money_or_none(laid),
                tokens_returned=format_cents(back) if laid else None,
                checks=_by_colour((colour, there) for colour, there, _ in in_checks),
                checks_returned=_by_colour((colour, back) for colour, _, back in in_checks),
                clause=event.clause,
            )
        )
    return rows


def _moved(view: TableView, event: events.AreaMoved) -> Rows:
    pick, to = view.shown_pick(event.area), view.shown_pick(event.area._replace(state=event.to))
    return [
        shown.WagerMoved(player=player, wager=event.wager, pick=pick, to=to, state=event.to, clause=event.clause)
        for player in event.players
    ]


# -- throws ---------------------------------------------------------------------------------------------------------


def faces_field(view: TableView, faces: tuple[int | str, ...]) -> tuple[str, list[int | str] | str]:
    """Return the faces thrown, under the book's name for what is thrown."""
    return view.game.book.rules.throw.field, "".join(map(str, faces)) if isinstance(faces[0], str) else list(faces)


def _faces(view: TableView, faces: tuple[int | str, ...]) -> dict[str, Any]:
    """Return the fields of an event that show the faces."""
    field, value = faces_field(view, faces)
    return {field: value} if field in ("dice", "coins") else {"other": {field: value}}


def _thrown(view: TableView, event: events.Thrown) -> Rows:
    return [
        shown.Thrown(
            **_faces(view, event.faces),
            call=event.call,
            by=event.by,
            title=event.title,
            clause=event.clause,
            thrown_at=event.thrown_at,
            rested_at=event.rested_at,
        )
    ]


def _voided(view: TableView, event: events.ThrowVoided) -> Rows:
    return [_copy(shown.ThrowVoided, event, clause=event.reason)]


def _invalidated(view: TableView, event: events.OutcomeInvalidated) -> Rows:
    return [_copy(shown.OutcomeInvalidated, event, forfeit=list(event.forfeit))]


def _phase(view: TableView, event: events.PhaseMoved) -> Rows:
    value = shown_value(view.game.book.phases[event.phase].shows, event.now)
    return [_copy(shown.PhaseMoved, event, to=event.now, value=value)]


def _taken_back(view: TableView, event: events.ResultTakenBack) -> Rows:
    settled = [row for area in event.settled for row in _settlements(view, area)]
    undone = [*settled, *(_taken_off(view, reduced) for reduced in event.reduced)]
    return [shown.ResultTakenBack(**_faces(view, event.faces), undone=undone, clause=event.clause)]


def _resumed(view: TableView, event: events.PlayResumed) -> Rows:
    return [_copy(shown.PlayResumed, event, facts=printable_facts(event.facts))]


# -- people, the float and the rules ----------------------------------------------------------------------------------


def _nothing(view: TableView, event: events.TimeTold) -> Rows:
    """Return nothing: the caller gave the time and knows it."""
    return []


def _given(view: TableView, event: events.CommandGiven) -> Rows:
    return [_copy(shown.CommandGiven, event, role=event.by)]


def _act(view: TableView, event: events.ActDone) -> Rows:
    from croupier.rules.conduct import KINDS  # already loaded if anyone has acted

    said = {
        name: format_cents(value) if KINDS.get(name) == "money" and isinstance(value, int) else value
        for name, value in event.said.items()
    }
    return [_copy(shown.ActDone, event, role=event.by, said=said)]


def _noted(view: TableView, event: events.Noted) -> Rows:
    return [_copy(shown.Noted, event, facts=printable_facts(event.facts))]


def _sign_changed(view: TableView, event: events.SignChanged) -> Rows:
    limits, sign = stake_limits(event.settings.limit), printed_sign(event.settings)
    return [shown.SignChanged(min=limits.min, max=limits.max, sign=sign, clause=event.clause)]


def _corrected(view: TableView, event: events.PaymentCorrected) -> Rows:
    way = "paid" if event.cents >= 0 else "taken back"
    return [_copy(shown.PaymentCorrected, event, way=way, amount=format_cents(abs(event.cents)))]


def _float_moved(view: TableView, event: events.FloatMoved) -> Rows:
    way = "fill" if event.cents >= 0 else "credit"
    return [_copy(shown.FloatMoved, event, way=way, amount=format_cents(abs(event.cents)))]


def _mispayments(view: TableView, event: events.MispaymentsReported) -> Rows:
    cases = [
        _copy(shown.ReportedMispayment, case, player=case.patron, amount=format_cents(case.cents))
        for case in event.cases
    ]
    return [_copy(shown.MispaymentsReported, event, cases=cases)]


def _adopted(view: TableView, event: events.RulesAdopted) -> Rows:
    pay_table = dict(event.terms.choices)
    return [shown.RulesAdopted(book=event.terms.book, pay_table=pay_table, clause=event.clause)]


_ROWS: dict[type, Callable[[TableView, Any], Rows]] = {
    events.TableOpened: _opened,
    events.PlayerSeated: _row(shown.PlayerSeated, chips="chips"),
    events.ChipsBought: _row(shown.ChipsBought, chips="chips"),
    events.ChecksRedeemed: _row(shown.ChecksRedeemed, amount="cents"),
    events.TokensIssued: _row(shown.TokensIssued, tokens="tokens"),
    events.PlayerLeft: _left,
    events.WagerPlaced: _placed,
    events.WagerReduced: _reduced,
    events.WagerFound: _row(shown.WagerFound, amount="amount"),
    events.WagerCalled: _called,
    events.BetsClosed: _row(shown.BetsClosed),
    events.BetsOpened: _row(shown.BetsOpened),
    events.Thrown: _thrown,
    events.AreaSettled: _settled,
    events.AreaMoved: _moved,
    events.PhaseMoved: _phase,
    events.TurnPassed: _row(shown.TurnPassed),
    events.TurnOpened: _row(shown.TurnOpened),
    events.HouseThrowsOn: _row(shown.HouseThrowsOn),
    events.ThrowVoided: _voided,
    events.OutcomeInvalidated: _invalidated,
    events.ResultTakenBack: _taken_back,
    events.PlayResumed: _resumed,
    events.DebtIncurred: _row(shown.DebtIncurred, amount="cents"),
    events.DebtPaid: _row(shown.DebtPaid, amount="cents"),
    events.CommandGiven: _given,
    events.TimeTold: _nothing,
    events.ActDone: _act,
    events.Noted: _noted,
    events.SignChanged: _sign_changed,
    events.TableReopened: _row(shown.TableReopened),
    events.PaymentCorrected: _corrected,
    events.FloatMoved: _float_moved,
    events.FloatCounted: _row(shown.FloatCounted, amount="cents", difference="difference"),
    events.RulesShown: _row(shown.RulesShown),
    events.MispaymentsReported: _mispayments,
    events.RulesAdopted: _adopted,
}
