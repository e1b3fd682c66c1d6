"""Chips: sold and cashed, colour checks, vouchers and tokens, the float and the drop box.

How much of a player's chips is in checks is in the state (`checks_and_tokens`, readings SB-23, NZ-17). The facts are
`checks COLOUR PLAYER`, the value of one check, and `marker COLOUR` where a marker button shows it.
"""

from __future__ import annotations

import re

from croupier.money import parse_cents
from croupier.rules.schema import Fact, acts_on
from croupier.table import events
from croupier.table.checks_and_tokens import COLLECTED, held, laid, redeemed, worth
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.refusals import Refusal
from croupier.table.under_way import with_the_checks

CASH = "cash"
OPENING, CLOSING = "opening", "closing"  # when the float is counted
LAST_CLOSING = "last closing float"  # the amount counted then, for the count at the next opening

# -- amounts ---------------------------------------------------------------------------------------------------------


@check
def amount_in_chips(scene: Scene) -> bool:
    """Whether an amount is in whole chips of the table."""
    return _is_whole(scene.cents("amount"), scene.state.settings.chip)


@check
def value_in_chips(scene: Scene) -> bool:
    """Whether the value of one check is in whole chips of the table."""
    return _is_whole(scene.cents("value"), scene.state.settings.chip)


@check
def amount_in_checks(scene: Scene) -> bool:
    """Whether an amount is in whole checks of that value."""
    return _is_whole(scene.cents("amount"), scene.cents("value"))


def _is_whole(cents: int, unit: int) -> bool:
    return cents > 0 and cents % unit == 0


# -- vouchers and tokens ---------------------------------------------------------------------------------------------


def _conditions(scene: Scene) -> str:
    """Return what happens to a token that wins; by default it is collected (reading X-10)."""
    return scene.text("conditions") if "conditions" in scene.said else COLLECTED


@check
def tokens_alike(scene: Scene) -> bool:
    """Whether all tokens the player then has, in hand and on the layout, have the same conditions."""
    player = scene.text("player")
    there = any(stake.tokens for stakes in scene.state.layout.values() if (stake := stakes.get(player)) is not None)
    out = there or bool(scene.state.tokens.get(player))
    return not out or scene.fact(f"tokens {player}") == _conditions(scene)


@effect
def issue_tokens(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Exchange a voucher for tokens of the same value."""
    return [events.TokensIssued(scene.text("player"), scene.cents("amount"), _conditions(scene), scene.clause)]


@effect
def voucher_for_chips(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Exchange a voucher for chips of the same value."""
    return [events.ChipsBought(scene.text("player"), scene.cents("amount"), "voucher")]


# -- checks ----------------------------------------------------------------------------------------------------------


def _holders(scene: Scene, colour: str) -> dict[str, int]:
    """Return the players who have checks of a colour, and the value of one to each."""
    start = f"checks {colour} "
    return {name.removeprefix(start): int(value) for name, value in scene.state.facts.items() if name.startswith(start)}


def _colours(scene: Scene, player: str | None = None) -> dict[str, int]:
    """Return the colours that a player has, or that are in use at all, and the value of a check of each."""
    found = {}
    for name, value in scene.state.facts.items():
        word, _, rest = name.partition(" ")
        colour, _, holder = rest.partition(" ")
        if word == "checks" and player in (None, holder):
            found[colour] = int(value)
    return found


@check
def colour_free(scene: Scene) -> bool:
    """Whether no other player has the colour, or every holder agrees."""
    player, colour = scene.text("player"), scene.text("colour")
    holders = _holders(scene, colour)
    others = [holder for holder in holders if holder != player]
    return player in holders or all(scene.state.facts.get(f"agreed {colour} {holder}") == player for holder in others)


@check
def colour_at_value(scene: Scene) -> bool:
    """Whether the colour has this one value at the table: the one that its marker shows."""
    return set(_holders(scene, scene.text("colour")).values()) <= {scene.cents("value")}


@check
def one_colour(scene: Scene) -> bool:
    """Whether the player has no other colour, or a supervisor allows more."""
    player = scene.text("player")
    others = _colours(scene, player).keys() - {scene.text("colour")}
    return not others or scene.fact(f"more colours {player}") == "yes"


@check
def own_value(scene: Scene) -> bool:
    """Whether all colours of the player have one value."""
    return set(_colours(scene, scene.text("player")).values()) <= {scene.cents("value")}


@check
def colour_in_set(scene: Scene) -> bool:
    """Whether the set has a colour left for this."""
    return scene.text("colour") in _colours(scene) or len(_colours(scene)) < scene.number("colours")


@check
def colours_for_others(scene: Scene) -> bool:
    """Whether a second colour leaves one for every player at the table who has none."""
    player, out = scene.text("player"), _colours(scene)
    if scene.text("colour") in out or not _colours(scene, player):
        return True
    without = [other for other in scene.state.seats if other != player and not _colours(scene, other)]
    return len(out) + 1 + len(without) <= scene.number("colours")


@check
def no_checks_out(scene: Scene) -> bool:
    """Whether no player has checks of the set in use."""
    return not _colours(scene)


@check
def has_colour(scene: Scene) -> bool:
    """Whether the acting person has checks of the colour."""
    return scene.who in _holders(scene, scene.text("colour"))


@effect
@acts_on("colour checks")
def issue_checks(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Sell the checks; agreements are used up, and a marker shows a value above the minimum."""
    colour, value = scene.text("colour"), scene.cents("value")
    noted: dict[str, int | str | None] = {
        f"agreed {colour} {holder}": None
        for holder in _holders(scene, colour)
        if scene.state.facts.get(f"agreed {colour} {holder}") == scene.text("player")
    }
    if value > _always_shown_above(scene):
        noted[f"marker {colour}"] = value
    sold = events.ChipsBought(scene.text("player"), scene.cents("amount"), checks=colour)
    return [sold, events.Noted(noted, scene.clause)] if noted else [sold]


def _always_shown_above(scene: Scene) -> int:
    """Return the value up to which no marker is needed: the table minimum, unless the book shows every value."""
    if scene.fact("markers") == "always":
        return 0
    return scene.state.settings.limit.minimum or 0


@check
def whole_checks(scene: Scene) -> bool:
    """Whether whole checks are redeemed."""
    value = worth(scene.state, scene.text("player"), scene.text("colour"))
    return "amount" not in scene.said or _is_whole(scene.cents("amount"), value)


@check
def checks_in_hand(scene: Scene) -> bool:
    """Whether no more is redeemed than is in hand."""
    return "amount" not in scene.said or scene.cents("amount") <= _held(scene)


def _held(scene: Scene) -> int:
    """Return what the player holds in checks of the colour."""
    return held(scene.state, scene.text("player")).get(scene.text("colour"), 0)


@check
def no_checks_laid(scene: Scene) -> bool:
    """Whether all checks of a colour may be redeemed: none of them lies on the layout."""
    return "amount" in scene.said or not laid(scene.state, scene.text("player"), scene.text("colour"))


@effect
def redeem_checks(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Turn checks into value chips; with the last of them the colour is free again."""
    player, colour = scene.text("player"), scene.text("colour")
    cents = scene.cents("amount") if "amount" in scene.said else _held(scene)
    happened: list[events.AnyEvent] = [events.ChecksRedeemed(player, colour, cents, scene.clause)] if cents else []
    if "amount" in scene.said:
        return happened
    own = f"checks {colour} {player}"
    facts = {name: value for name, value in scene.state.facts.items() if name != own}
    gone = [own, f"agreed {colour} {player}", *_markers_left_over(facts)]
    if not _colours(scene, player).keys() - {colour}:
        gone.append(f"more colours {player}")
    return [*happened, events.Noted({name: None for name in gone if name in scene.state.facts}, scene.clause)]


def _markers_left_over(facts: dict[str, int | str]) -> list[str]:
    return [name for name in with_the_checks(facts, "") if name.startswith("marker ")]


@effect
def give_up_checks(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Redeem all checks of the acting person elsewhere."""
    player = str(scene.who)
    gone = [name for name in with_the_checks(scene.state.facts, player) if name in scene.state.facts]
    came_in = redeemed(scene.state, player, scene.clause, place=scene.text("place"))
    return [*came_in, events.Noted(dict.fromkeys(gone), scene.clause)]


@check
def has_checks(scene: Scene) -> bool:
    """Whether the acting person has checks of any colour in hand."""
    return any(held(scene.state, str(scene.who)).values())


# -- sales, and the float --------------------------------------------------------------------------------------------


@check
def box_for_cash(scene: Scene) -> bool:
    """Whether the drop box is there, which cash requires."""
    return scene.text("means") != CASH or scene.fact("drop box") != "removed"


@check
def terminal_for_cashless(scene: Scene) -> bool:
    """Whether the table is cashless, which buying chips without cash requires."""
    return scene.text("means") == CASH or scene.fact("cashless") == "yes"


@effect
def sell_chips(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Sell chips at the table."""
    return [events.ChipsBought(scene.text("player"), scene.cents("amount"), scene.text("means"))]


@effect
def fill_float(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Add chips to the float."""
    return [events.FloatMoved(scene.cents("amount"), scene.clause)]


@effect
def credit_float(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Take chips from the float."""
    return [events.FloatMoved(-scene.cents("amount"), scene.clause)]


@check
def float_holds(scene: Scene) -> bool:
    """Whether the float, as far as it is known, covers a credit (reading X-44)."""
    return scene.cents("amount") <= scene.state.in_float


@check
def denominations_add_up(scene: Scene) -> bool:
    """Whether the denominations, if given, are whole chips and add up to the amount."""
    if "denominations" not in scene.said:
        return True
    rows = [_DENOMINATION.fullmatch(row.strip()) for row in scene.text("denominations").split(",")]
    if not all(rows):
        return False
    found = [(int(row["count"]), parse_cents(row["worth"])) for row in rows if row is not None]
    whole = all(_is_whole(worth, scene.state.settings.chip) for _, worth in found)
    return whole and sum(count * worth for count, worth in found) == scene.cents("amount")


_DENOMINATION = re.compile(r"(?P<count>[0-9]{1,9}) x (?P<worth>[0-9]{1,12}\.[0-9]{2})", re.ASCII)


@check
def time_to_count(scene: Scene) -> bool:
    """Whether it is time for the count: at closing once the table is closed, at opening while it is not."""
    return (scene.said.get("when", OPENING) == CLOSING) == (scene.fact("table") == "closed")


@check
def count_agrees(scene: Scene) -> bool:
    """Whether the float at opening matches the last closing count, if there was one (reading X-45)."""
    at_closing = scene.state.facts.get(LAST_CLOSING)
    return scene.said.get("when", OPENING) == CLOSING or at_closing in (None, scene.cents("amount"))


@check
def count_differs(scene: Scene) -> bool:
    """Whether there is a difference to report."""
    return not count_agrees(scene)


@check
def another_person(scene: Scene) -> bool:
    """Whether the acting person is named and is not the one who counted."""
    return scene.who is not None and scene.who != scene.fact("float reported by")


@effect
def count_float(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Set the float to what was counted, and clear a reported count that was not confirmed."""
    counted, difference = scene.cents("amount"), scene.cents("amount") - scene.state.in_float
    happened: list[events.AnyEvent] = [events.FloatCounted(counted, difference, scene.text("when"), scene.clause)]
    noted: dict[str, Fact | None] = dict.fromkeys(_reported(scene))
    if scene.text("when") == CLOSING:
        noted[LAST_CLOSING] = counted
    return [*happened, events.Noted(noted, scene.clause)] if noted else happened


def _reported(scene: Scene) -> list[str]:
    """Return the facts of a count that waits for a second person."""
    return [name for name in scene.state.facts if name.startswith("float reported")]


@effect
def report_count(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Record the difference as it is found: play may continue before a second person confirms it."""
    return [events.Noted({"float reported difference": scene.cents("amount") - scene.state.in_float}, scene.clause)]


@effect
def confirm_count(scene: Scene) -> list[events.AnyEvent] | Refusal:
    """Make the reported count the count at opening, confirmed by the second person."""
    counted, difference = scene.number("float reported"), scene.number("float reported difference")
    facts: dict[str, Fact | None] = {
        f"float at {OPENING}": counted,
        f"float counted at {OPENING}": scene.fact("float reported at"),
        f"float counted by at {OPENING}": scene.fact("float reported by"),
        **dict.fromkeys(_reported(scene)),
    }
    return [events.FloatCounted(counted, difference, OPENING, scene.clause), events.Noted(facts, scene.clause)]
