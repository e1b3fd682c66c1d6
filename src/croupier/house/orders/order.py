"""What all orders share: who may give one, what it is about, its place in the API, and what it is decided by.

An order is one class, in the module of its topic: its fields, `permits`, `api` and `decide`. The house, the API and
the tests derive everything else from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, Self, Union, cast, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from croupier.contract.requests import Body, Money, PersonName, PromotionName, TableName, Version
from croupier.house.account_state import Account
from croupier.house.names import account_stream, is_name, promotion_stream, table_stream
from croupier.house.promotion_state import PromotionState
from croupier.house.stored_events import StoredEvent
from croupier.house.table_state import TableState
from croupier.house.views.promotions import looker, may_see
from croupier.money import parse_cents
from croupier.rules.conduct import PLAYER
from croupier.rules.shelf import Shelf
from croupier.table.refusals import Refusal

Entropy = Callable[[int], bytes]

NOBODY = Account()
GIVEN = ("at", "as", "who")  # the house sets these itself and ignores the line's values

# What an order is decided by, and what it decides


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of an order: events by stream, the title used, secrets to keep (None: forget), and fields of `Done`.

    `sealed` values go into the vault too, and no decision depends on them. A stream without events is one that the
    decision depends on: the write is stored only if nothing has happened there.
    """

    events: dict[str, list[StoredEvent]]
    role: str | None = None
    secrets: dict[str, bytes | None] = {}
    sealed: dict[str, bytes] = {}
    calls: list[str] = []
    number: str | None = None


Decided = Outcome | Refusal


class Scene:
    """The house at one moment, as far as an order needs it. A missing state is new and empty.

    `who` gives the order, None if the house itself does; `asker` is their account with the roles that count for it.
    `all_tables` returns all tables of the house.
    """

    __slots__ = (
        *("accounts", "all_tables", "asker", "at", "entropy", "promotions"),
        *("secret", "shelf", "submission", "tables", "who"),
    )

    def __init__(
        self,
        shelf: Shelf,
        submission: Submission,
        at: datetime,
        entropy: Entropy,
        tables: Callable[[str], TableState],
        accounts: Callable[[str], Account],
        promotions: Callable[[str], PromotionState],
        secret: Callable[[str], bytes | None],
        all_tables: Callable[[], list[TableState]],
    ) -> None:
        self.shelf = shelf
        self.submission = submission
        self.at = at
        self.entropy = entropy
        self.tables = tables
        self.accounts = accounts
        self.promotions = promotions
        self.secret = secret
        self.all_tables = all_tables
        self.who = who = submission.who
        account = NOBODY if who is None else accounts(who)
        self.asker = account if submission.within is None else account.within(submission.within)


# Orders


class Api(NamedTuple):
    """Where programs give an order. Fields named in the path come from there, all others from the body.

    `body` replaces the body that follows from the order's fields. It then has a method `order`.
    """

    path: str
    summary: str
    example: dict[str, Any]
    body: type[OrderBody] | None = None


class Order(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="deed"):
    """What a person wants the house to do.

    The tag field is called "deed" because stores hold it: in the refused orders, and in the digests that recognise an
    order sent twice.
    """

    # Roles that may give it. "self" is any person for their own account, "house" the house itself, which no person can
    # act as. "seated" and "posted" are people with a seat or a post at the table, even if they have lost the role.
    permits: ClassVar[tuple[str, ...]]
    api: ClassVar[Api | None] = None  # None: people do not give it through the API, or it has its own endpoint
    creates: ClassVar[bool] = False  # it creates what it is about, and checks the name itself

    def decide(self, scene: Scene) -> Decided:
        """Decide the order; it is permitted, and what it is about exists."""
        raise NotImplementedError

    @property
    def stream(self) -> str:
        """The stream of what it is about."""
        raise NotImplementedError

    def check_there(self, scene: Scene) -> Refusal | None:
        """Check that what it is about exists."""
        raise NotImplementedError

    def check_version(self, newest: Callable[[str], int]) -> Refusal | None:
        """Check that nothing has happened since the version that the order was given for."""
        return None

    def impersonal(self) -> Self:
        """Return the order without personal data and password fingerprints, to be kept if it is refused."""
        return self

    @classmethod
    def tag(cls) -> str:
        """Return the name of the order: in the store, the metrics and the API."""
        tag = cls.__struct_config__.tag
        assert isinstance(tag, str), "every order has a tag"
        return tag


class AtTable(Order, frozen=True, kw_only=True):
    """An order at one table. With `version` it is refused if anything has happened there since that version."""

    table: TableName
    version: Version | None = None

    @property
    def stream(self) -> str:
        """The stream of the table."""
        return table_stream(self.table)

    def check_there(self, scene: Scene) -> Refusal | None:
        """Check that the table exists."""
        return None if is_name(self.table) and scene.tables(self.table).is_set else no_table(self.table)

    def check_version(self, newest: Callable[[str], int]) -> Refusal | None:
        """Check that nothing has happened at the table since the version that the order names."""
        if self.version is None or self.version == (now := newest(self.stream)):
            return None
        return Refusal("table_moved_on", f"The table is {_moved(self.version, now)}.")


class OfPromotion(Order, frozen=True, kw_only=True):
    """An order about one promotion. With `version` it is refused if anything has happened to it since that version."""

    promotion: PromotionName
    version: Version | None = None

    @property
    def stream(self) -> str:
        """The stream of the promotion."""
        return promotion_stream(self.promotion)

    def check_there(self, scene: Scene) -> Refusal | None:
        """Check that the promotion exists for the person: only managers see a draft."""
        if is_name(self.promotion):
            state = scene.promotions(self.promotion)
            seen = scene.who is None or may_see(state, looker(scene.asker.person, scene.asker.roles))
            if state.is_opened and seen:
                return None
        return no_promotion(self.promotion)

    def check_version(self, newest: Callable[[str], int]) -> Refusal | None:
        """Check that nothing has happened to the promotion since the version that the order names."""
        if self.version is None or self.version == (now := newest(self.stream)):
            return None
        return Refusal("promotion_moved_on", f"The promotion is {_moved(self.version, now)}.")


class OfAccount(Order, frozen=True, kw_only=True):
    """An order about one account."""

    person: PersonName

    @property
    def stream(self) -> str:
        """The stream of the account."""
        return account_stream(self.person)

    def check_there(self, scene: Scene) -> Refusal | None:
        """Check that the account exists."""
        return None if is_name(self.person) and scene.accounts(self.person).is_open else no_account(self.person)


class Submission(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An order as it was given. `who` is None if the house itself acts; `key` makes it safe to send again.

    `within` are the roles usable for it when a program acts for the person; None is all of them.
    """

    id: str
    order: Order
    who: str | None = None
    key: str | None = None
    within: tuple[str, ...] | None = None

    @property
    def streams(self) -> list[str]:
        """The streams that it concerns: what it is about, and the account of the person who gives it."""
        own = None if self.who is None else account_stream(self.who)
        about = self.order.stream
        return [about] if own in (None, about) else [about, own]


# Who may give which order


def check_permit(scene: Scene, order: Order) -> Refusal | None:
    """Check whether the person may give this order, and whether what it is about exists."""
    permits, account = order.permits, scene.asker
    if scene.who is None:
        return _check_there(scene, order) if "house" in permits else not_allowed()
    if not account.is_open:
        return Refusal("unknown_person", "There is no such account.")
    if "self" in permits and isinstance(order, OfAccount) and order.person == account.person:
        within = scene.submission.within
        return None if within is None or PLAYER in within else not_allowed()
    if account.roles.isdisjoint(permits) and not _is_there(scene, order):
        return not_allowed()
    return _check_there(scene, order)


def _check_there(scene: Scene, order: Order) -> Refusal | None:
    return None if order.creates else order.check_there(scene)


def _is_there(scene: Scene, order: Order) -> bool:
    """Return whether the person giving the order has the seat or the post that it gives up."""
    permits = order.permits
    if not isinstance(order, AtTable) or scene.submission.within is not None or not {"seated", "posted"} & {*permits}:
        return False
    if not is_name(order.table):
        return False
    table = scene.tables(order.table)
    return scene.asker.person in (table.game.chips if "seated" in permits else table.staff)


def not_allowed() -> Refusal:
    """Refuse an order that the person's roles do not permit."""
    return Refusal("not_allowed", "Your roles in this house do not allow that.")


def no_table(name: str) -> Refusal:
    """Refuse an order for an unknown table."""
    return Refusal("no_such_table", f"There is no table {_called(name)}.")


def no_promotion(name: str) -> Refusal:
    """Refuse an order for an unknown promotion."""
    return Refusal("no_such_promotion", f"There is no promotion {_called(name)}.")


def no_account(name: str) -> Refusal:
    """Refuse an order for an unknown account."""
    return Refusal("unknown_person", f"There is no account {_called(name)}.")


def _called(name: str) -> str:
    """Quote a valid name; an invalid one may contain anything and is not repeated."""
    return f"called {name}" if is_name(name) else "that could be called that"


def _moved(wanted: int, newest: int) -> str:
    return f"at version {newest}, not at {wanted}{' any more' if wanted < newest else ''}"


# The body of an order in the API


class OrderBody(Body, frozen=True, kw_only=True):
    """A body with other fields than its order."""

    def order(self, path: Mapping[str, Any]) -> Order:
        """Return the order, with the values of the path."""
        raise NotImplementedError


class InApi(NamedTuple):
    """How the API has a field: its type there, its name if that is another, and how its value is read."""

    kind: Any
    name: str | None = None
    read: Callable[[Any], Any] | None = None


def in_api(kind: Any, name: str | None = None, read: Callable[[Any], Any] | None = None) -> msgspec.Meta:  # noqa: ANN401
    """Mark a field that the API has in another form."""
    return msgspec.Meta(extra={"api": InApi(kind, name, read)})


Chips = Annotated[int, in_api(Money, "chips", parse_cents)]  # cents; in the API it is an amount of money


class _Field(NamedTuple):
    own: str
    name: str
    kind: Any
    default: Any
    read: Callable[[Any], Any] | None


@cache
def body_of(order: type[Order]) -> type[Body]:
    """Return the type of an order's body: its fields, except those in the path."""
    assert order.api is not None, f"{order.tag()} is not in the API"
    if order.api.body is not None:
        return order.api.body
    fields = [
        (each.name, each.kind) if each.default is msgspec.NODEFAULT else (each.name, each.kind, each.default)
        for each in _fields(order)
    ]
    about = {"__doc__": f"The body of `{order.tag()}`."}
    name = f"{order.__name__}Body"
    made = msgspec.defstruct(name, fields, bases=(Body,), namespace=about, frozen=True, kw_only=True)
    return cast(type[Body], made)


def read_order(order: type[Order], path: Mapping[str, Any], body: Body) -> Order:
    """Return the order that a request gives. A null is the same as a field left out."""
    if isinstance(body, OrderBody):
        return body.order(path)
    given = dict(path)
    for own, name, _, _, read in _fields(order):
        value = getattr(body, name)
        if value is not None:
            given[own] = value if read is None else read(value)
    return order(**given)


@cache
def _fields(order: type[Order]) -> tuple[_Field, ...]:
    """Return the fields of the body. A new table or promotion has no version yet."""
    hints = get_type_hints(order, include_extras=True)
    skipped = {"version", *path_names(order)} if order.creates else path_names(order)
    return tuple(_field(each, hints[each.name]) for each in msgspec.structs.fields(order) if each.name not in skipped)


def path_names(order: type[Order]) -> set[str]:
    """Return the fields of an order that its path names."""
    assert order.api is not None, f"{order.tag()} is not in the API"
    return {part[1:-1] for part in order.api.path.split("/") if part.startswith("{")}


def _field(field: msgspec.structs.FieldInfo, kind: Any) -> _Field:  # noqa: ANN401  # a type, of any form
    for meta in getattr(kind, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.extra and "api" in meta.extra:
            form: InApi = meta.extra["api"]
            return _Field(field.name, form.name or field.name, form.kind, field.default, form.read)
    if field.default is UNSET:
        members = [one for one in get_args(kind) if one is not UnsetType]
        return _Field(field.name, field.name, Union[(*members, None)], None, None)
    return _Field(field.name, field.name, kind, field.default, None)
