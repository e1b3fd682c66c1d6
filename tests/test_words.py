"""The words of the pages: all go through the catalogue, and every translation is whole."""

from __future__ import annotations

import re

import pytest

from tests.serving import running
from tools.page_words import (
    Text,
    book_names,
    full_names,
    is_words,
    keys,
    languages,
    page_texts,
    placeholders,
    shell_words,
    texts_of,
    translations,
    values_given,
    wrong_calls,
)

every_language = pytest.mark.parametrize("language", languages())

# Texts that look like words and are none for people, with the reason.
NO_WORDS = {
    "deal/bar.js: excluded ": "a fact of the book",
    "deal/bar.js: offered to": "a fact of the book",
    "deal/entry.js: Enter": "the key's own name",
    "deal/entry.js: Esc": "the key's own name",
    "duties/list.js:  card alert": "classes",
    "fairness/dice.js: dice ": "what is signed",
    "fairness/receipt.js: croupier receipt 1\\n\\n\\n\\n\\n\\n": "what is signed",
    "fairness/receipt.js: croupier receipts 1\n": "what is signed",
    "felt/felt.js: ON": "printed on the puck",
    "felt/lettering.js: odds start": "classes",
    "felt/spot.js: \u0000on its way": "a key that no player has",
    "floor/alerts.js: The house": "begins a sentence that the house tells in English",
    "inspect/chain.js: croupier stream\\n": "what the hash chain starts with",
    "learn/coach.js: px px": "a place on the screen",
    "promotion/course.js: entries closed": "a stage in the contract",
    "promotion/own.js: The winner does not want it.": "goes on record, in English",
    "promotions/page.js: entries closed": "a stage in the contract",
    "registers/register-table.js: SHA-256 ": "a name",
    "registers/register-table.js: subtle": "a part of the browser",
    "results/roads.js: cell side": "classes",
    "results/roads.js: fell spin-": "classes",
    "results/seal.js: seal ": "classes",
}


def test_all_words_of_the_pages_go_through_the_catalogue() -> None:
    texts = [text for text in page_texts() if is_words(text)]
    found = {f"{text.file}: {text.said}" for text in texts}
    assert found - set(NO_WORDS) == set(), "wrap these in t(…), plural(…), rich(…) or named(…)"
    assert set(NO_WORDS) - found == set(), "these are no longer there"


def test_every_text_is_written_out_where_it_is_said() -> None:
    assert wrong_calls() == []


def test_texts_are_given_the_values_that_they_name() -> None:
    for text, named, given in values_given():
        assert named == given, f"{text.file}:{text.line}: {text.said}"


def test_there_are_translations() -> None:
    assert {"de", "zh-Hans"} <= set(languages())
    assert len(keys()) > 1000
    assert "Any Triple" in book_names()
    assert "Skip to content" in shell_words()


@every_language
def test_nothing_is_left_out(language: str) -> None:
    missing = (set(keys()) | book_names()) - set(translations(language))
    assert missing == set(), f"`python -m tools.page_words {language}` prints these entries"


@every_language
def test_nothing_is_left_over(language: str) -> None:
    assert set(translations(language)) - set(keys()) - book_names() - full_names() == set()


@every_language
def test_counts_have_the_forms_of_the_language(language: str) -> None:
    """Those of Intl.PluralRules; `tests/browser/test_words.py` asks a browser for them."""
    forms = {"de": {"one", "other"}, "zh-Hans": {"other"}}
    counted = {key.english for key in keys().values() if key.counts}
    for english, words in translations(language).items():
        assert isinstance(words, dict) == (english in counted), english
        if isinstance(words, dict):
            assert set(words) == forms.get(language, set(words)), english
            assert "other" in words


@every_language
def test_translations_say_something_and_keep_the_values(language: str) -> None:
    for english, words in translations(language).items():
        for form in words.values() if isinstance(words, dict) else [words]:
            assert form.strip() == form != "", english
            if isinstance(words, str):
                assert placeholders(form) == placeholders(english), english
            else:
                assert placeholders(form) <= placeholders(english) | {"n"}, english
        if isinstance(words, dict):
            assert placeholders(words["other"]) == placeholders(english) | {"n"} - _unsaid(words["other"]), english


def _unsaid(form: str) -> set[str]:
    return set() if "{n}" in form else {"n"}


@every_language
def test_translations_are_in_order(language: str) -> None:
    """So that two people who add some at once seldom meet."""
    assert list(translations(language)) == sorted(translations(language))


# -- the scanner ------------------------------------------------------------------------------------------------------


def found_in(code: str) -> list[str]:
    return [text.said for text in texts_of("page.js", code) if is_words(text)]


def test_words_beside_the_catalogue_are_found() -> None:
    assert found_in('h("p.soft", "Sit down")') == ["Sit down"]
    assert found_in('h("p", isOpen ? "open" : t("closed"))') == ["open"]
    assert found_in('h("input", { "aria-label": "Amount", class: "amount wide" })') == ["Amount"]
    assert found_in("fill(line, `${name} left`)") == [" left"]
    assert found_in('const NOTHING = { late: "Nothing is late." }') == ["Nothing is late."]
    assert found_in('const words = /"quoted"/.test(text) ? "Not here" : t("Here")') == ["Not here"]
    assert found_in("h('b', t(`a ${b ? 'Nested words' : c}`))") == []
    assert found_in('t("Said", { name: h("b", "in it", { title: "Spoken words" }) })') == ["Spoken words"]


def test_other_texts_are_left_alone() -> None:
    assert found_in('import { t } from "../shared/catalogue.js"; // "Some words"') == []
    assert found_in('if (event.key === "Enter") throw new Error("No such thing")') == []
    assert found_in('h("section.card", { class: "card wide", "aria-labelledby": "own-title" })') == []


def test_calls_with_other_values_are_found() -> None:
    def given(code: str) -> list[tuple[set[str], set[str]]]:
        return [(named, there) for _, named, there in values_given(texts_of("page.js", code))]

    assert given('t("{a} on {b}", { a, b: c(d) })') == [({"a", "b"}, {"a", "b"})]
    assert given('t("{a} on {b}", { a })') == [({"a", "b"}, {"a"})]
    assert given('t("none")') == [(set(), set())]
    assert given('plural(2, "{n} a", "{n} as by {who}", { who: one })') == [({"who"}, {"who"})]
    assert given('t("{a}", words)') == [], "only what is written out"


# -- what is served ---------------------------------------------------------------------------------------------------


def test_translations_are_served_and_listed(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running(tmp_path_factory.mktemp("house"), store="memory:") as house:
        http = house.nobody().http
        german = http.get("/web/words/de.json")
        page = http.get("/").text
        display = http.get("/display/craps-nsw-2024").text
        rules = http.get("/rules").text
    assert german.headers["content-type"].startswith("application/json")
    assert german.json()["Tables"] == "Tische"
    assert f'data-languages="{" ".join(languages())}"' in page
    assert '<footer id="foot">' in page
    assert "<footer" not in display, "a screen above a table has nothing to press"
    for language in languages():
        assert re.search(rf'<p lang="{language}">[^<]+</p>', rules), "the rules say that they are in English"


def test_a_text_knows_where_it_is() -> None:
    (text,) = (text for text in texts_of("page.js", 'a;\nh("p", "Sit down")') if text.said == "Sit down")
    assert isinstance(text, Text)
    assert (text.line, text.inside.call, text.inside.place) == (2, "h", 1)
