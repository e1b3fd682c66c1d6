"""Who may do what: the expectation, written separately from the code that decides it.

Whatever is missing here fails: anyone who adds an endpoint, an order or a command of a book has to enter it here first,
and think about who may use it.
"""

from __future__ import annotations

PEOPLE = {
    "ann": "player",
    "ben": "player",
    "dora": "dealer",
    "sam": "supervisor",
    "mia": "manager",
    "otto": "operator",
    "ivy": "inspector",
}
LETTERS = {"p": "player", "d": "dealer", "s": "supervisor", "m": "manager", "o": "operator", "i": "inspector"}
SCOPES = {"play": "p", "deal": "d", "supervise": "s", "manage": "mo", "inspect": "i", "witness": ""}

ANYONE = "anyone"
UNASKED = "unasked"  # anyone, and no one is asked who they are
SIGNED_IN = "signed in"
IN_PERSON = "in person"  # signed in, and not a program with a token
WITNESSING = "o witness"  # operators, and programs of theirs with the scope `witness`

# Endpoints: who may use them. Letters are roles; "self" is the person in the address; a "!" is not for programs.
ENDPOINTS = {
    "GET /": ANYONE,
    "GET /web/{folder}/{name}": ANYONE,
    "GET /manifest.webmanifest": ANYONE,
    "GET /offline": ANYONE,
    "GET /worker.js": ANYONE,
    "GET /tables/{table}": ANYONE,
    "GET /tables/{table}/rounds/{round}": ANYONE,
    "GET /tables/{table}/throws/{version}": ANYONE,
    "GET /tables/{table}/deal": ANYONE,
    "GET /display/{table}": ANYONE,
    "GET /practice/{book}": ANYONE,
    "GET /learn/{book}": ANYONE,
    "GET /floor": ANYONE,
    "GET /inspect": ANYONE,
    "GET /me": ANYONE,
    "GET /promotions": ANYONE,
    "GET /promotions/{promotion}": ANYONE,
    "GET /duties": ANYONE,
    "GET /registers": ANYONE,
    "GET /developers": ANYONE,
    "GET /check": ANYONE,
    "GET /rules": ANYONE,
    "GET /rules/{book}": ANYONE,
    "GET /rules/{book}/readings": ANYONE,
    "GET /rules/{book}/readings/{reading}": ANYONE,
    "GET /rules/{book}/wagers/{wager}": ANYONE,
    "GET /rules/{book}/{clause}": ANYONE,
    "GET /sheets": "smoi",
    "GET /sheets/{name}": "smoi",
    "GET /sheets.css": ANYONE,
    "GET /health": ANYONE,
    "GET /metrics": ANYONE,
    "GET /api/openapi.json": UNASKED,
    "GET /api/v1/house": ANYONE,
    "GET /api/v1/checkpoints": ANYONE,
    "GET /api/v1/witness/{key}": ANYONE,
    "POST /api/v1/witness/{key}": WITNESSING,
    "POST /api/v1/sign-up": ANYONE,
    "POST /api/v1/sign-in": ANYONE,
    "POST /api/v1/guest": ANYONE,
    "POST /api/v1/sign-out": IN_PERSON,
    "POST /api/v1/password": IN_PERSON,
    "GET /api/v1/tokens": SIGNED_IN,
    "POST /api/v1/tokens": IN_PERSON,
    "DELETE /api/v1/tokens/{name}": IN_PERSON,
    "GET /api/v1/accounts/{person}/tokens": "o",
    "DELETE /api/v1/accounts/{person}/tokens/{name}": "o!",
    "GET /api/v1/me": SIGNED_IN,
    "GET /api/v1/me/events": SIGNED_IN,
    "GET /api/v1/me/live": SIGNED_IN,
    "GET /api/v1/me/wagers": SIGNED_IN,
    "GET /api/v1/books": ANYONE,
    "GET /api/v1/books/{book}": ANYONE,
    "GET /api/v1/practice/{book}/chances": ANYONE,
    "GET /api/v1/practice/{book}/lesson": ANYONE,
    "POST /api/v1/practice/{book}": ANYONE,
    "GET /api/v1/books/{book}/acts": ANYONE,
    "GET /api/v1/books/{book}/clauses": ANYONE,
    "GET /api/v1/books/{book}/clauses/{clause}": ANYONE,
    "GET /api/v1/front": ANYONE,
    "GET /api/v1/tables": ANYONE,
    "POST /api/v1/tables": "mo",
    "GET /api/v1/tables/{table}": ANYONE,
    "GET /api/v1/tables/{table}/drawing": ANYONE,
    "GET /api/v1/tables/{table}/felt": ANYONE,
    "GET /api/v1/tables/{table}/events": ANYONE,
    "GET /api/v1/tables/{table}/at/{version}": ANYONE,
    "GET /api/v1/tables/{table}/receipts/{version}": ANYONE,
    "GET /api/v1/tables/{table}/at/{version}/felt": ANYONE,
    "GET /api/v1/tables/{table}/at/{version}/drawing": ANYONE,
    "GET /api/v1/tables/{table}/counts": ANYONE,
    "GET /api/v1/tables/{table}/visit": SIGNED_IN,
    "GET /api/v1/tables/{table}/rounds/{round}": ANYONE,
    "GET /api/v1/tables/{table}/rounds/{round}/record": ANYONE,
    "GET /api/v1/tables/{table}/throws/{version}": ANYONE,
    "GET /api/v1/tables/{table}/record": ANYONE,
    "GET /api/v1/tables/{table}/records": "oi",
    "GET /api/v1/tables/{table}/live": ANYONE,
    "POST /api/v1/tables/{table}/lines": "pdsmoi",
    "POST /api/v1/tables/{table}/numbers": "p",
    "POST /api/v1/tables/{table}/numbers/show": "p",
    "POST /api/v1/tables/{table}/ready": "p",
    "POST /api/v1/tables/{table}/seat": "p",
    "POST /api/v1/tables/{table}/chips": "p",
    "POST /api/v1/tables/{table}/leave": "p",
    "POST /api/v1/tables/{table}/post": "dsmoi",
    "POST /api/v1/tables/{table}/post/leave": "dsmoi",
    "POST /api/v1/tables/{table}/alerts/{event}/answer": "smo",
    "POST /api/v1/tables/{table}/duties/answer": "smo",
    "GET /api/v1/promotions": ANYONE,
    "POST /api/v1/promotions": "mo",
    "GET /api/v1/promotions/{promotion}": ANYONE,
    "GET /api/v1/promotions/{promotion}/record": ANYONE,
    "GET /api/v1/promotions/{promotion}/events": "moi",
    "GET /api/v1/promotions/{promotion}/play": "moi",
    "GET /api/v1/promotions/{promotion}/play/own": SIGNED_IN,
    "GET /api/v1/promotions/{promotion}/claims/{claim}": "moi",
    "POST /api/v1/promotions/{promotion}/lines": "pmo",
    "POST /api/v1/promotions/{promotion}/duties/answer": "mo",
    "GET /api/v1/books/{book}/prizes": ANYONE,
    "GET /api/v1/floor": "smoi",
    "GET /api/v1/floor/alerts": "smoi",
    "GET /api/v1/floor/cases": "smoi",
    "GET /api/v1/tables/{table}/cases": SIGNED_IN,
    "GET /api/v1/tables/{table}/acts": SIGNED_IN,
    "GET /api/v1/tables/{table}/correction": SIGNED_IN,
    "GET /api/v1/tables/{table}/next": ANYONE,
    "GET /api/v1/duties": "smoi",
    "GET /api/v1/accounts": "smoi",
    "POST /api/v1/accounts": "o",
    "GET /api/v1/accounts/{person}": "smoi",
    "GET /api/v1/accounts/{person}/events": "smoi",
    "POST /api/v1/accounts/{person}/roles": "o",
    "POST /api/v1/accounts/{person}/card": "smo",
    "POST /api/v1/accounts/{person}/card/end": "smo",
    "POST /api/v1/accounts/{person}/chips": "o",
    "POST /api/v1/accounts/{person}/limits": "self",
    "POST /api/v1/accounts/{person}/name": "self",
    "POST /api/v1/accounts/{person}/refill": "self",
    "POST /api/v1/accounts/{person}/exclusion": "self smo",
    "POST /api/v1/accounts/{person}/exclusion/end": "mo",
    "POST /api/v1/accounts/{person}/password": "o!",
    "GET /api/v1/refusals": "moi",
    "GET /api/v1/registers": "moi",
    "GET /api/v1/registers/{register}": "moi",
    "GET /api/v1/reports/tables/{table}": "moi",
    "GET /api/v1/reports/house": "moi",
    "GET /api/v1/reports/books": "moi",
    "GET /api/v1/export": "oi",
}

# Deeds of the house: who may ask for them. "house" is no one but the house itself.
ORDERS = {
    "say": "pdsmoi",
    "put_in_number": "p",
    "show_number": "p",
    "say_ready": "p",
    "note_presence": "house",
    "free_seat": "house",
    "sit": "p",
    "buy_in": "p",
    "get_up": "p",
    "set_table": "mo house",
    "take_post": "dsmoi",
    "leave_post": "dsmoi",
    "answer_alert": "smo",
    "answer_duty": "smo",
    "run_on": "house",
    "open_promotion": "mo",
    "promote": "pmo",
    "close_entries": "house",
    "answer_promotion_duty": "mo",
    "open_account": "o house",
    "set_password": "self o house",
    "change_roles": "o house",
    "issue_card": "smo house",
    "end_card": "smo house",
    "grant_chips": "o house",
    "change_name": "self",
    "refill": "self",
    "set_limits": "self",
    "exclude": "self smo",
    "let_in": "mo",
}

# Lines that no table takes from anyone: they are orders of the house, or no command.
NO_LINES = {"open", "seat", "chips", "leave", "exposure", "cases"}

# Words at a table, by those who may say them with a seat or a post there: in every book that knows the word, …
EVERYWHERE = {
    "d": (
        "allow_old_set ask_again bring_checks exchange_for_chips exchange_voucher final_call house_takes issue_checks "
        "mark_on move_wager offer place_declared press_no_more_bets redeem_checks send_out settle_streaks spin "
        "take_over take_silence uncover"
    ),
    "i": "receive_complaint",
    "o": "adopt final_decision register_rules countersign_rules load_rules month_end operator_decides "
    "operator_decides_case remove_touch_screen tell_nicc use_touch_screen",
    "p": (
        "accept accept_decision advise agree_colour ask_advice ask_back ask_review choose claim_agency claim_stake "
        "complain declare_wager decline dissatisfied give_back offer_checks pass present_checks raise_dispute side_bet "
        "stop_advice stop_spinning take"
    ),
    "pd": "bet dispute_face place_coins throw",
    "sm": "allow_colours replace_equipment return_streaks withdraw_device withdraw_exclusion",
    "dsm": (
        "accept_card attach_drop_box bring_dice change_dice confirm_count count_float dice_out display_shows "
        "end_cashless find find_dice find_invalid find_invalid_in_roll find_lost games_supervisor_absent "
        "games_supervisor_back inspect_dice let_stand lift_player_limit limit_players new_set notify_inspector observe "
        "one_per_area remove_drop_box report_count report_interference report_leaning report_malfunction rest search "
        "sell_chips several_per_area start_cashless tumble vacate"
    ),
    "smo": "introduce_procedures post_pay_table_sign put_right_elsewhere remove_pay_table_sign report_error",
    "dsmo": (
        "ask_return contact_patron enquire explain_rules find_impractical identify_patron offer_reimbursement "
        "reimburse report_mispayment try_to_identify"
    ),
    "dsmoi": "report_side_bet use_device",
    "pdsmoi": "ask_rules report_device",
}
# … where the books differ, …
IN_A_BOOK = {
    "craps-nsw-2024": {
        "": "no_more_bets",
        "d": "bowl_dice call_result confirm_result return_dice roll",
        "p": "call",
        "sm": (
            "attach_drop_box check_dice close_table credit_float decide_dispute decide_face detain end_cashless "
            "exclude_from_casino exclude_from_game fill_float find_device lift_player_limit limit_players one_per_area "
            "order_pass player_sign post_closing_sign post_minimum_sign remove_drop_box remove_player_sign remove_unit "
            "review_dispute set_maximum set_minimum set_player_total set_unit several_per_area start_cashless "
            "void_wagers withdraw_closing_sign withdraw_minimum_sign"
        ),
        "dsm": "confirm_late declare_lost dice_off lift_point mark_on move_wager",
        "pdsm": "bet",
        "smi": "hand_over",
        "smo": (
            "ask_return close_dispute contact_patron enquire find_impractical identify_patron offer_reimbursement "
            "correct_result overrule_call refuse_wager reopen_table tell_right try_to_identify"
        ),
    },
    "sic-bo-nsw-2016": {
        "": "call",
        "d": "confirm_result no_more_bets",
        "o": "remove_equipment use_equipment",
        "sm": (
            "amend_entry close_table credit_float decide_dispute exclude_from_casino exclude_from_game fill_float "
            "find_device player_sign post_closing_sign post_minimum_sign rectify refuse_wager remove_player_sign "
            "remove_unit review_dispute set_maximum set_minimum set_player_total set_unit void_wagers "
            "withdraw_closing_sign withdraw_final_call withdraw_minimum_sign"
        ),
        "dsm": "call_result enter_result roll",
        "smo": "close_dispute correct_result overrule_call reopen_table tell_right",
    },
    "snake-eyes-nsw-2019": {
        "": "call no_more_bets",
        "d": "enter_result",
        "sm": (
            "amend_entry check_dice close_table correct_position credit_float decide_dispute decide_face detain "
            "exclude_from_casino exclude_from_game fill_float find_device order_pass player_sign post_closing_sign "
            "post_minimum_sign rectify remove_player_sign remove_unit review_dispute set_maximum set_minimum "
            "set_player_total set_unit void_wagers withdraw_closing_sign withdraw_minimum_sign"
        ),
        "dsm": "bowl_dice call_result confirm_late confirm_result declare_lost dice_off return_dice roll",
        "smi": "hand_over",
        "smo": (
            "close_dispute correct_result overrule_call refuse_wager remove_equipment reopen_table tell_right "
            "use_equipment"
        ),
    },
    "snake-eyes-nz": {
        "": "call no_more_bets",
        "d": "call_result confirm_result enter_result roll",
        "o": (
            "close_table correct_position player_sign post_closing_sign post_minimum_sign record_approval "
            "remove_player_sign remove_unit reopen_table set_maximum set_minimum set_player_total set_unit "
            "withdraw_closing_sign withdraw_minimum_sign"
        ),
        "sm": "amend_entry bowl_dice check_dice credit_float decide_face fill_float return_dice",
        "dsm": "confirm_late declare_lost dice_off order_pass",
        "smo": "correct_result overrule_call rectify remove_equipment use_equipment",
    },
    "two-up-nsw-2016": {
        "": "call",
        "d": (
            "amend_entry bowl_dice call_result check_dice confirm_result declare_lost dice_off enter_result "
            "no_more_bets return_dice"
        ),
        "sm": (
            "close_table credit_float decide_dispute detain exclude_from_casino exclude_from_game fill_float "
            "find_device player_sign post_closing_sign post_minimum_sign rectify remove_player_sign remove_unit "
            "review_dispute set_maximum set_minimum set_player_total set_unit void_wagers withdraw_closing_sign "
            "withdraw_minimum_sign"
        ),
        "smi": "hand_over",
        "smo": (
            "close_dispute correct_result overrule_call refuse_wager remove_equipment reopen_table tell_right "
            "use_equipment"
        ),
    },
}
# … and why a throw may be called void.
VOIDS = {
    "craps-nsw-2024": {
        "sm": "10.5 10.5.1 10.5.2",
        "dsm": "5.1 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.3 5.3.1 5.3.2 5.3.3 5.3.4 5.3.5 5.3.6 5.3.7 5.3.8",
    },
    "sic-bo-nsw-2016": {
        "sm": "9.4 9.4.1 9.4.2",
        "dsm": "8.1 8.2 8.3 8.4 8.5",
    },
    "snake-eyes-nsw-2019": {
        "sm": "9.4 9.4.1 9.4.2",
        "dsm": "5.1 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.3 5.3.1 5.3.2 5.3.3 5.3.4 5.3.5 5.3.6 5.3.7 5.3.8",
    },
    "snake-eyes-nz": {
        "sm": "6.2",
        "dsm": "6.3 6.3(a) 6.3(b) 6.3(c) 6.3(d) 6.3(e) 6.3(f) 6.3(g) 6.3(h) 6.4 6.4(a) 6.4(b) 6.4(c) 6.4(d)",
    },
    "two-up-nsw-2016": {
        "d": "7.3 7.3.1 7.3.2 7.3.3 7.3.4 7.4.1",
        "sm": "9.4 9.4.1 9.4.2",
        "dsm": "7.1 7.1.1 7.1.2",
    },
}


def words(book: str) -> dict[str, str]:
    """Every command at a table of a book, with the letters of those who may give it; `void` with its reason."""
    own = IN_A_BOOK[book]
    said = {word: who for who, names in (*EVERYWHERE.items(), *own.items()) for word in names.split()}
    return said | {f"void {reason}": who for who, reasons in VOIDS[book].items() for reason in reasons.split()}


def roles(letters: str) -> set[str]:
    """The roles that the letters stand for."""
    return {LETTERS[letter] for letter in letters if letter in LETTERS}
