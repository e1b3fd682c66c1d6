// The switch beside the clock: no sound, sounds, or sounds with the calls spoken.

import { t } from "../shared/catalogue.js";
import { h, s } from "../shared/dom.js";
import { MODES, soundMode, speak, useSound } from "../shared/sound.js";

/** @import { Mode } from "../shared/sound.js" */

/** @type {Record<Mode, () => string>} */
const NAMES = {
  off: () => t("Sound: off"),
  sounds: () => t("Sound: on"),
  calls: () => t("Sound: on, with calls"),
};
/** @type {Record<Mode, string>} */
const WAVES = {
  off: "M15.5 9.5L21 15M21 9.5L15.5 15",
  sounds: "M15 9.4A4 4 0 0 1 15 15.1M17.8 7A7.4 7.4 0 0 1 17.8 17.5",
  calls: "M14.2 5.5H22V12.5H18.6L16.2 15V12.5H14.2ZM16.4 9H19.8",
};

export function soundSwitch() {
  const waves = s("path", { class: "waves" });
  const icon = s(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M3 9.4H6.6L11.6 5V19.5L6.6 15.1H3Z" }),
    waves,
  );
  const button = h("button.quiet.sound", { type: "button", onclick: () => next() }, icon);
  const show = () => {
    const mode = soundMode();
    waves.setAttribute("d", WAVES[mode]);
    button.setAttribute("aria-label", NAMES[mode]());
    button.title = NAMES[mode]();
    button.dataset.sound = mode;
  };
  const next = () => {
    useSound(MODES[(MODES.indexOf(soundMode()) + 1) % MODES.length] ?? "off");
    show();
    speak(t("Calls are on"));
  };
  show();
  return button;
}
