/** Panes: their ratio (pointer and arrow keys), and folding one to a labelled strip. Remembered on this device. */
import { all, find, need } from "../lib/dom";
import { keep, kept } from "../lib/store";

export function setUpPanes(bench: HTMLElement): void {
  for (const bar of all("[data-split]", bench)) setUpSplitter(bar);
  for (const button of all<HTMLButtonElement>(".collapse", bench)) setUpFold(button);
}

function setUpSplitter(bar: HTMLElement): void {
  const name = bar.dataset["split"] ?? "";
  const set = (percent: number): void => {
    const value = Math.round(Math.min(Math.max(percent, Number(bar.ariaValueMin)), Number(bar.ariaValueMax)));
    bar.ariaValueNow = String(value);
    bar.parentElement?.style.setProperty(`--${name}`, `${value}%`);
    keep(`split:${name}`, String(value));
  };
  set(Number(kept(`split:${name}`) ?? bar.ariaValueNow));
  bar.addEventListener("pointerdown", (event) => follow(bar, event, set));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2, PageUp: -10, PageDown: 10 }[event.key];
    if (step === undefined && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    if (step !== undefined) set(Number(bar.ariaValueNow) + step);
    else set(event.key === "Home" ? 0 : 100);
  });
}

function follow(bar: HTMLElement, start: PointerEvent, set: (percent: number) => void): void {
  start.preventDefault();
  bar.setPointerCapture(start.pointerId);
  const upright = bar.ariaOrientation === "vertical";
  const box = (bar.parentElement ?? bar).getBoundingClientRect();
  const move = (event: PointerEvent): void => set(upright ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
  bar.addEventListener("pointermove", move);
  const stop = (): void => bar.removeEventListener("pointermove", move);
  bar.addEventListener("lostpointercapture", stop, { once: true });
}

function setUpFold(button: HTMLButtonElement): void {
  const pane = button.closest<HTMLElement>(".pane");
  if (!pane) return;
  const fold = (folded: boolean): void => {
    pane.classList.toggle("folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
    keep(`folded:${pane.id}`, folded ? "1" : "");
  };
  button.addEventListener("click", () => fold(!pane.classList.contains("folded")));
  if (kept(`folded:${pane.id}`) === "1") fold(true);
}

/** Opens a folded pane: results that nobody can see help nobody. */
export function unfold(id: string): void {
  const pane = need(`#${id}`);
  if (pane.classList.contains("folded")) find<HTMLButtonElement>(".collapse", pane)?.click();
}
