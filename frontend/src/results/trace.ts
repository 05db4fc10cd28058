/** Every cuDNN and CUDA call in order: arguments, status, time; on an axis, filtered, marked by findings, linked to lines and docs. */
import { all, h } from "../lib/dom";
import { t } from "../lib/strings";
import type { Call, Finding, VerdictView } from "../lib/types";
import { argumentText, callRow } from "./call";
import { HoverDocs } from "./hover";
import type { PanelLinks } from "./links";
import { type Timeline, timeline } from "./timeline";

const PAGE = 200;

export interface Trace {
  element: HTMLElement;
  /** Opens the call of that index and brings it into view. */
  show(index: number): void;
}

export function traceView(verdict: VerdictView, links: PanelLinks): Trace {
  return new TraceView(verdict, links);
}

class TraceView implements Trace {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "calls" });
  private readonly count = h("span", { class: "fine numbers", role: "status" });
  private readonly more = h("button", { type: "button", class: "button", hidden: true });
  private readonly filter = h("input", { type: "search", placeholder: t("filter_calls"), "aria-label": t("filter_calls") });
  private readonly only = h("select", { "aria-label": t("filter_case") });
  private readonly marks = new Map<number, Finding[]>();
  private readonly slowest: number;
  private readonly timeline: Timeline;
  private readonly hover: HoverDocs;
  private limit = PAGE;

  constructor(
    private readonly verdict: VerdictView,
    private readonly links: PanelLinks,
  ) {
    for (const finding of verdict.findings) if (finding.call !== null) this.marks.set(finding.call, [...(this.marks.get(finding.call) ?? []), finding]);
    this.slowest = Math.max(1, ...verdict.calls.map((call) => call.micros));
    this.timeline = timeline(new Set(this.marks.keys()), (index) => this.show(index));
    this.hover = new HoverDocs(() => links.language());
    this.fillChoices();
    this.filter.addEventListener("input", () => this.draw());
    this.only.addEventListener("change", () => this.draw());
    this.more.addEventListener("click", () => {
      const shown = all(".call", this.list).length;
      this.limit += PAGE;
      this.draw();
      all(".call summary", this.list)[shown]?.focus({ preventScroll: true }); // the button goes with the last page
    });
    const dropped = verdict.calls_dropped ? h("p", { class: "notice" }, t("calls_dropped", { n: verdict.calls_dropped })) : null;
    this.element = h("div", { class: "trace" }, h("div", { class: "trace-bar" }, this.filter, this.only, this.count), this.timeline.element, this.hover.element, this.list, this.more, dropped);
    this.draw();
  }

  show(index: number): void {
    const call = this.verdict.calls.find((one) => one.index === index);
    if (!call) return;
    if (!this.chosen(call)) this.filter.value = this.only.value = "";
    this.limit = Math.max(this.limit, this.verdict.calls.indexOf(call) + 1);
    this.draw();
    const row = all("[data-call]", this.list).find((item) => item.dataset["call"] === String(index));
    const details = row?.querySelector("details");
    if (!row || !details) return;
    details.open = true;
    row.scrollIntoView({ block: "center" });
    details.querySelector("summary")?.focus({ preventScroll: true });
  }

  private fillChoices(): void {
    const cases = [...new Set(this.verdict.calls.map((call) => call.case).filter(Boolean))];
    this.only.append(h("option", { value: "" }, t("all_calls")));
    if (this.marks.size) this.only.append(h("option", { value: "!marked" }, t("marked_calls")));
    if (this.verdict.calls.some((call) => call.status)) this.only.append(h("option", { value: "!failed" }, t("failed_calls")));
    for (const name of cases) this.only.append(h("option", { value: name }, t("calls_of_case", { name })));
  }

  private chosen(call: Call): boolean {
    const text = this.filter.value.trim().toLowerCase();
    if (text && !`${call.name} ${call.status_name} ${argumentText(call)}`.toLowerCase().includes(text)) return false;
    if (this.only.value === "!marked") return this.marks.has(call.index);
    if (this.only.value === "!failed") return call.status !== 0;
    return !this.only.value || call.case === this.only.value;
  }

  /** Calls of one case: between cases lies the grader's own time, which would hide everything else. */
  private onAxis(calls: Call[]): Call[] {
    const telling = calls.find((call) => this.marks.has(call.index) || call.status !== 0) ?? calls[0];
    return calls.filter((call) => call.case === telling?.case);
  }

  private draw(): void {
    const calls = this.verdict.calls.filter((call) => this.chosen(call));
    const links = { ...bound(this.links), hover: this.hover, light: (index: number | null) => this.timeline.light(index) };
    this.hover.hide();
    const drawn = this.onAxis(calls);
    this.timeline.draw(drawn, drawn[0]?.case ? t("calls_of_case", { name: drawn[0].case }) : "");
    let last = "";
    const rows: HTMLElement[] = [];
    for (const call of calls.slice(0, this.limit)) {
      if (call.case !== last && call.case) rows.push(h("li", { class: "call-case" }, t("calls_of_case", { name: call.case })));
      last = call.case;
      rows.push(callRow(call, this.marks.get(call.index) ?? [], this.slowest, links));
    }
    this.list.replaceChildren(...rows);
    this.count.textContent = t("calls_shown", { shown: Math.min(this.limit, calls.length), n: this.verdict.calls.length });
    this.more.hidden = calls.length <= this.limit;
    this.more.textContent = t("more_calls", { n: calls.length - this.limit });
  }
}

/** The links as plain functions, so that they can be spread. */
function bound(links: PanelLinks): PanelLinks {
  return { reveal: (...place) => links.reveal(...place), mark: (line) => links.mark(line), language: () => links.language() };
}
