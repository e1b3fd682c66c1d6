// SHA-256, HMAC and SHA-512 by FIPS 180-4. A record needs a hundred thousand small digests: asking the browser for each
// takes longer than computing it here, and a page loaded over plain HTTP may not ask at all.

import { bigBytes, bigNumber, joined } from "./bytes.js";

/** @import { Bytes } from "./bytes.js" */

const WORD_64 = (1n << 64n) - 1n;
const PRIMES = Array.from({ length: 410 }, (_, n) => n).filter((n) => n > 1 && !isDivided(n));

/** @param {number} n */
function isDivided(n) {
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return true;
  return false;
}

/** The first 64 fractional bits of a root. @param {number} prime @param {bigint} power @returns {bigint} */
function places(prime, power) {
  const wanted = BigInt(prime) << (64n * power);
  let [low, high] = [0n, 1n << 72n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= wanted) low = middle;
    else high = middle;
  }
  return low & WORD_64;
}

const START_512 = PRIMES.slice(0, 8).map((prime) => places(prime, 2n));
const STEPS_512 = PRIMES.slice(0, 80).map((prime) => places(prime, 3n));
const START_256 = Int32Array.from(START_512, (word) => Number(word >> 32n) | 0);
const STEPS_256 = Int32Array.from(STEPS_512.slice(0, 64), (word) => Number(word >> 32n) | 0);

/** Data with its padding and length. @param {Bytes} data @param {number} block */
function padded(data, block) {
  const whole = new Uint8Array(Math.ceil((data.length + 1 + block / 8) / block) * block);
  whole.set(data);
  whole[data.length] = 128;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(whole.length - 4, data.length * 8);
  return view;
}

/** @param {number} word @param {number} by */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

const schedule = new Int32Array(64);

/** @param {Bytes} data @returns {Bytes} */
export function sha256(data) {
  const view = padded(data, 64);
  const state = START_256.slice();
  const w = schedule;
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    mix(state, w);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** One block of SHA-256. @param {Int32Array} state @param {Int32Array} w */
function mix(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const bent = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + bent + chosen + STEPS_256[i] + w[i]) | 0;
    const most = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i] + word;
  });
}

/** HMAC-SHA-256 with a key of up to 64 bytes. @param {Bytes} key @param {Bytes} data @returns {Bytes} */
export function hmac(key, data) {
  const block = new Uint8Array(64);
  block.set(key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 54),
      data,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 92),
      inner,
    ),
  );
}

/** @param {Bytes} data @returns {Bytes} */
export function sha512(data) {
  const whole = new Uint8Array(padded(data, 128).buffer);
  let state = START_512;
  const turn = (/** @type {bigint} */ x, /** @type {bigint} */ by) => (x >> by) | ((x << (64n - by)) & WORD_64);
  for (let block = 0; block < whole.length; block += 128) {
    /** @type {bigint[]} */
    const w = [];
    for (let i = 0; i < 80; i++)
      w.push(
        i < 16
          ? bigNumber(whole.slice(block + 8 * i, block + 8 * i + 8))
          : (w[i - 16] +
              (turn(w[i - 15], 1n) ^ turn(w[i - 15], 8n) ^ (w[i - 15] >> 7n)) +
              w[i - 7] +
              (turn(w[i - 2], 19n) ^ turn(w[i - 2], 61n) ^ (w[i - 2] >> 6n))) &
              WORD_64,
      );
    let mixed = state;
    for (let i = 0; i < 80; i++) {
      const [a, b, c, d, e, f, g, h] = mixed;
      const bent = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const first = h + bent + ((e & f) ^ (~e & g)) + STEPS_512[i] + w[i];
      const second = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      mixed = [(first + second) & WORD_64, a, b, c, (d + first) & WORD_64, e, f, g];
    }
    state = state.map((before, i) => (before + mixed[i]) & WORD_64);
  }
  return joined(...state.map((part) => bigBytes(part, 8)));
}
