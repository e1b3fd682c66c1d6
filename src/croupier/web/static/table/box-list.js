// A list of all that can be bet on one number: for fingers and for the keyboard.

import { named, t } from "../shared/catalogue.js";
import { each, h } from "../shared/dom.js";
import { openDialog } from "../shared/parts.js";
import { spaced } from "../shared/words.js";

/** @import { Pick } from "../felt/area.js" */
/** @import { Spot } from "../felt/spot.js" */
/** @import { Stakes } from "./stakes.js" */

/** @param {Pick} number @param {Spot[]} spots @param {Stakes} stakes @param {(spot: Spot) => void} add */
export function listBox(number, spots, stakes, add) {
  const dialog = openDialog(
    "box-list",
    "box-title",
    h("h2", { id: "box-title" }, t("On the {number}", { number: String(number) })),
    each("ul", {}, spots, (spot) => h("li", row(spot))),
  );

  /** @param {Spot} spot */
  function row(spot) {
    const { area } = spot;
    const press = () => {
      dialog.close();
      add(spot);
    };
    const name = named(area.name);
    return h(
      "button",
      { type: "button", onclick: press },
      h("span", spot.isClosed ? t("{area} (closed now)", { area: name }) : name),
      h("span.soft", area.pays),
      h("span.stake", spaced(stakes.on(area)?.amount ?? "")),
    );
  }
}
