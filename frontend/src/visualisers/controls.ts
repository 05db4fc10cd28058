/** Controls that the visualisers share: a slider with a number box, a choice, buttons that step and play. */
import { h } from "../lib/dom";
import { t } from "../lib/strings";

export interface Parameter {
  element: HTMLElement;
  value(): number;
  /** Sets new limits; the value moves inside them. */
  limit(min: number, max: number): void;
}

let serial = 0;

/** Slider and number box that move together, by `step`. `changed` is called after every change. */
export function parameter(name: string, value: number, min: number, max: number, changed: () => void, step = 1): Parameter {
  const id = `fp-parameter-${++serial}`;
  const slider = h("input", { type: "range", id, min, max, step, value });
  const box = h("input", { type: "number", min, max, step, value, "aria-label": name });
  let now = value;
  const set = (text: string): void => {
    const next = Number.parseFloat(text);
    if (Number.isNaN(next)) return;
    now = Math.min(Math.max(Math.round(next / step) * step, Number(slider.min)), Number(slider.max));
    slider.value = String(now);
    if (document.activeElement !== box || String(now) !== text) box.value = String(now);
    changed();
  };
  slider.addEventListener("input", () => set(slider.value));
  box.addEventListener("input", () => set(box.value));
  return {
    element: h("div", { class: "parameter" }, h("label", { for: id }, name), slider, box),
    value: () => now,
    limit(low, high) {
      for (const input of [slider, box]) {
        input.min = String(low);
        input.max = String(high);
      }
      now = Math.min(Math.max(now, low), high);
      slider.value = box.value = String(now);
    },
  };
}

/** A row of toggle buttons, of which one is pressed. */
export function choice(label: string, options: [string, string][], value: string, changed: (value: string) => void): HTMLElement {
  const buttons = options.map(([key, text]) => h("button", { type: "button", class: "tab", "aria-pressed": String(key === value) }, text));
  buttons.forEach((button, i) =>
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      changed(options[i]?.[0] ?? "");
    }),
  );
  return h("div", { class: "tabs", role: "group", "aria-label": label }, ...buttons);
}

/** Plays `step` about once a second until paused, finished or out of the page. Never starts by itself. */
export function player(step: () => boolean): { element: HTMLButtonElement; stop(): void } {
  let timer: ReturnType<typeof setInterval> | undefined;
  const button = h("button", { type: "button", class: "button", "aria-pressed": "false" }, t("play"));
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    button.textContent = t("play");
    button.setAttribute("aria-pressed", "false");
  };
  button.addEventListener("click", () => {
    if (timer !== undefined) return stop();
    timer = setInterval(() => (button.isConnected && step() ? undefined : stop()), 900);
    button.textContent = t("pause");
    button.setAttribute("aria-pressed", "true");
  });
  return { element: button, stop };
}
