// Bytes, their hexadecimal digits, and text.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const encoder = new TextEncoder();
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {string} text @returns {Bytes} */
export function utf8(text) {
  return encoder.encode(text);
}

/** @param {Bytes} bytes @returns {string} */
export function hex(bytes) {
  let digits = "";
  for (const byte of bytes) digits += PAIRS[byte];
  return digits;
}

/** @param {string} digits @returns {Bytes} */
export function unhex(digits) {
  const bytes = new Uint8Array(digits.length / 2);
  for (let place = 0; place < bytes.length; place++)
    bytes[place] = Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16);
  return bytes;
}

/** Concatenate. @param {...Bytes} parts @returns {Bytes} */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A number as bytes, the highest first. @param {bigint} number @param {number} length @returns {Bytes} */
export function bigBytes(number, length) {
  return unhex(number.toString(16).padStart(2 * length, "0"));
}

/** @param {Bytes} bytes the highest first @returns {bigint} */
export function bigNumber(bytes) {
  return BigInt(`0x${hex(bytes) || "0"}`);
}

/** Whether it is 32 bytes in hexadecimal digits. @param {unknown} value @returns {value is string} */
export function isMark(value) {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Whether it is a count that a number holds exactly. @param {unknown} value @returns {value is number} */
export function isCount(value) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2 ** 53;
}
