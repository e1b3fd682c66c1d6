// Why a bet is not possible, said to the player. The house's own sentence stands where there is none of ours.

import { t } from "../shared/catalogue.js";

/**
 * @typedef {object} About
 * @property {string} name of the area
 * @property {string} [flat] the name of the wager that it lies behind
 * @property {string} [left] what is in hand
 * @property {string} [takes] what the bet would take
 */

/** By the code of a refusal. @type {Record<string, (about: About) => string>} */
const SENTENCES = {
  bets_shut: () => t("No more bets. The next round opens in a moment."),
  only_before_come_out: ({ name }) => t("{name} opens again after this hand.", { name }),
  only_after_come_out: ({ name }) => t("{name} opens once there is a point.", { name }),
  no_point: () => t("First a point, then you can bet here."),
  streak_in_progress: () => t("This streak is under way. You can join when it changes over."),
  no_result_yet: ({ name }) => t("{name} opens after the first result today that is no triple.", { name }),
  odds_pending: () => t("Odds are standing. Bets stay until heads or tails."),
  wager_locked: () => t("Your bet stays as it is until it is decided."),
  wager_not_offered: ({ name }) => t("{name} is not offered at this table.", { name }),
  one_wager_only: ({ name }) => t("You already have a bet on {name}.", { name }),
  declared_already: () => t("You have already chosen the other side."),
  turn_passed: () => t("Your turn has passed. You can bet here again after another player had a turn."),
  no_player_card: () => t("You need a valid Player Card to bet."),
  unknown_player: () => t("You are watching. Take a seat to bet."),
  not_stored: () => t("That did not get through. Nothing was bet. Try again."),
  no_answer: () => t("No answer. The felt shows what the house has accepted."),
  flat_wager_missing: ({ flat }) =>
    flat ? t("First a bet on {flat}, then you can bet behind it.", { flat }) : t("This bet lies behind another one."),
};

/** The purse, not a rule, is why. */
const PURSE = "not_enough_chips";

/** @param {{code: string, message: string}} refusal @param {About} about @returns {string} */
export function whyNot({ code, message }, about) {
  const { left, takes } = about;
  if (code === PURSE && left !== undefined && takes !== undefined) return tooLittle(left, takes);
  return SENTENCES[code]?.(about) ?? message;
}

/** @param {string} left @param {string} takes */
export function tooLittle(left, takes) {
  return t("You have {left} left. This bet needs {takes}.", { left, takes });
}

/** The clause that a refusal cites; none where the purse is why. @param {{code: string, clause: string | null}} refusal */
export function clauseOf({ code, clause }) {
  return code === PURSE ? null : clause;
}
