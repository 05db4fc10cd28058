/** Documentation that appears while the pointer rests on a call's name. The opened call shows the same to everyone else. */
import { apiTable } from "../editor/api";
import { docBox } from "../editor/docs";
import { h } from "../lib/dom";
import type { Language } from "../lib/types";

const REST_MS = 250;
const GAP = 6;

export class HoverDocs {
  readonly element = h("div", { class: "call-hover", role: "tooltip", hidden: true });
  private waiting = 0;

  constructor(private readonly language: () => Language) {
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    this.element.addEventListener("mouseleave", () => this.hide());
  }

  watch(name: HTMLElement, call: string): void {
    name.addEventListener("mouseenter", () => {
      window.clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => void this.show(name, call), REST_MS);
    });
    name.addEventListener("mouseleave", (event) => {
      window.clearTimeout(this.waiting);
      if (!(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.hide();
    });
  }

  private hide(): void {
    this.element.hidden = true;
  }

  private async show(name: HTMLElement, call: string): Promise<void> {
    const item = (await apiTable()).get(call);
    const frame = this.element.offsetParent ?? this.element.parentElement;
    if (!item || !frame || !name.matches(":hover")) return;
    this.element.replaceChildren(docBox(item, this.language()));
    this.element.hidden = false;
    const [at, within] = [name.getBoundingClientRect(), (this.element.offsetParent ?? frame).getBoundingClientRect()];
    const below = at.bottom - within.top;
    const room = window.innerHeight - at.bottom;
    const top = room < this.element.offsetHeight + GAP ? at.top - within.top - this.element.offsetHeight : below;
    this.element.style.top = `${top}px`;
    this.element.style.left = `${Math.max(0, Math.min(at.left - within.left, within.width - this.element.offsetWidth))}px`;
  }
}
