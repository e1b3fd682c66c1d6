"""The general kernel: a strategy played throw by throw, compiled, to the cent.

It is the table and the player in one, over the numbers of `sim.numbers`. What a throw does comes from the compiled
machines; whether a wager may be made comes from the book's conditions, in the order in which the table asks.
`sim.player` does the same at a real table, and tests compare the two.
"""

from __future__ import annotations

from croupier.sim import numbers as n
from croupier.sim.compiled import compiled, part
from croupier.sim.dice import Throws
from croupier.sim.numbers import Floats, Ints

# In all functions below `t` is the array of numbers, `s` the state of the session, `money` its money.


@part
def _slot(t: Ints, slot: int, column: int) -> int:
    return t[t[n.SLOT_TABLE] + slot * n.SLOT_COLUMNS + column]


@part
def _row(t: Ints, row: int, column: int) -> int:
    return t[t[n.ROW_TABLE] + row * n.ROW_COLUMNS + column]


@part
def _entry(t: Ints, row: int, outcome: int, column: int) -> int:
    return t[t[n.ENTRY_TABLE] + (row * t[n.OUTCOMES] + outcome) * n.ENTRY_COLUMNS + column]


@part
def _book(t: Ints, moment: int, column: int) -> int:
    return t[t[n.BOOK_TABLE] + moment * n.MOMENT_COLUMNS + column]


@part
def _rule(t: Ints, rule: int, column: int) -> int:
    return t[t[n.RULE_TABLE] + rule * n.RULE_COLUMNS + column]


@part
def _cond(t: Ints, condition: int, column: int) -> int:
    return t[t[n.CONDITION_TABLE] + condition * n.CONDITION_COLUMNS + column]


@part
def _counter(t: Ints, counter: int, column: int) -> int:
    return t[t[n.COUNTER_TABLE] + counter * n.COUNTER_COLUMNS + column]


@part
def _prog(t: Ints, progression: int, column: int) -> int:
    return t[t[n.PROGRESSION_TABLE] + progression * n.PROGRESSION_COLUMNS + column]


@part
def _true(t: Ints, truth: int, what: int) -> bool:
    return t[t[n.TRUTH_TABLES] + truth * t[n.TRUTH_WIDTH] + what] != 0


@part
def _compares(number: int, how: int, value: int) -> bool:
    """Whether a comparison holds."""
    if how == n.IS:
        return number == value
    if how == n.IS_NOT:
        return number != value
    if how == n.AT_LEAST:
        return number >= value
    if how == n.AT_MOST_IS:
        return number <= value
    if how == n.ABOVE:
        return number > value
    return number < value


@part
def _holds(t: Ints, s: Ints, money: Ints, c: int) -> bool:
    """Whether a condition of the strategy holds now."""
    about, what = _cond(t, c, n.ABOUT), _cond(t, c, n.WHAT)
    truth = _cond(t, c, n.SUBJECT_TRUTH)
    misc = t[n.P_MISC]
    if about == n.A_PHASE:
        return _true(t, truth, s[what])
    if about == n.A_RESULT:
        return _true(t, truth, s[misc + n.LAST])
    number = 0
    if about == n.A_COUNT:
        stakes = t[n.P_STAKES]
        for k in range(t[n.SLOTS]):
            if s[stakes + k] > 0 and _true(t, truth, k):
                number += 1
    elif about == n.A_COUNTER:
        number = s[t[n.P_COUNTERS] + what]
    elif about == n.OF_ROLLS:
        number = s[misc + n.ROLLS]
    elif about == n.OF_SHOOTER_ROLLS:
        number = s[misc + n.SHOOTER_ROLLS]
    elif about == n.OF_SHOOTERS:
        number = s[misc + n.SHOOTERS]
    elif about == n.CHIPS_IN_HAND:
        number = money[n.CASH]
    else:
        number = money[n.NET]
    return _compares(number, _cond(t, c, n.COMPARED), _cond(t, c, n.WITH))


@part
def _behind_limit(t: Ints, row: int, flat: int) -> int:
    """The largest stake behind a flat wager of this size, in whole chips (reading CR-10)."""
    chip = t[n.CHIP]
    most = _row(t, row, n.TIMES) * flat
    most -= most % chip
    if _row(t, row, n.BEHIND_OF) == 2 and _row(t, row, n.BEST) > 0:
        most = most * _row(t, row, n.BEST_OVER) // _row(t, row, n.BEST)
        most -= most % chip
    return most


@part
def _flat_stake(t: Ints, s: Ints, row: int) -> int:
    """What the flat wager has that a wager in this row lies behind; nothing where it is elsewhere."""
    slot = _row(t, row, n.FLAT_SLOT)
    if slot < 0 or s[t[n.P_ROWS] + slot] != _row(t, row, n.FLAT_ROW):
        return 0
    return s[t[n.P_STAKES] + slot]


@part
def _in_units(t: Ints, slot: int, row: int, cents: int) -> int:
    """The largest stake not above an amount that can be laid there (reading X-16)."""
    step = _slot(t, slot, n.MULTIPLE)
    if row >= 0 and _row(t, row, n.UNIT) > 0 and _slot(t, slot, n.FIXED_STAKE) < 0:
        step = _row(t, row, n.UNIT)
    return cents - cents % step


@part
def _not_in_units(t: Ints, slot: int, row: int, amount: int, stake: int) -> int:
    """What refuses an amount that cannot be laid, or a stake that cannot stand."""
    if amount % t[n.CHIP] != 0:
        return t[n.NO_CHIPS_MULTIPLE]
    if _slot(t, slot, n.NO_MULTIPLE) >= 0 and stake % _slot(t, slot, n.MULTIPLE) != 0:
        return _slot(t, slot, n.NO_MULTIPLE)
    exact = t[n.EXACT] != 0 and _slot(t, slot, n.FIXED_STAKE) < 0 and row >= 0
    if exact and stake % _row(t, row, n.UNIT) != 0:
        return t[n.NO_UNITS]
    return n.NONE


@part
def _moment(t: Ints, s: Ints, first: int, count: int, row: int) -> int:
    """What the conditions of the book on this moment have against it."""
    refusal = n.NONE
    for m in range(first, first + count):
        phase = _book(t, m, n.PHASE)
        where = row if phase < 0 else s[phase]
        if refusal < 0 and (where < 0 or not _true(t, _book(t, m, n.TRUTH), where)):
            refusal = _book(t, m, n.REFUSAL)
    return refusal


@part
def _not_now(t: Ints, s: Ints, slot: int, row: int, start: int, standing: int) -> int:
    """What refuses a wager now whatever its stake: another declaration, the phase, a wager that is locked."""
    refusal = n.NONE
    if _slot(t, slot, n.SOLE) >= 0:
        for k in range(t[n.SLOTS]):
            if k != slot and _slot(t, k, n.SOLE) == _slot(t, slot, n.SOLE) and s[t[n.P_STAKES] + k] > 0:
                refusal = _slot(t, slot, n.NO_DECLARED)
    if refusal < 0:
        refusal = _moment(t, s, _slot(t, slot, n.PLACE), _slot(t, slot, n.PLACES), row)
    if refusal < 0 and standing > 0:
        if _slot(t, slot, n.ADDS_UP) == 0:
            refusal = _slot(t, slot, n.NO_ONE_ONLY)
        elif row != start:
            refusal = _slot(t, slot, n.NO_LOCKED)
    return refusal


@part
def _commission(t: Ints, row: int, amount: int) -> int:
    """What is due on an amount laid in a row; nothing where the wager has no row to begin in."""
    return amount * _row(t, row, n.RATE) // _row(t, row, n.RATE_OVER) if row >= 0 else 0


@part
def _affordable(t: Ints, money: Ints, row: int) -> int:
    """The most that can be laid now with its commission out of the chips in hand."""
    if row < 0:
        return money[n.CASH]
    rate, over = _row(t, row, n.RATE), _row(t, row, n.RATE_OVER)
    amount = money[n.CASH] * over // (over + rate)
    while amount + 1 + (amount + 1) * rate // over <= money[n.CASH]:
        amount += 1
    return amount


@part
def _progressed(t: Ints, s: Ints, q: int) -> int:
    """What a progression stands at, in cents."""
    value = s[t[n.P_PROGRESSIONS] + q]
    return t[t[n.LISTS] + _prog(t, q, n.STEP) + value] if _prog(t, q, n.STEP) >= 0 else value


@part
def _wished(t: Ints, s: Ints, money: Ints, r: int, slot: int, row: int, flat: int) -> int:
    """The stake that a rule asks for, before anybody has said no."""
    kind, factor, over = _rule(t, r, n.STAKE_KIND), _rule(t, r, n.FACTOR), _rule(t, r, n.FACTOR_OVER)
    if kind == n.OF_FIXED:
        return factor
    if kind == n.OF_SPOT:
        wish = s[t[n.P_STAKES] + _rule(t, r, n.REF)] * factor // over
    elif kind == n.OF_CHIPS:
        wish = money[n.CASH] * factor // over
    elif kind == n.OF_MOST:
        if _slot(t, slot, n.FIXED_STAKE) >= 0:
            return _slot(t, slot, n.FIXED_STAKE)
        limited = row >= 0 and _row(t, row, n.BEHIND_OF) > 0 and flat > 0
        wish = _behind_limit(t, row, flat) if limited else _affordable(t, money, row)
        high = _slot(t, slot, n.HIGHEST)
        if high >= 0 and (not limited or high < wish):
            wish = high
    else:
        wish = _progressed(t, s, _rule(t, r, n.REF)) * factor // over
    return _in_units(t, slot, row, wish)


@part
def _least(t: Ints, slot: int, row: int) -> int:
    """The least that may be made there."""
    step = _slot(t, slot, n.MULTIPLE)
    if row >= 0 and _row(t, row, n.UNIT) > 0:
        step = _row(t, row, n.UNIT)
    least = max(1, _slot(t, slot, n.LOWEST))
    return least + (-least) % step


@part
def _lowered(t: Ints, money: Ints, slot: int, row: int, stake: int, standing: int, flat: int) -> int:
    """The stake lowered to what the limits allow, and to what the chips in hand pay for if that can be made."""
    allowed = stake
    if _slot(t, slot, n.HIGHEST) >= 0:
        allowed = min(allowed, _slot(t, slot, n.HIGHEST))
    if _row(t, row, n.BEHIND_OF) > 0 and flat > 0:
        allowed = min(allowed, _behind_limit(t, row, flat))
    least = max(1, _slot(t, slot, n.LOWEST))
    paid_for = _in_units(t, slot, row, min(allowed, standing + _affordable(t, money, row)))
    if paid_for >= least:
        return paid_for
    allowed = _in_units(t, slot, row, allowed)
    return allowed if allowed >= least else stake


@part
def _due(t: Ints, s: Ints, money: Ints, r: int) -> int:
    """What must be in hand for a bet of the strategy at some time or other, while nothing stands; NONE: no chips help.

    A bet that depends on others is none of these, nor one that comes to nothing or is above the maximum. A progression
    that begins anew with the next shooter counts with what it begins with.
    """
    slot, kind = _rule(t, r, n.AT), _rule(t, r, n.STAKE_KIND)
    if _rule(t, r, n.OP) != n.BET or kind == n.OF_SPOT or _slot(t, slot, n.NO_FLAT) >= 0:
        return n.NONE
    phase = _slot(t, slot, n.START_PHASE)
    row = t[t[n.LISTS] + _slot(t, slot, n.STARTS) + (s[phase] if phase >= 0 else 0)]
    stake = _wished(t, s, money, r, slot, row, 0)
    least = _least(t, slot, row)
    any_amount = _slot(t, slot, n.FIXED_STAKE) < 0
    if kind == n.OF_PROGRESSION and _prog(t, _rule(t, r, n.REF), n.ANEW) != 0:
        q = _rule(t, r, n.REF)
        first = t[t[n.LISTS] + _prog(t, q, n.STEP)] if _prog(t, q, n.STEP) >= 0 else _prog(t, q, n.START)
        stake = min(stake, _in_units(t, slot, row, first * _rule(t, r, n.FACTOR) // _rule(t, r, n.FACTOR_OVER)))
    of_chips = kind == n.OF_CHIPS or (kind == n.OF_MOST and any_amount and _slot(t, slot, n.HIGHEST) < 0)
    if of_chips:
        if stake < least:
            return money[n.CASH] + 1
        stake = least
    elif _rule(t, r, n.OR_LESS) != 0 and any_amount:
        stake = min(stake, least)
    if stake <= 0 or (any_amount and 0 <= _slot(t, slot, n.HIGHEST) < stake):
        return n.NONE
    return stake + _commission(t, row, stake)


@part
def _bet(t: Ints, s: Ints, money: Ints, r: int, weight: int, counts: Ints) -> None:
    """One bet of the strategy."""
    slot = _rule(t, r, n.AT)
    stakes, rows = t[n.P_STAKES], t[n.P_ROWS]
    standing = s[stakes + slot]
    adds, made = _rule(t, r, n.ADDS) != 0, t[n.P_MADE] + r
    if standing > 0 and not adds:
        return
    if _rule(t, r, n.AT_MOST) >= 0 and s[made] >= _rule(t, r, n.AT_MOST):
        return
    phase = _slot(t, slot, n.START_PHASE)
    start = t[t[n.LISTS] + _slot(t, slot, n.STARTS) + (s[phase] if phase >= 0 else 0)]
    row = s[rows + slot] if standing > 0 else start
    behind = row >= 0 and _row(t, row, n.BEHIND_OF) > 0
    flat = _flat_stake(t, s, row) if behind else 0
    waits = _rule(t, r, n.INSIST) == 0
    if waits and behind and flat == 0:
        return
    refusal = _not_now(t, s, slot, row, start, standing)
    if waits and refusal >= 0:
        return
    stake = _wished(t, s, money, r, slot, row, flat)
    if _rule(t, r, n.OR_LESS) != 0 and _slot(t, slot, n.FIXED_STAKE) < 0 and row >= 0:
        stake = _lowered(t, money, slot, row, stake, standing, flat)
    amount = stake - standing
    if adds and amount <= 0:
        return
    if amount <= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + t[n.NOT_POSITIVE]] += weight
        return
    commission = _commission(t, row, amount)
    if _rule(t, r, n.OR_LESS) != 0:  # with fewer chips in hand it would come to less, and might not even be refused
        money[n.OUT] = max(money[n.OUT], money[n.BANK] + money[n.NET] - money[n.CASH] + amount + commission)
    if refusal < 0:
        refusal = _not_in_units(t, slot, row, amount, stake)
    if refusal < 0:
        if _slot(t, slot, n.FIXED_STAKE) >= 0:
            if amount != _slot(t, slot, n.FIXED_STAKE):
                refusal = _slot(t, slot, n.NO_FIXED)
        elif _slot(t, slot, n.HIGHEST) >= 0 and stake > _slot(t, slot, n.HIGHEST):
            refusal = t[n.ABOVE_MAXIMUM]
        elif stake < _slot(t, slot, n.LOWEST):
            refusal = t[n.BELOW_MINIMUM]
    if refusal < 0 and behind:
        if flat == 0:
            refusal = _slot(t, slot, n.NO_FLAT)
        elif stake > _behind_limit(t, row, flat):
            refusal = _slot(t, slot, n.NO_BEHIND)
    if refusal < 0 and amount + commission > money[n.CASH]:
        refusal = t[n.NO_CHIPS]
    if refusal >= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + refusal] += weight
        return
    s[stakes + slot] = stake
    s[rows + slot] = row
    s[t[n.P_COMMISSION] + slot] += commission
    money[n.CASH] -= amount + commission
    money[n.OUT] = max(money[n.OUT], money[n.BANK] + money[n.NET] - money[n.CASH])
    if _rule(t, r, n.AT_MOST) >= 0:
        s[made] += 1
    counts[t[n.COUNTS_MADE] + r] += weight
    counts[slot * n.SLOT_COUNTS + n.BETS] += weight
    counts[t[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.MADE_IN] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.STAKED] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.COMMISSION] += weight * commission


@part
def _reduce(t: Ints, s: Ints, money: Ints, slot: int, left: int, weight: int, counts: Ints) -> None:
    """Give chips back from a wager; commission on them goes back too (reading CR-7)."""
    stakes, paid = t[n.P_STAKES] + slot, t[n.P_COMMISSION] + slot
    row = s[t[n.P_ROWS] + slot]
    amount = s[stakes] - left
    back = max(0, s[paid] - left * _row(t, row, n.RATE) // _row(t, row, n.RATE_OVER))
    s[stakes] = left
    s[paid] -= back
    money[n.CASH] += amount + back
    counts[t[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.TAKEN_IN] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.COMMISSION_BACK] += weight * back
    if left == 0:
        s[t[n.P_ROWS] + slot] = 0
        s[t[n.P_CALLED] + slot] = 0


@part
def _take(t: Ints, s: Ints, money: Ints, r: int, weight: int, counts: Ints) -> None:
    """Take a wager down, or down to what the rule leaves; what lies behind it shrinks with it (reading CR-10)."""
    slot, left = _rule(t, r, n.AT), _rule(t, r, n.LEAVE)
    standing = s[t[n.P_STAKES] + slot]
    if standing == 0 or standing <= left:
        return
    row = s[t[n.P_ROWS] + slot]
    refusal = _moment(t, s, _slot(t, slot, n.TAKE), _slot(t, slot, n.TAKES), row)
    if refusal < 0 and left > 0:
        if left < _slot(t, slot, n.LOWEST):
            refusal = t[n.BELOW_MINIMUM]
        else:
            refusal = _not_in_units(t, slot, row, standing - left, left)
    if refusal >= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + refusal] += weight
        return
    counts[t[n.COUNTS_MADE] + r] += weight
    _reduce(t, s, money, slot, left, weight, counts)
    for k in range(t[n.SLOTS]):
        behind = s[t[n.P_STAKES] + k]
        if behind > 0 and k != slot:
            its = s[t[n.P_ROWS] + k]
            if _row(t, its, n.FLAT_SLOT) == slot and _row(t, its, n.FLAT_ROW) == row:
                most = 0
                if left > 0:
                    most = _behind_limit(t, its, left)
                if behind > most:
                    _reduce(t, s, money, k, _in_units(t, k, its, most), weight, counts)


@part
def _call(t: Ints, s: Ints, r: int, weight: int, counts: Ints) -> None:
    """Call a wager On or Off."""
    slot = _rule(t, r, n.AT)
    called = n.CALLED_ON if _rule(t, r, n.ON) != 0 else n.CALLED_OFF
    if s[t[n.P_STAKES] + slot] == 0 or s[t[n.P_CALLED] + slot] == called:
        return
    if _slot(t, slot, n.SLEEP_PHASE) < 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + _slot(t, slot, n.NO_CALL)] += weight
        return
    s[t[n.P_CALLED] + slot] = called
    counts[t[n.COUNTS_MADE] + r] += weight


@part
def _test_for_ruin(t: Ints, s: Ints, money: Ints) -> None:
    """Nothing stands: whoever cannot pay for any bet of the strategy has run out of money."""
    cheapest = n.UNBOUNDED
    for r in range(t[n.RULES]):
        due = _due(t, s, money, r)
        if due >= 0:
            cheapest = min(cheapest, due)
    if cheapest < n.UNBOUNDED:
        money[n.OUT] = max(money[n.OUT], cheapest)
        if money[n.CASH] < cheapest:
            s[t[n.P_MISC] + n.ENDED] = n.RUINED


@part
def _carry_out(t: Ints, s: Ints, money: Ints, weight: int, counts: Ints) -> None:
    """The rules from top to bottom, and the ruin test."""
    money[n.OUT] = 0
    for r in range(t[n.RULES]):
        first = _rule(t, r, n.IF)
        holds = True
        for c in range(first, first + _rule(t, r, n.IFS)):
            if holds and _holds(t, s, money, c) != (_cond(t, c, n.WANTED) != 0):
                holds = False
        if not holds:
            continue
        if _rule(t, r, n.OP) == n.BET:
            _bet(t, s, money, r, weight, counts)
        elif _rule(t, r, n.OP) == n.TAKE_DOWN:
            _take(t, s, money, r, weight, counts)
        else:
            _call(t, s, r, weight, counts)
    if money[n.BANK] + money[n.NET] == money[n.CASH]:
        _test_for_ruin(t, s, money)


@part
def _kind(t: Ints, s: Ints, slot: int, outcome: int) -> int:
    """What the outcome does to the wager on a slot, sleep and a flat wager decided without it included (CR-9)."""
    row = s[t[n.P_ROWS] + slot]
    phase = _slot(t, slot, n.SLEEP_PHASE)
    if phase >= 0:
        called = s[t[n.P_CALLED] + slot]
        asleep = called == n.CALLED_OFF
        if called == n.NOT_CALLED:
            asleep = _true(t, _slot(t, slot, n.SLEEP_TRUTH), s[phase])
        if asleep:
            if _row(t, row, n.BEHIND_OF) > 0 and _flat_stake(t, s, row) > 0:
                flat = _entry(t, _row(t, row, n.FLAT_ROW), outcome, n.KIND)
                if flat >= n.LOSE:
                    return n.VOID
            return n.STAY
    return _entry(t, row, outcome, n.KIND)


@part
def _settle_slot(
    t: Ints, s: Ints, money: Ints, slot: int, kind: int, outcome: int, weight: int, counts: Ints, floats: Floats
) -> int:
    """Collect, pay or give back what lies on a slot; what was won."""
    stakes, paid = t[n.P_STAKES] + slot, t[n.P_COMMISSION] + slot
    rows = t[n.P_ROWS] + slot
    stake, commission, won = s[stakes], s[paid], 0
    result = 0
    if kind == n.WIN:
        odds, over = _entry(t, s[rows], outcome, n.ODDS), _row(t, s[rows], n.ODDS_OVER)
        chip = t[n.CHIP]
        won = -(-stake * odds // (over * chip)) * chip
        money[n.CASH] += stake + won
        result = won - commission
        counts[slot * n.SLOT_COUNTS + n.WINS_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.PAID] += weight * won
        counts[slot * n.SLOT_COUNTS + n.ROUNDED_UP] += weight * (won * over - stake * odds)
    elif kind == n.LOSE:
        result = -stake - commission
        counts[slot * n.SLOT_COUNTS + n.LOSSES_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.COLLECTED] += weight * stake
    else:
        money[n.CASH] += stake + commission
        counts[slot * n.SLOT_COUNTS + n.VOIDS_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.RETURNED] += weight * stake
        counts[slot * n.SLOT_COUNTS + n.COMMISSION_BACK] += weight * commission
    money[n.NET] += result
    group = t[n.F_GAINS] + _slot(t, slot, n.GROUP)
    floats[group] += float(result) - float(stake) * floats[t[n.F_WORTH] + s[rows]]
    s[stakes] = 0
    s[paid] = 0
    s[rows] = 0
    s[t[n.P_CALLED] + slot] = 0
    return won


@part
def _travel(t: Ints, s: Ints, slot: int, outcome: int, floats: Floats) -> None:
    """A wager moves on to another state, and with it, where it travels, to another slot."""
    stakes, rows, paid, called = t[n.P_STAKES], t[n.P_ROWS], t[n.P_COMMISSION], t[n.P_CALLED]
    row = _entry(t, s[rows + slot], outcome, n.NEXT)
    to = _row(t, row, n.SLOT)
    gained = floats[t[n.F_WORTH] + row] - floats[t[n.F_WORTH] + s[rows + slot]]
    floats[t[n.F_GAINS] + _slot(t, slot, n.GROUP)] += float(s[stakes + slot]) * gained
    if to != slot:
        s[stakes + to] += s[stakes + slot]
        s[paid + to] += s[paid + slot]
        s[called + to] = s[called + slot]
        for part_of in (stakes, paid, called, rows):
            s[part_of + slot] = 0
    s[rows + to] = row


@part
def _square(t: Ints, weight: int, floats: Floats) -> None:
    """How far the throw took each kind of wager, and all of them, from what they were worth: squared and added up."""
    total = 0.0
    for group in range(t[n.GROUPS]):
        gained = floats[t[n.F_GAINS] + group]
        total += gained
        floats[group] += weight * (gained * gained)
        floats[t[n.F_GAINS] + group] = 0.0
    floats[t[n.GROUPS]] += weight * (total * total)


@part
def _settle(
    t: Ints, s: Ints, money: Ints, outcome: int, scratch: Ints, weight: int, counts: Ints, floats: Floats
) -> bool:
    """What a throw does to all slots: wagers are decided first, then others travel; whether any was decided."""
    touched = 0
    stakes, slots = t[n.P_STAKES], t[n.SLOTS]
    for k in range(slots):
        scratch[n.DONE, k] = n.STAY
        if s[stakes + k] > 0:
            kind = _kind(t, s, k, outcome)
            if kind != n.STAY:
                scratch[n.DONE, k] = kind
                scratch[n.TOUCHED, touched] = k
                touched += 1
    decided = False
    for i in range(touched):
        k = scratch[n.TOUCHED, i]
        if scratch[n.DONE, k] >= n.LOSE:
            decided = True
            scratch[n.WON_ON, k] = _settle_slot(t, s, money, k, scratch[n.DONE, k], outcome, weight, counts, floats)
    for i in range(touched):
        k = scratch[n.TOUCHED, i]
        if scratch[n.DONE, k] == n.GO:
            _travel(t, s, k, outcome, floats)
    if touched > 0:
        _square(t, weight, floats)
    return decided


@part
def _moved(t: Ints, q: int, value: int, kind: int, by: int, over: int) -> int:
    """Where a progression stands after one decision."""
    stepped = _prog(t, q, n.STEP) >= 0
    if kind == n.M_FIRST:
        return 0 if stepped else _prog(t, q, n.START)
    if stepped:
        if kind == n.M_NEXT:
            if value + 1 < _prog(t, q, n.STEPS):
                return value + 1
            return 0 if _prog(t, q, n.ENDS_FIRST) != 0 else value
        if kind == n.M_BACK:
            return max(0, value - by)
        return value
    if kind == n.M_ADD:
        value += by
    elif kind == n.M_TIMES:
        value = value * by // over
    return min(max(value, _prog(t, q, n.LEAST)), _prog(t, q, n.MOST))


@part
def _decided_on(t: Ints, truth: int, scratch: Ints, kind: int) -> int:
    """How many of these slots were decided so."""
    number = 0
    for k in range(t[n.SLOTS]):
        if scratch[n.DONE, k] == kind and _true(t, truth, k):
            number += 1
    return number


@part
def _count(t: Ints, s: Ints, scratch: Ints) -> None:
    """Streaks and hits: losses of a throw count before its wins."""
    for c in range(t[n.COUNTERS]):
        truth, what = _counter(t, c, n.OVER_SLOTS), _counter(t, c, n.COUNTS)
        lost = _decided_on(t, truth, scratch, n.LOSE)
        won = _decided_on(t, truth, scratch, n.WIN)
        place = t[n.P_COUNTERS] + c
        if what == n.WINS:
            s[place] = (0 if lost > 0 else s[place]) + won
        elif what == n.LOSSES:
            s[place] = 0 if won > 0 else s[place] + lost
        else:
            s[place] += won
        s[place] = min(s[place], _counter(t, c, n.CAP))


@part
def _progress(t: Ints, s: Ints, scratch: Ints) -> None:
    """Progressions: each loss of the throw, then each win; a share of what was won is added once."""
    for q in range(t[n.PROGRESSIONS]):
        truth, place = _prog(t, q, n.MOVED_BY), t[n.P_PROGRESSIONS] + q
        lost = _decided_on(t, truth, scratch, n.LOSE)
        wins = _decided_on(t, truth, scratch, n.WIN)
        value = s[place]
        for _ in range(lost):
            value = _moved(t, q, value, _prog(t, q, n.ON_LOSS), _prog(t, q, n.LOSS_BY), _prog(t, q, n.LOSS_OVER))
        kind, by, over = _prog(t, q, n.ON_WIN), _prog(t, q, n.WIN_BY), _prog(t, q, n.WIN_OVER)
        if wins > 0 and kind == n.M_ADD_WON:
            total = 0
            for k in range(t[n.SLOTS]):
                if scratch[n.DONE, k] == n.WIN and _true(t, truth, k):
                    total += scratch[n.WON_ON, k]
            value = _moved(t, q, value, n.M_ADD, total * by // over, 1)
        else:
            for _ in range(wins):
                value = _moved(t, q, value, kind, by, over)
        s[place] = value


@part
def _new_shooter(t: Ints, s: Ints) -> None:
    """The dice pass on: what is counted for each shooter begins anew."""
    misc = t[n.P_MISC]
    s[misc + n.SHOOTERS] = min(s[misc + n.SHOOTERS] + 1, t[n.CAP_SHOOTERS])
    s[misc + n.SHOOTER_ROLLS] = 0
    for c in range(t[n.COUNTERS]):
        if _counter(t, c, n.COUNTS) == n.HITS:
            s[t[n.P_COUNTERS] + c] = 0
    for r in range(t[n.RULES]):
        if _rule(t, r, n.PER_SHOOTER) != 0:
            s[t[n.P_MADE] + r] = 0
    for q in range(t[n.PROGRESSIONS]):
        if _prog(t, q, n.ANEW) != 0:
            stepped = _prog(t, q, n.STEP) >= 0
            s[t[n.P_PROGRESSIONS] + q] = 0 if stepped else _prog(t, q, n.START)


@part
def _stop(t: Ints, s: Ints, money: Ints) -> None:
    """Whether the player leaves, and why."""
    misc = t[n.P_MISC]
    reason = s[misc + n.LEAVING]
    if reason == n.GOING:
        if money[n.NET] >= t[n.STOP_WIN]:
            reason = n.WON
        elif money[n.NET] <= -t[n.STOP_LOSS]:
            reason = n.LOST
        elif s[misc + n.SHOOTERS] > t[n.STOP_SHOOTERS]:
            reason = n.SHOOTERS_DONE
        elif s[misc + n.ROLLS] >= t[n.STOP_ROLLS]:
            reason = n.ROLLS_DONE
    if reason != n.GOING:
        if t[n.WHEN_DECIDED] == 0 or money[n.BANK] + money[n.NET] == money[n.CASH]:
            s[misc + n.ENDED] = reason
        else:
            s[misc + n.LEAVING] = reason


@part
def _throw(
    t: Ints, s: Ints, money: Ints, outcome: int, scratch: Ints, weight: int, counts: Ints, floats: Floats
) -> bool:
    """One throw and all that follows before the rules; whether they are to be carried out."""
    misc = t[n.P_MISC]
    decided = _settle(t, s, money, outcome, scratch, weight, counts, floats)
    passes = t[n.PASS_OUTCOMES] >= 0 and _true(t, t[n.PASS_OUTCOMES], outcome)
    if passes and t[n.PASS_PHASE] >= 0:
        passes = _true(t, t[n.PASS_TRUTH], s[t[n.PASS_PHASE]])
    for p in range(t[n.PHASES]):
        s[p] = t[t[n.PHASE_TABLE] + (p * t[n.PHASE_STATES] + s[p]) * t[n.OUTCOMES] + outcome]
    s[misc + n.ROLLS] = min(s[misc + n.ROLLS] + 1, t[n.CAP_ROLLS])
    s[misc + n.SHOOTER_ROLLS] = min(s[misc + n.SHOOTER_ROLLS] + 1, t[n.CAP_SHOOTER_ROLLS])
    s[misc + n.LAST] = t[t[n.LISTS] + t[n.RESULT_CLASSES] + outcome]
    if decided:
        _count(t, s, scratch)
        _progress(t, s, scratch)
    if passes:
        _new_shooter(t, s)
    _stop(t, s, money)
    if money[n.NET] > money[n.PEAK]:
        money[n.PEAK] = money[n.NET]
    elif money[n.PEAK] - money[n.NET] > money[n.DEEPEST]:
        money[n.DEEPEST] = money[n.PEAK] - money[n.NET]
    opened = t[n.OPEN_PHASE] < 0 or _true(t, t[n.OPEN_TRUTH], s[t[n.OPEN_PHASE]])
    return opened and s[misc + n.ENDED] == n.GOING and s[misc + n.LEAVING] == n.GOING


@part
def standing_on(t: Ints, s: Ints) -> int:
    """What stands on the layout, commission included."""
    total = 0
    for k in range(t[n.SLOTS]):
        total += s[t[n.P_STAKES] + k] + s[t[n.P_COMMISSION] + k]
    return total


@compiled
def advance(
    t: Ints, s: Ints, money: Ints, throws: Throws, at: int, made: int, until: int, acts: bool, limit: int, marks: Ints,
    snaps: Ints, weight: int, counts: Ints, floats: Floats, scratch: Ints,
) -> int:  # fmt: skip
    """Play on from a state, from throw `made` of the session to `until`; the result is how many were made in the end.

    The list of throws begins with number `at`.
    `acts`: the rules are carried out first. They are not carried out after throw number `limit`, the last of a session.
    Wherever the number of throws made is one of the `marks`, the net result is noted in `snaps`. Everything counted is
    counted `weight` times over.
    """
    ended = t[n.P_MISC] + n.ENDED
    acting = acts
    mark = 0
    while mark < marks.shape[0] and marks[mark] <= made:
        mark += 1
    while True:
        if acting:
            _carry_out(t, s, money, weight, counts)
        if made >= until or s[ended] != n.GOING:
            return made
        acting = _throw(t, s, money, int(throws[made - at]), scratch, weight, counts, floats) and made + 1 < limit
        made += 1
        if mark < marks.shape[0] and marks[mark] == made:
            snaps[mark] = money[n.NET]
            mark += 1
