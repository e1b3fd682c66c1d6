// Signatures by Ed25519 (RFC 8032): the browser checks them if it can, this code if not.

import { bigNumber, joined } from "./bytes.js";
import { sha512 } from "./hashes.js";

/** @import { Bytes } from "./bytes.js" */
/** @typedef {[bigint, bigint, bigint, bigint]} Point x, y and z of a point, and the product of x and y */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @param {bigint} number */
function mod(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let [result, factor] = [1n, mod(base)];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * factor);
    factor = mod(factor * factor);
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);

/** @param {Point} one @param {Point} other @returns {Point} */
function plus([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * D * t1 * t2);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {bigint} scalar @param {Point} point @returns {Point} */
function times(scalar, point) {
  /** @type {Point} */
  let sum = [0n, 1n, 1n, 0n];
  let doubled = point;
  for (let left = scalar; left > 0n; left >>= 1n) {
    if (left & 1n) sum = plus(sum, doubled);
    doubled = plus(doubled, doubled);
  }
  return sum;
}

/** Decode a point from 32 bytes. @param {Bytes} bytes @returns {Point | null} */
function point(bytes) {
  const packed = bigNumber(bytes.slice().reverse());
  const y = packed & (2n ** 255n - 1n);
  const sign = packed >> 255n;
  const [above, below] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(above * power(below, 3n) * power(above * power(below, 7n), (P - 5n) / 8n));
  if (mod(below * x * x) !== above) x = mod(x * ROOT);
  if (y >= P || mod(below * x * x) !== above || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE = /** @type {Point} */ (point(Uint8Array.from({ length: 32 }, (_, place) => (place ? 0x66 : 0x58))));

/** Encode a point as 32 bytes, little-endian. @param {Point} point */
function packed([x, y, z]) {
  const inverse = power(z, P - 2n);
  return mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
}

/** Whether the owner of a key signed this data. @param {Bytes} key @param {Bytes} signature @param {Bytes} data */
export function hasSignedByHand(key, signature, data) {
  const [owner, scalar] = [point(key), bigNumber(signature.slice(32).reverse())];
  if (!owner || scalar >= ORDER) return false;
  const [x, y, z, t] = owner;
  const challenge = bigNumber(sha512(joined(signature.slice(0, 32), key, data)).reverse()) % ORDER;
  const right = plus(times(scalar, BASE), times(challenge, [mod(-x), y, z, mod(-t)]));
  return packed(right) === bigNumber(signature.slice(0, 32).reverse());
}

/** The same by the browser; null if it does not support Ed25519. @param {Bytes} key @param {Bytes} signature @param {Bytes} data */
export async function hasSignedByBrowser(key, signature, data) {
  try {
    const owner = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", owner, signature, data);
  } catch {
    return null;
  }
}

/** @param {Bytes} key @param {Bytes} signature @param {Bytes} data @returns {Promise<boolean>} */
export async function hasSigned(key, signature, data) {
  return (await hasSignedByBrowser(key, signature, data)) ?? hasSignedByHand(key, signature, data);
}
