"""People of the house: accounts, roles, Player Cards, play chips, and who runs which table."""

from __future__ import annotations

from croupier.house import orders
from croupier.house.deeds.scene import Decided, Outcome, Scene
from croupier.house.deeds.titles import ROLES, STAFF, runs_one_table
from croupier.house.events import (
    AccountOpened,
    CardEnded,
    CardIssued,
    ChipsGranted,
    PasswordSet,
    RolesChanged,
    StaffCame,
    StaffWent,
)
from croupier.house.streams import account_stream, is_name, table_stream
from croupier.house.tables import TableState
from croupier.table.refusals import Refusal

MOST_SHOWN = 60
RESERVED = ("house",)  # under this name the house keeps its own answers
MOST_REASON = 200
CARD_BYTES = 8
MOST_GRANTED = 100_000_000_00
CALLED = "An account is called by 1 to 40 small letters, digits, dots, hyphens and underscores, no mark at its ends."


def open_account(scene: Scene, deed: orders.OpenAccount) -> Decided:
    """A new account, with chips to begin with and, where it is asked for, a Player Card."""
    refusal = _check_name(deed.person, deed.name) or _check_roles(deed.roles) or _check_cents(deed.cents)
    if refusal is not None:
        return refusal
    if scene.accounts(deed.person).is_open:
        return Refusal("name_taken", f"There is an account called {deed.person} already.")
    opened = [AccountOpened(deed.person, deed.name, tuple(sorted(set(deed.roles))))]
    granted = [ChipsGranted(deed.cents, "welcome")] if deed.cents else []
    card = [CardIssued(scene.entropy(CARD_BYTES).hex())] if deed.card else []
    return Outcome({account_stream(deed.person): [*opened, *granted, *card]})


def _check_name(person: str, name: str) -> Refusal | None:
    if not is_name(person):
        return Refusal("bad_name", CALLED)
    if person in RESERVED:
        return Refusal("name_taken", f"{person} is what the house calls itself.")
    if not name.strip() or len(name) > MOST_SHOWN or not name.isprintable():
        return Refusal(
            "bad_name", f"The name that others see has 1 to {MOST_SHOWN} letters, and none that cannot be seen."
        )
    return None


def _check_roles(roles: tuple[str, ...]) -> Refusal | None:
    unknown = [role for role in roles if role not in ROLES]
    if unknown or not roles:
        return Refusal("unknown_role", f"The roles of the house are {', '.join(ROLES)}.")
    return None


def _check_cents(cents: int) -> Refusal | None:
    if not 0 <= cents <= MOST_GRANTED:
        return Refusal("amount_too_large", "An account is given between nothing and 100,000,000.00 at once.")
    return None


def set_password(scene: Scene, deed: orders.SetPassword) -> Decided:
    """That there is another password is on record; what it is, is not."""
    return Outcome({account_stream(deed.person): [PasswordSet()]})


def change_roles(scene: Scene, deed: orders.ChangeRoles) -> Decided:
    """Nobody changes their own roles."""
    if scene.order.who == deed.person:
        return Refusal("own_roles", "Nobody changes their own roles.")
    refusal = _check_roles(deed.roles)
    return refusal or Outcome({account_stream(deed.person): [RolesChanged(tuple(sorted(set(deed.roles))))]})


def issue_card(scene: Scene, deed: orders.IssueCard) -> Decided:
    """One Player Card for one person."""
    if scene.accounts(deed.person).card is not None:
        return Refusal("card_already", f"{deed.person} has a Player Card already.")
    return Outcome({account_stream(deed.person): [CardIssued(scene.entropy(CARD_BYTES).hex())]})


def end_card(scene: Scene, deed: orders.EndCard) -> Decided:
    """The card is no longer valid."""
    card = scene.accounts(deed.person).card
    if card is None:
        return Refusal("no_card", f"{deed.person} has no Player Card.")
    return Outcome({account_stream(deed.person): [CardEnded(card)]})


def grant_chips(scene: Scene, deed: orders.GrantChips) -> Decided:
    """Play chips out of nothing."""
    if deed.cents <= 0:
        return Refusal("amount_not_positive", "Chips are granted for more than nothing.")
    if len(deed.reason) > MOST_REASON or not deed.reason.isprintable():
        return Refusal("bad_reason", f"A reason has up to {MOST_REASON} letters, and none that cannot be seen.")
    return _check_cents(deed.cents) or Outcome({account_stream(deed.person): [ChipsGranted(deed.cents, deed.reason)]})


def take_post(scene: Scene, deed: orders.TakePost) -> Decided:
    """Run a table, in a role that one has; who plays at it may not."""
    table, person = scene.tables(deed.table), scene.asker.person
    if deed.role not in STAFF:
        return Refusal("unknown_role", f"A table is run by one of {', '.join(STAFF)}.")
    if deed.role not in scene.asker.roles:
        return Refusal("not_allowed", f"{scene.asker.name} is no {deed.role}.")
    if person in table.game.chips:
        return Refusal("staff_cannot_play", "Who plays at a table does not run it.")
    if table.staff.get(person) == deed.role:
        return Refusal("posted_already", f"{scene.asker.name} runs this table already.")
    elsewhere = _post_elsewhere(scene, table, deed.role)
    if elsewhere is not None:
        say = f"A dealer runs one table at a time: {scene.asker.name} has a post at {elsewhere.title} to leave first."
        return Refusal("posted_elsewhere", say)
    return Outcome({table_stream(deed.table): [StaffCame(person, deed.role)]}, deed.role)


def _post_elsewhere(scene: Scene, here: TableState, role: str) -> TableState | None:
    """Another table that the person runs, where by one of the two books that cannot be (reading X-58)."""
    person = scene.asker.person
    for other in scene.all_tables():
        if other.name == here.name or person not in other.staff:
            continue
        if _runs_one(scene, here, role) or _runs_one(scene, other, other.staff[person]):
            return other
    return None


def _runs_one(scene: Scene, table: TableState, role: str) -> bool:
    return runs_one_table(scene.shelf.game(table.game.terms[-1]).book.conduct, role)


def leave_post(scene: Scene, deed: orders.LeavePost) -> Decided:
    """Run the table no longer."""
    table, person = scene.tables(deed.table), scene.asker.person
    if person not in table.staff:
        return Refusal("not_posted", f"{scene.asker.name} does not run this table.")
    return Outcome({table_stream(deed.table): [StaffWent(person)]}, table.staff[person])
