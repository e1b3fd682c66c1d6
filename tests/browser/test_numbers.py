"""Players' own numbers on the page: sent with bets, revealed automatically, and looked for in every throw."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Route, expect

from croupier.house.electronic.fair_dice import commitment, drawn, mixed, number_commitment
from croupier.house.electronic.verification import Verdict, verify_dice
from croupier.store.keys import HouseKey
from croupier.store.receipts import Claim, issue
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
                const dice = await import("/web/fairness/dice.js");
                return [
                    dice.commitment(2, "t", round, secret),
                    own.map(one => dice.numberCommitment("t", round, one)),
                    dice.drawn(secret, dice.mixed("t", round, ...rows), faces, count),
                ];
            }""",
            [round, secret.hex(), [one.hex() for one in own], [*zip(*rows, strict=True)], faces, count],
        )
        assert told[0] == commitment("t", round, secret)
        assert told[1] == [number_commitment("t", round, one) for one in own]
        assert tuple(told[2]) == drawn(secret, mixed("t", round, rows), faces, count)


PLAYED = """async ([changed, isListed, isIn, receipt, comes]) => {
    const { Numbers } = await import("/web/fairness/numbers.js");
    const { receipts } = await import("/web/fairness/receipts.js");
    const dice = await import("/web/fairness/dice.js");
    const said = [], done = [], shown = [], secret = "11".repeat(32), hash = "ab".repeat(32);
    sessionStorage.clear();
    receipts.forget();
    receipts.meet(receipt.key);
    const answer = (told, status) => new Response(JSON.stringify(told), { status });
    window.fetch = async (path, init) => {
        if (!init.body) {
            done.push(`asked ${path}`);
            return comes === "asked" ? answer(receipt, 200) : answer({ ok: false, message: "No." }, 404);
        }
        const body = JSON.parse(init.body);
        done.push("shown");
        shown.push(body.number);
        return answer({ ok: true, number: body.number }, 200);
    };
    const numbers = new Numbers("t", { throw: { faces: [1, 2, 3, 4, 5, 6], count: 2 } }, say => said.push(say));
    const round = { type: "round_opened", number: 7, commitment: dice.commitment(2, "t", 7, secret), protocol: 2 };
    numbers.heard({ events: [round] });
    const committed = numbers.commit(7);
    numbers.accepted(7, committed);
    const listed = isListed ? [committed] : [];
    numbers.heard({ version: 5, hash, events: [{ type: "bets_shut", number: 7, numbers: listed }] });
    if (comes === "live") {
        await new Promise(ready => setTimeout(ready, 60));
        done.push("signed");
        receipts.keep(receipt);
    }
    while (numbers.isSending) await new Promise(ready => setTimeout(ready, 10));
    const own = listed.map((_, i) => (isIn && shown[i]) || "");
    const faces = dice.drawn(secret, dice.mixed("t", 7, listed, own), [1, 2, 3, 4, 5, 6], 2);
    const row = { type: "dice_drawn", number: 7, secret, shut: hash, faces, numbers: own, ...changed };
    numbers.heard({ events: [row] });
    receipts.forget();
    return [said, done];
}"""
KEY = HouseKey.new()


def signed(hashed: str = "ab" * 32) -> dict[str, Any]:
    """What a house signs in the event that closes the bets."""
    receipt = issue(KEY, [Claim("table/t", 5, bytes.fromhex(hashed))], datetime.now(UTC))[0]
    told: dict[str, Any] = msgspec.to_builtins(receipt)
    return told


@pytest.mark.parametrize(
    ("changed", "listed", "drawn_with", "said"),
    [
        ({}, True, True, None),
        ({}, True, False, "was left out of this throw"),
        ({}, False, True, "were closed without your number"),
        ({"shut": "another"}, True, True, "for different bets"),
        ({"faces": [7, 7]}, True, True, "do not follow"),
        ({"secret": "22" * 32}, True, True, "do not follow"),
        ({"numbers": ["33" * 32]}, True, True, "do not follow"),
    ],
    ids=["honest", "left out of the draw", "left out of the list", "other bets", "other dice", "secret", "number"],
)
def test_the_player_is_told_in_a_line_what_is_wrong(
    house: Running, visit: Visitors, changed: dict[str, Any], listed: bool, drawn_with: bool, said: str | None
) -> None:
    told, done = visit(house).go("/").evaluate(PLAYED, [changed, listed, drawn_with, signed(), "live"])
    assert len(told) == (said is not None)
    assert said is None or said in told[0]
    assert done == (["signed", "shown"] if listed else ["signed"])


ASKED = "asked /api/v1/tables/t/receipts/5"
NONE = "No signed receipt came for the bets. Your number was not revealed."
OTHER = "The house signed different bets from those it says it closed. Your number was not revealed."


@pytest.mark.parametrize(
    ("receipt", "comes", "done", "said"),
    [
        (signed(), "live", ["signed", "shown"], []),
        (signed(), "asked", [ASKED, "shown"], []),
        (signed(), "never", [ASKED], [NONE]),
        (signed("cd" * 32), "live", ["signed"], [OTHER]),
        (signed("cd" * 32), "asked", [ASKED], [OTHER]),
        (signed("cd" * 32) | {"hash": "ab" * 32}, "live", ["signed", ASKED], [NONE]),
        (signed("cd" * 32) | {"hash": "ab" * 32}, "asked", [ASKED], [NONE]),
    ],
    ids=[
        "it comes",
        "it is asked for",
        "none",
        "other bets",
        "other bets when asked",
        "not signed",
        "not signed when asked",
    ],
)
def test_a_number_is_shown_once_the_house_has_signed_what_it_shut(
    house: Running, visit: Visitors, receipt: dict[str, Any], comes: str, done: list[str], said: list[str]
) -> None:
    assert visit(house).go("/").evaluate(PLAYED, [{}, True, True, receipt, comes]) == [said, done]


SHUT_EARLY = """async ([said, took, isReady, listed]) => {
    const { Numbers } = await import("/web/fairness/numbers.js");
    sessionStorage.clear();
    window.fetch = async () => new Response("{}", { status: 404 });
    const told = [];
    const numbers = new Numbers("t", { throw: { faces: [1, 2, 3, 4, 5, 6], count: 2 } }, say => told.push(say));
    const hear = (...events) => numbers.heard({ version: 1, hash: "", events });
    hear({ type: "round_opened", number: 7, commitment: "", protocol: 2 });
    const committed = numbers.commit(7);
    numbers.accepted(7, committed);
    if (said) numbers.saysReady(7);
    if (took) hear({ type: "wager_reduced", player: "ann" });
    if (isReady) hear({ type: "player_ready", number: 7, player: "ann", contributor: 1, ready: true });
    hear({ type: "bets_shut", number: 7, numbers: [committed], ready: listed });
    return told;
}"""
IN_MY_NAME = "The house says that you are ready, and you did not say so here. Did you on another page?"
NOT_READY = "The bets were closed early, and you were not ready."


@pytest.mark.parametrize(
    ("said", "took", "is_ready", "listed", "told"),
    [
        (True, False, True, [1], []),
        (False, True, True, [1], []),
        (False, False, False, [], []),
        (False, False, False, [1], [NOT_READY]),
        (False, False, True, [1], [IN_MY_NAME]),
    ],
    ids=["said so", "took all bets down", "by the clock", "over the player's head", "in the player's name"],
)
def test_a_player_who_was_not_ready_is_told_that_the_bets_closed_early(
    house: Running, visit: Visitors, said: bool, took: bool, is_ready: bool, listed: list[int], told: list[str]
) -> None:
    assert visit(house).go("/").evaluate(SHUT_EARLY, [said, took, is_ready, listed]) == told


def test_over_plain_http_no_number_is_shown_for_a_wrong_signature(plain_house: Running, visit: Visitors) -> None:
    page = visit(plain_house).go("/")
    assert not page.evaluate("window.isSecureContext")
    assert page.evaluate(PLAYED, [{}, True, True, signed(), "asked"]) == [[], [ASKED, "shown"]]
    forged = signed() | {"signature": signed("cd" * 32)["signature"]}
    assert page.evaluate(PLAYED, [{}, True, True, forged, "asked"]) == [[NONE], [ASKED]]


def test_the_page_holds_the_receipt_before_it_shows_its_number(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), quick_table(house, SIC_BO, min="5.00"))
    held: list[list[int]] = []
    kept = "async () => (await import('/web/fairness/receipts.js')).receipts.book.kept.map(one => one.version)"

    def shows(route: Route) -> None:
        held.append(felt.page.evaluate(kept))
        route.continue_()

    felt.page.route("**/numbers/show", shows)
    felt.sit_down("200")
    felt.bet("Small", "Big")
    felt.expect_called("win, .calls li.lose")
    events = felt.visitor.context.request.get(f"/api/v1/tables/{felt.table}/events").json()["entries"]
    (shut,) = (entry["version"] for entry in events if entry["type"] == "bets_shut")
    assert len(held) == 1
    assert shut in held[0]
    assert verdict(felt).numbers.missing == 0
