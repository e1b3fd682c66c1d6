"""The pages in other languages: chosen by the browser or the reader, a round at a table, and everything fits."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.accessibility import axe
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.test_weight import MOST_BYTES
from tests.browser.visiting import Visitors
from tests.serving import Running
from tools.page_words import languages, translations

CRAPS = "craps-nsw-2024"
PAGES = {
    "/me": "ann",
    "/promotions": "ann",
    "/promotions/harbour-draw": "mia",
    "/duties": "mia",
    "/registers": "ivy",
    "/inspect": "ivy",
    "/floor": "sam",
    f"/display/{CRAPS}": None,
}
CLIPPED = """() => [...document.querySelectorAll("main :is(a, button, dd, dt, h1, h2, h3, label, p, summary, td, th)")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline")
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.closest(".heard, .scroll, [role=region]"))
    .map((one) => one.textContent)"""


class Spoken(NamedTuple):
    """A language at a table: what a reader of it sees."""

    locale: str
    field: str
    waits: str
    won: str
    net: str
    undo: str


GERMAN = Spoken("de-DE", "Feld", "Einsätze sind offen", "Feld gewinnt: 5,00 zahlt 5,00", "Netto+5,00", "Zurück")
CHINESE = Spoken("zh-CN", "场地", "开放投注", "场地 赢：5.00 派彩 5.00", "净额+5.00", "撤销")


def reads(look: Look, locale: str) -> Look:
    return look._replace(locale=locale)


def shown(page: Page) -> str:
    """The language of the page once it is drawn."""
    expect(page.locator("#loading")).to_have_count(0)
    return str(page.evaluate("document.documentElement.lang"))


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
@pytest.mark.parametrize("spoken", [GERMAN, CHINESE], ids=["de", "zh-Hans"])
def test_a_round_at_a_table(house: Running, visit: Visitors, look: Look, spoken: Spoken) -> None:
    table = dealt_table(house, CRAPS, min="5.00")
    dora, ann = house.person("dora"), house.person("ann")
    assert dora.do(f"/tables/{table}/post", {"role": "dealer"}).status_code == 200
    assert ann.do(f"/tables/{table}/seat", {"chips": "200.00"}).status_code == 200
    felt = AtFelt(visit(house, "ann", reads(look, spoken.locale)), table)
    page = felt.page
    expect(page.locator(".status .bets")).to_contain_text(spoken.waits)
    put = felt.tap if look is PHONE else felt.click
    put(spoken.field)
    staked = re.compile(r"5[.,]00")
    expect(felt.area(spoken.field)).to_have_attribute("aria-label", staked)
    page.get_by_role("button", name=spoken.undo).click()
    expect(felt.area(spoken.field)).not_to_have_attribute("aria-label", staked)
    put(spoken.field)
    expect(felt.area(spoken.field)).to_have_attribute("aria-label", staked)
    assert dora.do(f"/tables/{table}/lines", {"line": {"do": "roll", "dice": [1, 2]}}).status_code == 200
    expect(felt.expect_called("win")).to_contain_text(spoken.won)
    expect(page.locator(".purse")).to_contain_text(spoken.net)
    fits(page)
    axe(page)


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
@pytest.mark.parametrize("locale", ["de-DE", "zh-CN"])
def test_all_words_fit(house: Running, visit: Visitors, look: Look, locale: str) -> None:
    for path, person in PAGES.items():
        page = visit(house, person, reads(look, locale)).go(path)
        assert shown(page) != "en"
        expect(page.locator("main h1, main .display-head").first).to_be_visible()
        fits(page)
        assert page.evaluate(CLIPPED) == [], path
        axe(page)


def test_the_reader_chooses_and_the_browser_remembers(house: Running, visit: Visitors) -> None:
    page = visit(house, "ann").go("/me")
    assert shown(page) == "en"
    german = page.get_by_role("group", name="Language").get_by_role("button", name="Deutsch")
    expect(german).to_have_attribute("aria-pressed", "false")
    german.click()
    expect(page.get_by_role("heading", name="Mein Konto")).to_be_visible()
    page.reload()
    assert shown(page) == "de"
    page.goto("/promotions")
    expect(page.get_by_role("heading", level=1)).to_have_text("Gewinnspiele")
    assert page.title().startswith("Gewinnspiele")
    page.get_by_role("group", name="Sprache").get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Promotions")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("de-CH", "de"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", "en"), ("fr-FR", "en"), ("en-US", "en")],
)
def test_the_browser_prefers_a_language(house: Running, visit: Visitors, locale: str, language: str) -> None:
    page = visit(house, look=reads(DESKTOP, locale)).go("/promotions")
    assert shown(page) == language


@pytest.mark.parametrize("locale", ["de-DE", "zh-CN"])
def test_the_first_load_stays_light(house: Running, visit: Visitors, locale: str) -> None:
    visitor = visit(house, "ann", reads(DESKTOP, locale))
    came: list[Response] = []
    visitor.page.on("response", lambda one: came.append(one))
    page = visitor.go(f"/tables/{CRAPS}")
    expect(page.locator(".felt .area").first).to_be_visible()
    sizes = [one.request.sizes() for one in came if "/live" not in one.url]
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) < MOST_BYTES


def test_english_asks_for_no_translation(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann")
    asked: list[str] = []
    visitor.page.on("request", lambda one: asked.append(one.url))
    assert shown(visitor.go("/me")) == "en"
    assert not [url for url in asked if "/words/" in url]


def test_without_its_translation_a_page_is_in_english(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann", reads(DESKTOP, "de-DE"))
    visitor.allow("words/de.json|ERR_FAILED")
    visitor.page.route("**/words/*.json", lambda route: route.abort())
    expect(visitor.go("/me").get_by_role("heading", name="My account")).to_be_visible()
    assert shown(visitor.page) == "en"


@pytest.mark.parametrize(
    ("locale", "amount", "date"),
    [
        ("en-AU", r"1,000\.00", r"\w{3},? \d{1,2} \w{3,4} \d{4}(, | at )\d\d:\d\d AE[SD]T"),
        ("de-DE", r"1\.000,00", r"\w\w\., \d{1,2}\. \w+\.? \d{4}, \d\d:\d\d AE[SD]T"),
        ("de-CH", r"1[’']000\.00", r"\w\w\., \d{1,2}\. \w+\.? \d{4}, \d\d:\d\d AE[SD]T"),
        ("zh-CN", r"1,000\.00", r"\d{4}年\d{1,2}月\d{1,2}日.*\d\d:\d\d"),
    ],
)
def test_amounts_and_times_are_the_readers(
    house: Running, visit: Visitors, locale: str, amount: str, date: str
) -> None:
    page = visit(house, "ann", reads(DESKTOP, locale)).go("/me")
    expect(page.locator(".me-facts")).to_contain_text(re.compile(amount))
    when = page.locator(".me-rows").last.locator("tbody tr").first.locator("td").first
    expect(when).to_have_text(re.compile(date))
    expect(when).to_contain_text(re.compile("AE[SD]T"))


@pytest.mark.parametrize(
    ("locale", "typed", "meant"),
    [
        ("en-AU", "50", "50.00"),
        ("en-AU", "2.5", "2.50"),
        ("en-AU", "2,5", "2.50"),
        ("en-AU", " $12,000 ", "12000.00"),
        ("en-AU", "1.234", None),
        ("de-DE", "2,5", "2.50"),
        ("de-DE", "2.50", "2.50"),
        ("de-DE", "1.234,50", "1234.50"),
        ("de-DE", "1.234", "1234.00"),
        ("de-DE", "1,234", None),
        ("de-DE", "12.34.567", None),
        ("zh-CN", "1,234.5", "1234.50"),
        ("zh-CN", "ten", None),
    ],
)
def test_amounts_may_be_typed_in_either_way(
    house: Running, visit: Visitors, locale: str, typed: str, meant: str | None
) -> None:
    page = visit(house, look=reads(DESKTOP, locale)).go("/promotions")
    read = "async (text) => (await import('/web/shared/words.js')).typed(text)"
    assert page.evaluate(read, typed) == meant


def test_a_limit_is_typed_with_a_comma(house: Running, visit: Visitors) -> None:
    page = visit(house, "ann", reads(DESKTOP, "de-DE")).go("/me")
    page.get_by_label("Verlustlimit am Tag").fill("1.234,5")
    page.get_by_role("button", name="Meine Limits setzen").click()
    expect(page.get_by_text("Jetzt: höchstens 1.234,50 Verlust am Tag, kein Zeitlimit.")).to_be_visible()
    expect(page.get_by_label("Verlustlimit am Tag")).to_have_value("1234,50")


def test_counts_have_the_forms_that_browsers_choose(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/promotions")
    for language in languages():
        chosen = page.evaluate("(code) => new Intl.PluralRules(code).resolvedOptions().pluralCategories", language)
        for words in translations(language).values():
            if isinstance(words, dict):
                assert set(words) == set(chosen), words


def test_what_only_the_book_says_is_marked_as_english(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann", reads(DESKTOP, "de-DE"))
    page = visitor.go("/promotions")
    said = page.evaluate(
        """async () => {
            const { Refused } = await import("/web/shared/api.js");
            const { refusalLine } = await import("/web/shared/parts.js");
            return refusalLine("b", new Refused(422, { code: "bets_closed", message: "No.", clause: "1" })).outerHTML;
        }"""
    )
    assert "Die Einsätze sind geschlossen." in said
    assert '<span lang="en">No.</span>' in said
    assert "Regel 1" in said
