"""Events and standing wagers as plain values, per wager and player, with money as text.

The protocol prints them, scenarios compare with them, and the terminal game shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from croupier.money import format_cents
from croupier.rules.book import shown_value
from croupier.rules.machine import typed_pick
from croupier.rules.schema import Fact
from croupier.table import events
from croupier.table.commands import Limit, PlayerSign, Settings
from croupier.table.placing import limit_for
from croupier.table.view import TableView

Told = dict[str, object]


def tell(view: TableView, event: events.AnyEvent) -> list[Told]:
    """Return one event in plain values; an event about several players gives one entry for each."""
    return _TELL[type(event)](view, event)


def tell_wagers(view: TableView) -> list[Told]:
    """Return every standing wager. `on` says whether it acts on the next throw, if the book has wagers that sleep."""
    told: list[Told] = []
    sleepers = view.game.book.call_clause is not None
    for area, stakes in view.state.layout.items():
        wager, pick = view.wager_of(area), view.shown_pick(area)
        for player, stake in stakes.items():
            row: Told = {"player": player, "wager": area.wager, "pick": pick, "amount": format_cents(stake.amount)}
            row |= _in_tokens(stake.tokens) | _in_checks(stake.checks)
            if sleepers:
                row["on"] = view.asleep(wager, stake) is None
            told.append(row)
    return told


def tell_facts(facts: Mapping[str, Fact | None]) -> Told:
    """Return the facts. Amounts are unbounded; a number with too many digits for JSON becomes text."""
    huge = {name: value for name, value in facts.items() if isinstance(value, int) and abs(value) >= _TOLD_AS_TEXT}
    return {**facts, **{name: format_cents(value * 100)[:-3] for name, value in huge.items()}}


_TOLD_AS_TEXT = 10**4000


def tell_phases(view: TableView) -> Told:
    """Return what the phases show: the puck's point, the Odds in a row."""
    return {
        phase.id: shown_value(phase.shows, view.state.phases[phase.id])
        for phase in view.game.book.rules.phases
        if phase.shows is not None
    }


def _named(view: TableView, event: events.WagerPlaced | events.WagerReduced | events.WagerCalled) -> Told:
    return {"player": event.player, "wager": event.wager, "pick": view.shown_pick(event.area)}


def _opened(view: TableView, event: events.TableOpened) -> list[Told]:
    settings = event.settings
    told: Told = {"type": "table_opened", "book": event.terms.book, "chip": format_cents(settings.chip)}
    told |= tell_limit(settings.limit)
    told["units"] = "exact" if settings.exact_units else "any"
    if event.terms.choices:
        told["pay_table"] = dict(event.terms.choices)
    if event.terms.readings:
        told["readings"] = list(event.terms.readings)
    told |= tell_sign(settings)
    if event.call is not None:
        told["call"] = event.call
    return [told]


def tell_limit(limit: Limit) -> Told:
    """Return a minimum and a maximum."""
    return {
        "min": None if limit.minimum is None else format_cents(limit.minimum),
        "max": None if limit.maximum is None else format_cents(limit.maximum),
    }


def tell_limits(settings: Settings) -> Told:
    """Return the limits of everything the sign names."""
    named = {name: name.partition(" ") for name in settings.selections}
    return {
        name: tell_limit(limit_for(settings, kind, None, typed_pick(pick))) for name, (kind, _, pick) in named.items()
    }


def tell_own_sign(sign: PlayerSign) -> Told:
    """Return a player's own sign: its general limits, and those for single wagers, if any."""
    wagers = {name: tell_limit(limit) for name, limit in sign.wagers.items()}
    return {**tell_limit(sign), **({"limits": wagers} if wagers else {})}


def tell_sign(settings: Settings) -> Told:
    """Return what the table's sign states besides the general limits."""
    sign: Told = {}
    if settings.selections:
        sign["limits"] = tell_limits(settings)
    if settings.player_maximum is not None:
        sign["player_max"] = format_cents(settings.player_maximum)
    if settings.unit is not None:
        sign["unit"] = format_cents(settings.unit)
    if settings.seats is not None:
        sign["seats"] = settings.seats
    if settings.manual_dice:
        sign["dice"] = "manual"
    if settings.late_bets:
        sign["late"] = True
    if settings.player_limits:
        sign["player_limits"] = {player: tell_own_sign(own) for player, own in settings.player_limits.items()}
    if settings.without:
        sign["without"] = list(settings.without)
    return sign | {option: format_cents(amount) for option, amount in settings.fixed_stakes.items()}


def _seated(view: TableView, event: events.PlayerSeated) -> list[Told]:
    told = {"player": event.player, "chips": format_cents(event.chips), "card": event.card}
    named = {"area": event.area, "place": event.place}
    return [{"type": "player_seated", **told, **{word: value for word, value in named.items() if value is not None}}]


def _bought(view: TableView, event: events.ChipsBought) -> list[Told]:
    told: Told = {"type": "chips_bought", "player": event.player, "chips": format_cents(event.chips)}
    more = {"means": event.means, "checks": event.checks}
    return [told | {name: value for name, value in more.items() if value is not None}]


def _redeemed(view: TableView, event: events.ChecksRedeemed) -> list[Told]:
    told: Told = {"player": event.player, "checks": event.checks, "amount": format_cents(event.cents)}
    place: Told = {} if event.place is None else {"place": event.place}
    return [{"type": "checks_redeemed", **told, **place, "clause": event.clause}]


def _issued(view: TableView, event: events.TokensIssued) -> list[Told]:
    told: Told = {"player": event.player, "tokens": format_cents(event.tokens), "conditions": event.conditions}
    return [{"type": "tokens_issued", **told, "clause": event.clause}]


def _in_tokens(cents: int) -> Told:
    """Return the part of an amount in promotional tokens, if any."""
    return {"tokens": format_cents(cents)} if cents else {}


def _in_checks(checks: Iterable[tuple[str, int]], name: str = "checks") -> Told:
    """Return the part of an amount in checks without a face value, by colour, if any."""
    told = {colour: format_cents(cents) for colour, cents in checks}
    return {name: told} if told else {}


def _placed(view: TableView, event: events.WagerPlaced) -> list[Told]:
    money = {"amount": event.amount, "stake": event.stake, "commission": event.commission}
    told = {**_named(view, event), **_texts(money), **_in_tokens(event.tokens), **_in_checks(event.checks)}
    return [{"type": "wager_placed", **told, "clause": event.clause}]


def _reduced(view: TableView, event: events.WagerReduced) -> list[Told]:
    money = {"amount": event.amount, "stake": event.stake, "commission": event.commission}
    name = "wager_reduced" if event.stake else "wager_removed"
    checks = _in_checks((colour, back) for colour, _, back in event.checks)
    told = {**_named(view, event), **_texts(money), **_in_tokens(event.tokens), **checks}
    return [{"type": name, **told, "clause": event.clause}]


def _found(view: TableView, event: events.WagerFound) -> list[Told]:
    told = {"player": event.player, "wager": event.wager, "pick": event.pick, "amount": format_cents(event.amount)}
    return [{"type": "wager_found", **told, "clause": event.clause}]


def _called(view: TableView, event: events.WagerCalled) -> list[Told]:
    return [{"type": "wager_called", **_named(view, event), "on": event.on, "clause": event.clause}]


def _betting(view: TableView, event: events.BetsClosed | events.BetsOpened) -> list[Told]:
    name = "bets_closed" if isinstance(event, events.BetsClosed) else "bets_opened"
    return [{"type": name, "call": event.call, "clause": event.clause}]


def tell_faces(view: TableView, faces: tuple[int | str, ...]) -> tuple[str, object]:
    """Return the faces thrown, under the book's name for what is thrown."""
    shown = "".join(map(str, faces)) if isinstance(faces[0], str) else list(faces)
    return view.game.book.rules.throw.field, shown


def _thrown(view: TableView, event: events.Thrown) -> list[Told]:
    field, faces = tell_faces(view, event.faces)
    return [
        {
            "type": "thrown",
            field: faces,
            "call": event.call,
            "by": event.by,
            "title": event.title,
            "clause": event.clause,
            **_moments(event),
        }
    ]


def _moments(event: events.Thrown | events.ThrowVoided | events.OutcomeInvalidated) -> Told:
    """Return when it was thrown and came to rest, if known."""
    known = {"thrown_at": event.thrown_at, "rested_at": event.rested_at}
    return {name: at for name, at in known.items() if at is not None}


def _settled(view: TableView, event: events.AreaSettled) -> list[Told]:
    pick = view.shown_pick(event.area)
    tokens = {player: (laid, back) for player, laid, back in event.tokens}
    checks: dict[str, list[tuple[str, int, int]]] = {}
    for player, colour, laid, back in event.checks:
        checks.setdefault(player, []).append((colour, laid, back))
    return [
        {
            "type": "wager_settled",
            "player": player,
            "wager": event.wager,
            "pick": pick,
            "result": event.result,
            "stake": format_cents(stake),
            "paid": format_cents(paid),
            "returned": format_cents(returned),
            **_settled_tokens(*tokens.get(player, (0, 0))),
            **_settled_checks(checks.get(player, ())),
            "clause": event.clause,
        }
        for player, stake, paid, returned in event.stakes
    ]


def _settled_tokens(laid: int, back: int) -> Told:
    return {"tokens": format_cents(laid), "tokens_returned": format_cents(back)} if laid else {}


def _settled_checks(rows: Iterable[tuple[str, int, int]]) -> Told:
    rows = tuple(rows)
    laid = _in_checks((colour, there) for colour, there, _ in rows)
    return laid | _in_checks(((colour, back) for colour, _, back in rows), "checks_returned")


def _moved(view: TableView, event: events.AreaMoved) -> list[Told]:
    pick, to = view.shown_pick(event.area), view.shown_pick(event.area._replace(state=event.to))
    return [
        {
            "type": "wager_moved",
            "player": player,
            "wager": event.wager,
            "pick": pick,
            "to": to,
            "state": event.to,
            "clause": event.clause,
        }
        for player in event.players
    ]


def _phase(view: TableView, event: events.PhaseMoved) -> list[Told]:
    shows = view.game.book.phases[event.phase].shows
    told: Told = {"type": "phase_moved", "phase": event.phase, "from": event.before, "to": event.now}
    return [{**told, "value": shown_value(shows, event.now), "clause": event.clause}]


def _passed(view: TableView, event: events.TurnPassed) -> list[Told]:
    return [{"type": "turn_passed", "player": event.player, "clause": event.clause}]


def _turn_opened(view: TableView, event: events.TurnOpened) -> list[Told]:
    return [{"type": "turn_opened", "clause": event.clause}]


def _house(view: TableView, event: events.HouseThrowsOn) -> list[Told]:
    return [{"type": "house_throws_on", "player": event.player, "wager": event.wager, "clause": event.clause}]


def _voided(view: TableView, event: events.ThrowVoided) -> list[Told]:
    told: Told = {"type": "throw_voided", "call": event.call, "by": event.by, "title": event.title}
    return [{**told, "clause": event.reason, **_moments(event)}]


def _invalidated(view: TableView, event: events.OutcomeInvalidated) -> list[Told]:
    told: Told = {"type": "outcome_invalidated", "reason": event.reason}
    if event.forfeit:
        told["forfeit"] = list(event.forfeit)
    return [{**told, "clause": event.clause, **_moments(event)}]


def _taken_back(view: TableView, event: events.ResultTakenBack) -> list[Told]:
    field, faces = tell_faces(view, event.faces)
    undone = [row for settled in event.settled for row in _settled(view, settled)]
    undone += [row for reduced in event.reduced for row in _reduced(view, reduced)]
    return [{"type": "result_taken_back", field: faces, "undone": undone, "clause": event.clause}]


def _resumed(view: TableView, event: events.PlayResumed) -> list[Told]:
    told: Told = {"type": "play_resumed", "bets_open": event.bets_open, "facts": tell_facts(event.facts)}
    return [{**told, "clause": event.clause}]


def _debt_incurred(view: TableView, event: events.DebtIncurred) -> list[Told]:
    told = {"player": event.player, "amount": format_cents(event.cents), "clause": event.clause}
    return [{"type": "debt_incurred", **told}]


def _debt_paid(view: TableView, event: events.DebtPaid) -> list[Told]:
    told = {"player": event.player, "amount": format_cents(event.cents), "clause": event.clause}
    return [{"type": "debt_paid", **told}]


def _left(view: TableView, event: events.PlayerLeft) -> list[Told]:
    told = {"player": event.player, "chips": format_cents(event.chips), **_in_tokens(event.tokens)}
    return [{"type": "player_left", **told, "clause": event.clause}]


def _untold(view: TableView, event: events.TimeTold) -> list[Told]:
    """Return nothing: the caller gave the time and knows it."""
    return []


def _given(view: TableView, event: events.CommandGiven) -> list[Told]:
    return [{"type": "command_given", "do": event.command, "as": event.by, "who": event.who, "at": event.at}]


def _act(view: TableView, event: events.ActDone) -> list[Told]:
    from croupier.rules.conduct import KINDS  # already loaded if anyone has acted

    told: Told = {"type": "act_done", "act": event.act, "as": event.by, "who": event.who, "at": event.at}
    for name, value in event.said.items():
        told[name] = format_cents(value) if KINDS.get(name) == "money" and isinstance(value, int) else value
    return [{**told, "call": event.call, "clause": event.clause}]


def _noted(view: TableView, event: events.Noted) -> list[Told]:
    return [{"type": "noted", "facts": tell_facts(event.facts), "clause": event.clause}]


def _sign_changed(view: TableView, event: events.SignChanged) -> list[Told]:
    settings = event.settings
    told: Told = {"type": "sign_changed", **tell_limit(settings.limit), **tell_sign(settings)}
    return [{**told, "clause": event.clause}]


def _reopened(view: TableView, event: events.TableReopened) -> list[Told]:
    return [{"type": "table_reopened", "call": event.call, "clause": event.clause}]


def _corrected(view: TableView, event: events.PaymentCorrected) -> list[Told]:
    way = "paid" if event.cents >= 0 else "taken back"
    told = {"player": event.player, "way": way, "amount": format_cents(abs(event.cents))}
    return [{"type": "payment_corrected", **told, "clause": event.clause}]


def _float_moved(view: TableView, event: events.FloatMoved) -> list[Told]:
    way = "fill" if event.cents >= 0 else "credit"
    return [{"type": "float_moved", "way": way, "amount": format_cents(abs(event.cents)), "clause": event.clause}]


def _float_counted(view: TableView, event: events.FloatCounted) -> list[Told]:
    money = {"amount": event.cents, "difference": event.difference}
    return [{"type": "float_counted", "when": event.when, **_texts(money), "clause": event.clause}]


def _rules_shown(view: TableView, event: events.RulesShown) -> list[Told]:
    told: Told = {"title": event.title, "sha256": event.sha256, "document": event.document, "copy": event.copy}
    return [{"type": "rules_shown", **told, "clause": event.clause}]


def _mispayments(view: TableView, event: events.MispaymentsReported) -> list[Told]:
    cases = [_mispayment(case) for case in event.cases]
    return [{"type": "mispayments_reported", "month": event.month, "cases": cases, "clause": event.clause}]


def _mispayment(case: events.Mispayment) -> Told:
    told: Told = {"case": case.case, "player": case.patron, "way": case.way, "amount": format_cents(case.cents)}
    return {**told, "finding": case.finding, "standing": case.standing, "no_credit": case.no_credit}


def _adopted(view: TableView, event: events.RulesAdopted) -> list[Told]:
    told: Told = {"type": "rules_adopted", "book": event.terms.book, "pay_table": dict(event.terms.choices)}
    return [{**told, "clause": event.clause}]


def _texts(money: dict[str, int]) -> Told:
    return {name: format_cents(cents) for name, cents in money.items()}


_TELL: dict[type, Callable[[TableView, Any], list[Told]]] = {
    events.TableOpened: _opened,
    events.PlayerSeated: _seated,
    events.ChipsBought: _bought,
    events.ChecksRedeemed: _redeemed,
    events.TokensIssued: _issued,
    events.PlayerLeft: _left,
    events.WagerPlaced: _placed,
    events.WagerReduced: _reduced,
    events.WagerFound: _found,
    events.WagerCalled: _called,
    events.BetsClosed: _betting,
    events.BetsOpened: _betting,
    events.Thrown: _thrown,
    events.AreaSettled: _settled,
    events.AreaMoved: _moved,
    events.PhaseMoved: _phase,
    events.TurnPassed: _passed,
    events.TurnOpened: _turn_opened,
    events.HouseThrowsOn: _house,
    events.ThrowVoided: _voided,
    events.OutcomeInvalidated: _invalidated,
    events.ResultTakenBack: _taken_back,
    events.PlayResumed: _resumed,
    events.DebtIncurred: _debt_incurred,
    events.DebtPaid: _debt_paid,
    events.CommandGiven: _given,
    events.TimeTold: _untold,
    events.ActDone: _act,
    events.Noted: _noted,
    events.SignChanged: _sign_changed,
    events.TableReopened: _reopened,
    events.PaymentCorrected: _corrected,
    events.FloatMoved: _float_moved,
    events.FloatCounted: _float_counted,
    events.RulesShown: _rules_shown,
    events.MispaymentsReported: _mispayments,
    events.RulesAdopted: _adopted,
}
