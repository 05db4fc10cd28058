/** Documentation of a call's function, while the pointer rests on its name or the keyboard's focus is on its row. */
import { apiTable } from "../editor/api";
import { docBox } from "../editor/docs";
import { h } from "../lib/dom";
import type { Language } from "../lib/types";

const REST_MS = 250;
const ID = "call-hover";

export class HoverDocs {
  readonly element = h("div", { class: "call-hover", id: ID, role: "tooltip", hidden: true });
  private waiting = 0;
  private row: HTMLElement | null = null;
  private readonly escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.hide();
  };

  constructor(private readonly language: () => Language) {
    this.element.addEventListener("mouseleave", () => this.hide());
  }

  /** summary: of a <details> that shows the same documentation once it is open. */
  watch(summary: HTMLElement, name: HTMLElement, call: string): void {
    const opened = (): boolean => summary.parentElement instanceof HTMLDetailsElement && summary.parentElement.open;
    const soon = (still: () => boolean): void => {
      window.clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => void this.show(summary, name, call, () => still() && !opened()), REST_MS);
    };
    name.addEventListener("mouseenter", () => soon(() => name.matches(":hover")));
    name.addEventListener("mouseleave", (event) => {
      window.clearTimeout(this.waiting);
      if (!(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.hide();
    });
    summary.addEventListener("focus", () => soon(() => summary.matches(":focus-visible")));
    summary.addEventListener("blur", () => this.hide());
    summary.addEventListener("click", () => this.hide());
  }

  hide(): void {
    window.clearTimeout(this.waiting);
    document.removeEventListener("keydown", this.escape);
    this.row?.removeAttribute("aria-describedby");
    this.row = null;
    this.element.hidden = true;
  }

  private async show(summary: HTMLElement, name: HTMLElement, call: string, wanted: () => boolean): Promise<void> {
    const item = (await apiTable()).get(call);
    if (!item || !wanted()) return;
    this.hide();
    this.element.replaceChildren(docBox(item, this.language()));
    this.element.hidden = false;
    this.row = summary;
    summary.setAttribute("aria-describedby", ID);
    document.addEventListener("keydown", this.escape);
    this.place(name);
  }

  /** Below the name; above it where the pane ends first. */
  private place(name: HTMLElement): void {
    const frame = this.element.offsetParent;
    if (!frame) return;
    const [at, within] = [name.getBoundingClientRect(), frame.getBoundingClientRect()];
    const { offsetHeight: height, offsetWidth: width } = this.element;
    const above = window.innerHeight - at.bottom < height;
    this.element.style.top = `${(above ? at.top - height : at.bottom) - within.top}px`;
    this.element.style.left = `${Math.max(0, Math.min(at.left - within.left, within.width - width))}px`;
  }
}
