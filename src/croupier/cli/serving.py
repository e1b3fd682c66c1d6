"""`croupier serve`: open a house and serve it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from croupier.rules.shelf import Shelf


def add_serve(parser: argparse.ArgumentParser) -> None:
    """What may be typed."""
    parser.add_argument("--settings", metavar="FILE", type=Path, help="a TOML file (croupier settings prints one)")
    parser.add_argument("--demonstration", action="store_true", help="six tables, and people to sign in as")


def add_operator(parser: argparse.ArgumentParser) -> None:
    """What may be typed."""
    parser.add_argument("person", metavar="PERSON", help="the account, which is opened if it is not there")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="the settings of the house")


def operator(shelf: Shelf, given: argparse.Namespace) -> int:
    """The password is asked for; where nobody can be asked, it is the first line of the input."""
    from croupier.server.operators import make_operator
    from croupier.server.settings import SettingsError, read_settings
    from croupier.store.contract import StoreError

    try:
        settings = read_settings(given.settings, os.environ)
        password = _password(given.person)
        if password is None:
            print("croupier: The two passwords are not the same: nothing was changed.", file=sys.stderr)
            return 2
        refusal = make_operator(settings, given.person, password)
    except (SettingsError, StoreError) as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 2
    if refusal is not None:
        print(f"croupier: {refusal.message}", file=sys.stderr)
        return 2
    print(f"{given.person} is an operator of this house, and signs in with this password from now on.")
    return 0


def _password(person: str) -> str | None:
    """None where what is typed, unseen, is not the same twice."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass

    password = getpass(f"A password for {person}: ")
    return password if getpass("The same again: ") == password else None


def serve(shelf: Shelf, given: argparse.Namespace) -> int:
    """Serve until somebody presses Ctrl-C. What keeps the house from opening is told in one sentence."""
    from croupier.server.serving import serve as serve_house
    from croupier.server.settings import SettingsError, read_settings
    from croupier.store.contract import StoreError

    try:
        settings = read_settings(given.settings, os.environ)
        if given.demonstration:
            settings = msgspec.structs.replace(settings, demonstration=True)
        serve_house(settings)
    except (SettingsError, StoreError) as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 2
    return 0
