"""Players' own numbers on the page: put in with bets, shown by themselves, and looked for in every throw."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from croupier.house.electronic.dice import commitment, drawn, mixed, number_commitment
from croupier.house.electronic.fair import Verdict, verify_dice
from tests.browser.felts import AtFelt, quick_table
from tests.browser.visiting import Visitors
from tests.serving import Running

SIC_BO = "sic-bo-nsw-2016"


def verdict(felt: AtFelt) -> Verdict:
    record = felt.visitor.context.request.get(f"/api/v1/tables/{felt.table}/record").body()
    return verify_dice(record.splitlines(keepends=True))


def test_a_page_puts_a_number_in_and_shows_it(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), quick_table(house, SIC_BO, min="5.00"))
    felt.sit_down("200")
    felt.bet("Small", "Big")
    felt.expect_called("win, .calls li.lose")
    checked = verdict(felt)
    assert checked.findings == ()
    assert (checked.numbers.put_in, checked.numbers.missing) == (1, 0)
    expect(felt.page.locator(".calls li.refused")).to_have_count(0)


def test_a_page_that_is_opened_again_still_shows_its_number(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), quick_table(house, SIC_BO, min="5.00"))
    felt.sit_down("200")
    felt.bet("Small", "Big")
    felt.page.reload()
    felt.expect_called("win, .calls li.lose")
    checked = verdict(felt)
    assert (checked.findings, checked.numbers.put_in, checked.numbers.missing) == ((), 1, 0)


def test_the_page_draws_as_the_house_does(house: Running, visit: Visitors) -> None:
    page, chance = visit(house).go("/"), random.Random(19)
    for count, faces in ((2, [1, 2, 3, 4, 5, 6]), (3, [1, 2, 3, 4, 5, 6]), (2, ["H", "T"]), (30, [1, 2, 3, 4, 5, 6])):
        secret, round = chance.randbytes(32), chance.randrange(1, 10**6)
        own = [chance.randbytes(32) for _ in range(count)]
        rows = sorted((number_commitment("t", round, one), chance.choice(["", one.hex()])) for one in own)
        told: list[Any] = page.evaluate(
            """async ([round, secret, own, rows, faces, count]) => {
                const dice = await import("/web/dice-drawn.js");
                return [
                    dice.commitment("t", round, secret),
                    own.map(one => dice.numberCommitment("t", round, one)),
                    dice.drawn("t", round, secret, rows, faces, count),
                ];
            }""",
            [round, secret.hex(), [one.hex() for one in own], rows, faces, count],
        )
        assert told[0] == commitment("t", round, secret)
        assert told[1] == [number_commitment("t", round, one) for one in own]
        assert tuple(told[2]) == drawn(secret, mixed("t", round, rows), faces, count)


PLAYED = """async ([changed, isListed, isIn, signs]) => {
    const { Numbers } = await import("/web/numbers.js");
    const { receipts } = await import("/web/receipts.js");
    const dice = await import("/web/dice-drawn.js");
    const said = [], shown = [], secret = "11".repeat(32);
    sessionStorage.clear();
    window.fetch = async (_, init) => {
        const body = JSON.parse(init.body);
        shown.push(body.number);
        return new Response(JSON.stringify({ ok: true, number: body.number }), { status: 200 });
    };
    const numbers = new Numbers("t", { throw: { faces: [1, 2, 3, 4, 5, 6], count: 2 } }, say => said.push(say));
    const round = { type: "round_opened", number: 7, commitment: dice.commitment("t", 7, secret), protocol: 2 };
    numbers.heard({ events: [round] });
    const committed = numbers.commit(7);
    numbers.accepted(7, committed);
    const listed = isListed ? [committed] : [];
    numbers.know({ by_itself: true, version: 3, round: { ...round, shut: true } }, true, false);
    numbers.heard({ version: 3, hash: "the hash", events: [{ type: "bets_shut", number: 7, numbers: listed }] });
    if (signs) for (const hear of receipts.comes) hear({ stream: "table/t", version: 3, hash: signs });
    await new Promise(done => setTimeout(done, 50));
    const own = isListed && isIn ? shown : listed.map(() => "");
    const faces = dice.drawn("t", 7, secret, listed.map((one, i) => [one, own[i]]), [1, 2, 3, 4, 5, 6], 2);
    const row = { type: "dice_drawn", number: 7, secret, shut: "the hash", faces, numbers: own, ...changed };
    numbers.heard({ events: [row] });
    return [said, shown];
}"""
LURED = """async ([asked]) => {
    const { Numbers } = await import("/web/numbers.js");
    const said = [];
    window.fetch = async () => new Response(JSON.stringify({ ok: true }), { status: 200 });
    const numbers = new Numbers("t", { throw: { faces: [1, 2], count: 2 } }, say => said.push(say));
    const round = { number: 7, commitment: "", protocol: 2, shut: true };
    numbers.know({ by_itself: true, version: asked, round }, true, false);
    numbers.heard({ version: 5, hash: "the hash", events: [{ type: "bets_shut", number: 7, numbers: [] }] });
    return said;
}"""


@pytest.mark.parametrize(
    ("changed", "listed", "drawn_with", "said"),
    [
        ({}, True, True, None),
        ({}, True, False, "was left out of this throw"),
        ({}, False, True, "was left out of this throw"),
        ({"shut": "another"}, True, True, "after other bets"),
        ({"faces": [7, 7]}, True, True, "do not follow"),
        ({"secret": "22" * 32}, True, True, "do not follow"),
        ({"numbers": ["33" * 32]}, True, True, "do not follow"),
    ],
    ids=["honest", "left out of the draw", "left out of the list", "other bets", "other dice", "secret", "number"],
)
def test_the_player_is_told_in_a_line_what_is_wrong(
    house: Running, visit: Visitors, changed: dict[str, Any], listed: bool, drawn_with: bool, said: str | None
) -> None:
    told, _ = visit(house).go("/").evaluate(PLAYED, [changed, listed, drawn_with, "the hash"])
    assert len(told) == (said is not None)
    assert said is None or said in told[0]


@pytest.mark.parametrize("signs", ["", "another hash"], ids=["nothing", "something else"])
def test_a_number_is_shown_for_a_receipt_and_for_nothing_less(house: Running, visit: Visitors, signs: str) -> None:
    """A house that tells one page that the bets are shut, to get its number, has to sign it."""
    told, shown = visit(house).go("/").evaluate(PLAYED, [{}, True, False, signs])
    assert shown == []
    assert "came too late" in told[0]


@pytest.mark.parametrize(("asked", "lines"), [(4, 1), (5, 0)], ids=["before they were", "after"])
def test_a_page_that_is_opened_later_says_when_the_bets_were_not_shut(
    house: Running, visit: Visitors, asked: int, lines: int
) -> None:
    told = visit(house).go("/").evaluate(LURED, [asked])
    assert len(told) == lines
