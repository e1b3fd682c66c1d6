"""Who may do what, as it was read from the five documents and the readings: the books are held against this table.

For each book, each act, and each command that every table knows: the roles that the document gives it to, and the
clause; or those of a registered reading, and its id, where the document leaves it open. A wider role stands written out
as the roles that the book's definition counts in it. Where neither says who does a thing, the roles are SILENT. UNSAID
are roles on which alone they say nothing, where they are plain about the others. A void throw stands there once for
every ground, as `void 5.2.1`; the command `throw` tells what fell, and stands there as `throw, told`.
"""

from __future__ import annotations

from typing import Final

Roles = frozenset[str]
Says = tuple[Roles | None, str]

SILENT: Final = None  # the document does not say who
NOBODY: Final[Roles] = frozenset()

SNAKE_EYES, SNAKE_EYES_NZ = "snake-eyes-nsw-2019", "snake-eyes-nz"
TWO_UP, CRAPS, SIC_BO = "two-up-nsw-2016", "craps-nsw-2024", "sic-bo-nsw-2016"


def _of(*roles: str | Roles) -> Roles:
    return frozenset().union(*(frozenset([role]) if isinstance(role, str) else role for role in roles))


def _silent(clauses: dict[str, str]) -> dict[str, Says]:
    return {name: (SILENT, clause) for name, clause in clauses.items()}


def _void(grounds: str, roles: Roles) -> dict[str, Says]:
    """One line for each ground, with the clause that gives the power."""
    return {f"void {ground}": (roles, ground) for ground in grounds.split()}


PLAYER, DEALER, OPERATOR = _of("player"), _of("dealer"), _of("casino operator")
PEOPLE, INSPECTOR = _of("player", "spectator"), _of("inspector")

# A casino supervisor is anybody who manages the conduct of gaming, and includes those named.
_SE_SUPERVISOR = _of("casino supervisor", "gaming supervisor", "assistant gaming manager", "gaming manager")
_CR_SUPERVISOR = _of(_SE_SUPERVISOR, "boxperson")
_BOX = _of("boxperson", "gaming supervisor")  # one definition for both (CR-20)
_SUPERVISOR = _of("casino supervisor", "games supervisor")  # Two-Up and Sic Bo
_NZ_ABOVE = _of("casino supervisor", "senior casino supervisor", "casino operator")  # above the game supervisor
_TU_DEALER = _of("dealer", "boxer")  # the boxer is "the dealer who controls the spinner"
_SE_EMPLOYEES = _of(DEALER, _SE_SUPERVISOR)
_CR_EMPLOYEES = _of(DEALER, "stickperson", _CR_SUPERVISOR)
_TU_EMPLOYEES = _of(_TU_DEALER, _SUPERVISOR)
_SB_EMPLOYEES = _of(DEALER, _SUPERVISOR)

# What no document knows, and what every document leaves open.
_COMMON: dict[str, Says] = {
    "call": (NOBODY, ""),
    **_silent(dict.fromkeys(["open", "seat", "chips", "leave", "confirm_result"], "")),
    **_silent(dict.fromkeys(["reopen_table", "remove_player_sign"], "")),
}
_HANDED = _silent(dict.fromkeys(["sell_chips", "rest", "find_dice", "declare_lost"], ""))
_FITTED = _silent(dict.fromkeys(["use_equipment", "remove_equipment", "report_malfunction", "rectify"], ""))


def _general(section: int, first: int, supervisor: Roles, employees: Roles, dealer: Roles = DEALER) -> dict[str, Says]:
    """The General Provisions, which the four documents of New South Wales share; `first` is the device rule."""

    def clause(number: int, limb: str = "") -> str:
        return f"{section}.{number + first - 1}{limb}"

    return {
        "use_device": (_of(employees, INSPECTOR), clause(2)),
        "find_device": (supervisor, clause(3)),
        "void_wagers": (supervisor, clause(3, ".1")),
        "exclude_from_game": (supervisor, clause(3, ".2")),
        "exclude_from_casino": (supervisor, clause(3, ".3")),
        "explain_rules": (employees, clause(6)),
        "ask_advice": (PLAYER, clause(7)),
        "stop_advice": (PLAYER, clause(7)),
        "advise": (PEOPLE, clause(7)),
        "close_table": (supervisor, clause(8)),
        "side_bet": (NOBODY, clause(10)),
        "refuse_wager": (_of(supervisor, OPERATOR), clause(11)),
        "vacate": (_of(dealer, supervisor), "X-30"),
        "raise_dispute": (PEOPLE, "X-32"),
        "ask_review": (PEOPLE, "X-32"),
        "accept_decision": (PEOPLE, "X-56"),
        "review_dispute": (supervisor, clause(12)),
        "final_decision": (OPERATOR, clause(13)),
        "dissatisfied": (PEOPLE, clause(13)),
        "complain": (PEOPLE, clause(13)),
        "receive_complaint": (INSPECTOR, clause(13)),
        **dict.fromkeys(["register_rules", "countersign_rules", "load_rules"], (OPERATOR, "X-33")),
        "ask_rules": (_of(PEOPLE, employees, OPERATOR, INSPECTOR), "X-33"),
        "overrule_call": (_of(supervisor, OPERATOR), "X-22"),
        **_void(f"{clause(4)} {clause(4, '.1')} {clause(4, '.2')}", supervisor),
        **_silent({"report_device": clause(1), "post_closing_sign": clause(8), "report_side_bet": clause(10)}),
        "tell_right": (_of(supervisor, OPERATOR), "X-33"),
        "close_dispute": (_of(supervisor, OPERATOR), "X-56"),
    }


def _paid(supervisor: Roles, dealer: Roles = DEALER) -> dict[str, Says]:
    """What is paid for disputes and for errors that staff find, where the document has nothing on wrong payments."""
    return {
        "report_error": (_of(supervisor, OPERATOR), "X-57"),
        "reimburse": (_of(dealer, supervisor, OPERATOR), "X-57"),
        "put_right_elsewhere": (_of(supervisor, OPERATOR), "X-57"),
    }


def _signs(section: int, supervisor: Roles) -> dict[str, Says]:
    """Minimum and Maximum Wagers, the same in those four documents."""
    return {
        "set_minimum": (supervisor, f"{section}.5"),
        "set_maximum": (supervisor, f"{section}.5"),
        "set_player_total": (supervisor, f"{section}.5"),
        "player_sign": (supervisor, f"{section}.6"),
        **_silent({"find": f"{section}.3", "set_unit": f"{section}.1", "remove_unit": f"{section}.1"}),
        **_silent({"post_minimum_sign": f"{section}.5"}),
    }


_FIVE = "5.1 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.3 5.3.1 5.3.2 5.3.3 5.3.4 5.3.5 5.3.6 5.3.7 5.3.8"


def _float(supervisor: Roles) -> dict[str, Says]:
    return {
        "fill_float": (supervisor, "X-26"),
        "credit_float": (supervisor, "X-26"),
        "count_float": (_of(DEALER, supervisor), "X-26"),
    }


EXPECTED: dict[str, dict[str, Says]] = {
    SNAKE_EYES: {
        **_COMMON,
        **_HANDED,
        **_FITTED,
        **_general(9, 1, _SE_SUPERVISOR, _SE_EMPLOYEES),
        **_paid(_SE_SUPERVISOR),
        **_signs(7, _SE_SUPERVISOR),
        **_float(_SE_SUPERVISOR),
        **_void(_FIVE, _of(DEALER, _SE_SUPERVISOR)),
        **_silent({"search": "3.4.1", "return_dice": "3.5.1", "bowl_dice": "3.5.2", "new_set": "3.6"}),
        **_silent({"display_shows": "2.6.2", "hand_over": "9.3.4", "report_leaning": "4.3.2", "dispute_face": "4.3.3"}),
        **_silent({"post_pay_table_sign": "8.2"}),
        "no_more_bets": (NOBODY, "X-3"),
        "amend_entry": (_of("gaming supervisor"), "SE-13"),
        "remove_pay_table_sign": (_of(_SE_SUPERVISOR, OPERATOR), "SE-15"),
        "bet": (_of(PLAYER, DEALER), "6.6"),
        "take": (PLAYER, "6.4"),
        "throw": (_of(PLAYER, DEALER), "4.2, SE-7"),
        "throw, told": (_of(DEALER, "gaming supervisor"), "4.3.1"),
        "adopt": (OPERATOR, "8.2"),
        "confirm_late": (_of(DEALER, _SE_SUPERVISOR), "6.3"),
        "move_wager": (_of(PLAYER, DEALER), "6.6"),
        "correct_position": (_SE_SUPERVISOR, "6.8"),
        "exchange_voucher": (DEALER, "1.1"),
        "offer": (DEALER, "3.2"),
        "accept": (PLAYER, "3.3"),
        "decline": (PLAYER, "3.2"),
        "choose": (PLAYER, "3.3"),
        "pass": (PLAYER, "3.7"),
        "order_pass": (_SE_SUPERVISOR, "3.7.2"),
        "house_takes": (DEALER, "SE-7"),
        "ask_back": (PLAYER, "3.4.2"),
        "dice_off": (_of(DEALER, _SE_SUPERVISOR), "5.1"),  # which calls the throw under way void
        "check_dice": (_SE_SUPERVISOR, "3.5"),
        "decide_dispute": (_of("gaming supervisor"), "9.12"),
        "enter_result": (DEALER, "4.6"),
        "detain": (_SE_SUPERVISOR, "9.3.4"),
        "call_result": (_of(DEALER, "gaming supervisor"), "4.3.1"),
        "decide_face": (_of("gaming supervisor"), "4.3.3"),
        "observe": (_of(DEALER, _SE_SUPERVISOR), "5.1"),
        "let_stand": (_of(DEALER, _SE_SUPERVISOR), "5.1"),
    },
    SNAKE_EYES_NZ: {
        **_silent({"fill_float": "X-26", "credit_float": "X-26", "count_float": "X-26"}),
        **_COMMON,
        **_HANDED,
        **_FITTED,
        **_void("6.2", _of("game supervisor")),
        **_void("6.3 6.3(a) 6.3(b) 6.3(c) 6.3(d) 6.3(e) 6.3(f) 6.3(g) 6.3(h)", _of(DEALER, "game supervisor")),
        **_void("6.4 6.4(a) 6.4(b) 6.4(c) 6.4(d)", _of(DEALER, "game supervisor")),
        **dict.fromkeys(["post_minimum_sign", "set_minimum", "set_maximum", "set_player_total"], (OPERATOR, "X-28")),
        **dict.fromkeys(["set_unit", "remove_unit", "player_sign", "remove_player_sign"], (OPERATOR, "X-28")),
        **dict.fromkeys(["post_closing_sign", "close_table", "open", "reopen_table"], (OPERATOR, "X-29")),
        **_silent({"bring_dice": "3.3", "search": "6.1(a)", "new_set": "6.1(d)", "find": "", "display_shows": "6.11"}),
        "no_more_bets": (NOBODY, "X-3"),
        "issue_checks": (DEALER, "NZ-17"),
        "redeem_checks": (DEALER, "NZ-17"),
        "rectify": (_of("game supervisor", _NZ_ABOVE), "NZ-15"),
        "introduce_procedures": (_NZ_ABOVE, "NZ-15"),
        **_silent({"report_leaning": "6.2", "dispute_face": "6.2"}),
        "bet": (_of(PLAYER, DEALER), "4.5"),
        "take": (PLAYER, "4.7"),
        "throw": (_of(PLAYER, DEALER), "5.5, 5.9(d)"),
        "throw, told": (DEALER, "5.6(a)"),
        "adopt": (OPERATOR, "4.10"),
        "confirm_late": (_of(DEALER, "game supervisor"), "4.4(b)"),
        "move_wager": (_of(PLAYER, DEALER), "4.5"),
        "correct_position": (OPERATOR, "4.6"),
        "inspect_dice": (_of(DEALER, "game supervisor"), "5.2"),
        "offer": (DEALER, "5.3(a)"),
        "accept": (PLAYER, "5.3(c)"),
        "decline": (PLAYER, "5.3(b)"),
        "choose": (PLAYER, "5.3(c)"),
        "pass": (PLAYER, "5.7"),
        "order_pass": (_of(DEALER, "game supervisor"), "5.7(b)"),
        "house_takes": (DEALER, "5.9(d)"),
        "ask_back": (PLAYER, "6.1(b)"),
        "dice_off": (_of(DEALER, "game supervisor"), "6.3(a)"),
        "check_dice": (_of("game supervisor"), "6.1(c)"),
        "return_dice": (_of("game supervisor"), "6.1(c)"),
        "bowl_dice": (_of("game supervisor"), "6.1(c)"),
        "operator_decides": (OPERATOR, "6.7"),
        **_paid(_of("casino supervisor", "senior casino supervisor"), _of(DEALER, "game supervisor")),
        "report_error": (_of("game supervisor", _NZ_ABOVE), "X-57"),
        "raise_dispute": (PLAYER, "NZ-23"),
        "operator_decides_case": (OPERATOR, "6.7"),
        "enter_result": (DEALER, "5.6(b)"),
        "amend_entry": (_of("game supervisor"), "6.8"),
        "call_result": (DEALER, "5.6(a)"),
        "overrule_call": (_of("game supervisor", _NZ_ABOVE), "6.6"),
        "decide_face": (_of("game supervisor"), "6.2"),
        "observe": (_of(DEALER, "game supervisor"), "6.3"),
        "let_stand": (_of(DEALER, "game supervisor"), "6.4"),
    },
    TWO_UP: {
        **_silent({"fill_float": "X-26", "credit_float": "X-26", "count_float": "X-26"}),
        **_COMMON,
        **_HANDED,
        **_FITTED,
        **_general(9, 1, _SUPERVISOR, _TU_EMPLOYEES, _TU_DEALER),
        **_paid(_SUPERVISOR, _TU_DEALER),
        **_signs(5, _SUPERVISOR),
        **_void("7.1 7.1.1 7.1.2", _of("boxer", _SUPERVISOR)),
        **_void("7.3 7.3.1 7.3.2 7.3.3 7.3.4 7.4.1", _of("boxer")),
        **_silent({"search": "7.4.2", "return_dice": "7.4.3", "bowl_dice": "2.6.3", "new_set": "7.4.5"}),
        **_silent({"allow_old_set": "7.4.5", "games_supervisor_absent": "9.12", "games_supervisor_back": "9.12"}),
        **_silent({"enter_result": "2.5", "amend_entry": "", "hand_over": "9.3.4", "adopt": ""}),
        "bet": (_of(PLAYER, _TU_DEALER), "4.8, 4.9"),
        "take": (PLAYER, "4.7"),
        "no_more_bets": (_of("boxer"), "4.6"),
        "throw": (_of(PLAYER, _TU_DEALER), "6.3, 3.3"),
        "throw, told": (_of("boxer"), "6.9"),
        "declare_wager": (PLAYER, "4.9"),
        "place_declared": (_TU_DEALER, "4.9"),
        "move_wager": (_of(PLAYER, _TU_DEALER), "4.8"),
        "exchange_voucher": (_TU_DEALER, "1.1"),
        "exchange_for_chips": (_TU_DEALER, "1.1"),
        "offer": (_of("boxer"), "3.1"),
        "accept": (PLAYER, "3.1"),
        "decline": (PLAYER, "3.1"),
        "choose": (PLAYER, "6.1"),
        "place_coins": (_of(PLAYER, _TU_DEALER), "6.1"),
        "pass": (PLAYER, "3.2"),
        "house_takes": (_TU_DEALER, "3.3"),
        "stop_spinning": (PLAYER, "6.6"),
        "take_over": (_TU_DEALER, "6.6"),
        "send_out": (_of("boxer"), "6.7"),
        "ask_back": (PLAYER, "7.4.3"),
        "dice_off": (_of("boxer"), "7.4.1"),
        "check_dice": (_of("boxer"), "7.4.4"),
        "decide_dispute": (_SUPERVISOR, "9.12"),
        "detain": (_SUPERVISOR, "9.3.4"),
        "call_result": (_of("boxer"), "6.9"),
        "observe": (_of("boxer", _SUPERVISOR), "7.1, 7.3"),
        "let_stand": (_of("boxer", _SUPERVISOR), "7.1"),
    },
    CRAPS: {
        **_COMMON,
        **_HANDED,
        **_general(10, 2, _CR_SUPERVISOR, _CR_EMPLOYEES),
        **_signs(7, _CR_SUPERVISOR),
        **_float(_CR_SUPERVISOR),
        **_void(_FIVE, _of("stickperson", _CR_SUPERVISOR)),
        **_silent({"search": "3.4.1", "return_dice": "3.5.1", "bowl_dice": "3.5.2", "new_set": "3.6"}),
        **_silent({"remove_drop_box": "2.5.1", "attach_drop_box": "2.5", "hand_over": "10.4.4"}),
        **_silent({"report_leaning": "4.4.2", "dispute_face": "4.4.3", "adopt": ""}),
        **_silent({"report_mispayment": "9.1", "put_right_elsewhere": "9.1.2"}),
        "no_more_bets": (NOBODY, "X-3"),
        "start_cashless": (_CR_SUPERVISOR, "CR-27"),
        "end_cashless": (_CR_SUPERVISOR, "CR-27"),
        "bet": (_of(PLAYER, DEALER, "stickperson", _BOX), "6.9"),
        "take": (PLAYER, "6.5"),
        "call": (PLAYER, "6.7.1"),
        "mark_on": (_of(DEALER, _BOX), "6.7.1"),
        "throw": (_of(PLAYER, "stickperson"), "4.2, 3.9"),
        "throw, told": (_of("stickperson"), "4.4.1"),
        "confirm_late": (_of(DEALER, _BOX), "6.4"),
        "move_wager": (_of(PLAYER, DEALER, "stickperson", _BOX), "6.9"),
        "exchange_voucher": (DEALER, "1.1"),
        "offer": (_of("stickperson"), "3.2"),
        "accept": (PLAYER, "3.3"),
        "decline": (PLAYER, "3.2"),
        "choose": (PLAYER, "3.3"),
        "pass": (PLAYER, "3.7"),
        "order_pass": (_BOX, "3.7.2"),
        "house_takes": (_of("stickperson"), "3.9"),
        "ask_back": (PLAYER, "3.4.2"),
        "dice_off": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
        "check_dice": (_BOX, "3.5"),
        "decide_dispute": (_BOX, "10.13"),
        "enquire": (OPERATOR, "9.1.1"),
        "try_to_identify": (OPERATOR, "9.2.2"),
        "identify_patron": (OPERATOR, "9.2.2"),
        "contact_patron": (OPERATOR, "9.3.1"),
        "ask_return": (OPERATOR, "9.3.1.2"),
        "offer_reimbursement": (OPERATOR, "9.3.1.1"),
        "find_impractical": (OPERATOR, "9.3.1"),
        "reimburse": (OPERATOR, "9.3.1.1"),
        "give_back": (PLAYER, "9.3.1.2"),
        "tell_nicc": (OPERATOR, "9.1.2"),
        "month_end": (OPERATOR, "9.3.2"),
        "detain": (_CR_SUPERVISOR, "10.4.4"),
        "accept_card": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "claim_agency": (PLAYER, "10.1.1"),
        "claim_stake": (PLAYER, "10.1.2"),
        "find_invalid": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "find_invalid_in_roll": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "limit_players": (_CR_SUPERVISOR, "6.10"),
        "lift_player_limit": (_CR_SUPERVISOR, "6.10"),
        "one_per_area": (_CR_SUPERVISOR, "6.10"),
        "several_per_area": (_CR_SUPERVISOR, "6.10"),
        "call_result": (_of("stickperson"), "4.4.1"),
        "decide_face": (_BOX, "4.4.3"),
        "observe": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
        "let_stand": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
    },
    SIC_BO: {
        **_COMMON,
        **_FITTED,
        **_general(9, 1, _SUPERVISOR, _SB_EMPLOYEES),
        **_paid(_SUPERVISOR),
        **_signs(4, _SUPERVISOR),
        **_float(_SUPERVISOR),
        **_void("8.1 8.2 8.3 8.4 8.5", _of(DEALER, _SUPERVISOR)),
        **_silent({"offer_checks": "3.5", "redeem_checks": "3.6", "present_checks": "3.6"}),
        **_silent({"games_supervisor_absent": "9.12", "games_supervisor_back": "9.12", "adopt": "", "let_stand": ""}),
        "use_equipment": (OPERATOR, '1.1 "WND"'),
        "remove_equipment": (OPERATOR, '1.1 "WND"'),
        "bring_checks": (DEALER, "SB-23"),
        "amend_entry": (_SUPERVISOR, "SB-22"),
        "settle_streaks": (DEALER, "SB-21"),
        "rectify": (_SUPERVISOR, "SB-21"),
        **_silent({"display_shows": "8.9", "notify_inspector": "8.8"}),
        **_silent({"use_touch_screen": "2.6", "remove_touch_screen": "2.6"}),
        "bet": (_of(PLAYER, DEALER), "3.12"),
        "take": (PLAYER, "3.10"),
        "no_more_bets": (DEALER, "3.10"),
        "throw, told": (_of(DEALER, _SUPERVISOR), "5.3"),
        "declare_wager": (PLAYER, "3.11"),
        "place_declared": (DEALER, "3.11"),
        "move_wager": (_of(PLAYER, DEALER), "3.12"),
        "refuse_wager": (_SUPERVISOR, "9.11"),  # not "or above" here
        "exchange_voucher": (DEALER, "1.1"),
        "issue_checks": (DEALER, "3.8"),
        "agree_colour": (PLAYER, "3.7"),
        "allow_colours": (_SUPERVISOR, "3.9"),
        "decide_dispute": (_SUPERVISOR, "9.12"),
        "press_no_more_bets": (DEALER, "5.2"),
        "enter_result": (_of(DEALER, _SUPERVISOR), "5.4"),
        "return_streaks": (_SUPERVISOR, "SB-6"),
        "final_call": (DEALER, "6.6"),
        "tumble": (_of(DEALER, _SUPERVISOR), "5.1"),
        "uncover": (DEALER, "5.2"),
        "call_result": (_of(DEALER, _SUPERVISOR), "5.3"),
        "observe": (_of(DEALER, _SUPERVISOR), "8.1"),
    },
}


def _unsaid(book: str, lines: dict[str, Roles]) -> dict[tuple[str, str], Roles]:
    return {(book, name): roles for name, roles in lines.items()}


def _unsaid_in_general(book: str, employees: Roles) -> dict[tuple[str, str], Roles]:
    """What the General Provisions forbid or grant to some, they do not say of the rest."""
    rest = _of(employees, OPERATOR, INSPECTOR)
    return _unsaid(
        book,
        {
            "use_device": OPERATOR,  # acts through its agents and employees
            "explain_rules": _of(PEOPLE, OPERATOR, INSPECTOR),
            "move_wager": PLAYER,  # who has the chips at hand takes them down and bets them anew
            "advise": _of(OPERATOR, INSPECTOR),  # neither employees nor spectators
            "side_bet": rest,
            "dissatisfied": rest,  # "any person"
            "complain": rest,
        },
    )


_STAR = (
    "enquire try_to_identify identify_patron contact_patron ask_return offer_reimbursement find_impractical reimburse"
)

UNSAID: dict[tuple[str, str], Roles] = {
    **_unsaid_in_general(SNAKE_EYES, _SE_EMPLOYEES),
    **_unsaid_in_general(TWO_UP, _TU_EMPLOYEES),
    **_unsaid_in_general(CRAPS, _CR_EMPLOYEES),
    **_unsaid_in_general(SIC_BO, _SB_EMPLOYEES),
    **_unsaid(SNAKE_EYES_NZ, {"move_wager": PLAYER}),
    **_unsaid(TWO_UP, {"choose": _TU_DEALER}),  # when one of them acts as spinner
    # "The Star" does it, and does not say through whom of its people.
    **_unsaid(CRAPS, dict.fromkeys([*_STAR.split(), "tell_nicc", "month_end"], _CR_EMPLOYEES)),
    **_unsaid(CRAPS, {"give_back": _of(_CR_EMPLOYEES, OPERATOR)}),  # who takes it back may be the one to say so
    **_unsaid(CRAPS, {"claim_agency": _of("spectator"), "claim_stake": _of("spectator")}),
    **_unsaid(CRAPS, {"take": _of(DEALER, "stickperson", _BOX)}),  # 6.5 does not say who removes
    **_unsaid(CRAPS, {"call_result": DEALER}),  # 1.1 "round of play": "ends when the dealer calls the result"
    **_unsaid(SIC_BO, {"take": DEALER}),
    **_unsaid(SIC_BO, {"issue_checks": _SUPERVISOR}),  # the dealer ascertains the value; the issue is passive
}
