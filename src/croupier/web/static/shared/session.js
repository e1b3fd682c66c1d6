// The session: the top of every page, signing in and out, creating an account.

import { get, post, Refused, useCsrf } from "./api.js";
import { named, t } from "./catalogue.js";
import { announce, byId, fill, h } from "./dom.js";
import { alertLine, button, errorWords, field, openDialog } from "./parts.js";
import { becomeGuest, willGoOn } from "./play.js";

/** @typedef {import("../../types/contract.js").House} House */
/** @typedef {import("../../types/contract.js").OwnAccount & {within: string[]}} Me */

export const MANAGING = ["manager", "operator"];
export const KEEPING_BOOKS = ["inspector", ...MANAGING];
export const SUPERVISING = ["supervisor", ...MANAGING];
export const DEALING = ["dealer", ...SUPERVISING];
export const INSPECTING = [...SUPERVISING, "inspector"];

/** Whether a person has one of these roles. @param {Me | null} me @param {string[]} roles @returns {me is Me} */
export function hasRole(me, roles) {
  return me?.roles.some((role) => roles.includes(role)) ?? false;
}

/** Fetch the house and who is signed in, and draw the top of the page. @returns {Promise<{house: House, me: Me | null}>} */
export async function arrive() {
  /** @type {House} */
  const house = await get("/house");
  const me = house.you === null ? null : /** @type {Me} */ (await get("/me"));
  useCsrf(me ? me.csrf : null);
  top(house, me);
  // Without a connection the worker says so. Browsers have none over plain HTTP from another machine.
  void navigator.serviceWorker?.register("/worker.js").catch(() => {});
  return { house, me };
}

/** @param {House} house @param {Me | null} me */
function top(house, me) {
  fill(
    byId("top"),
    h(
      "a.brand",
      { href: "/", "aria-label": house.house },
      h("img", { src: "/web/shared/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", house.house),
    ),
    h(
      "nav",
      { "aria-label": t("Main") },
      link("/", t("Tables")),
      hasRole(me, INSPECTING) && link("/floor", t("Floor")),
      hasRole(me, INSPECTING) && link("/duties", t("Duties")),
      hasRole(me, INSPECTING) && link("/inspect", t("Inspect")),
      hasRole(me, KEEPING_BOOKS) && link("/registers", t("Registers")),
      link("/promotions", t("Promotions")),
      link("/rules", t("Rules")),
      me && link("/me", t("My book")),
    ),
    h("div.who", me ? signedIn(me) : button(t("Sign in"), () => void welcome(house))),
  );
  document.querySelector("#top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Say whom a page is for, to a person who may not see it. @param {House} house @param {Me | null} me @param {string} title @param {string} words */
export function showClosed(house, me, title, words) {
  const signIn = () => void welcome(house, "", true);
  const way = me ? h("a", { href: "/" }, t("All tables")) : button(t("Sign in"), signIn, "primary");
  fill(byId("main"), h("h1", title), h("p", words), h("p", way));
}

/** @param {string} href @param {string} text */
function link(href, text) {
  const isHere = location.pathname === href;
  const isWithin = href !== "/" && location.pathname.startsWith(`${href}/`);
  return h("a", { href, "aria-current": isHere ? "page" : isWithin ? "true" : null }, text);
}

/** @param {Me} me */
function signedIn(me) {
  return [
    h("span.name", { title: me.roles.map(named).join(", ") }, me.name),
    button(t("Sign out"), () => leave(me), "quiet"),
  ];
}

/** Sign out; a guest is told first what that means. @param {Me} me @param {boolean} [isAsked] whether others are asked too */
export function leave(me, isAsked = false) {
  if (!me.guest && !isAsked) return void signOut();
  const dialog = openDialog(
    "leaving",
    "leaving-title",
    h("h2", { id: "leaving-title" }, me.guest ? t("Leave as a guest?") : t("Sign out?")),
    me.guest &&
      h("p", t("You cannot come back to a guest account: your play chips and your seat are gone when you sign out.")),
    h(
      "p.row",
      button(t("Stay"), () => dialog.close(), "primary"),
      button(t("Sign out"), () => void signOut()),
    ),
  );
}

/** End the session and go to the lobby. */
export async function signOut() {
  try {
    await post("/sign-out", {});
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 0) throw error;
  }
  location.assign("/");
}

/**
 * Ask a visitor to sign in, create an account or play as a guest; the page is then loaded again, or the one at `back`.
 * Staff are not offered a guest account, and can pick a user of the demonstration.
 * @param {House} house @param {string} [why] @param {boolean} [isForStaff] @param {string} [back] @returns {Promise<void>}
 */
export function welcome(house, why = "", isForStaff = false, back = "") {
  const problem = alertLine();
  return new Promise((done) => {
    /** @param {() => Promise<unknown>} coming */
    const enter = async (coming) => {
      fill(problem);
      const before = document.activeElement;
      for (const button of dialog.querySelectorAll("button")) button.disabled = true;
      try {
        await coming();
        announce(t("You are signed in."));
        dialog.close();
        done();
        willGoOn();
        if (back) location.assign(back);
        else location.reload();
      } catch (error) {
        for (const button of dialog.querySelectorAll("button")) button.disabled = false;
        fill(problem, errorWords(error));
        if (before instanceof HTMLElement) before.focus(); // a button that rests loses the keyboard
      }
    };
    const dialog = openDialog(
      "welcome",
      "welcome-title",
      h("h2", { id: "welcome-title" }, t("Welcome")),
      why && h("p", why),
      house.sign_up && !isForStaff && guest(enter),
      form(t("Sign in"), ["person", "password"], (given) => enter(() => signIn(given("person"), given("password")))),
      house.sign_up && !isForStaff && h("details", h("summary", t("Create an account")), opening(enter)),
      house.sign_ins.length > 0 && known(house, enter, isForStaff),
      problem,
      h("p.soft", t("Play chips only. They cannot be bought, and cannot be exchanged for money.")),
    );
  });
}

/** @param {(coming: () => Promise<unknown>) => Promise<void>} enter */
function guest(enter) {
  return h(
    "div.guest",
    button(t("Play now as a guest"), () => void enter(becomeGuest), "primary wide"),
    h(
      "p.soft",
      t("You get play chips and a Player Card at once. You cannot return to a guest account once you sign out."),
    ),
  );
}

/** @param {(coming: () => Promise<unknown>) => Promise<void>} enter */
function opening(enter) {
  return form(t("Create the account"), ["person", "name", "password"], (given) =>
    enter(async () => {
      await post("/sign-up", {
        person: given("person"),
        name: given("name") || given("person"),
        password: given("password"),
      });
      await signIn(given("person"), given("password"));
    }),
  );
}

/** @param {House} house @param {(coming: () => Promise<unknown>) => Promise<void>} enter @param {boolean} isOpen */
function known(house, enter, isOpen) {
  return h(
    "details",
    { open: isOpen },
    h("summary", t("Sign in as a demonstration user")),
    h(
      "div.known",
      house.sign_ins.map((one) =>
        button(
          [h("strong", one.person), ` ${named(one.role)}`],
          () => void enter(() => signIn(one.person, one.password)),
        ),
      ),
    ),
  );
}

/** What is typed in a field. @param {string} name */
function label(name) {
  if (name === "person") return t("Username");
  return name === "name" ? t("Nickname") : t("Password");
}

/** @type {Record<string, string>} */
const COMPLETES = { person: "username", name: "nickname", password: "current-password" };

/**
 * @param {string} action @param {string[]} fields @param {(given: (name: string) => string) => void} done
 */
function form(action, fields, done) {
  const made = h(
    "form",
    {
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(made);
        done((name) => String(data.get(name) ?? "").trim());
      },
    },
    fields.map((name) =>
      field(
        label(name),
        h("input", {
          name,
          type: name === "password" ? "password" : "text",
          required: true,
          autocomplete: name === "password" && fields.includes("name") ? "new-password" : COMPLETES[name],
          autocapitalize: "none",
          spellcheck: "false",
        }),
      ),
    ),
    h("button", { type: "submit" }, action),
  );
  return made;
}

/** @param {string} person @param {string} password */
async function signIn(person, password) {
  const reply = await post("/sign-in", { person, password });
  useCsrf(reply.csrf);
}
