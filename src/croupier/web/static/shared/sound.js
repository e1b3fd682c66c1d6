// The sounds of a table, made in the page: no files. They are off until someone switches them on.

/** @typedef {"off" | "sounds" | "calls"} Mode `calls`: the calls are spoken as well */
/** @typedef {"chip" | "refused" | "shut" | "dice" | "land" | "shaker" | "lid" | "coins" | "sweep" | "paid" | "won"} Sound */

const KEPT = "croupier-sound";
/** @type {Mode[]} in the order in which the switch goes through them */
export const MODES = ["off", "sounds", "calls"];
const LOUDNESS = 0.5;

/** @type {Mode} */
let mode = kept();
/** @type {AudioContext | null} made once it is needed: browsers let a page sound only after it has been pressed */
let audio = null;
/** @type {AudioNode | null} */
let out = null;
/** @type {AudioBuffer | null} a second of noise */
let noise = null;

/** @returns {Mode} */
function kept() {
  const found = localStorage.getItem(KEPT);
  if (found === "on") return "calls"; // what earlier versions kept
  return MODES.find((one) => one === found) ?? "off";
}

export function soundMode() {
  return mode;
}

/** @param {Mode} wanted */
export function useSound(wanted) {
  mode = wanted;
  localStorage.setItem(KEPT, wanted);
  if (wanted !== "calls") window.speechSynthesis?.cancel();
  if (wanted === "off") void audio?.suspend();
  else play("chip");
}

/** Play a sound if sounds are on; nothing plays while the page is hidden. @param {Sound} sound @param {number} [size] milliseconds of a throw, or how many are paid */
export function play(sound, size = 0) {
  if (mode === "off" || document.hidden || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  SOUNDS[sound](size);
}

/** Say a call aloud if calls are on. @param {string} text */
export function speak(text) {
  if (mode !== "calls" || document.hidden || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = "en-AU";
  words.rate = 1.05;
  speechSynthesis.speak(words);
}

/** @type {Record<Sound, (size: number) => void>} */
const SOUNDS = {
  chip: () => {
    click(0, 4200, 0.5);
    click(0.045, 5200, 0.35);
  },
  refused: () => tone(0, 180, 0.11, 0.25, "triangle", 130),
  shut: () => tone(0, 660, 0.09, 0.18, "sine", 520),
  dice: (ms) => {
    // Nine knocks, closer at first and slower as the dice lose their speed
    for (let knock = 0; knock < 9; knock++)
      click((ms / 1000) * (knock / 9) ** 1.5, 1500 + (knock % 3) * 420, 0.6 - knock * 0.045);
  },
  land: () => {
    click(0, 700, 0.9, 0.06);
    click(0.07, 900, 0.7, 0.05);
  },
  shaker: (ms) => {
    for (let shake = 0; shake < 3; shake++)
      for (let knock = 0; knock < 3; knock++)
        click((ms / 1000) * (shake / 3) + knock * 0.055, 1100 + knock * 350, 0.5 - knock * 0.1);
  },
  lid: () => {
    tone(0, 1320, 0.5, 0.14, "sine");
    tone(0, 2093, 0.4, 0.07, "sine");
    tone(0.01, 3300, 0.25, 0.04, "sine");
  },
  coins: (ms) => {
    for (const coin of [0, 0.06]) tone(coin, 2600 + coin * 4000, 0.45, 0.1, "sine", 3100);
    click((ms / 1000) * 0.66, 620, 0.8, 0.07);
    click((ms / 1000) * 0.84, 760, 0.5, 0.05);
  },
  sweep: () => hiss(0.3),
  paid: (count) => {
    for (let one = 0; one < Math.min(count, 5); one++)
      for (let chip = 0; chip < 3; chip++) click(one * 0.12 + chip * 0.05, 4000 + chip * 500, 0.4);
  },
  won: () => {
    [523.25, 659.25, 783.99].forEach((pitch, place) => {
      tone(place * 0.095, pitch, 0.4, 0.16, "triangle");
    });
  },
};

/** What all sounds go through. @param {AudioContext} made */
function exit(made) {
  if (!out) {
    const loudness = made.createGain();
    loudness.gain.value = LOUDNESS;
    loudness.connect(made.destination);
    out = loudness;
  }
  return out;
}

/** A voice that rises at once and dies away. @param {AudioContext} made @param {number} at seconds from now @param {number} seconds @param {number} loud */
function voice(made, at, seconds, loud) {
  const gain = made.createGain();
  const start = made.currentTime + at;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.005);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  gain.connect(exit(made));
  return { gain, start };
}

/** @param {number} at @param {number} pitch @param {number} seconds @param {number} loud @param {OscillatorType} shape @param {number} [to] pitch at the end */
function tone(at, pitch, seconds, loud, shape, to = pitch) {
  if (!audio) return;
  const { gain, start } = voice(audio, at, seconds, loud);
  const oscillator = audio.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(pitch, start);
  oscillator.frequency.linearRampToValueAtTime(to, start + seconds);
  oscillator.connect(gain);
  oscillator.start(start);
  oscillator.stop(start + seconds + 0.02);
}

/** A short knock: noise around one pitch. @param {number} at @param {number} pitch @param {number} loud @param {number} [seconds] */
function click(at, pitch, loud, seconds = 0.035) {
  rustle(at, pitch, 6, loud, seconds);
}

/** @param {number} seconds */
function hiss(seconds) {
  rustle(0, 1800, 0.6, 0.12, seconds);
}

/** @param {number} at @param {number} pitch @param {number} narrow @param {number} loud @param {number} seconds */
function rustle(at, pitch, narrow, loud, seconds) {
  if (!audio) return;
  const { gain, start } = voice(audio, at, seconds, loud);
  const source = audio.createBufferSource();
  source.buffer = noise ??= someNoise(audio);
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = narrow;
  source.connect(band);
  band.connect(gain);
  source.start(start, Math.random() * 0.5, seconds + 0.05);
}

/** @param {AudioContext} made */
function someNoise(made) {
  const buffer = made.createBuffer(1, made.sampleRate, made.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  return buffer;
}
