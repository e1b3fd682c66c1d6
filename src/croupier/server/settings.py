"""The settings of a house: from the environment, a file, or a default.

A setting is read from the environment first (`CROUPIER_PORT`), then from the file (`port = 8000`), then from its
default below. Unknown or invalid settings are reported in one sentence before anything starts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

PREFIX = "CROUPIER_"

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Money = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,9}\.[0-9]{2}$(?!\n)")]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, msgspec.Meta(ge=1, le=2**40)]
Place = Annotated[str, msgspec.Meta(pattern=r"^(file:.+|(house:)?https?://[^/]+.*)$")]


class SettingsError(Exception):
    """An invalid setting; carries a sentence."""


def _about(default: object, sentence: str) -> Any:  # noqa: ANN401
    """Declare a setting with its default; the sentence goes into the documentation."""
    _ABOUT.append(sentence)
    return default


_ABOUT: list[str] = []


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a house."""

    store: str = _about("sqlite:house.db", "The address of the store: `sqlite:FILE`, `postgres://…` or `memory:`.")
    key: str = _about(
        "house.key",
        "The file with the house's private key, which signs checkpoints and receipts; created if it does not exist.",
    )
    host: str = _about("127.0.0.1", "The address to listen on. Only this machine can reach a loopback address.")
    port: Port = _about(8000, "The port to listen on; 0 picks a free one.")
    hosts: str = _about(
        "",
        "The host names that people use for the house, separated by commas; its own address and localhost always work.",
    )
    trusted_proxies: str = _about(
        "",
        "Addresses and networks of proxies, separated by commas; only their `X-Forwarded-For` is trusted.",
    )
    secure_cookies: bool = _about(
        False,
        "Whether session cookies are sent over HTTPS only. Set it to true if a proxy provides HTTPS.",
    )
    name: str = _about("croupier", "The name of the house, as its checkpoints state it.")
    session_hours: Seconds = _about(12.0, "How long a sign-in lasts, in hours.")
    sessions_of_one_person: Count = _about(
        20,
        "The maximum number of sessions of one person; another one ends the oldest.",
    )
    remembered_seconds: Seconds = _about(
        5.0,
        "How long the other processes may take to notice a sign-out or a new password.",
    )
    sign_ins_a_minute: Count = _about(20, "The maximum number of sign-in attempts a minute from one address.")
    failures: Count = _about(5, "The number of wrong passwords in a row that locks an account.")
    locked_seconds: Seconds = _about(
        60.0,
        "How long an account is locked the first time; each further lock lasts twice as long.",
    )
    orders_a_second: Count = _about(50, "The maximum number of orders a second from one person.")
    person_bytes_a_day: Bytes = _about(
        100_000_000,
        "The maximum number of bytes stored a day for one person's orders; the work of staff does not count.",
    )
    guests_bytes_a_day: Bytes = _about(
        1_000_000_000,
        "The maximum number of bytes stored a day for the orders of all guests together.",
    )
    store_most_bytes: Bytes = _about(
        2**40,
        "The maximum size of the store. Set it for PostgreSQL, since the house cannot see the disk of its server.",
    )
    disk_low_bytes: Bytes = _about(
        1_000_000_000,
        "`/health` and the log warn when the store can grow by fewer bytes than this.",
    )
    disk_reserve_bytes: Bytes = _about(
        128_000_000,
        "The house takes no orders when the store can grow by fewer bytes than this; the rest is for rounds "
        "in progress.",
    )
    connections: Count = _about(4000, "The maximum number of connections; fewer if the machine allows fewer.")
    connections_from_one_address: Count = _about(
        500,
        "The maximum number of connections from one address, unless it is a trusted proxy.",
    )
    head_seconds: Seconds = _about(10.0, "How long the headers of a request may take to arrive.")
    body_seconds: Seconds = _about(30.0, "How long the body of a request may take to arrive.")
    idle_seconds: Seconds = _about(5.0, "How long a connection stays open without a request.")
    stalled_seconds: Seconds = _about(30.0, "How long a client may read nothing before it is disconnected.")
    listeners: Count = _about(3000, "The maximum number of listeners to live events.")
    listeners_from_one_address: Count = _about(100, "The maximum number of listeners to live events from one address.")
    catch_up_seconds: Seconds = _about(
        60.0,
        "How long a listener may take to read past events before it must reconnect.",
    )
    welcome: Money = _about("1000.00", "The play chips in a new account.")
    sign_up: bool = _about(True, "Whether people may open their own accounts.")
    sign_ups_a_day: Count = _about(50, "The maximum number of accounts opened a day from one address.")
    guests: Count = _about(500, "The maximum number of guests.")
    guests_from_one_address: Count = _about(20, "The maximum number of guests from one address.")
    guest_minutes: Seconds = _about(
        120.0,
        "The number of minutes without an order after which a guest is removed; at once after signing out.",
    )
    away_seconds: Seconds = _about(
        15.0,
        "The number of seconds without an open page or an order after which a throw no longer waits for a player.",
    )
    seat_minutes: Seconds = _about(
        5.0,
        "The number of minutes of absence after which a player at an automatic table loses the seat.",
    )
    demonstration: bool = _about(False, "Whether the house opens with six tables, and people to sign in as.")
    checkpoint_seconds: Seconds = _about(300.0, "The interval between checkpoints.")
    witnesses: tuple[Place, ...] = _about(
        (),
        "Where every checkpoint is sent: `file:PATH`, a URL that takes a POST, or `house:URL` for another "
        "house. The part of a URL before an @ is sent as a token. In the environment, separate them with "
        "spaces.",
    )
    snapshot_events: Count = _about(
        500,
        "The number of events of a stream after which its state is stored, so that a start need not read them all.",
    )
    waiting_events: Count = _about(
        1000,
        "The maximum number of events that wait for a slow listener before it must reconnect.",
    )
    waiting_bytes: Bytes = _about(
        262_144,
        "The maximum number of bytes that wait for a slow listener before it must reconnect.",
    )
    shutdown_seconds: Seconds = _about(10.0, "How long requests in progress may take to end when the house closes.")
    log: Literal["debug", "info", "warning", "error"] = _about("info", "The log level: debug, info, warning or error.")


def about() -> list[tuple[str, str, object, str]]:
    """List every setting: its name, its environment variable, its default and its description."""
    rows = zip(msgspec.structs.fields(Settings), _ABOUT, strict=True)
    return [(field.name, PREFIX + field.name.upper(), _written(field.default), sentence) for field, sentence in rows]


def _written(default: object) -> object:
    """Return a default as it is written in a file."""
    return list(default) if isinstance(default, tuple) else default


def read_settings(file: Path | None, environment: Mapping[str, str]) -> Settings:
    """Read the settings of a house. Raises SettingsError."""
    given = _of_file(file) if file is not None else {}
    hints = get_type_hints(Settings)
    for name, variable, _, _ in about():
        if variable in environment:
            given[name] = _of_text(variable, environment[variable], hints[name])
    unknown = [name for name in given if name not in hints]
    unknown += [word for word in environment if word.startswith(PREFIX) and word not in {row[1] for row in about()}]
    if unknown:
        raise SettingsError(f"There is no setting {unknown[0]}; croupier settings lists them.")
    try:
        settings = msgspec.convert(given, Settings)
        networks(settings.trusted_proxies)
        return settings
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        name = path.strip("`$.").partition("[")[0]
        raise SettingsError(f"Setting {name}: {_plain(hints.get(name), reason)}.") from None
    except ValueError as error:
        raise SettingsError(f"Setting trusted_proxies: {error}") from None


def _plain(kind: object, reason: str) -> str:
    """Say in plain words why a value is invalid."""
    if get_origin(kind) is Literal and "enum" in reason:
        return f"it is one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return "each is file:PATH, a URL that begins with http, or house:URL"
    if "matching regex" in reason:  # only amounts have one
        return "it is an amount such as 1000.00"
    return f"{reason[0].lower()}{reason[1:]}"


def _of_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}.") from None


def _of_text(variable: str, text: str, kind: object) -> object:
    """Convert an environment variable to the type of its setting."""
    if kind is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in words:
            raise SettingsError(f"{variable} must be true or false, not {text}.")
        return words[text.lower()]
    if get_origin(kind) is tuple:
        return text.split()
    if kind not in (int, float):
        return text
    try:
        number = float(text)
    except ValueError:
        raise SettingsError(f"{variable} must be a number, not {text}.") from None
    return int(number) if number.is_integer() else number


def networks(text: str) -> list[str]:
    """Read addresses and networks from a comma-separated list. Raises ValueError with a sentence."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(str(ip_network(word)) if "/" in word else str(ip_address(word)))
        except ValueError:
            raise ValueError(f"{word[:60]} is not an address, nor a network such as 10.0.0.0/8.") from None
    return found
