/** The result panel: one status sentence, the steps, and below them what the events brought so far. */
import { all, find, h, need } from "../lib/dom";
import { t } from "../lib/strings";
import type { Backend, CaseView, Message, VerdictView } from "../lib/types";
import { caseRow } from "./cases";
import type { PanelLinks } from "./links";
import { verdictView } from "./verdict";

export type Tone = "" | "good" | "bad";

const ORDER = ["queued", "compiling", "running", "verdict"];
const STEP: Record<string, string> = { queued: "queued", compiling: "compiling", compiled: "compiling", running: "running", case: "running", verdict: "verdict" };

export class Panel {
  private readonly status: HTMLElement;
  private readonly steps: HTMLElement;
  private readonly view: HTMLElement;
  private attempt = 0;

  constructor(
    root: HTMLElement,
    private readonly links: PanelLinks,
  ) {
    this.status = need("[data-status]", root);
    this.steps = need("[data-steps]", root);
    this.view = need("[data-view]", root);
  }

  /** A new submission: nothing of the last one stays, so that old cases cannot be taken for new ones. */
  begin(): void {
    this.attempt = 0;
    this.view.replaceChildren();
    this.steps.hidden = false;
    this.step("queued");
    this.say(t("sending"));
  }

  say(sentence: string, tone: Tone = ""): void {
    this.status.textContent = sentence;
    this.status.dataset["tone"] = tone;
  }

  receive(message: Message): void {
    if (message.attempt !== this.attempt) {
      this.attempt = message.attempt;
      this.view.replaceChildren();
    }
    this.say(message.sentence);
    this.step(STEP[message.type] ?? "queued");
    if (message.type === "running") this.expect((message.data as { cases: string[] }).cases);
    if (message.type === "case") this.addCase(message.data as CaseView);
  }

  finish(verdict: VerdictView): void {
    this.steps.hidden = true;
    this.say(verdict.sentence, verdict.code === "accepted" ? "good" : verdict.code === "cancelled" ? "" : "bad");
    const opened = focusedCase(this.view);
    this.view.replaceChildren(...verdictView(verdict, this.links));
    if (opened) openCase(this.view, opened);
    const backend = find("[data-backend]");
    if (backend && verdict.backend) backend.replaceChildren(backendLabel(verdict.backend));
  }

  private step(name: string): void {
    const at = ORDER.indexOf(name);
    for (const item of all("[data-step]", this.steps)) {
      const place = ORDER.indexOf(item.dataset["step"] ?? "");
      item.dataset["state"] = place < at ? "done" : place === at ? "now" : "next";
      if (place === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
  }

  private expect(names: string[]): void {
    const rows = names.map((name) => h("li", { "data-case": name, class: "case waiting" }, h("span", { class: "mark", "aria-hidden": true }, "·"), h("span", { class: "mono" }, name)));
    this.view.replaceChildren(h("ol", { class: "cases streaming" }, ...rows));
  }

  private addCase(view: CaseView): void {
    const row = caseRow(view, this.links, false);
    const waiting = find(`[data-case="${CSS.escape(view.name)}"]`, this.view);
    if (waiting) waiting.replaceWith(row);
    else this.view.append(row);
  }
}

/** The case of those that came in so far on which the keyboard is. */
function focusedCase(view: HTMLElement): string | undefined {
  return view.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>("[data-case]")?.dataset["case"] : undefined;
}

/** Goes on where the reader was when the verdict came. */
function openCase(view: HTMLElement, name: string): void {
  const details = find<HTMLDetailsElement>(`[data-case="${CSS.escape(name)}"] details`, view);
  if (!details) return;
  details.open = true;
  find("summary", details)?.focus({ preventScroll: true });
}

function backendLabel(backend: Backend): HTMLElement {
  if (backend.name === "simulated") return h("span", { class: "label hot" }, t("backend_simulated"));
  const version = backend.cudnn_version;
  const dotted = `${Math.floor(version / 10000)}.${Math.floor(version / 100) % 100}.${version % 100}`;
  return h("span", { class: "label cool" }, t("backend_gpu", { device: backend.device, version: dotted }));
}
