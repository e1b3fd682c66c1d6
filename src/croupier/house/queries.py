"""What a server asks the house for, besides orders: states, views, reports and registers. It imports them from here."""

from __future__ import annotations

from croupier.house.account_state import Account, Visit
from croupier.house.duties import show_duties
from croupier.house.electronic.public_record import kind, public_record
from croupier.house.events import BetsShut, Rhythm
from croupier.house.promotion_state import PromotionState, draw_outcome
from croupier.house.registers import Claimants, Registers, Scope, ScopeError
from croupier.house.registers.register_files import Followed, claimants_of, csv_of, name_of_file, pdf_of_register
from croupier.house.registers.register_rows import BY_ID, MOST_LETTERS, Period, PeriodError, Register, read_period
from croupier.house.reporting.bookkeeping import audited, entries
from croupier.house.reporting.reports import (
    Open,
    Paces,
    Report,
    Reports,
    Row,
    Span,
    csv_text,
    period_rows,
    show_open,
    show_period,
    wager_rows,
)
from croupier.house.reporting.tickets import (
    Counting,
    Earned,
    Played,
    Plays,
    SoFar,
    Stretch,
    counting_of,
    earned,
    stretch_of,
    tables_that_count,
)
from croupier.house.table_state import TableState
from croupier.house.views.console import Console, possible_acts, steps_of
from croupier.house.views.correction import preview_correction, preview_void
from croupier.house.views.floor import figures_of, show_alerts, show_cases, show_floor_table
from croupier.house.views.front import front_key, list_table, show_front
from croupier.house.views.history import Replays, past_wagers
from croupier.house.views.promotions import Looker, looker, may_see, show_promotion, show_summary
from croupier.house.views.rounds import round_at, round_by_number
from croupier.house.views.table import (
    SharedFelt,
    draw_table,
    is_like_others,
    same_for_all,
    show_felt,
    show_next_throw,
    with_console,
)
from croupier.house.views.throw_counts import ThrowCount
from croupier.house.views.visibility import (
    PUBLIC_VIEWER,
    Shown,
    Viewer,
    full_entry,
    show_account,
    show_account_entry,
    show_table,
    viewer,
)
from croupier.house.views.visits import CourseOfVisit, first_since

__all__ = [
    "BY_ID",
    "MOST_LETTERS",
    "PUBLIC_VIEWER",
    "Account",
    "BetsShut",
    "Claimants",
    "Console",
    "Counting",
    "CourseOfVisit",
    "Earned",
    "Followed",
    "Looker",
    "Open",
    "Paces",
    "Period",
    "PeriodError",
    "Played",
    "Plays",
    "PromotionState",
    "Register",
    "Registers",
    "Replays",
    "Report",
    "Reports",
    "Rhythm",
    "Row",
    "Scope",
    "ScopeError",
    "SharedFelt",
    "Shown",
    "SoFar",
    "Span",
    "Stretch",
    "TableState",
    "ThrowCount",
    "Viewer",
    "Visit",
    "audited",
    "claimants_of",
    "counting_of",
    "csv_of",
    "csv_text",
    "draw_outcome",
    "draw_table",
    "earned",
    "entries",
    "figures_of",
    "first_since",
    "front_key",
    "full_entry",
    "is_like_others",
    "kind",
    "list_table",
    "looker",
    "may_see",
    "name_of_file",
    "past_wagers",
    "pdf_of_register",
    "period_rows",
    "possible_acts",
    "preview_correction",
    "preview_void",
    "public_record",
    "read_period",
    "round_at",
    "round_by_number",
    "same_for_all",
    "show_account",
    "show_account_entry",
    "show_alerts",
    "show_cases",
    "show_duties",
    "show_felt",
    "show_floor_table",
    "show_front",
    "show_next_throw",
    "show_open",
    "show_period",
    "show_promotion",
    "show_summary",
    "show_table",
    "steps_of",
    "stretch_of",
    "tables_that_count",
    "viewer",
    "wager_rows",
    "with_console",
]  # fmt: skip
