"""Who may give which order: one table, read by the house, the documents and the tests."""

from __future__ import annotations

from croupier.house import orders
from croupier.house.names import ROLES, STAFF, is_name
from croupier.house.orders import AnyDeed, AtTable, OfAccount, OfPromotion
from croupier.house.orders.scene import Scene
from croupier.house.views.promotions import looker, may_see
from croupier.rules.conduct import PLAYER
from croupier.table.refusals import Refusal

# Roles of the house. "self" is everybody for their own account, "house" the house itself, which no person can act as.
# "seated" and "posted" are people with a seat or a post at the table, even if they have lost the role since.
PERMITS: dict[type, tuple[str, ...]] = {
    orders.Say: ROLES,  # what each title may say is up to the book
    orders.PutInNumber: ("player",),
    orders.ShowNumber: ("player", "seated"),
    orders.Sit: ("player",),
    orders.BuyIn: ("player",),
    orders.GetUp: ("player", "seated"),
    orders.SetTable: ("manager", "operator", "house"),
    orders.TakePost: STAFF,
    orders.LeavePost: (*STAFF, "posted"),
    orders.AnswerAlert: ("supervisor", "manager", "operator"),
    orders.AnswerDuty: ("supervisor", "manager", "operator"),
    orders.RunOn: ("house",),
    orders.OpenPromotion: ("manager", "operator"),
    orders.Promote: ("player", "manager", "operator"),  # what each may say is in orders.promotions
    orders.CloseEntries: ("house",),
    orders.AnswerPromotionDuty: ("manager", "operator"),
    orders.OpenAccount: ("operator", "house"),
    orders.SetPassword: ("self", "operator", "house"),
    orders.ChangeRoles: ("operator", "house"),
    orders.IssueCard: ("supervisor", "manager", "operator", "house"),
    orders.EndCard: ("supervisor", "manager", "operator", "house"),
    orders.GrantChips: ("operator", "house"),
    orders.SetLimits: ("self",),
    orders.Exclude: ("self", "supervisor", "manager", "operator"),
    orders.LetIn: ("manager", "operator"),
}

# Orders that create what they are about: they check the name themselves.
MAKES = (orders.OpenAccount, orders.SetTable, orders.OpenPromotion)


def check_permit(scene: Scene, deed: AnyDeed) -> Refusal | None:
    """Check whether the person may give this order, and whether what it is about exists."""
    permits, account = PERMITS[type(deed)], scene.asker
    if scene.is_house:
        return _check_there(scene, deed) if "house" in permits else _not_allowed()
    if not account.is_open:
        return Refusal("unknown_person", "There is no such account.")
    if "self" in permits and isinstance(deed, OfAccount) and deed.person == account.person:
        return None if scene.order.within is None or PLAYER in scene.order.within else _not_allowed()
    if account.roles.isdisjoint(permits) and not _is_there(scene, deed, permits):
        return _not_allowed()
    return _check_there(scene, deed)


def _is_there(scene: Scene, deed: AnyDeed, permits: tuple[str, ...]) -> bool:
    """Return whether the person giving the order has the seat or the post that it gives up."""
    if not isinstance(deed, AtTable) or scene.order.within is not None or not {"seated", "posted"} & {*permits}:
        return False
    if not is_name(deed.table):
        return False
    table = scene.tables(deed.table)
    return scene.asker.person in (table.game.chips if "seated" in permits else table.staff)


def _not_allowed() -> Refusal:
    return Refusal("not_allowed", "Your roles in this house do not allow that.")


def _check_there(scene: Scene, deed: AnyDeed) -> Refusal | None:
    if isinstance(deed, MAKES):
        return None
    if isinstance(deed, AtTable) and not (is_name(deed.table) and scene.tables(deed.table).is_set):
        return no_table(deed.table)
    if isinstance(deed, OfPromotion) and not _is_seen(scene, deed.promotion):
        return no_promotion(deed.promotion)
    if isinstance(deed, OfAccount) and not (is_name(deed.person) and scene.accounts(deed.person).is_open):
        return no_account(deed.person)
    return None


def _is_seen(scene: Scene, promotion: str) -> bool:
    """Return whether the promotion exists for the person: only managers see a draft."""
    if not is_name(promotion):
        return False
    state = scene.promotions(promotion)
    return state.is_opened and (scene.is_house or may_see(state, looker(scene.asker.person, scene.asker.roles)))


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
