"""Who may ask for what: one table, read by the house, by the documents and by the tests."""

from __future__ import annotations

from croupier.house import orders
from croupier.house.deeds.scene import Scene
from croupier.house.deeds.titles import ROLES, STAFF
from croupier.house.orders import AnyDeed, AtTable, OfAccount
from croupier.rules.conduct import PLAYER
from croupier.table.refusals import Refusal

# Roles of the house. "self" is everybody for their own account, "house" the house itself, which no person speaks for.
PERMITS: dict[type, tuple[str, ...]] = {
    orders.Say: ROLES,  # what each title may say is the book's to tell
    orders.Sit: ("player",),
    orders.BuyIn: ("player",),
    orders.GetUp: ("player",),
    orders.SetTable: ("manager", "operator", "house"),
    orders.TakePost: STAFF,
    orders.LeavePost: STAFF,
    orders.RunOn: ("house",),
    orders.OpenAccount: ("operator", "house"),
    orders.ChangeRoles: ("operator", "house"),
    orders.IssueCard: ("supervisor", "manager", "operator", "house"),
    orders.EndCard: ("supervisor", "manager", "operator", "house"),
    orders.GrantChips: ("operator", "house"),
    orders.SetLimits: ("self",),
    orders.Exclude: ("self", "supervisor", "manager", "operator"),
    orders.LetIn: ("manager", "operator"),
}

# What may be asked for although the account it is about, or the table, is not there yet.
MAKES = (orders.OpenAccount, orders.SetTable)


def check_permit(scene: Scene, deed: AnyDeed) -> Refusal | None:
    """Whether who asks may ask for this at all, and whether there is such a table or account."""
    permits, account = PERMITS[type(deed)], scene.asker
    if scene.is_house:
        return _check_there(scene, deed) if "house" in permits else _not_allowed()
    if not account.is_open:
        return Refusal("unknown_person", "There is no such account.")
    if "self" in permits and isinstance(deed, OfAccount) and deed.person == account.person:
        return None if scene.order.within is None or PLAYER in scene.order.within else _not_allowed()
    if not account.roles.intersection(permits):
        return _not_allowed()
    return _check_there(scene, deed)


def _not_allowed() -> Refusal:
    return Refusal("not_allowed", "Your roles in this house do not allow that.")


def _check_there(scene: Scene, deed: AnyDeed) -> Refusal | None:
    if isinstance(deed, MAKES):
        return None
    if isinstance(deed, AtTable) and not scene.tables(deed.table).is_set:
        return Refusal("no_such_table", f"There is no table called {deed.table}.")
    if isinstance(deed, OfAccount) and not scene.accounts(deed.person).is_open:
        return Refusal("unknown_person", f"There is no account called {deed.person}.")
    return None
