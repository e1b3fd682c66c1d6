"""The sheets of a felt, ready to be drawn: the odds of this table are on them, and the dice that the rules bar."""

from __future__ import annotations

from fractions import Fraction

from croupier.contract.replies import DrawnArea, DrawnDice, DrawnLine, DrawnSheet, DrawnWords
from croupier.felt.areas import Spot, machine_pick, odds_now, odds_texts, spots_of, state_now
from croupier.rules import layout
from croupier.rules.describing import pay_lines
from croupier.rules.layout import Box, Point, figure, outline, parsed_path, path_text, total_of
from croupier.rules.machine import Pick
from croupier.table.state import TableView

# How large the squares of a felt without sheets are drawn.
WIDE, ROW = 1240, 21
NARROW, NARROW_ROW = 344, 15
WIDTH = 0.68  # of a letter, in its size
GAP = 1.5  # around each rectangle
EXTRA = {"wide": (4, 54), "narrow": (2, 52)}  # areas that a sheet leaves out: how many in a row, and how high


def wide_sheet(view: TableView) -> DrawnSheet:
    """Return the felt for a screen."""
    felt = _layout(view)
    if felt.wide is not None:
        drawn = {(area.wager, pick) for area in felt.wide.areas for pick, _, _ in area.places}
        return _with_extra(view, _drawn(view, felt.wide), drawn, "wide")
    ring = None if felt.ring is None else felt.ring.at
    return _squares(view, [area.at for area in felt.areas], (WIDE / felt.size[0], ROW), felt.size, ring)


def narrow_sheets(view: TableView) -> list[DrawnSheet]:
    """Return the felt for a phone, part by part."""
    felt = _layout(view)
    if felt.narrow:
        drawn = {(area.wager, pick) for sheet in felt.narrow for area in sheet.areas for pick, _, _ in area.places}
        sheets = [_drawn(view, sheet) for sheet in felt.narrow]
        return [*sheets[:-1], _with_extra(view, sheets[-1], drawn, "narrow")]
    ring = None if felt.ring is None else felt.ring.narrow
    unit = (NARROW / felt.narrow_size[0], NARROW_ROW)
    return [_squares(view, [area.narrow for area in felt.areas], unit, felt.narrow_size, ring)]


def _layout(view: TableView) -> layout.Layout:
    felt = view.game.book.layout
    assert felt is not None, "every book of a house has a layout"
    return felt


# -- rectangles -------------------------------------------------------------------------------------------------------


def _squares(
    view: TableView, places: list[layout.Place], unit: Point, size: tuple[int, int], ring: layout.Place | None
) -> DrawnSheet:
    """Draw a felt that has squares only: a rectangle for each area."""
    fall = None
    if ring is not None:
        left, top, width, height = _scaled(ring, unit)
        fall = (left + width / 2, top + height / 2, min(width, height) / 2 - 8)
    areas = [_rectangle(place, _scaled(at, unit)) for place, at in enumerate(places)]
    return DrawnSheet(name="", size=(size[0] * unit[0], size[1] * unit[1]), cloth="green", areas=areas, fall=fall)


def _scaled(at: layout.Place, unit: Point) -> Box:
    left, top, width, height = at
    return left * unit[0], top * unit[1], width * unit[0], height * unit[1]


def _rectangle(place: int, at: Box) -> DrawnArea:
    left, top, width, height = at
    x, y, across, down = left + GAP, top + GAP, width - 2 * GAP, height - 2 * GAP
    path = f"M{figure(x)} {figure(y)}h{figure(across)}v{figure(down)}h{figure(-across)}z"
    chip = (x + across - min(19, across / 2), y + down - min(19, down / 2))
    return DrawnArea(
        place=place, path=path, chip=chip, room=(x, y, across, down), pay=(-36, 0), box=(x, y, across, down)
    )


def _with_extra(view: TableView, sheet: DrawnSheet, drawn: set[tuple[str, Pick]], kind: str) -> DrawnSheet:
    """Add rectangles below for the areas that are not drawn: those that a book adds to the felt of another."""
    missing = [place for place, spot in enumerate(spots_of(view.game.book)) if spot.key not in drawn]
    if not missing:
        return sheet
    in_a_row, high = EXTRA[kind]
    width, height = sheet.size
    across = width / min(in_a_row, len(missing))
    areas = [
        _rectangle(place, (n % in_a_row * across, height + n // in_a_row * high, across, high))
        for n, place in enumerate(missing)
    ]
    rows = -(-len(missing) // in_a_row)
    return DrawnSheet(
        name=sheet.name,
        size=(width, height + rows * high),
        cloth=sheet.cloth,
        areas=[*sheet.areas, *areas],
        text=sheet.text,
        dice=sheet.dice,
        lines=sheet.lines,
        puck=sheet.puck,
        fall=sheet.fall,
        choose=sheet.choose,
        numbers=sheet.numbers,
    )


# -- what a book draws ------------------------------------------------------------------------------------------------


def _drawn(view: TableView, sheet: layout.Sheet) -> DrawnSheet:
    spots = {spot.key: (place, spot) for place, spot in enumerate(spots_of(view.game.book))}
    areas: list[DrawnArea] = []
    numbers: dict[Pick, str] = {}
    for area in sheet.areas:
        for pick, by, word in area.places:
            place, spot = spots[area.wager, pick]
            areas.append(_area(view, place, spot, area, by, word))
            if area.box and sheet.choose is not None:
                numbers.setdefault(pick, word or str(pick))
    return DrawnSheet(
        name=sheet.name,
        size=sheet.size,
        cloth=sheet.cloth,
        areas=areas,
        text=[_words(one, (0, 0), {}) for one in sheet.text],
        dice=[DrawnDice(list(one.faces), one.at, one.size, one.turn) for one in sheet.dice],
        lines=[_line(one, (0, 0)) for one in sheet.lines],
        puck=sheet.puck,
        fall=sheet.fall,
        choose=sheet.choose,
        numbers=list(numbers.items()),
    )


def _area(view: TableView, place: int, spot: Spot, area: layout.DrawnArea, by: Point, word: str) -> DrawnArea:
    says = {"label": spot.label, "note": spot.note, "word": word, **_odds(view, spot)}
    says["pick"] = "" if spot.pick is None else str(spot.pick)
    total_text: list[DrawnWords] = []
    rings: list[DrawnLine] = []
    if area.totals is not None:
        total_text, rings = _totals(view, spot, area.totals, by)
    if area.ladder is not None:
        total_text, rings = _rungs(view, spot, area.ladder, by)
    return DrawnArea(
        place=place,
        path=path_text(outline(area), by),
        width=None if area.band is None else area.band[1],
        chip=_moved(area.chip, by),
        room=_room(area, by),
        pay=area.pay,
        number=spot.pick if area.box else None,
        puck=None if area.puck is None else _moved(area.puck, by),
        shows=area.shows,
        tone=area.tone,
        scale=area.scale,
        text=[*(_words(one, by, says) for one in area.text), *total_text],
        dice=_dice(view, spot, area, by),
        lines=[*(_line(one, by) for one in area.lines), *rings],
    )


def _moved(at: Point, by: Point) -> Point:
    return at[0] + by[0], at[1] + by[1]


def _words(words: layout.Words, by: Point, says: dict[str, str]) -> DrawnWords:
    text = words.says
    for field, value in says.items():
        text = text.replace(f"{{{field}}}", value)
    at = _moved(words.at, by)
    size = words.size if words.most is None else min(words.size, words.most / (WIDTH * max(1, len(text))))
    return DrawnWords(text, at, round(size, 1), words.width, words.turn, words.tone, words.to, words.plain)


def _line(line: layout.Line, by: Point) -> DrawnLine:
    return DrawnLine(path_text(parsed_path(line.path), by), line.tone, line.width, line.dash)


def _room(area: layout.DrawnArea, by: Point) -> Box:
    """Return where the chips of many players lie."""
    if area.room is not None:
        left, top, width, height = area.room
    elif area.rect is not None:
        left, top, width, height = area.rect[:4]
    else:
        left, top, width, height = area.chip[0] - 30, area.chip[1] - 18, 60, 36
    return left + by[0], top + by[1], width, height


def _dice(view: TableView, spot: Spot, area: layout.DrawnArea, by: Point) -> list[DrawnDice]:
    found = _layout(view).areas
    own = next(one.dice for one in found if (one.wager, one.pick) == spot.key)
    dice = [
        DrawnDice(list(one.faces or (own[0] if own else ())), _moved(one.at, by), one.size, one.turn)
        for one in area.dice
    ]
    if area.bar is not None:
        barred = _barred(view, spot)
        if len(barred) == 1:
            dice.append(DrawnDice(list(barred[0]), _moved(area.bar.at, by), area.bar.size, area.bar.turn))
    return [one for one in dice if one.faces]


def _barred(view: TableView, spot: Spot) -> list[tuple[int | str, ...]]:
    """Return the throws that return a wager made on a spot."""
    machine = view.game.machine(spot.wager.id, machine_pick(spot))
    entries = enumerate(machine.table[state_now(view, spot)])
    faces = (view.game.book.outcomes.all[outcome] for outcome, entry in entries if entry.then == "void")
    return list(dict.fromkeys(tuple(sorted(one)) for one in faces))


def _totals(view: TableView, spot: Spot, totals: layout.Totals, by: Point) -> tuple[list[DrawnWords], list[DrawnLine]]:
    """Return the totals that win on a spot, with rings around those that pay more."""
    machine = view.game.machine(spot.wager.id, machine_pick(spot))
    pays: dict[int, Fraction] = {}
    for outcome, entry in enumerate(machine.table[state_now(view, spot)]):
        if entry.then == "win":
            pays[total_of(view.game.book.outcomes.all[outcome])] = entry.odds
    printed = {line.odds: line.printed for line in pay_lines(view.game, spot.wager, [machine_pick(spot)])}
    words, rings = [], []
    for total, x, y in totals.at:
        at = _moved((x, y), by)
        is_ringed = pays[total] > min(pays.values())
        tone, size = ("gold", totals.size * 0.86) if is_ringed else ("print", totals.size)
        words.append(DrawnWords(str(total), at, size, tone=tone))
        if is_ringed:
            rings += [
                DrawnLine(path_text(layout.circle_path(*at, r)), "deco", width) for r, width in _rings(totals.ring)
            ]
            below = (at[0] + totals.pays[0], at[1] + totals.pays[1])
            words.append(
                DrawnWords(totals.says.replace("{odds}", printed[pays[total]]), below, 12.5, tone="gold", plain=True)
            )
    return words, rings


def _rungs(view: TableView, spot: Spot, ladder: layout.Ladder, by: Point) -> tuple[list[DrawnWords], list[DrawnLine]]:
    """Return what each line of the pay table pays, as the rungs of a ladder."""
    words, rungs = [], []
    left, top = _moved(ladder.at, by)
    width, height = ladder.rung
    for n, line in enumerate(pay_lines(view.game, spot.wager, [machine_pick(spot)])):
        x, y = left + n % ladder.across * width, top + n // ladder.across * height
        rectangle = layout.DrawnArea("", (0, 0), rect=(x + 1, y + 1, width - 2, height - 2, 4))
        rungs.append(DrawnLine(path_text(outline(rectangle)), "hair", 1))
        middle = x + width / 2
        odds = line.printed.removesuffix(" to 1")
        words.append(DrawnWords(odds, (middle, y + height * 0.36), 13, plain=True))
        words.append(DrawnWords(line.words, (middle, y + height * 0.74), 10.5, tone="gold", plain=True))
    return words, rungs


def _rings(radius: float) -> list[Point]:
    return [(radius, 2.2), (radius * 0.82, 1)]


def _odds(view: TableView, spot: Spot) -> dict[str, str]:
    """Return what a spot pays: as short as possible, and in words."""
    texts = odds_texts(view, spot, " to ")
    lines = pay_lines(view.game, spot.wager, [machine_pick(spot)])
    printed = {line.odds: line.printed for line in lines}
    odds = [printed[value] for value in odds_now(view, spot)]
    one_unit = all(words.endswith(" to 1") for words in odds)
    if len(odds) > 1 and one_unit:
        words = " / ".join(one.removesuffix(" to 1") for one in odds) + " to 1"
    else:
        words = " / ".join(odds)
    return {"pays": texts[-1] if len(texts) > 1 else texts[0], "odds": words, "least": odds[0]}
