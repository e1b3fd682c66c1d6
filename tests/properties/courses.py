"""The usual courses of events at a table: what people do, one step after the other."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import rule

from croupier.money import format_cents
from croupier.table import commands
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView
from tests.properties.nights import PLAYERS, Night, course
from tests.properties.test_tables import bookable
from tests.tables import SHELF


class Evening(Night):
    """An evening that also has the usual courses of events. Any step may be refused; the rest is tried all the same."""

    # -- what the courses are made of -----------------------------------------------------------------------------

    @property
    def under_way(self) -> bool:
        return "throw" in self.state.facts

    @property
    def shooter(self) -> str | None:
        name = self.state.facts.get("shooter")
        return name if isinstance(name, str) else None

    def somebody(self, rnd: Random) -> str:
        return rnd.choice(list(self.state.seats) or PLAYERS)

    def bet(self, player: str, wager: str, pick: object = None) -> bool:
        limit = self.state.settings.limit
        cents = min(max(1_000, limit.minimum or 0), limit.maximum or 1_000)
        bet = commands.PlaceWager(player=player, wager=wager, pick=pick, amount=cents, at=self.now, by="player")
        return self.do(bet)

    def everybody_bets(self, rnd: Random) -> None:
        for player in self.state.seats:
            any(self.bet(player, *rnd.choice(bookable(self.book))) for _ in range(3))

    def take_down(self, player: str | None) -> None:
        for each, area, _ in self.state.wagers():
            if each == player:
                pick = TableView(SHELF, self.state).shown_pick(area)
                self.do(commands.TakeWager(player=each, wager=area.wager, pick=pick, by="player"))

    def hand_round(self, answer: str) -> None:
        """Offer the dice or coins in turn until someone takes them; at a table where they pass by themselves this is
        refused."""
        for role in ("dealer", "game supervisor"):  # where the dice come to the table and two people inspect them
            self.do(commands.PerformAct(act="bring_dice", by=role, said={"count": 5}))
            self.do(commands.PerformAct(act="inspect_dice", by=role))
        for player in [*self.state.seats, *self.state.seats]:
            if self.shooter is not None or (answer == "decline" and self.act("house_takes")):
                return
            self.act("offer", player=player)
            self.act(answer, player)

    def make_ready(self, rnd: Random, answer: str = "accept") -> None:
        """Everything before a throw: the last one is finished, the table open, the dice in someone's hands."""
        if self.under_way:
            self.finish(rnd.choice(self.outcomes))
        if self.under_way:
            self.do(commands.VoidThrow(reason=SHELF.book(self.book).rules.void.grounds[-1]))
        for name in ("return_streaks", "notify_inspector", "rectify"):
            if "malfunction" in self.state.facts:
                self.act(name)
        self.act("reopen_table")
        self.find_what_is_missing()
        self.act("new_set", count=5)
        self.act("tumble", count=3)
        if self.state.settings.manual_dice:
            self.hand_round(answer)
            self.act("choose", self.shooter)
        needed = SHELF.book(self.book).rules.thrower
        for wager, pick in bookable(self.book):
            if needed is not None and wager in (needed.wagers or ["field"]):
                any(self.bet(player, wager, pick) for player in [self.shooter, *self.state.seats][:2] if player)
        self.act("place_coins", self.shooter, faces=["H", "T"])

    def find_what_is_missing(self) -> None:
        """Missing dice or coins are returned to the bowl, or to the person who asked for them."""
        for name, fact in (("find_dice", "missing"), ("check_dice", "found")):
            if (count := self.state.facts.get(fact)) and isinstance(count, int):
                self.act(name, count=count)
        self.act("bowl_dice") or self.act("return_dice")

    def throw(self) -> None:
        """Close the bets where that is announced, and let someone throw who may."""
        self.do(commands.CloseBets(at=self.now))
        self.act("press_no_more_bets")
        any(self.act("throw", player) for player in [self.shooter, *self.state.seats, None])
        self.act("uncover")

    def finish(self, faces: tuple[int | str, ...]) -> None:
        self.act("rest")
        self.corrected_is_as_right_at_once(self.outcomes[0], faces)
        self.act("call_result", faces=list(faces))
        self.act("decide_face", faces=list(faces))
        if not self.act("confirm_result"):
            self.act("enter_result", faces=list(faces)) or self.act("amend_entry", faces=list(faces))
            self.act("confirm_result")

    def corrected_is_as_right_at_once(self, wrong: tuple[int | str, ...], right: tuple[int | str, ...]) -> None:
        """A throw that is called wrong, settled and corrected leaves the table as if it had been called right at
        once."""
        at_once, corrected = (
            self.tried("call_result", faces, "enter_result", "confirm_result") for faces in (right, wrong)
        )
        if at_once is None or corrected is None or at_once.latest is None or corrected.latest is None:
            return
        if corrected.seats != self.state.seats:  # with the wrong result someone excluded had nothing left, and went
            return
        ended = self.tried("correct_result", right, start=corrected)
        if ended is not None:
            self.reached["corrected at once"] += 1
            assert msgspec.structs.replace(ended, latest=None) == msgspec.structs.replace(at_once, latest=None)

    def tried(self, act: str, faces: tuple[int | str, ...], *then: str, start: State | None = None) -> State | None:
        """The table after acts about these faces, as far as they are accepted; None if the first is not."""
        state = self.state if start is None else start
        for name in (act, *then):
            known = self.conduct.by_id.get(name)
            if known is None:
                continue
            said: dict[str, object] = {"faces": list(faces)} if "faces" in known.forms[0] else {}
            given = commands.PerformAct(act=name, by=known.by[-1], who="sue", at=self.now, said=said)
            decision = decide(SHELF, state, given)
            if not isinstance(decision, Refusal):
                state = evolve_all(state, decision)
            elif name == act:
                return None
        return state

    def play(self, rnd: Random, faces: tuple[int | str, ...] | None = None, answer: str = "accept") -> None:
        self.make_ready(rnd, answer)
        self.throw()
        self.finish(faces or rnd.choice(self.outcomes))

    # -- the courses ----------------------------------------------------------------------------------------------

    @course
    def rounds_are_played(self, seed: int) -> None:
        rnd = Random(seed)
        for _ in range(rnd.randint(1, 3)):
            self.everybody_bets(rnd)
            self.play(rnd)

    @rule(answer=st.sampled_from(["accept", "decline"]))
    def hand_the_dice(self, answer: str) -> None:
        self.hand_round(answer)

    @course
    def nobody_wants_the_dice(self, seed: int) -> None:
        rnd = Random(seed)
        if self.under_way:
            self.finish(rnd.choice(self.outcomes))
        self.take_down(self.shooter)
        self.act("pass", self.shooter) or self.act("order_pass", reason="unreasonable delay")
        self.everybody_bets(rnd)
        self.play(rnd, answer="decline")

    @course
    def a_series_is_not_gone_on_with(self, seed: int) -> None:
        rnd = Random(seed)
        self.play(rnd, rnd.choice(self.outcomes))
        ends = ["stop_spinning", "take_over", "send_out"]
        for name in rnd.sample(ends, 3):
            self.act(name, self.shooter, **({"player": self.shooter, "reason": "6.7.1"} if name == "send_out" else {}))
        self.play(rnd)

    @course
    def late_wagers(self, seed: int) -> None:
        """One is confirmed; the other is returned when the dice rest."""
        rnd = Random(seed)
        self.make_ready(rnd)
        self.throw()
        plain = [wager for wager, pick in bookable(self.book) if pick is None]
        for confirmed in (True, False):
            player, wager = self.somebody(rnd), rnd.choice(plain)
            if self.bet(player, wager) and confirmed:
                self.act("confirm_late", wager=wager, player=player)
        late = [name for name in self.state.facts if name.startswith("late ")]
        self.finish(rnd.choice(self.outcomes))
        self.reached["left unconfirmed"] += len(late)

    @course
    def spoken_wagers(self, seed: int) -> None:
        rnd = Random(seed)
        plain = [wager for wager, pick in bookable(self.book) if pick is None]
        for laid in (True, False):
            player, wager = self.somebody(rnd), rnd.choice(plain)
            if self.act("declare_wager", player, amount="10.00", wager=wager) and laid:
                self.act("place_declared", wager=wager, player=player)
        self.play(rnd)

    @course
    def dice_go_off(self, seed: int) -> None:
        rnd = Random(seed)
        in_the_throw, found, asked = (rnd.random() < chance for chance in (0.3, 0.6, 0.6))
        self.make_ready(rnd)
        if in_the_throw:
            self.throw()
        self.act("dice_off", count=2)
        self.act("search")
        if asked:
            self.act("ask_back", self.shooter)
        if found:
            self.act("find_dice", count=2)
            self.act("check_dice", count=2)
            self.act("return_dice") or self.act("bowl_dice")
        else:
            self.act("declare_lost", count=2)
            if asked:
                self.act("allow_old_set", player=self.shooter)
        self.play(rnd)

    @course
    def a_fault(self, seed: int) -> None:
        """At Sic Bo during a streak: the line changes over, the streak is made, and it counts on."""
        rnd = Random(seed)
        for faces in [(6, 6, 5), (1, 1, 2)] if self.book.startswith("sic-bo") else []:
            self.play(rnd, faces)
        self.bet(self.somebody(rnd), "super_streak", "size")
        self.act("use_equipment", what="electronic equipment")
        self.make_ready(rnd)
        self.throw()
        if (fault := self.conduct.by_id.get("report_malfunction")) is not None:
            self.act("report_malfunction", what=rnd.choice(fault.choices["what"]))
        self.finish((1, 1, 4) if self.book.startswith("sic-bo") else rnd.choice(self.outcomes))
        self.act(rnd.choice(["settle_streaks", "return_streaks"]))
        self.act("introduce_procedures", procedures="by hand")
        self.act("notify_inspector")
        self.act("rectify")

    @course
    def a_call_is_put_right(self, seed: int) -> None:
        """Overruled, disputed, decided, entered wrongly and amended, with or without equipment."""
        rnd = Random(seed)
        self.act(rnd.choice(["use_equipment", "remove_equipment"]), what="electronic equipment")
        self.act("use_equipment", what="results display")
        self.act(rnd.choice(["use_touch_screen", "remove_touch_screen"]))
        self.everybody_bets(rnd)
        self.make_ready(rnd)
        self.throw()
        self.act("rest")
        wrong, right = rnd.choice(self.outcomes), rnd.choice(self.outcomes)
        self.act("call_result", faces=list(wrong))
        self.act("overrule_call", faces=list(right))
        if rnd.random() < 0.3:
            self.act("report_leaning", count=rnd.randint(1, 6))
            self.act("dispute_face", self.somebody(rnd))
        self.act("enter_result", faces=list(wrong))
        self.act("amend_entry", faces=list(right))
        self.act("display_shows", faces=list(wrong))
        self.finish(right)

    @course
    def a_result_is_corrected(self, seed: int) -> None:
        """Settled wrongly, followed by bets and departures, corrected, more than once; then another throw."""
        rnd = Random(seed)
        self.everybody_bets(rnd)
        self.play(rnd)
        self.everybody_bets(rnd)
        gone = self.somebody(rnd)
        if rnd.random() < 0.5:
            self.take_down(gone)
            self.do(commands.LeaveTable(player=gone, by="player", at=self.now))
        for _ in range(2):
            self.act("correct_result", "sue", faces=list(rnd.choice(self.outcomes)))
        self.do(commands.SeatPlayer(player=gone, chips=50_000, by="dealer", at=self.now))
        self.play(rnd)

    @course
    def a_void_ground_is_let_stand(self, seed: int) -> None:
        rnd = Random(seed)
        self.everybody_bets(rnd)
        self.make_ready(rnd)
        self.throw()
        reason = rnd.choice(self.conduct.by_id["observe"].grounds)
        self.act("observe", reason=reason)
        self.act("let_stand", reason=reason)
        self.finish(rnd.choice(self.outcomes))

    @course
    def wagers_lie_wrong(self, seed: int) -> None:
        rnd = Random(seed)
        self.make_ready(rnd)
        plain = [wager for wager, pick in bookable(self.book) if pick is None]
        for name in ("move_wager", "correct_position"):
            player, (wager, to) = self.somebody(rnd), rnd.sample(plain, 2)
            self.bet(player, wager)
            said: dict[str, Any] = {"player": player, "wager": wager, "to": to}
            any(self.act(name, **said, **why) for why in ({}, {"why": "a push"}, {"mover": "the dealer"}))
        self.throw()
        self.finish(rnd.choice(self.outcomes))

    @course
    def wagers_are_refused(self, seed: int) -> None:
        rnd = Random(seed)
        self.make_ready(rnd)
        player, wager = self.somebody(rnd), rnd.choice([wager for wager, pick in bookable(self.book) if pick is None])
        self.bet(player, wager)
        self.act("refuse_wager", wager=wager, player=player, why="a system")
        self.bet(player, wager)
        self.act("find_device", person=player)
        self.act("void_wagers", player=player)
        self.act("find_invalid", player=player, reason="no valid card")
        self.act("accept_card", player=player)
        self.play(rnd)

    @course
    def a_card_is_not_valid_in_the_roll(self, seed: int) -> None:
        rnd = Random(seed)
        self.everybody_bets(rnd)
        self.bet(self.somebody(rnd), "hardway", 4)
        for player, area, _ in self.state.wagers():
            pick = TableView(SHELF, self.state).shown_pick(area)
            call = commands.CallWager(player=player, wager=area.wager, pick=pick, on=True, at=self.now, by="player")
            if area.wager == "hardway" and self.do(call):
                self.act("mark_on", wager=area.wager, pick=pick, player=player)
        self.make_ready(rnd)
        self.throw()
        player = self.somebody(rnd)
        self.act("find_invalid_in_roll", player=player, reason="no valid card")
        self.act("accept_card", player=player)
        self.finish(rnd.choice(self.outcomes))

    @course
    def a_wrong_payment(self, seed: int) -> None:
        """Put right here, elsewhere, or only at the end of the evening."""
        rnd = Random(seed)
        way, end = rnd.choice(["underpaid", "overpaid"]), rnd.choice(["here", "here", "elsewhere", "later"])
        player, case = self.somebody(rnd), f"case-{len(self.history)}"
        amount = rnd.choice(["20.00", "1500.00"])
        self.act("report_mispayment", case=case, way=way, amount=amount, player=player, wager="field")
        self.act("enquire", case=case, finding="unintentional")
        self.act("contact_patron", case=case)
        self.act("ask_return", case=case) or self.act("offer_reimbursement", case=case)
        if end == "here":
            self.act("reimburse", case=case) or self.act("give_back", player, case=case)
        elif end == "elsewhere":
            self.act("put_right_elsewhere", case=case)
        self.act("tell_nicc", case=case)
        month = f"{self.now:%Y-%m}"
        if rnd.random() < 0.2:
            self.now += timedelta(days=31)
            self.act("month_end", month=month)

    @course
    def a_dispute(self, seed: int) -> None:
        rnd = Random(seed)
        player, case = self.somebody(rnd), f"dispute-{len(self.history)}"
        self.act("raise_dispute", player, case=case, about="a call")
        most = self.state.facts.get(f"most {case}")
        award = {"amount": format_cents(most)} if isinstance(most, int) and most and rnd.random() < 0.7 else {}
        self.act("decide_dispute", "nora", case=case, decision="as called", **award)
        self.act("operator_decides_case", "olga", case=case, decision="as called", **award)
        self.act("reimburse", "dan", case=case)
        if rnd.random() < 0.3:
            self.act("accept_decision", player, case=case) or self.act("close_dispute", case=case, person=player)
        self.act("ask_review", player, case=case)
        self.act("review_dispute", "sam", case=case, decision="as called", **award)
        self.act("final_decision", "olga", case=case, decision="as called")
        self.act("dissatisfied", player, case=case)
        self.act("tell_right", case=case)
        self.act("complain", player, case=case)
        self.act("receive_complaint", case=case)
        self.act("close_dispute", case=case)

    @course
    def an_error_is_found(self, seed: int) -> None:
        """Staff find it, and someone else pays it; more than was at stake is not paid."""
        rnd = Random(seed)
        player, case = self.somebody(rnd), f"error-{len(self.history)}"
        self.everybody_bets(rnd)
        self.play(rnd)
        had = [area.wager for area, stakes in self.state.staked.items() if player in stakes]
        wager = rnd.choice(had or list(SHELF.book(self.book).wagers))
        amount = rnd.choice(["5.00", "5.00", "500000.00"])
        self.act("report_error", "sam", case=case, amount=amount, player=player, wager=wager)
        self.act(rnd.choice(["reimburse", "put_right_elsewhere"]), "olga", case=case)

    @course
    def somebody_sits_idle(self, seed: int) -> None:
        """At a full table, three rounds without a wager: the player is asked to give up the place."""
        rnd = Random(seed)
        for player in PLAYERS:
            self.do(commands.SeatPlayer(player=player, chips=50_000, by="dealer", at=self.now))
        idle = self.somebody(rnd)
        for _ in range(4):
            self.take_down(idle)
            if self.shooter == idle:
                self.act("pass", idle)
            self.play(rnd)
        self.act("vacate", player=idle)

    @course
    def the_table_closes(self, seed: int) -> None:
        """The sign, twenty minutes, the open bets played out, closed for good; and another day begins."""
        rnd = Random(seed)
        player, other = self.somebody(rnd), self.somebody(rnd)
        self.act("issue_checks", player=player, amount="10.00", colour="red", value="1.00")
        self.act("agree_colour", player, player=other, colour="red")
        self.everybody_bets(rnd)
        self.act("post_closing_sign", time=(self.now + timedelta(minutes=20)).isoformat())
        self.act("final_call")
        self.now += timedelta(minutes=20)
        for _ in range(rnd.randint(1, 20)):
            if self.act("close_table") and self.state.facts.get("table") == "closed":
                break
            self.play(rnd)
        self.act("count_float", amount="100.00", when="closing")
        self.act("present_checks", player, place="the cage")
        self.now += timedelta(hours=8)
        if rnd.random() < 0.8 and self.act("reopen_table"):
            counted = rnd.choice(["100.00", "90.00"])
            if not self.act("count_float", amount=counted, when="opening"):
                self.act("report_count", amount=counted)
                self.play(rnd)
                self.act("confirm_count", "Sue")

    @course
    def checks_are_played(self, seed: int) -> None:
        """Someone has checks, bets with them alone or together with value chips, takes some back and redeems the
        rest."""
        rnd = Random(seed)
        player, colour = self.somebody(rnd), rnd.choice(["red", "blue"])
        value = rnd.choice([500, 300, 1_500])
        self.act(
            "issue_checks", player=player, amount=format_cents(20 * value), colour=colour, value=format_cents(value)
        )
        for _ in range(rnd.randint(1, 4)):
            wager, pick = rnd.choice(bookable(self.book))
            bet = commands.PlaceWager(player=player, wager=wager, pick=pick, amount=value * rnd.randint(1, 3))
            self.do(msgspec.structs.replace(bet, checks=rnd.choice([colour, colour, None])))
            self.do(msgspec.structs.replace(bet, amount=rnd.choice([100, 700, 1_000])))
            less = commands.TakeWager(player=player, wager=wager, pick=pick, amount=rnd.choice([100, value, 2 * value]))
            self.do(less)
            self.play(rnd)
        self.act("redeem_checks", player=player, colour=colour, amount=format_cents(value * rnd.randint(1, 30)))
        if rnd.random() < 0.5:
            self.act("redeem_checks", player=player, colour=colour)

    @course
    def somebody_does_not_answer(self, seed: int) -> None:
        """Asked once more, then counted as having declined; then the dice move on."""
        rnd = Random(seed)
        if self.under_way:
            self.finish(rnd.choice(self.outcomes))
        self.act("pass", self.shooter)
        for player in self.state.seats:
            if self.act("offer", player=player):
                if rnd.random() < 0.5:
                    self.act("accept", player)
                self.act("ask_again", player=player)
                self.act("take_silence", player=player)
        self.play(rnd)

    @course
    def a_mistake_is_withdrawn(self, seed: int) -> None:
        """No one used a device, and the signs were for another table."""
        rnd = Random(seed)
        player, later = self.somebody(rnd), (self.now + timedelta(minutes=25)).isoformat()
        self.act("find_device", person=player)
        self.act(rnd.choice(["exclude_from_game", "exclude_from_casino"]), person=player)
        self.act("withdraw_exclusion", person=player, why="it was a watch")
        self.act("withdraw_device", person=player, why="it was a watch")
        self.do(commands.SeatPlayer(player=player, chips=50_000, by="dealer", at=self.now))
        self.act("post_minimum_sign", minimum="10.00", time=later)
        self.act("withdraw_minimum_sign")
        self.act("post_closing_sign", time=later)
        self.act("final_call")
        self.act("withdraw_final_call", why="the clock was for another table")
        self.act("withdraw_closing_sign")

    @course
    def a_die_turns_up_again(self, seed: int) -> None:
        rnd = Random(seed)
        self.make_ready(rnd)
        self.act("dice_off", count=1)
        self.act("search")
        self.act("declare_lost", count=1)
        self.act("find_lost", count=1)
        self.act("check_dice", count=1)
        self.act("bowl_dice")
        self.make_ready(rnd)
        self.act("dice_out")
        self.finish(rnd.choice(self.outcomes))

    def play_out(self, rnd: Random) -> None:
        """One throw for the bets still open, by a player, or by the house if a player cannot or will not go on."""
        if self.state.settings.manual_dice or self.under_way:
            if rnd.random() < 0.5:
                any(self.act(name, self.shooter) for name in ("pass", "house_takes", "take_over"))
            self.play(rnd, answer=rnd.choice(["accept", "decline"]))
        elif not self.throws_once(rnd.choice(self.outcomes)):  # with equipment a result is called and entered first
            self.play(rnd)
