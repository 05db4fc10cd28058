import { find, h } from "./dom";

/** Says one sentence at the bottom of the page, for a while, to eyes and to screen readers. */
export function toast(text: string): void {
  find(".toast")?.remove();
  const box = h("div", { class: "toast", role: "status" });
  document.body.append(box);
  // A live region speaks only of what changes after it exists.
  requestAnimationFrame(() => (box.textContent = text));
  setTimeout(() => box.remove(), 6000);
}
