import { find, h } from "./dom";

let region: HTMLElement | undefined;

/** Says one sentence to screen readers alone: what eyes already see. */
export function announce(text: string): void {
  if (!region) document.body.append((region = h("p", { class: "visually-hidden", role: "status" })));
  region.textContent = text;
}

/** Says one sentence at the bottom of the page, for a while, to eyes and to screen readers. */
export function toast(text: string): void {
  find(".toast")?.remove();
  const box = h("div", { class: "toast", role: "status" });
  document.body.append(box);
  // A live region speaks only of what changes after it exists.
  requestAnimationFrame(() => (box.textContent = text));
  setTimeout(() => box.remove(), 6000);
}
