"""The sheet with all acts of a book, as staff and players use it: search, fill in by label, submit."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect


def do_in(sheet: Locator, act: str, said: dict[str, str], how: str | None = None) -> None:
    """Find an act by the beginning of its label, give what it asks for, and submit it."""
    sheet.get_by_label("Search").fill(act.replace("…", ""))
    sheet.locator(".acts").get_by_role("button", name=worded(act)).first.click()
    fill_in(sheet, said, how)


def worded(act: str) -> re.Pattern[str]:
    """An act by the beginning of its label; … stands for any values it contains."""
    return re.compile("^" + re.escape(act).replace("…", ".+"))


def fill_in(sheet: Locator, said: dict[str, str], how: str | None = None) -> None:
    """Fill in the form of an act by its field labels, and submit it."""
    if how is not None:
        sheet.get_by_role("group", name="How").get_by_role("radio", name=worded(how)).first.check()
    for label, value in said.items():
        _fill(sheet.locator(f'label:has(> span:text-is("{label}"))').locator("input, select").first, value)
    sheet.get_by_role("button", name="Do it").click()
    expect(sheet).to_have_count(0)


def _fill(field: Locator, value: str) -> None:
    if field.evaluate("field => field.tagName") == "SELECT":
        named = [each for each in field.locator("option").all_inner_texts() if each.startswith(value)]
        field.select_option(label=named[0])
    else:
        field.fill(value)
