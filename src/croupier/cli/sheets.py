"""`croupier par`: the PAR sheet of a book, as a page for a browser and as a PDF."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from pathlib import Path

from croupier.rules.errors import PayTableError
from croupier.rules.shelf import Shelf
from croupier.sheets.par import par_sheet
from croupier.sheets.par_html import html_of
from croupier.sheets.par_typst import pdf_of

NO_TYPST = 'the PDF is made with Typst, which is not installed: "pip install typst" brings it.'


def add_par(command: argparse.ArgumentParser) -> None:
    """The arguments of `croupier par`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("--out", metavar="FOLDER", default=".", help="where the files go (this folder)")
    command.add_argument("--html", action="store_true", help="only the page for a browser")
    command.add_argument("--pdf", action="store_true", help="only the PDF")
    command.add_argument("--pay-table", metavar="T", help="one pay table instead of every approved value")


def make_par(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the sheet and write it in the forms asked for; the result is the exit status."""
    try:
        sheet = par_sheet(shelf, given.book, version("croupier"), given.pay_table)
    except PayTableError as error:
        return _refuse(f"{error} ({error.clause})" if error.clause else str(error))
    files: dict[str, bytes] = {}
    both = given.html == given.pdf
    if both or given.html:
        files["html"] = html_of(sheet).encode("utf-8")
    if both or given.pdf:
        try:
            files["pdf"] = pdf_of(sheet)
        except ImportError:
            if not both:
                return _refuse(NO_TYPST)
            print(f"croupier: {NO_TYPST}", file=sys.stderr)
    folder = Path(given.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, content in files.items():
            file = folder / f"{given.book}.par.{form}"
            file.write_bytes(content)
            print(f"{file}: {sheet.kind}, {sheet.title}")
    except OSError as error:
        return _refuse(f"{folder} cannot be written to ({error.strerror}).")
    return 0


def _refuse(sentence: str) -> int:
    print(f"croupier: {sentence}", file=sys.stderr)
    return 2
