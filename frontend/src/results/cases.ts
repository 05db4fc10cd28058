/** The cases of a submission: one line each, with the first failing one opened. */
import { h } from "../lib/dom";
import { duration, t } from "../lib/strings";
import type { CaseView, VerdictView } from "../lib/types";
import { visible } from "../lib/visible";
import { comparisonView } from "./comparison";
import type { PanelLinks } from "./links";

export function caseList(verdict: VerdictView, links: PanelLinks): HTMLElement {
  const rows = verdict.cases.map((view) => caseRow(view, links, view.name === verdict.first_failed));
  return h("ol", { class: "cases" }, ...rows);
}

export function caseRow(view: CaseView, links: PanelLinks, open: boolean): HTMLElement {
  const tone = view.code === "accepted" ? "good" : view.code === "not_run" ? "" : "bad";
  const mark = { good: "✓", bad: "✗", "": "–" }[tone];
  const head = [
    h("span", { class: "mark", "aria-hidden": true }, mark),
    h("span", { class: "mono" }, view.name),
    h("span", { class: `label ${tone}` }, view.code_label),
    view.shown ? null : h("span", { class: "label" }, t("hidden_case")),
    view.seconds ? h("span", { class: "fine numbers" }, duration(view.seconds)) : null,
  ];
  const detail = details(view, links);
  const row = h("li", { class: `case ${tone}`, "data-case": view.name });
  if (detail.length === 0) row.append(h("p", { class: "case-head" }, ...head));
  else row.append(h("details", { open }, h("summary", { class: "case-head" }, ...head), h("div", { class: "case-body" }, ...detail)));
  return row;
}

function details(view: CaseView, links: PanelLinks): HTMLElement[] {
  const parts: (HTMLElement | null)[] = [
    view.sentence && view.code !== "accepted" ? h("p", {}, view.sentence) : null,
    parameters(view.parameters),
    ...faults(view, links),
    ...view.outputs.map((output) => comparisonView(output)),
    view.stdout ? h("section", { class: "printed" }, h("h3", {}, t("stdout")), h("pre", { tabindex: 0 }, visible(view.stdout))) : null,
  ];
  return parts.filter((part) => part !== null);
}

function parameters(values: Record<string, unknown>): HTMLElement | null {
  const text = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
  return text.length ? h("p", { class: "parameters" }, text.join("  ")) : null;
}

/** Where a crash or an exception happened. */
function faults(view: CaseView, links: PanelLinks): (HTMLElement | null)[] {
  const line = Number(view.data["line"] ?? 0);
  const trace = String(view.data["traceback"] ?? "");
  return [
    line > 0 ? h("p", {}, h("button", { type: "button", class: "link", onclick: () => links.reveal(line) }, t("line", { line }))) : null,
    trace ? h("pre", { class: "traceback", tabindex: 0 }, visible(trace)) : null,
  ];
}
