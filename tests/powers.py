"""Who may do what according to the five documents and the readings: one row for each thing, one table for all.

For each book, each act, each command that every table has, and each ground for a void throw: the roles to which the
document gives it, and the clause; where the document leaves it open, those of a registered reading, and its id. A wider
role is written out as the roles that the book's definition includes in it. `roll` and `spin` are the commands that
report the result; `throw` is the act of throwing.

`python -m tests.index` writes each row as a line of the book's `conduct-who.scenario`, so that `croupier trace` names
it: that scenario fails if an act is given to one role too many or taken from one.
"""

from __future__ import annotations

from typing import Final

Roles = frozenset[str]
Says = tuple[Roles, str]

NOBODY: Final[Roles] = frozenset()

SNAKE_EYES, SNAKE_EYES_NZ = "snake-eyes-nsw-2019", "snake-eyes-nz"
TWO_UP, CRAPS, SIC_BO = "two-up-nsw-2016", "craps-nsw-2024", "sic-bo-nsw-2016"


def _of(*roles: str | Roles) -> Roles:
    return frozenset().union(*(frozenset([role]) if isinstance(role, str) else role for role in roles))


def _by(roles: Roles, source: str, things: str) -> dict[str, Says]:
    """One row for each of several things that the same people may do for the same reason."""
    return dict.fromkeys(things.split(), (roles, source))


def _void(grounds: str, roles: Roles) -> dict[str, Says]:
    """One line for each ground, with the clause that gives the power."""
    return {f"void {ground}": (roles, ground) for ground in grounds.split()}


PLAYER, DEALER, OPERATOR = _of("player"), _of("dealer"), _of("casino operator")
PEOPLE, INSPECTOR = _of("player", "spectator"), _of("inspector")

# A casino supervisor is anyone who manages the conduct of gaming, and includes those named.
_SE_SUPERVISOR = _of("casino supervisor", "gaming supervisor", "assistant gaming manager", "gaming manager")
_CR_SUPERVISOR = _of(_SE_SUPERVISOR, "boxperson")
_BOX = _of("boxperson", "gaming supervisor")  # one definition for both (CR-20)
_SUPERVISOR = _of("casino supervisor", "games supervisor")  # Two-Up and Sic Bo
_NZ_ABOVE = _of("casino supervisor", "senior casino supervisor", "casino operator")  # above the game supervisor
_NZ_TABLE = _of("dealer", "game supervisor")  # those at the table
_NZ_FLOAT = _of("game supervisor", "casino supervisor", "senior casino supervisor")
_TU_DEALER = _of("dealer", "boxer")  # the boxer is "the dealer who controls the spinner"
_SE_EMPLOYEES = _of(DEALER, _SE_SUPERVISOR)
_CR_EMPLOYEES = _of(DEALER, "stickperson", _CR_SUPERVISOR)
_THE_STAR = _of(_CR_SUPERVISOR, OPERATOR)  # the managers through whom the operator acts
_TU_EMPLOYEES = _of(_TU_DEALER, _SUPERVISOR)
_SB_EMPLOYEES = _of(DEALER, _SUPERVISOR)


def _running(dealer: Roles, supervisor: Roles) -> dict[str, Says]:
    """What has to be done at every table and no document assigns to anyone."""
    return {
        "open": (_of(supervisor, OPERATOR), "X-59"),
        "leave": (PLAYER, "X-59"),
        "reopen_table": (_of(supervisor, OPERATOR), "X-61"),
        "remove_player_sign": (supervisor, "X-61"),
        **_by(_of(dealer, supervisor), "X-59", "seat chips"),
    }


def _general(section: int, first: int, supervisor: Roles, employees: Roles, dealer: Roles = DEALER) -> dict[str, Says]:
    """The General Provisions, which the four documents of New South Wales share; `first` is the device rule."""

    def clause(number: int, limb: str = "") -> str:
        return f"{section}.{number + first - 1}{limb}"

    return {
        "use_device": (_of(employees, INSPECTOR, OPERATOR), f"{clause(2)}, X-62"),
        "find_device": (supervisor, clause(3)),
        "void_wagers": (supervisor, clause(3, ".1")),
        "exclude_from_game": (supervisor, clause(3, ".2")),
        "exclude_from_casino": (supervisor, clause(3, ".3")),
        "withdraw_exclusion": (supervisor, "X-49"),
        "withdraw_device": (supervisor, "X-49"),
        "explain_rules": (_of(employees, OPERATOR), f"{clause(6)}, X-62"),
        "ask_advice": (PLAYER, clause(7)),
        "stop_advice": (PLAYER, clause(7)),
        "advise": (PEOPLE, f"{clause(7)}, X-62"),
        "close_table": (supervisor, clause(8)),
        "withdraw_closing_sign": (supervisor, "X-55"),
        "side_bet": (PEOPLE, f"{clause(10)}, X-62"),  # whose act it is; it is refused to them for what it is
        "refuse_wager": (_of(supervisor, OPERATOR), clause(11)),
        "vacate": (_of(dealer, supervisor), "X-30"),
        "raise_dispute": (PEOPLE, "X-32"),
        "ask_review": (PEOPLE, "X-32"),
        "accept_decision": (PEOPLE, "X-56"),
        "review_dispute": (supervisor, clause(12)),
        "final_decision": (OPERATOR, clause(13)),
        "dissatisfied": (PEOPLE, f"{clause(13)}, X-62"),
        "complain": (PEOPLE, f"{clause(13)}, X-62"),
        "receive_complaint": (INSPECTOR, clause(13)),
        **dict.fromkeys(["register_rules", "countersign_rules", "load_rules"], (OPERATOR, "X-33")),
        "ask_rules": (_of(PEOPLE, employees, OPERATOR, INSPECTOR), "X-33"),
        "overrule_call": (_of(supervisor, OPERATOR), "X-22"),
        "correct_result": (_of(supervisor, OPERATOR), "X-63"),
        **_void(f"{clause(4)} {clause(4, '.1')} {clause(4, '.2')}", supervisor),
        "report_device": (_of(PEOPLE, employees, OPERATOR, INSPECTOR), "X-62"),
        "report_side_bet": (_of(employees, OPERATOR, INSPECTOR), "X-62"),
        "post_closing_sign": (supervisor, "X-61"),
        "tell_right": (_of(supervisor, OPERATOR), "X-62"),
        "close_dispute": (_of(supervisor, OPERATOR), "X-56"),
    }


def _paid(supervisor: Roles, dealer: Roles = DEALER) -> dict[str, Says]:
    """What is paid for disputes and for errors found by staff, where the document has nothing on wrong payments."""
    return {
        "report_error": (_of(supervisor, OPERATOR), "X-57"),
        "reimburse": (_of(dealer, supervisor, OPERATOR), "X-57"),
        "put_right_elsewhere": (_of(supervisor, OPERATOR), "X-57"),
    }


def _signs(section: int, supervisor: Roles, employees: Roles) -> dict[str, Says]:
    """Minimum and Maximum Wagers, the same in those four documents."""
    return {
        "set_minimum": (supervisor, f"{section}.5"),
        "set_maximum": (supervisor, f"{section}.5"),
        "set_player_total": (supervisor, f"{section}.5"),
        "player_sign": (supervisor, f"{section}.6"),
        "withdraw_minimum_sign": (supervisor, "X-55"),
        "find": (employees, "X-59"),
        **_by(supervisor, "X-61", "set_unit remove_unit post_minimum_sign"),
    }


_FIVE = "5.1 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.3 5.3.1 5.3.2 5.3.3 5.3.4 5.3.5 5.3.6 5.3.7 5.3.8"


def _float(supervisor: Roles, dealer: Roles = DEALER) -> dict[str, Says]:
    return {
        **_by(supervisor, "X-26", "fill_float credit_float"),
        "count_float": (_of(dealer, supervisor), "X-26"),
        **_by(_of(dealer, supervisor), "X-45", "report_count confirm_count"),
    }


EXPECTED: dict[str, dict[str, Says]] = {
    SNAKE_EYES: {
        **_running(DEALER, _SE_SUPERVISOR),
        **_general(9, 1, _SE_SUPERVISOR, _SE_EMPLOYEES),
        **_paid(_SE_SUPERVISOR),
        **_signs(7, _SE_SUPERVISOR, _SE_EMPLOYEES),
        **_float(_SE_SUPERVISOR),
        **_void(_FIVE, _of(DEALER, _SE_SUPERVISOR)),
        **_by(_SE_EMPLOYEES, "X-59", "sell_chips"),
        **_by(_SE_EMPLOYEES, "X-60", "search find_dice return_dice bowl_dice declare_lost new_set rest report_leaning"),
        **_by(_SE_EMPLOYEES, "X-60", "display_shows report_malfunction find_lost change_dice"),
        "dispute_face": (_of(PLAYER, DEALER), "X-60"),
        "confirm_result": (_of(DEALER, "gaming supervisor"), "X-60"),
        **_by(_of(_SE_SUPERVISOR, OPERATOR), "X-61", "use_equipment remove_equipment post_pay_table_sign"),
        "rectify": (_SE_SUPERVISOR, "X-61"),
        "hand_over": (_of(_SE_SUPERVISOR, INSPECTOR), "X-62"),
        "no_more_bets": (NOBODY, "X-3"),
        "call": (NOBODY, "X-59"),
        "amend_entry": (_of("gaming supervisor"), "SE-13"),
        "remove_pay_table_sign": (_of(_SE_SUPERVISOR, OPERATOR), "SE-15"),
        "bet": (_of(PLAYER, DEALER), "6.6"),
        "take": (PLAYER, "6.4"),
        "throw": (_of(PLAYER, DEALER), "4.2, SE-7"),
        "dice_out": (_of(DEALER, _SE_SUPERVISOR), "X-50"),
        "roll": (_of(DEALER, "gaming supervisor"), "4.3.1"),
        "adopt": (OPERATOR, "8.2"),
        "confirm_late": (_of(DEALER, _SE_SUPERVISOR), "6.3"),
        "move_wager": (DEALER, "6.6, X-62"),
        "correct_position": (_SE_SUPERVISOR, "6.8"),
        "exchange_voucher": (DEALER, "1.1"),
        "offer": (DEALER, "3.2"),
        "accept": (PLAYER, "3.3"),
        "decline": (PLAYER, "3.2"),
        "choose": (PLAYER, "3.3"),
        "pass": (PLAYER, "3.7"),
        "ask_again": (DEALER, "X-48"),
        "take_silence": (DEALER, "X-48"),
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
        **_float(_NZ_FLOAT, _of(DEALER, _NZ_FLOAT)),
        **_by(_NZ_TABLE, "X-59", "seat chips sell_chips find"),
        **_by(_NZ_TABLE, "X-60", "bring_dice search find_dice declare_lost new_set rest report_leaning display_shows"),
        **_by(_NZ_TABLE, "X-60", "report_malfunction find_lost change_dice"),
        **_by(_NZ_ABOVE, "X-61", "use_equipment remove_equipment"),
        "leave": (PLAYER, "X-59"),
        "call": (NOBODY, "X-59"),
        "dispute_face": (_of(PLAYER, DEALER), "X-60"),
        "confirm_result": (DEALER, "X-60"),
        **_void("6.2", _of("game supervisor")),
        **_void("6.3 6.3(a) 6.3(b) 6.3(c) 6.3(d) 6.3(e) 6.3(f) 6.3(g) 6.3(h)", _of(DEALER, "game supervisor")),
        **_void("6.4 6.4(a) 6.4(b) 6.4(c) 6.4(d)", _of(DEALER, "game supervisor")),
        **dict.fromkeys(["post_minimum_sign", "set_minimum", "set_maximum", "set_player_total"], (OPERATOR, "X-28")),
        **dict.fromkeys(["set_unit", "remove_unit", "player_sign", "remove_player_sign"], (OPERATOR, "X-28")),
        **dict.fromkeys(["post_closing_sign", "close_table", "open", "reopen_table"], (OPERATOR, "X-29")),
        **_by(OPERATOR, "X-55", "withdraw_minimum_sign withdraw_closing_sign"),
        "record_approval": (OPERATOR, "NZ-21"),
        "no_more_bets": (NOBODY, "X-3"),
        "issue_checks": (DEALER, "NZ-17"),
        "redeem_checks": (DEALER, "NZ-17"),
        "rectify": (_of("game supervisor", _NZ_ABOVE), "NZ-15"),
        "introduce_procedures": (_NZ_ABOVE, "NZ-15"),
        "bet": (_of(PLAYER, DEALER), "4.5"),
        "take": (PLAYER, "4.7"),
        "throw": (_of(PLAYER, DEALER), "5.5, 5.9(d)"),
        "dice_out": (_of(DEALER, "game supervisor"), "X-50"),
        "roll": (DEALER, "5.6(a)"),
        "adopt": (OPERATOR, "4.10"),
        "confirm_late": (_of(DEALER, "game supervisor"), "4.4(b)"),
        "move_wager": (DEALER, "4.5, X-62"),
        "correct_position": (OPERATOR, "4.6"),
        "inspect_dice": (_of(DEALER, "game supervisor"), "5.2"),
        "offer": (DEALER, "5.3(a)"),
        "accept": (PLAYER, "5.3(c)"),
        "decline": (PLAYER, "5.3(b)"),
        "choose": (PLAYER, "5.3(c)"),
        "pass": (PLAYER, "5.7"),
        "ask_again": (DEALER, "X-48"),
        "take_silence": (DEALER, "X-48"),
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
        "raise_dispute": (PLAYER, "NZ-22"),
        "operator_decides_case": (OPERATOR, "6.7"),
        "enter_result": (DEALER, "5.6(b)"),
        "amend_entry": (_of("game supervisor"), "6.8"),
        "call_result": (DEALER, "5.6(a)"),
        "overrule_call": (_of("game supervisor", _NZ_ABOVE), "6.6"),
        "correct_result": (_of("game supervisor", _NZ_ABOVE), "X-63"),
        "decide_face": (_of("game supervisor"), "6.2"),
        "observe": (_of(DEALER, "game supervisor"), "6.3"),
        "let_stand": (_of(DEALER, "game supervisor"), "6.4"),
    },
    TWO_UP: {
        **_running(_TU_DEALER, _SUPERVISOR),
        **_float(_SUPERVISOR, _TU_DEALER),
        **_general(9, 1, _SUPERVISOR, _TU_EMPLOYEES, _TU_DEALER),
        **_paid(_SUPERVISOR, _TU_DEALER),
        **_signs(5, _SUPERVISOR, _TU_EMPLOYEES),
        **_void("7.1 7.1.1 7.1.2", _of("boxer", _SUPERVISOR)),
        **_void("7.3 7.3.1 7.3.2 7.3.3 7.3.4 7.4.1", _of("boxer")),
        "sell_chips": (_TU_EMPLOYEES, "X-59"),
        "call": (NOBODY, "X-59"),
        **_by(_TU_EMPLOYEES, "X-60", "search find_dice find_lost change_dice new_set report_malfunction"),
        **_by(_of("boxer"), "X-60", "return_dice bowl_dice declare_lost allow_old_set"),
        "rest": (_of("boxer", _SUPERVISOR), "X-60"),
        **_by(_TU_DEALER, "X-60", "confirm_result enter_result amend_entry"),
        **_by(_of(_SUPERVISOR, OPERATOR), "X-61", "use_equipment remove_equipment"),
        "rectify": (_SUPERVISOR, "X-61"),
        "adopt": (OPERATOR, "X-61"),
        **_by(_TU_EMPLOYEES, "X-62", "games_supervisor_absent games_supervisor_back"),
        "hand_over": (_of(_SUPERVISOR, INSPECTOR), "X-62"),
        "bet": (_of(PLAYER, _TU_DEALER), "4.8, 4.9"),
        "take": (PLAYER, "4.7"),
        "no_more_bets": (_of("boxer"), "4.6"),
        "throw": (_of(PLAYER, _TU_DEALER), "6.3, 3.3"),
        "dice_out": (_of("boxer", _SUPERVISOR), "X-50"),
        "spin": (_of("boxer"), "6.9"),
        "declare_wager": (PLAYER, "4.9"),
        "place_declared": (_TU_DEALER, "4.9"),
        "move_wager": (_TU_DEALER, "4.8, X-62"),
        "exchange_voucher": (_TU_DEALER, "1.1"),
        "exchange_for_chips": (_TU_DEALER, "1.1"),
        "offer": (_of("boxer"), "3.1"),
        "accept": (PLAYER, "3.1"),
        "decline": (PLAYER, "3.1"),
        "choose": (PLAYER, "6.1"),  # who spins for the house spins what is there
        "place_coins": (_of(PLAYER, _TU_DEALER), "6.1"),
        "pass": (PLAYER, "3.2"),
        "ask_again": (_of("boxer"), "X-48"),
        "take_silence": (_of("boxer"), "X-48"),
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
        **_running(DEALER, _CR_SUPERVISOR),
        **_general(10, 2, _CR_SUPERVISOR, _CR_EMPLOYEES),
        **_signs(7, _CR_SUPERVISOR, _CR_EMPLOYEES),
        **_float(_CR_SUPERVISOR),
        **_void(_FIVE, _of("stickperson", _CR_SUPERVISOR)),
        "sell_chips": (_of(DEALER, _CR_SUPERVISOR), "X-59"),
        **_by(_CR_EMPLOYEES, "X-60", "search find_dice find_lost report_leaning"),
        **_by(_of("stickperson"), "X-60", "return_dice bowl_dice"),
        **_by(_of("stickperson", _CR_SUPERVISOR), "X-60", "declare_lost new_set change_dice rest"),
        "dispute_face": (_of(PLAYER, DEALER, "stickperson"), "X-60"),
        "confirm_result": (_of(DEALER, "stickperson"), "X-60"),
        **_by(_CR_SUPERVISOR, "X-61", "remove_drop_box attach_drop_box"),
        "adopt": (OPERATOR, "X-61"),
        "hand_over": (_of(_CR_SUPERVISOR, INSPECTOR), "X-62"),
        "report_mispayment": (_of(_CR_EMPLOYEES, OPERATOR), "X-62"),
        "put_right_elsewhere": (_THE_STAR, "X-62"),
        "no_more_bets": (NOBODY, "X-3"),
        "start_cashless": (_CR_SUPERVISOR, "CR-27"),
        "end_cashless": (_CR_SUPERVISOR, "CR-27"),
        "bet": (_of(PLAYER, DEALER, "stickperson", _BOX), "6.9"),
        "take": (PLAYER, "6.5, X-62"),
        "call": (PLAYER, "6.7.1"),
        "mark_on": (_of(DEALER, _BOX), "6.7.1"),
        "throw": (_of(PLAYER, "stickperson"), "4.2, 3.9"),
        "dice_out": (_of("stickperson", _CR_SUPERVISOR), "X-50"),
        "roll": (_of("stickperson"), "4.4.1"),
        "confirm_late": (_of(DEALER, _BOX), "6.4"),
        "move_wager": (_of(DEALER, "stickperson", _BOX), "6.9, X-62"),
        "exchange_voucher": (DEALER, "1.1"),
        "offer": (_of("stickperson"), "3.2"),
        "accept": (PLAYER, "3.3"),
        "decline": (PLAYER, "3.2"),
        "choose": (PLAYER, "3.3"),
        "pass": (PLAYER, "3.7"),
        "ask_again": (_of("stickperson"), "X-48"),
        "take_silence": (_of("stickperson"), "X-48"),
        "order_pass": (_BOX, "3.7.2"),
        "house_takes": (_of("stickperson"), "3.9"),
        "lift_point": (_of(DEALER, "stickperson", _CR_SUPERVISOR), "CR-34"),
        "ask_back": (PLAYER, "3.4.2"),
        "dice_off": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
        "check_dice": (_BOX, "3.5"),
        "decide_dispute": (_BOX, "10.13"),
        "enquire": (_THE_STAR, "9.1.1, X-62"),
        "try_to_identify": (_THE_STAR, "9.2.2, X-62"),
        "identify_patron": (_THE_STAR, "9.2.2, X-62"),
        "contact_patron": (_THE_STAR, "9.3.1, X-62"),
        "ask_return": (_THE_STAR, "9.3.1.2, X-62"),
        "offer_reimbursement": (_THE_STAR, "9.3.1.1, X-62"),
        "find_impractical": (_THE_STAR, "9.3.1, X-62"),
        "reimburse": (_of(DEALER, _THE_STAR), "9.3.1.1, X-62"),
        "give_back": (PLAYER, "9.3.1.2, X-62"),
        "tell_nicc": (OPERATOR, "9.1.2, X-62"),
        "month_end": (OPERATOR, "9.3.2, X-62"),
        "detain": (_CR_SUPERVISOR, "10.4.4"),
        "accept_card": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "claim_agency": (PLAYER, "10.1.1, X-62"),
        "claim_stake": (PLAYER, "10.1.2, X-62"),
        "find_invalid": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "find_invalid_in_roll": (_of(DEALER, _CR_SUPERVISOR), "CR-29"),
        "limit_players": (_CR_SUPERVISOR, "6.10"),
        "lift_player_limit": (_CR_SUPERVISOR, "6.10"),
        "one_per_area": (_CR_SUPERVISOR, "6.10"),
        "several_per_area": (_CR_SUPERVISOR, "6.10"),
        "call_result": (_of("stickperson"), "4.4.1"),  # more particular than the dealer of 1.1 "round of play"
        "decide_face": (_BOX, "4.4.3"),
        "observe": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
        "let_stand": (_of("stickperson", _CR_SUPERVISOR), "5.1"),
    },
    SIC_BO: {
        **_running(DEALER, _SUPERVISOR),
        **_general(9, 1, _SUPERVISOR, _SB_EMPLOYEES),
        **_paid(_SUPERVISOR),
        **_signs(4, _SUPERVISOR, _SB_EMPLOYEES),
        **_float(_SUPERVISOR),
        **_void("8.1 8.2 8.3 8.4 8.5", _of(DEALER, _SUPERVISOR)),
        "call": (NOBODY, "X-59"),
        **_by(PLAYER, "X-59", "offer_checks present_checks"),
        "redeem_checks": (DEALER, "X-59"),
        **_by(_SB_EMPLOYEES, "X-60", "report_malfunction report_interference display_shows let_stand"),
        "replace_equipment": (_SUPERVISOR, "X-60"),
        "confirm_result": (DEALER, "X-60"),
        **_by(OPERATOR, "X-61", "adopt use_touch_screen remove_touch_screen"),
        **_by(_SB_EMPLOYEES, "X-62", "games_supervisor_absent games_supervisor_back notify_inspector"),
        "use_equipment": (OPERATOR, '1.1 "WND"'),
        "remove_equipment": (OPERATOR, '1.1 "WND"'),
        "bring_checks": (DEALER, "SB-23"),
        "amend_entry": (_SUPERVISOR, "SB-22"),
        "settle_streaks": (DEALER, "SB-21"),
        "rectify": (_SUPERVISOR, "SB-21"),
        "bet": (_of(PLAYER, DEALER), "3.12"),
        "take": (PLAYER, "3.10, X-62"),
        "no_more_bets": (DEALER, "3.10"),
        "roll": (_of(DEALER, _SUPERVISOR), "5.3"),
        "declare_wager": (PLAYER, "3.11"),
        "place_declared": (DEALER, "3.11"),
        "move_wager": (DEALER, "3.12, X-62"),
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
        "withdraw_final_call": (_SUPERVISOR, "SB-29"),
        "tumble": (_of(DEALER, _SUPERVISOR), "5.1"),
        "uncover": (DEALER, "5.2"),
        "call_result": (_of(DEALER, _SUPERVISOR), "5.3"),
        "observe": (_of(DEALER, _SUPERVISOR), "8.1"),
    },
}
