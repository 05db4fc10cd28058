/** A whole verdict: what to do next, then tabs for cases, cuDNN calls and what was printed. */
import { h } from "../lib/dom";
import { duration, t } from "../lib/strings";
import type { VerdictView } from "../lib/types";
import { visible } from "../lib/visible";
import { caseList } from "./cases";
import { diagnosticList } from "./diagnostics";
import { findingList } from "./findings";
import type { PanelLinks } from "./links";
import { tabs, type Tab } from "./tabs";
import { traceView } from "./trace";

export function verdictView(verdict: VerdictView, links: PanelLinks): HTMLElement[] {
  const trace = verdict.calls.length ? traceView(verdict, links) : null;
  const set = tabs(tabList(verdict, links, trace?.element ?? null));
  const toCall = (index: number): void => {
    set.select("calls");
    trace?.show(index);
  };
  const parts = [
    verdict.explanation ? h("p", { class: "explanation" }, verdict.explanation) : null,
    timed(verdict),
    diagnosticList(verdict.diagnostics, links),
    findingList(verdict.findings, links, toCall),
    set.element,
    foot(verdict),
  ];
  return parts.filter((part) => part !== null);
}

function tabList(verdict: VerdictView, links: PanelLinks, trace: HTMLElement | null): Tab[] {
  const list: Tab[] = [];
  if (verdict.cases.length) list.push({ id: "cases", title: t("tab_cases", { passed: verdict.passed, total: verdict.total }), content: caseList(verdict, links) });
  if (trace) list.push({ id: "calls", title: t("tab_calls", { n: verdict.calls.length + verdict.calls_dropped }), content: trace });
  const printed = [verdict.stdout, verdict.stderr].filter(Boolean);
  if (printed.length) list.push({ id: "printed", title: t("tab_printed"), content: printedView(verdict) });
  return list;
}

function printedView(verdict: VerdictView): HTMLElement {
  const block = (title: string, text: string): HTMLElement | null =>
    text ? h("section", { class: "printed" }, h("h3", {}, title), h("pre", { tabindex: 0, role: "region", "aria-label": title }, visible(text))) : null;
  return h("div", {}, block(t("stdout"), verdict.stdout), block(t("stderr"), verdict.stderr));
}

/** The time that counts on the board, or would count on a GPU. */
function timed(verdict: VerdictView): HTMLElement | null {
  const { seconds, median } = verdict.timing ?? {};
  if (!seconds || median === undefined || verdict.code !== "accepted") return null;
  const ranked = verdict.backend?.name === "gpu" ? t("timed_ranked") : t("timed_unranked");
  return h("p", { class: "timed numbers" }, `${t("timed", { time: `${(median * 1000).toFixed(3)} ms`, n: seconds.length })} ${ranked}`);
}

/** Where the time went, and the seed that makes the same inputs again. */
function foot(verdict: VerdictView): HTMLElement {
  const phases = ["compile", "start", "run", "compare", "total"].filter((name) => verdict.timings[name] !== undefined);
  const times = phases.map((name) => h("span", {}, `${t(`time_${name}`)} ${duration(verdict.timings[name] ?? 0)}`));
  return h("p", { class: "result-foot numbers" }, ...times, verdict.seed ? h("span", {}, t("seed", { seed: verdict.seed })) : null);
}
