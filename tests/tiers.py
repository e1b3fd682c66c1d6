"""What `make test` leaves to `make test-all`, in three tables.

The quick tier takes minutes and covers every layer, every book and every page once (`tests/test_tiers.py` checks that).
The rest gets the marker `thorough`: long matrices, all sizes and colour schemes of all pages, kill series, most
attacks. A test that no table mentions is quick. One that takes longer than a second or two and repeats what a quicker
one says belongs here.

Where only the first case of a test runs, that is the first for each book whose id is in the name of the case. Names may
end in `*`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final

import pytest

BOOKS: Final = ("craps-nsw-2024", "sic-bo-nsw-2016", "snake-eyes-nsw-2019", "snake-eyes-nz", "two-up-nsw-2016")
Case = tuple[str, str]  # a file below `tests`, and a name in it
COLLECTED: Final = pytest.StashKey[list[Case]]()
Tests = Mapping[str, tuple[str, ...]]  # by file: names of tests, or names of their cases with the brackets

# Slow files: browsers, attacks, faults, several processes. Only these run, and of each the first case.
ONLY: Final[Tests] = {
    "attack/test_coming_in.py": ("test_amounts_with_a_line_break", "test_pages_of_strangers"),
    "attack/test_dice.py": ("test_own_numbers", "test_restoring", "test_copying_a_commitment"),
    "attack/test_connections.py": ("test_too_large_at_once", "test_a_header_after_the_body"),
    "attack/test_files.py": ("test_records", "test_books", "test_strategies", "test_scenarios", "test_pipe"),
    "attack/test_guests.py": ("test_names_of_guests",),
    "attack/test_listeners.py": ("test_strangers_leave_nothing_behind",),
    "attack/test_receipts.py": ("test_a_swapped_key_is_convicted", "test_the_true_past_is_not_convicted"),
    "attack/test_store_passwords.py": ("test_marks_cannot_be_tried_without_the_key",),
    "attack/test_store_quotas.py": ("test_quota_of_a_person",),
    "attack/test_store_seals.py": ("test_seals_stripped",),
    "browser/test_betting.py": (
        "test_three_quick_clicks_stake_what_three_slow_ones_do",
        "test_chips_are_drawn_from_the_rack_and_from_area_to_area",
        "test_an_area_says_what_wins_loses_and_waits_now",
        "test_what_wins_is_a_sheet_on_a_phone",
        "test_outcomes_are_told_in_few_words",
    ),
    "browser/test_cases.py": ("test_players_see_no_cases_of_others",),
    "browser/test_checking.py": (
        "test_receipts_against_a_record",
        "test_draws",
        "test_throws",
        "test_players_numbers",
        "test_a_bad_file_is_one_sentence",
        "test_no_event_brings_it_down",
        "test_no_document_brings_it_down",
        "test_all_of_it_by_keyboard",
        "test_it_is_what_its_sources_make",
        "test_signatures_by_the_browser_and_by_hand",
        "test_a_table_where_people_throw",
    ),
    "browser/test_chips_and_places.py": ("test_a_place_that_somebody_takes_meanwhile_is_no_longer_picked",),
    "browser/test_corrections.py": ("test_what_a_correction_changes_is_seen_before_it_is_confirmed",),
    "browser/test_cut_off.py": ("test_a_bet_that_no_answer_came_to_is_made_once",),
    "browser/test_dealing.py": ("test_dice_are_offered_accepted_thrown_and_entered",),
    "browser/test_dealt_demonstration.py": ("test_players_are_told_that_no_dealer_is_here_yet",),
    "browser/test_display.py": (
        "test_sic_bo_has_its_two_roads_with_triples_marked",
        "test_spins_stand_in_a_row_with_the_lights",
        "test_rolls_are_shown_by_shooter_with_the_puck",
        "test_snake_eyes_displays_its_odds",
    ),
    "browser/test_evening.py": ("test_an_evening_on_a_phone[two-up-nsw-2016]",),
    "browser/test_floor.py": ("test_a_table_at_a_glance",),
    "browser/test_focus.py": ("test_a_player_sits_down_bets_and_gets_up_by_keyboard",),
    "browser/test_front.py": (
        "test_it_opens_for_anybody_and_is_accessible",
        "test_pages_of_rules_have_the_header_of_all_pages",
    ),
    "browser/test_inspecting.py": ("test_any_event_is_replayed_on_the_felt",),
    "browser/test_installing.py": ("test_without_a_connection_a_page_says_so_and_nothing_is_stale_after",),
    "browser/test_languages.py": (
        "test_a_round_at_a_table",
        "test_the_reader_chooses_and_the_browser_remembers",
        "test_a_limit_is_typed_with_a_comma",
    ),
    "browser/test_mistakes.py": (),  # what corrections change is seen in test_corrections.py
    "browser/test_more.py": ("test_an_amount_that_is_none_is_told_beside_the_button",),
    "browser/test_my_book.py": ("test_every_past_wager_has_what_fell_and_its_clause",),
    "browser/test_numbers.py": ("test_a_number_is_shown_once_the_house_has_signed_what_it_shut",),
    "browser/test_playing.py": (
        "test_a_felt_with_chips_is_accessible_and_fits",
        "test_a_hand_of_craps_with_what_stays_travels_and_comes_again",
        "test_super_streak_flashes_while_it_may_be_made",
    ),
    "browser/test_practice.py": (
        "test_a_first_game_to_its_end",
        "test_dice_picked_by_hand_and_steps_back",
        "test_the_chances_of_the_wager_at_hand",
    ),
    "browser/test_promotions.py": ("test_players_see_the_tickets_of_their_own_play_so_far",),
    "browser/test_reading.py": ("test_what_is_not_there_or_not_for_everybody_is_said_on_a_page",),
    "browser/test_receipts.py": ("test_every_bet_leaves_a_receipt_that_can_be_downloaded",),
    "browser/test_registers.py": ("test_a_register_is_found_again_by_its_address",),
    "browser/test_staff.py": ("test_a_sign_of_what_is_to_come_is_on_the_display",),
    "browser/test_steps.py": ("test_dice_are_brought_inspected_and_offered_step_by_step",),
    "browser/test_watching.py": (
        "test_a_fault_is_noted_and_fails_the_test_unless_allowed",
        "test_axe_says_what_is_wrong_and_where",
    ),
    "browser/test_throwing.py": (
        "test_the_throw_comes_before_all_that_it_decides[moving-craps]",
        "test_the_throw_comes_before_all_that_it_decides[moving-two-up]",
        "test_a_hidden_page_shows_the_end_at_once",
        "test_the_sound_switch_is_kept_and_calls_are_spoken",
    ),
    "browser/test_zones.py": ("test_duties_are_due_by_the_tables_clock",),
    "test_api_document.py": ("test_the_document_says_who_may_use_what",),
    "test_cluster.py": ("test_a_cluster_counts_what_one_machine_counts", "test_a_worker_*"),
    "test_damage.py": ("test_a_session_that_was_changed", "test_an_answer_that_was_changed"),
    "test_duties_api.py": ("test_one_list_says_what_is_due_when_and_who_is_responsible",),
    "test_faults.py": ("test_a_full_disk", "test_a_port_in_use", "test_a_setting_that_makes_no_sense"),
    "test_kills.py": ("test_only_a_command_given_up_explains_*",),
    "test_processes.py": ("test_one_hears_what_the_other_did", "test_what_fails_is_tried_again"),
    "test_promotions_api.py": (
        "test_play_earns_entries_and_the_clock_of_the_house_closes_them",
        "test_players_see_their_own_part_and_nobody_elses_name",
        "test_the_record_of_the_draw_is_for_everybody_and_holds",
    ),
    "test_serve.py": ("test_files_of_the_pages_are_sent_once", "test_a_password_is_typed_twice"),
    "test_simulate_runs.py": (
        "test_a_trace_agrees_with_the_simulation",
        "test_a_row_for_each_session_as_csv_and_parquet",
        "test_the_dice_of_a_seed_give_what_the_seed_gives",
    ),
    "test_snapshots.py": (
        "test_intervals",
        "test_a_snapshot_that_cannot_be_stored_is_no_fault",
        "test_nothing_is_kept_of_what_is_not_stored",
        "test_what_is_not_used_costs_only_the_reading",
    ),
    "test_fault_simulation.py": (
        "test_in_calm_weather_everything_is_answered",
        "test_a_request_that_is_overtaken_arrives_after_the_next",
        "test_an_altered_event_is_found",
    ),
}

# Long matrices of alike cases: the first runs, the rest are thorough.
FIRST_CASE: Final[Tests] = {
    "properties/test_simulation.py": ("test_an_included_strategy_is_the_same_in_every_kernel",),
    "store/test_crashes.py": ("test_killed_at_every_boundary",),
    "test_api.py": ("test_what_is_wrong_with_a_body_is_told_in_a_sentence",),
    "test_order_processor_stress.py": ("test_nothing_is_lost_doubled_or_out_of_step",),
    "test_dishonest_house.py": (
        "test_each_cheat_ends_as_it_must",
        "test_without_its_check_the_record_shows_nothing",
        "test_without_numbers_the_house_chooses_and_nobody_notices",
    ),
    "test_docs.py": ("test_commands_print_what_the_page_says", "test_python_examples_pass"),
    "test_draws.py": ("test_the_verifier_of_the_page_finds_what_a_forger_did",),
    "test_electronic_dice.py": (
        "test_the_verifier_of_the_page_finds_what_an_insider_did",
        "test_what_an_insider_did_is_found",
    ),
    "test_entering.py": ("test_a_name_that_nobody_can_have", "test_a_key_that_is_none"),
    "test_enumeration.py": ("test_the_table_settles_as_the_oracle_says",),
    "test_fairness.py": ("test_fair_throws_are_suspected_as_often_as_the_level_says",),
    "test_included_strategies.py": ("test_an_included_strategy_is_played_without_a_refusal",),
    "test_keeping.py": (
        "test_no_byte_of_a_store_can_be_changed_unless_it_means_nothing",
        "test_no_byte_of_an_export_can_be_changed",
        "TestCannot::test_is_told_in_one_sentence",
    ),
    "test_kernels.py": (
        "test_blocks_begin_anywhere_and_with_any_seed",
        "test_results_at_the_points_of_a_fan_chart",
        "test_who_leaves_takes_down_what_may_be_and_waits_for_the_rest",
        "test_an_exact_session_is_that_of_every_sequence_of_throws",
    ),
    "test_play_screen.py": (
        "test_a_game_of_each_book_keeps_within_the_width",
        "test_the_screen_says_what_is_thrown_and_whether_it_is_seeded",
    ),
    "test_registers.py": ("test_what_cannot_be_is_told_in_a_sentence",),
    "test_registers_api.py": ("test_registers_are_for_those_who_keep_the_books",),
    "test_runs.py": ("test_what_is_counted_at_a_real_table_is_what_the_kernels_count",),
    "test_security_matrix.py": ("test_an_endpoint_is_for_those_whom_the_matrix_names",),
    "test_sessions.py": (
        "test_sessions_of_every_wager_equal_full_enumeration",
        "test_ruin_and_target_of_every_wager_equal_full_enumeration",
        "test_the_table_settles_what_a_session_predicts",
    ),
    "test_simulate.py": ("test_no_line_is_wider_than_the_screen",),
    "test_simulated_wagers.py": (
        "test_a_simulated_wager_has_its_exact_mean_and_variance",
        "test_the_realised_edge_is_the_exact_one",
        "test_as_many_are_ruined_as_must_be",
    ),
    "test_strategies_command.py": ("test_every_included_strategy_is_explained",),
    "test_compile_ahead.py": ("test_nothing_is_compiled_later",),
}

# Slow tests in files that are quick without them.
LEFT_OUT: Final[Tests] = {
    "properties/test_house_money.py": ("test_no_cent_is_made_or_lost_in_whole_evenings",),
    "properties/test_simulation.py": ("test_usual_strategies_are_the_same_in_every_kernel",),
    "store/test_crashes.py": ("test_killed_at_random_moments",),
    "test_acts_api.py": ("test_the_felt_tells_who_runs_the_table_whom_to_offer_the_dice",),
    "test_analysis.py": (
        "test_the_table_is_sorted_by_edge",
        "test_nobody_listens",
        "test_a_book_two_steps_from_another_is_analysed_like_it",
        "test_a_real_stake",
        "test_csv_and_parquet_have_the_same_rows",
        "test_stakes_that_favour_the_player_are_those_of_the_register",
        "test_lengths_and_their_variance_are_those_of_the_independent_reading",
    ),
    "test_cases.py": (
        "test_staff_see_all_cases_and_players_their_own",
        "test_the_floor_lists_the_cases_of_all_tables_with_who_may_do_what_next",
        "test_a_case_goes_from_the_list_when_nothing_is_left_to_do",
    ),
    "test_checker.py": ("test_a_house_serves_it",),
    "test_cli.py": ("test_the_trace_has_a_row_for_every_clause",),
    "test_client.py": (
        "test_live_events_and_commands_go_on_through_a_restart",
        "test_numbers_go_with_bets_and_are_shown",
        "test_accounts_are_opened_granted_limited_and_excluded",
        "test_a_round_of_a_real_house_from_the_bet_to_the_dice",
        "test_who_does_not_follow_a_table_puts_no_number_in",
    ),
    "test_combinations.py": ("test_the_long_run_is_where_sessions_go",),
    "test_conduct.py": ("test_no_alteration_of_the_conduct_goes_unnoticed",),
    "test_credentials.py": (
        "test_so_many_networks_are_counted_and_no_more",
        "test_one_sign_in_too_many_ends_the_oldest",
        "test_wrong_passwords_from_elsewhere_keep_nobody_out",
        "test_processes_that_sign_somebody_in_at_once_let_no_more_stay_than_may",
        "test_who_has_been_pushed_out_counts_no_more",
    ),
    "test_damaged_streams.py": ("test_the_clocks_of_the_others_run",),
    "test_dice_streams.py": (
        "test_without_refusing_words_outcomes_would_not_be_equally_likely",
        "test_refusing_words_leaves_each_value_the_same_number_of_them",
        "test_the_words_refused_are_those_that_must_be",
    ),
    "test_docs.py": (
        "test_the_first_game_is_played_whatever_goes_on_at_the_table",
        "test_what_curl_sends_is_answered_as_the_page_says",
    ),
    "test_draw.py": (
        "test_any_graph_is_laid_out_without_touching",
        "test_boxes_lines_and_figures_are_clear_of_each_other",
    ),
    "test_draws.py": (
        "test_one_line_among_100_000_that_was_altered_is_found_by_both",
        "test_the_verifier_of_the_page_repeats_a_draw_of_100_000_entries",
        "test_any_honest_draw_is_found_in_order_by_both",
        "test_whatever_is_done_to_a_record_is_found",
        "test_every_prize_that_is_taken_is_written_as_json_writes_it",
    ),
    "test_electronic_dice.py": (
        "test_no_file_brings_the_verifier_down",
        "test_throws_of_a_long_evening_look_fair",
    ),
    "test_entering.py": (
        "test_the_server_ends_a_session_whatever_the_browser_does",
        "test_over_https_the_cookie_is_for_https_and_this_host_alone",
        "test_while_it_is_locked_the_right_password_does_not_help",
        "test_a_token_of_somebody_who_lost_the_role_is_worth_nothing",
        "test_only_so_many_orders_a_second_by_one_person",
        "test_wrong_passwords_lock_an_account_for_longer_each_time_whether_it_is_there_or_not",
        "test_only_so_many_sign_ins_a_minute_from_one_address",
        "test_an_account_whose_answer_was_lost_can_be_asked_for_again",
        "test_what_tells_passwords_apart_tells_nothing_else",
        "test_who_set_a_password_is_on_record",
        "test_operators_list_and_end_tokens_and_a_password_that_they_set_ends_all",
        "test_the_client_signs_up_over_a_bad_line",
        "test_a_key_is_for_one_first_password",
        "test_an_operator_sets_a_password_but_not_their_own",
        "test_another_password_ends_all_sessions",
    ),
    "test_enumeration.py": (
        "test_the_oracle_itself_knows_the_published_edges",
        "test_commission_is_exact_to_the_cent",
    ),
    "test_hold.py": ("test_a_fixed_amount_is_that_of_the_mix",),
    "test_house_reports.py": (
        "test_every_throw_does_what_was_reckoned_before_it",
        "test_a_long_run_is_as_far_from_its_mean_as_it_should_be",
    ),
    "test_keeping.py": (
        "TestMoving::test_a_full_disk",
        "TestVerify::test_a_house_that_is_sound",
    ),
    "test_kernels.py": (
        "test_sessions_as_long_as_what_is_drawn_at_once",
        "test_sessions_longer_than_what_is_drawn_at_once",
    ),
    "test_live.py": (
        "test_who_reads_the_past_keeps_nobody_from_coming_in",
        "test_who_listens_from_the_past_on_keeps_nobody_waiting",
        "test_who_heard_more_from_another_process_goes_on_from_there",
    ),
    "test_mine_api.py": ("test_a_damaged_record_is_shown_as_it_is_for_who_follows_the_chain",),
    "test_par.py": (
        "test_the_same_book_gives_the_same_bytes",
        "test_the_pdf_has_pages_and_typst_has_nothing_to_complain_of",
        "test_the_digest_changes_with_the_book",
        "test_neither_the_clock_nor_the_hash_of_words_is_in_the_bytes",
    ),
    "test_play_labels.py": ("test_every_label_is_its_own_area_or_a_question_that_names_it",),
    "test_play_screen.py": ("test_chips_are_seen_on_every_area",),
    "test_promotion_scenarios.py": ("test_some_scenario_notices_every_change_in_what_a_book_says_of_prizes",),
    "test_promotions_faults.py": (
        "test_play_at_a_damaged_table_is_not_left_out_without_a_word",
        "test_entries_that_closed_while_the_house_was_shut_are_closed_when_it_opens_and_drawn",
        "test_two_processes_on_one_store_close_once_and_each_can_draw",
        "test_the_record_of_very_many_entries_comes_whole_and_the_draw_is_what_was_reckoned",
        "test_where_something_is_said_while_play_is_counted_it_is_counted_again",
        "test_play_that_waits_to_be_stored_is_waited_for",
    ),
    "test_registers.py": (
        "test_the_same_events_make_the_same_bytes",
        "test_the_command_writes_every_register_twice",
    ),
    "test_rules_pages.py": (
        "test_every_clause_wager_and_reading_has_a_page_and_every_link_leads_somewhere",
        "test_sheets_are_for_those_who_may_see_chances",
        "test_players_read_readings_as_they_are_and_staff_their_reasons_too",
        "test_players_are_told_no_chances",
        "test_all_that_is_cited_has_a_page_that_says_what_stands_on_it",
    ),
    "test_runs.py": (
        "test_an_interrupted_run_ends_with_the_first_so_many_sessions",
        "test_any_split_into_blocks_gives_the_same_numbers",
        "test_a_python_strategy_brings_what_the_same_strategy_brings_as_a_file",
        "test_memory_does_not_grow_with_the_number_of_sessions",
    ),
    "test_scenarios.py": ("test_some_scenario_notices_every_altered_row",),
    "test_secrets.py": ("test_the_password_of_a_database_is_in_no_message",),
    "test_sessions.py": ("test_a_long_session_comes_to_ruin_or_target_in_the_end",),
    "test_endpoints.py": ("test_odd_bodies_are_refused",),
    "test_strategy_files.py": ("test_a_file_as_large_as_may_be_is_read",),
    "test_strategy_values.py": ("test_values_are_refused_and_played_often_enough",),
    "test_tiers.py": ("test_what_is_named_runs_though_it_is_thorough",),
    "test_trace.py": (
        "test_every_enforced_or_recorded_clause_of_the_conduct_has_a_scenario",
        "test_every_clause_of_the_conduct_has_a_scenario_named_after_it",
        "test_a_clause_is_physical_with_a_reason_or_has_a_test",
    ),
    "test_whatif.py": (
        "test_every_reading_costs_what_the_analysis_says",
        "test_larger_units_to_place_a_six",
    ),
    "test_witnesses.py": (
        "test_another_house_keeps_checkpoints_and_finds_a_rollback",
        "test_a_file_has_every_checkpoint_once_through_restarts",
        "test_a_url_is_tried_again_until_it_takes_everything",
        "test_a_file_that_cannot_be_written_stops_nobody",
        "test_a_url_that_nobody_answers_at_is_one_sentence",
    ),
}


def thorough(cases: Iterable[Case]) -> set[Case]:
    """The cases that the quick tier leaves out."""
    left_out: set[Case] = set()
    met: set[tuple[str, str, str]] = set()
    for file, name in cases:
        if file in ONLY and name in ONLY[file]:
            continue
        test, _, case = name.partition("[")
        if _names(LEFT_OUT, file, test) or (file in ONLY and not _names(ONLY, file, test)):
            left_out.add((file, name))
        elif file in ONLY or _names(FIRST_CASE, file, test):
            alike = (file, test, next((book for book in BOOKS if book in case), ""))
            if alike in met:
                left_out.add((file, name))
            met.add(alike)
    return left_out


def _names(tests: Tests, file: str, test: str) -> bool:
    return any(fnmatchcase(test, pattern) for pattern in tests.get(file, ()))
