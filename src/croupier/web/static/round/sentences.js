// The events of a round in sentences: those about the viewer say “you”.

import { wagerName } from "../felt/area.js";
import { rowInWords } from "../inspect/event-sentences.js";
import { t } from "../shared/catalogue.js";

/** @import { Row } from "../shared/live.js" */
/** @import { Drawing } from "../felt/area.js" */

/** @type {Record<string, (row: Row, wager: string) => string>} */
const OWN = {
  player_seated: ({ chips }) => t("You sat down with {chips}.", { chips }),
  player_left: ({ chips }) => t("You left with {chips}.", { chips }),
  chips_bought: ({ chips }) => t("You added {chips}.", { chips }),
  wager_placed: ({ amount }, wager) => t("You put {amount} on {wager}.", { amount, wager }),
  wager_reduced: ({ amount, stake }, wager) =>
    t("You took {amount} off {wager}; {stake} is left.", { amount, wager, stake }),
  wager_removed: ({ amount }, wager) => t("You took {amount} off {wager}.", { amount, wager }),
  wager_found: ({ amount }, wager) => t("{amount} of yours was found on {wager}.", { amount, wager }),
  wager_called: ({ on }, wager) =>
    on ? t("You called {wager} on.", { wager }) : t("You called {wager} off.", { wager }),
  wager_moved: ({ to, state }, wager) => t("Your {wager} moved to {to}.", { wager, to: to ?? state }),
  wager_settled: ({ result, stake, paid, returned }, wager) => {
    if (result === "win") return t("{wager} wins: your {stake} pays {paid}.", { wager, stake, paid });
    if (result === "lose") return t("{wager} loses your {stake}.", { wager, stake });
    return t("{wager} is void: {returned} comes back to you.", { wager, returned });
  },
  player_ready: ({ ready }) => (ready ? t("You are ready.") : t("You are no longer ready.")),
  number_committed: () => t("You sealed your number for the dice."),
  number_shown: () => t("Your device revealed your number."),
  thrown: ({ dice, coins, call }) =>
    t("You threw {fell}: “{call}”.", { fell: [...(dice ?? coins ?? "")].join(" "), call }),
};

/** @param {Row} row @param {Drawing | null} drawing @param {string | undefined} person the viewer @returns {string} */
export function told(row, drawing, person) {
  const isOwn = person !== undefined && (row.type === "thrown" ? row.by : row.player) === person;
  return (isOwn && OWN[row.type]?.(row, wagerName(drawing, row))) || rowInWords(row, drawing);
}
