// What comes next: the acts that matter now get a button of their own. The house decides whether they are possible.

import { needsEntry } from "./deal-entry.js";
import { fill, h } from "./dom.js";

/** @typedef {import("./deal-desk.js").Desk} Desk */
/** @typedef {import("./deal-desk.js").Line} Line */
/**
 * @typedef {object} Step
 * @property {string} act
 * @property {(desk: Desk) => boolean} when it matters
 * @property {(desk: Desk) => string} label
 * @property {(desk: Desk) => Record<string, any>} [line] what is said with it; without it, it is asked for
 * @property {boolean} [main] what nearly always comes next
 * @property {string} [key] the letter that presses it
 */

const between = (/** @type {Desk} */ { facts }) => facts.throw === undefined;
const things = (/** @type {Desk} */ { drawing }) => drawing.throw.field;
const some = (/** @type {any} */ value) => Number(value ?? 0) > 0;

/** Whether the dice or coins lie there for somebody to have them. @param {Desk} desk */
function areFree(desk) {
  const { facts, felt, drawing } = desk;
  if (!desk.isByHand || !between(desk) || !felt.thrower?.next || ["offered", "held"].includes(facts.dice)) return false;
  return facts.dice !== "house" || (drawing.closes_bets ? desk.betsAreOpen : felt.wagers.length === 0);
}

/** Whether nobody is left to whom they could be offered. @param {Desk} desk */
function nobodyAccepts(desk) {
  const { facts } = desk;
  return areFree(desk) && facts.dice !== "house" && desk.players.every((player) => facts[`declined ${player}`]);
}

/** Whether it is the house's throw, and one is due. @param {Desk} desk */
function houseThrows(desk) {
  const due = !desk.drawing.closes_bets || !desk.betsAreOpen;
  const isTaken = desk.facts.dice === "house" || (!desk.isByHand && desk.drawing.sign.late === true);
  return isTaken && between(desk) && due && desk.felt.thrower?.by === null && desk.felt.wagers.length > 0;
}

/** Whether it is disputed which faces are up; until that is decided nothing is settled. @param {Desk} desk */
function isDisputed({ facts }) {
  return facts["face dispute"] === "yes";
}

/** Whether the person has inspected the dice. @param {Desk} desk */
function hasInspected({ facts, me }) {
  return Object.keys(facts).some((name) => name.startsWith("inspected ") && facts[name] === me.person);
}

/** In the order in which a table meets them. @type {Step[]} */
const STEPS = [
  {
    act: "bring_dice",
    when: (desk) =>
      desk.isByHand && desk.facts.set === undefined && desk.book.acts.some(({ id }) => id === "bring_dice"),
    label: () => "Bring the dice",
  },
  {
    act: "inspect_dice",
    when: (desk) => desk.isByHand && desk.facts.set !== undefined && !hasInspected(desk),
    label: () => "Inspect the dice",
    line: () => ({}),
  },
  {
    act: "search",
    when: ({ facts }) => some(facts.missing) && facts.searched !== "yes",
    label: (desk) => `Search for the missing ${things(desk)}`,
    line: () => ({}),
  },
  { act: "find_dice", when: ({ facts }) => some(facts.missing), label: () => "Found", line: () => ({ count: 1 }) },
  {
    act: "declare_lost",
    when: ({ facts }) => some(facts.missing) && facts.searched === "yes",
    label: () => "Give one up for lost",
    line: () => ({ count: 1 }),
  },
  {
    act: "check_dice",
    when: ({ facts }) => some(facts.found),
    label: ({ facts }) => `Check what was found (${facts.found})`,
    line: ({ facts }) => ({ count: facts.found }),
  },
  {
    act: "return_dice",
    when: ({ facts }) => some(facts.checked) && Boolean(facts["asked back"]),
    label: () => "Give back what was found",
    line: () => ({}),
  },
  {
    act: "bowl_dice",
    when: ({ facts }) => some(facts.checked) && !facts["asked back"],
    label: () => "Into the bowl",
    line: () => ({}),
  },
  {
    act: "new_set",
    when: ({ facts }) => some(facts.lost) && Number(facts.lost) >= Number(facts["lost limit"]),
    label: () => "Bring a new set",
    line: ({ facts }) => ({ count: facts["largest set"] }),
  },
  {
    act: "offer",
    when: areFree,
    label: (desk) => `Offer the ${things(desk)} to ${desk.felt.thrower.next}`,
    line: (desk) => ({ player: desk.felt.thrower.next }),
    main: true,
  },
  {
    act: "house_takes",
    when: nobodyAccepts,
    label: (desk) => `Nobody wants the ${things(desk)}: take them`,
    line: () => ({}),
  },
  {
    act: "tumble",
    when: (desk) =>
      desk.isByHand && desk.betsAreOpen && between(desk) && Number(desk.facts.tumbled ?? 0) < desk.book.tumbles,
    label: ({ facts, book }) => `Tumble (${facts.tumbled ?? 0} of ${book.tumbles} done)`,
    line: () => ({ count: 1 }),
    main: true,
  },
  {
    act: "no_more_bets",
    when: (desk) => desk.drawing.closes_bets && desk.betsAreOpen,
    label: () => "No more bets",
    line: () => ({}),
    main: true,
    key: "b",
  },
  {
    act: "press_no_more_bets",
    when: (desk) => !desk.betsAreOpen && Boolean(desk.facts["fitted touch screen"]) && !desk.facts.pressed,
    label: () => "Press no more bets on the screen",
    line: () => ({}),
    main: true,
  },
  {
    act: "place_coins",
    when: (desk) => houseThrows(desk) && desk.facts.kip === undefined,
    label: () => "Lay the coins on the kip, one head, one tail",
    line: () => ({ faces: "HT" }),
  },
  { act: "throw", when: houseThrows, label: (desk) => `The ${desk.felt.thrower.title} throws`, line: () => ({}) },
  {
    act: "uncover",
    when: (desk) => desk.isByHand && !desk.betsAreOpen && between(desk),
    label: (desk) => `Uncover the ${things(desk)}`,
    line: () => ({}),
    main: true,
  },
  {
    act: "rest",
    when: ({ facts }) => facts.throw === "thrown",
    label: (desk) => `The ${things(desk)} rest`,
    line: () => ({}),
    main: true,
  },
  {
    act: "confirm_result",
    when: (desk) => desk.facts.throw === "called" && !needsEntry(desk) && !isDisputed(desk),
    label: ({ called }) => `Confirm ${called}, and settle`,
    line: () => ({}),
    main: true,
  },
  {
    act: "settle_streaks",
    when: ({ facts }) => facts["running wagers"] === "due",
    label: () => "Settle the streaks as they stand",
    line: () => ({}),
  },
  {
    act: "return_streaks",
    when: ({ facts }) => facts["running wagers"] === "due",
    label: () => "Return the streaks",
    line: () => ({}),
  },
  {
    act: "notify_inspector",
    when: ({ facts }) => Boolean(facts.malfunction) && !facts["inspector told of fault"],
    label: () => "Tell an inspector of the fault",
    line: () => ({}),
  },
  {
    act: "rectify",
    when: ({ facts }) => Boolean(facts.malfunction) && facts.throw === undefined,
    label: () => "The fault is put right",
    line: () => ({}),
  },
];

/** @param {Desk} desk */
function whoDecides(desk) {
  const by = desk.book.acts.find((act) => act.id === "decide_face")?.by ?? [];
  return by.length > 0 ? `That is for the ${by.join(" or the ")} to decide.` : "";
}

/** What people wait for that is not this person's to do. @param {Desk} desk @returns {string | null} */
function waitsFor(desk) {
  const { facts, felt } = desk;
  if (isDisputed(desk)) return `It is disputed which faces are up. ${whoDecides(desk)}`;
  if (facts.dice === "offered") return `${facts["offered to"]} is offered the ${things(desk)}.`;
  if (facts.throw === "thrown") return `The ${things(desk)} are in the air.`;
  if (facts.throw === "called") return `Called: ${desk.called}.`;
  if (desk.isByHand && facts.dice === "held" && facts.chosen !== "yes")
    return `${felt.thrower.by ?? facts.shooter} chooses two of the ${things(desk)}.`;
  return null;
}

export class Steps {
  /** @param {Desk} desk @param {(act: string) => void} ask asks for what belongs to an act */
  constructor(desk, ask) {
    this.desk = desk;
    this.ask = ask;
    this.buttons = h("div", { class: "steps" });
    this.words = h("p", { class: "soft" });
    this.beside = h("div", { class: "beside" });
    this.element = h(
      "section",
      { class: "next", "aria-label": "What comes next" },
      this.words,
      this.buttons,
      this.beside,
    );
    this.shown = "";
  }

  /** @returns {Step[]} */
  due() {
    const { desk } = this;
    return STEPS.filter((step) => (desk.act(step.act) || desk.command(step.act)) && step.when(desk));
  }

  /** @param {Step} step */
  press(step) {
    if (!step.line) this.ask(step.act);
    else void this.desk.say({ do: step.act, ...step.line(this.desk) }, this.beside);
  }

  show() {
    const due = this.due();
    const words = waitsFor(this.desk) ?? "";
    fill(this.words, words);
    this.words.hidden = words === "";
    const shown = due.map((step) => `${step.act} ${step.label(this.desk)}`).join("\n");
    if (shown !== this.shown)
      fill(
        this.buttons,
        due.map((step) => this.button(step)),
      );
    this.shown = shown;
    this.element.hidden = due.length === 0 && words === "" && this.beside.childElementCount === 0;
  }

  /** @param {Step} step */
  button(step) {
    const key = step.key && h("kbd", {}, step.key.toUpperCase());
    return h(
      "button",
      { type: "button", class: step.main ? "primary step" : "step", onclick: () => this.press(step) },
      step.label(this.desk),
      " ",
      key,
    );
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    const step = this.due().find((one) => one.key === event.key.toLowerCase());
    if (step) this.press(step);
    return Boolean(step);
  }
}
