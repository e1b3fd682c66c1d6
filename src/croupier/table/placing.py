"""Make wagers and add to them. The checks are independent, in the order in which a dealer would object."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from math import lcm

from croupier.money import commission_cents, format_cents, round_down_to_chip
from croupier.rules import offers, schema
from croupier.rules.book import find_pick, holds
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick, show_pick, typed_pick
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.checks_and_tokens import chosen, not_in_hand
from croupier.table.clock import local_day
from croupier.table.refusals import Refusal, refused, unknown_player
from croupier.table.state import Area, Checks, Stake, State, TableView
from croupier.table.thrower import holder
from croupier.table.waiting import late_laid


class Bet:
    """A wager about to be made: what is requested, what stands already, where it would begin."""

    def __init__(
        self, view: TableView, player: str, wager: schema.Wager, pick: Pick, amount: int, area: Area | None = None
    ) -> None:
        self.view = view
        self.state: State = view.state
        self.settings = view.state.settings
        self.game: Game = view.game
        self.limits = view.game.book.rules.limits
        self.player = player
        self.wager = wager
        self.pick = pick
        self.amount = amount
        self.tokens = 0
        self.checks: Checks = chosen(view.state, player, None, amount) if view.state.checks else ()
        self.start = offers.start_state(wager, pick, view.state.phases)
        self.area = area or self._area()
        self.standing = self.state.layout.get(self.area, {}).get(player, Stake(0))
        self.stake = self.standing.amount + amount

    def _area(self) -> Area:
        """Return the area for the chips: that of the standing wager, or a new one under the present terms."""
        fresh = Area(self.wager.id, self.pick, self.start, self.state.terms_now)
        if not self.wager.can_move:
            return self.view.find(self.player, self.wager.id, self.pick) or fresh
        return next(
            (
                area
                for area, stakes in self.state.layout.items()
                if area.wager == self.wager.id and area.state == self.start and self.player in stakes
            ),
            fresh,
        )

    @property
    def commission(self) -> int:
        """The commission due now: on the whole stake, less what is already paid (readings CR-8, CR-24)."""
        rate = offers.commission_rate(self.game, self.wager, self.pick, self.area.state)
        return max(0, commission_cents(self.stake, rate) - self.standing.commission)


@acts_on("wager.clause")
def place_wager(shelf: Shelf, state: State, command: commands.PlaceWager) -> tuple[events.AnyEvent, ...] | Refusal:
    """Make a wager, or add to one that stands."""
    bet = read_bet(TableView(shelf, state), command)
    if isinstance(bet, Refusal):
        return bet
    bet.tokens = command.tokens
    if command.checks is not None or state.checks:
        bet.checks = chosen(state, command.player, command.checks, command.amount - command.tokens)
    refusal = check_card(bet, command.at) or first_refusal(bet, BET_CHECKS)
    if refusal is not None:
        return refusal
    late = late_laid(bet.view, bet.player, bet.area, bet.amount) if bet.view.state.in_the_air else ()
    return (placed(bet), *late)


def read_bet(view: TableView, command: commands.PlaceWager | commands.FindWager) -> Bet | Refusal:
    """Parse player, wager, pick and amount, and refuse what is wrong before any rule applies."""
    if command.player not in view.state.chips:
        return unknown_player(command.player)
    wager = view.game.book.wagers.get(command.wager)
    if wager is None:
        return unknown_wager(view, command.wager)
    pick = read_pick(view.game, wager, command.pick)
    if isinstance(pick, Refusal):
        return pick
    if command.amount <= 0:
        return Refusal("amount_not_positive", "Bet more than 0.00.", view.game.book.rules.limits.chips)
    return Bet(view, command.player, wager, pick, command.amount)


def placed(bet: Bet) -> events.WagerPlaced:
    """Return the event of an accepted bet."""
    area = bet.area
    return events.WagerPlaced(
        player=bet.player,
        wager=area.wager,
        pick=area.pick,
        state=area.state,
        terms=area.terms,
        amount=bet.amount,
        stake=bet.stake,
        commission=bet.commission,
        clause=bet.wager.clause,
        tokens=bet.tokens,
        checks=bet.checks,
    )


def first_refusal(bet: Bet, checks: tuple[Callable[[Bet], Refusal | None], ...]) -> Refusal | None:
    """Return the first objection, if any."""
    for check in checks:
        refusal = check(bet)
        if refusal is not None:
            return refusal
    return None


def objection(view: TableView, player: str, wager: schema.Wager, pick: Pick) -> Refusal | None:
    """Return why a player can bet nothing here now, apart from the amount, the chips in hand and closed bets."""
    bet = Bet(view, player, wager, pick, offers.smallest_stake(wager, view.state.settings))
    return first_refusal(bet, (check_offered, check_sole, check_moment, check_adds_up, check_flat))


def unknown_wager(view: TableView, wager_id: str) -> Refusal:
    """Return the refusal of a wager that is not in the book."""
    return Refusal("unknown_wager", f"The book has no wager called {wager_id}.", view.game.book.rules.limits.wagers)


def read_pick(game: Game, wager: schema.Wager, raw: object) -> Pick | Refusal:
    """Return the pick as the book writes it, or a refusal."""
    try:
        return find_pick(game.book, wager, raw)
    except Impossible as error:
        return refused(error)


@acts_on("rules.card")
def check_card(bet: Bet, at: datetime | None) -> Refusal | None:
    """Require a valid personal card, from the date the book states."""
    card = bet.game.book.rules.card
    if card is None or _has_card(bet.state, bet.player):
        return None
    if at is not None and local_day(at, bet.game.book.rules.book.timezone) < card.since:
        return None
    return Refusal("no_player_card", f"{bet.player} has no valid Player Card.", card.clause)


def _has_card(state: State, player: str) -> bool:
    """Whether the player has a card; what staff have seen at the table overrides what was known at seating (CR-29)."""
    seen = state.facts.get(f"card {player}")
    return player not in state.without_card if seen is None else seen == "own"


@acts_on("wager.optional")
def check_offered(bet: Bet) -> Refusal | None:
    """Refuse an optional wager that is switched off at this table."""
    if bet.wager.id in bet.settings.without:
        return Refusal("wager_not_offered", f"{bet.wager.name} is not offered at this table.", bet.wager.optional)
    return None


def check_bets_open(bet: Bet) -> Refusal | None:
    """Refuse a wager once the bets are closed."""
    return bets_closed(bet.view) if not bet.state.bets_open else None


def bets_closed(view: TableView) -> Refusal:
    """Return the refusal of anything that needs open bets."""
    betting = view.game.book.rules.betting
    return Refusal(
        "bets_closed", "The bets are closed until the result is settled.", betting.clause if betting else None
    )


@acts_on("wager.place")
def check_moment(bet: Bet) -> Refusal | None:
    """Check that the phase of the table allows the wager."""
    for condition in bet.wager.place:
        if not holds(condition, bet.view.state_for(condition, bet.pick, bet.area.state)):
            return Refusal(condition.code, condition.say, condition.clause)
    return None


@acts_on("wager.sole")
def check_sole(bet: Bet) -> Refusal | None:
    """Check a wager that one player holds, on one declared pick, and whose loser lets others go first."""
    sole = bet.wager.sole
    if sole is None:
        return None
    title = bet.game.book.rules.thrower.title if bet.game.book.rules.thrower else "thrower"
    if bet.settings.manual_dice and holder(bet.view) != bet.player:
        return Refusal("not_the_shooter", f"Only the {title} can make this wager.", sole.clause)
    for area, stakes in bet.state.layout.items():
        if area.wager != bet.wager.id:
            continue
        if bet.player not in stakes:
            return Refusal("held_by_another", f"Another player is the {title} now.", sole.clause)
        if area.pick != bet.pick:
            return Refusal("declared_already", f"{bet.player} has already declared {area.pick}.", sole.declared_clause)
    waits = bet.state.passed and bet.state.turn_after == bet.player and not bet.standing.amount
    if waits and len(bet.state.seats) > 1:
        return Refusal(
            "turn_passed",
            f"The turn has passed on; {bet.player} has to wait until another player has had a turn.",
            sole.turn_clause,
        )
    return None


def check_adds_up(bet: Bet) -> Refusal | None:
    """Let chips join a standing wager only if a new one would begin in the same state and terms."""
    if not bet.standing.amount:
        return None
    if not bet.wager.adds_up:
        return Refusal("one_wager_only", f"{bet.player} already has this wager.", bet.wager.one_amount_clause)
    return locked(bet) if bet.area.state != bet.start or bet.area.terms != bet.state.terms_now else None


def locked(bet: Bet) -> Refusal:
    """Return the refusal of more chips on a wager that takes none until it is decided (readings CR-3, TU-3, X-17)."""
    if bet.area.state == bet.start and bet.area.terms != bet.state.terms_now:
        say = f"{bet.wager.name} was made under other rules or odds, so you cannot add to it until it is decided."
        return Refusal("wager_locked", say, bet.game.book.rules.pay_table.change_clause)
    say = f"You cannot add to {bet.wager.name} until it is decided."
    return Refusal("wager_locked", say, bet.wager.growing_clause)


@acts_on("wager.behind")
def check_flat(bet: Bet) -> Refusal | None:
    """Check that a Behind wager has its flat wager and is within its limit."""
    if bet.wager.stands_alone:
        return None
    flat = bet.view.flat_area(bet.player, bet.wager, bet.area.state)
    if flat is None:
        return refused(offers.flat_missing(bet.game, bet.wager, " with its point"))
    flat_cents = bet.state.layout[flat][bet.player].amount
    most = offers.behind_limit(bet.game, bet.wager, bet.pick, bet.area.state, flat_cents, bet.settings.chip)
    if bet.stake > most:
        name = bet.game.wager(flat.wager).name
        say = f"The most behind a {name} wager of {format_cents(flat_cents)} is {format_cents(most)}."
        return Refusal("stake_above_behind_limit", say, bet.wager.limit_clause)
    return None


def check_chips_multiple(bet: Bet) -> Refusal | None:
    """Check that the stake is in whole chips, and in the wager's multiple and units."""
    return check_multiple(bet.view, bet.area, bet.amount, bet.stake)


@acts_on("wager.multiple")
def check_multiple(view: TableView, area: Area, amount: int, stake: int) -> Refusal | None:
    """Check that the amount moved is in chips and the resulting stake in the units of the wager."""
    game, wager = view.game_of(area), view.wager_of(area)
    settings, limits = view.state.settings, game.book.rules.limits
    try:
        offers.check_laid(limits, wager, amount, stake, settings.chip)
    except Impossible as error:
        return refused(error)
    if wager.has_one_amount:
        return None
    if settings.exact_units:
        unit_cents = offers.exact_unit(game, wager, area.pick, area.state) * settings.chip
        if stake % unit_cents:
            say = f"At this table {wager.name} takes multiples of {format_cents(unit_cents)}."
            return Refusal("amount_not_in_units", say, limits.unit)
    above_minimum = stake > (settings.limit.minimum or 0)
    if settings.unit is not None and above_minimum and stake % settings.unit:
        say = f"Above the minimum, stakes are multiples of {format_cents(settings.unit)}."
        return Refusal("amount_not_in_units", say, limits.unit)
    return None


@acts_on("wager.fixed_stake", "rules.limits")
def check_limits(bet: Bet) -> Refusal | None:
    """Check the sign's limits for the whole wager, the earlier bet included; a fixed stake is its own limit."""
    due = offers.one_amount(bet.wager, bet.settings)
    if due is not None:
        if bet.amount == due:
            return None
        say = f"{bet.wager.name} takes exactly {format_cents(due)}."
        return Refusal("stake_not_the_fixed_amount", say, bet.wager.one_amount_clause)
    try:
        offers.check_limits(bet.limits, bet.stake, limit_of(bet).minimum, maximum_for(bet))
    except Impossible as error:
        own = bet.limits.player_sign if has_own_sign(bet) else None
        return Refusal(error.code, error.sentence, own or error.clause)
    return None


def maximum_for(bet: Bet) -> int | None:
    """Return the most that may stand here: the sign's maximum, or what the player's total leaves (CR-21, SB-18)."""
    own, total = limit_of(bet).maximum, bet.settings.player_maximum
    if total is None or has_own_sign(bet):  # a player's own sign replaces all other limits
        return own
    others = sum(
        stakes[bet.player].amount
        for area, stakes in bet.state.layout.items()
        if bet.player in stakes and area != bet.area and not bet.view.wager_of(area).has_one_amount
    )
    left = max(0, total - others)
    return left if own is None else min(own, left)


def has_own_sign(bet: Bet) -> bool:
    """Whether the player's own sign limits this wager."""
    return own_limit(bet.settings, bet.wager.id, bet.player, bet.pick) is not None


def in_units(view: TableView, area: Area, cents: int) -> int:
    """Return the largest stake in the units of the wager that is not above an amount (reading X-16)."""
    wager, settings = view.wager_of(area), view.state.settings
    chips = offers.unit_chips(view.game_of(area), wager, area.pick, area.state, settings.exact_units)
    plain, unit = chips * settings.chip, settings.unit
    if unit is None or wager.has_one_amount:
        return round_down_to_chip(cents, plain)
    up_to_minimum = min(cents, settings.limit.minimum or 0)  # the sign's unit applies only above the minimum
    return max(round_down_to_chip(cents, lcm(plain, unit)), round_down_to_chip(up_to_minimum, plain))


def limit_of(bet: Bet) -> commands.Limit:
    """Return the limits for the bet."""
    return limit_for(bet.settings, bet.wager.id, bet.player, bet.pick)


def limit_for(settings: commands.Settings, wager_id: str, player: str | None, pick: Pick) -> commands.Limit:
    """Return the limits for a wager: from the player's own sign, or from the table's (CR-21, X-54)."""
    own = own_limit(settings, wager_id, player, pick)
    if own is not None or not (settings.wager_limits or settings.single_limits):
        return own or settings.limit
    limit = settings.limit
    for name in (wager_id, selection_name(wager_id, pick)):  # the narrowest last
        limit = settings.wager_limits.get(name, limit)
        single = settings.single_limits.get(name)
        if single is not None:
            minimum = limit.minimum if single.minimum is None else single.minimum
            limit = commands.Limit(minimum, limit.maximum if single.maximum is None else single.maximum)
    return limit


def own_limit(settings: commands.Settings, wager_id: str, player: str | None, pick: Pick) -> commands.Limit | None:
    """Return what a player's own sign states for a wager: for this selection, its kind, or everything."""
    sign = settings.player_limits.get(player) if player is not None else None
    if sign is None:
        return None
    for name in (selection_name(wager_id, pick), wager_id):
        if name in sign.wagers:
            return sign.wagers[name]
    return sign if sign.is_for_all else None


def selection_name(wager_id: str, pick: Pick) -> str:
    """Return the sign's name for a wager with its pick, such as `hardway 4`; without a pick, the whole kind."""
    return wager_id if pick is None else f"{wager_id} {show_pick(pick)}"


def selection_meant(text: str) -> str:
    """Return the sign's name for a selection as people write it: the numbers of a set may be in any order."""
    wager_id, _, pick = text.partition(" ")
    return selection_name(wager_id, typed_pick(pick))


def check_chips(bet: Bet) -> Refusal | None:
    """Check that stake and commission are in hand; tokens and checks need no value chips."""
    if bet.checks:
        refusal = not_in_hand(bet.state, bet.player, bet.checks, bet.limits.chips)
        if refusal is not None:
            return refusal
    in_checks = sum(cents for _, cents in bet.checks)
    laid, in_hand = bet.amount - bet.tokens - in_checks, bet.state.in_value_chips(bet.player)
    due = laid + bet.commission
    if due <= in_hand:
        return None
    kind = "value chips" if bet.state.checks.get(bet.player) else "chips"
    takes = f"{format_cents(due)} with its commission" if bet.commission else format_cents(due)
    clause = bet.wager.commission_clause if laid <= in_hand else bet.limits.chips
    return Refusal(
        "not_enough_chips", f"{bet.player} has {format_cents(in_hand)} in {kind}, but this takes {takes}.", clause
    )


def check_tokens(bet: Bet) -> Refusal | None:
    """Check tokens: in hand, at most the wager, and in its units, since a token cannot lie on part of a wager."""
    if not bet.tokens:
        return None
    in_hand = bet.state.tokens.get(bet.player, 0)
    if not 0 <= bet.tokens <= bet.amount:
        say = f"A bet of {format_cents(bet.amount)} cannot include {format_cents(bet.tokens)} in tokens."
        return Refusal("tokens_above_amount", say, bet.limits.chips)
    if bet.tokens > in_hand:
        say = f"{bet.player} has {format_cents(in_hand)} in tokens, but this takes {format_cents(bet.tokens)}."
        return Refusal("not_enough_tokens", say, bet.limits.chips)
    unit = bet.wager.fewest_chips * bet.settings.chip
    if bet.tokens % unit:
        clause = bet.wager.units_clause or bet.limits.chips
        return Refusal("tokens_not_in_units", f"On this wager, tokens go in multiples of {format_cents(unit)}.", clause)
    return None


BET_CHECKS: tuple[Callable[[Bet], Refusal | None], ...] = (
    check_offered,
    check_bets_open,
    check_sole,
    check_moment,
    check_adds_up,
    check_chips_multiple,
    check_limits,
    check_flat,
    check_tokens,
    check_chips,
)
