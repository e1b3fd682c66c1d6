// SHA-256 and HMAC. The browser has its own only on a safe line, and a house in one's own network may have none.

const ROUNDS = 64;
const BLOCK = 64;
const [STARTS, ROOTS] = fractions();

/** The first 32 bits behind the point of square and cube roots of primes. @returns {[Uint32Array, Uint32Array]} */
function fractions() {
  const [starts, roots] = [new Uint32Array(8), new Uint32Array(ROUNDS)];
  for (let number = 2, place = 0; place < ROUNDS; number++) {
    let isPrime = true;
    for (let part = 2; part * part <= number; part++) if (number % part === 0) isPrime = false;
    if (!isPrime) continue;
    if (place < 8) starts[place] = (Math.sqrt(number) % 1) * 2 ** 32;
    roots[place++] = (Math.cbrt(number) % 1) * 2 ** 32;
  }
  return [starts, roots];
}

/** @param {Uint32Array} words @param {number} place */
function at(words, place) {
  return words[place] ?? 0;
}

/** @param {number} word @param {number} by */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint8Array} data @returns {Uint8Array} */
export function sha256(data) {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, data.length << 3);
  const state = STARTS.slice();
  const words = new Uint32Array(ROUNDS);
  for (let start = 0; start < padded.length; start += BLOCK) {
    for (let i = 0; i < ROUNDS; i++) words[i] = i < 16 ? view.getUint32(start + 4 * i) : extended(words, i);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => {
    digest.setUint32(4 * place, word);
  });
  return new Uint8Array(digest.buffer);
}

/** @param {Uint32Array} words @param {number} i */
function extended(words, i) {
  const [older, newer] = [at(words, i - 15), at(words, i - 2)];
  const first = turned(older, 7) ^ turned(older, 18) ^ (older >>> 3);
  const second = turned(newer, 17) ^ turned(newer, 19) ^ (newer >>> 10);
  return at(words, i - 16) + first + at(words, i - 7) + second;
}

/** @param {Uint32Array} state @param {Uint32Array} words */
function mix(state, words) {
  let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ (
    Array.from(state)
  );
  for (let i = 0; i < ROUNDS; i++) {
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + at(ROOTS, i) + at(words, i);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] = at(state, place) + word;
  });
}

/** @param {Uint8Array} key no longer than a block @param {Uint8Array} data @returns {Uint8Array} */
export function hmac(key, data) {
  return sha256(joined(masked(key, 0x5c), sha256(joined(masked(key, 0x36), data))));
}

/** @param {Uint8Array} key @param {number} mask */
function masked(key, mask) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key);
  return padded.map((byte) => byte ^ mask);
}

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

/** @param {string} text @returns {Uint8Array} */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text @returns {Uint8Array} */
export function fromHex(text) {
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
