// Times as people read them, in the zone of a table or of the house, wherever the reader is.

import { locale, t } from "./catalogue.js";
import { readable } from "./words.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PLAIN = "en-AU"; // figures as the house writes them, and names for the zones of the books
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { day: "numeric", month: "short" };
/** @type {Intl.DateTimeFormatOptions} */
const WHOLE_DATE = { ...DATE, weekday: "short", year: "numeric" };
/** @type {Intl.DateTimeFormatOptions} */
const FIGURES = { ...CLOCK, year: "numeric", month: "2-digit", day: "2-digit", second: "2-digit" };

/** By how many milliseconds the house's clock is ahead of ours. */
let skew = 0;
/** The page's default zone. */
let place = "UTC";

/** Use the house's clock. @param {string} at what it shows now */
export function setClock(at) {
  skew = Date.parse(at) - Date.now();
}

/** The time by the house's clock. @returns {number} */
export function now() {
  return Date.now() + skew;
}

/** Set the default zone. @param {string} zone */
export function setZone(zone) {
  place = zone;
}

/** A zone in words. @param {string} [zone] */
export function zoneWords(zone = place) {
  return readable(zone);
}

/** What a clock in a zone shows: `day` is 2026-11-16, `clock` 21:05:09, `name` AEDT. @param {string | number} at @param {string} zone */
function shown(at, zone) {
  const parts = new Intl.DateTimeFormat(PLAIN, { ...FIGURES, timeZone: zone }).formatToParts(new Date(at));
  const {
    year,
    month,
    day,
    hour,
    minute,
    second,
    timeZoneName: name,
  } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return { day: `${year}-${month}-${day}`, clock: `${hour}:${minute}:${second}`, name };
}

/** @param {string | number} at @param {string} zone @param {Intl.DateTimeFormatOptions} date */
function reply(at, zone, date) {
  const parts = new Intl.DateTimeFormat(locale, { ...date, ...CLOCK, timeZone: zone }).formatToParts(new Date(at));
  const { name } = shown(at, zone); // few languages have names for the zones: the table's own name stays
  return parts.map(({ type, value }) => (type === "timeZoneName" ? name : value)).join("");
}

/** A time with its zone, and with its date unless that is today: 21:05 AEDT. @param {string | number} at @param {string} [zone] */
export function timeOf(at, zone = place) {
  return reply(at, zone, shown(at, zone).day === shown(now(), zone).day ? {} : DATE);
}

/** A time with its whole date and its zone: Mon, 16 Nov 2026, 21:05 AEDT. @param {string | number} at @param {string} [zone] */
export function when(at, zone = place) {
  return reply(at, zone, WHOLE_DATE);
}

/** A time to the second, without its zone: 21:05:09. @param {string | number} at @param {string} [zone] */
export function clockOf(at, zone = place) {
  return shown(at, zone).clock;
}

/** A time to the second, with its zone: 21:05:09 AEDT. @param {string | number} at @param {string} [zone] */
export function clockWords(at, zone = place) {
  const { clock, name } = shown(at, zone);
  return `${clock} ${name}`;
}

/** A time to the second, as in registers: 2026-11-16 21:05:09 AEDT. @param {string | number} at @param {string} [zone] */
export function exactly(at, zone = place) {
  return `${shown(at, zone).day} ${clockWords(at, zone)}`;
}

/** `1 h 5 min`. @param {number} milliseconds */
export function duration(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE));
  if (minutes < 60) return t("{minutes} min", { minutes });
  return t("{hours} h {minutes} min", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** How long ago it was, in words. @param {string} at @returns {string} */
export function ago(at) {
  const passed = Math.max(0, now() - Date.parse(at));
  if (passed < MINUTE) return t("just now");
  if (passed < DAY) return t("{span} ago", { span: duration(passed) });
  return t("{days} d ago", { days: Math.floor(passed / DAY) });
}

// Time fields, which have no zone

/** A time as a time field holds it: 2026-11-16T21:05. @param {string | number} at @param {string} [zone] @returns {string} */
export function fieldTime(at, zone = place) {
  const { day, clock } = shown(at, zone);
  return `${day}T${clock.slice(0, "21:05".length)}`;
}

/** By how many milliseconds a zone is ahead of universal time. @param {number} at @param {string} zone */
function ahead(at, zone) {
  const { day, clock } = shown(at, zone);
  return Date.parse(`${day}T${clock}Z`) - Math.floor(at / 1000) * 1000;
}

/** What a time field holds, with the offset of its zone: 2026-11-16T21:05+11:00. @param {string} local @param {string} [zone] */
export function momentOf(local, zone = place) {
  const wall = Date.parse(`${local}Z`);
  const minutes = ahead(wall - ahead(wall, zone), zone) / MINUTE;
  const two = (/** @type {number} */ part) => String(Math.floor(Math.abs(part))).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
