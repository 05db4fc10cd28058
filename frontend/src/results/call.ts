/** One call of the trace: a line that opens to all arguments, what came back, and the documentation. */
import { breakable } from "../lib/breaks";
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import type { Call, Finding } from "../lib/types";
import { visible } from "../lib/visible";
import { apiTable } from "../editor/api";
import { docBox } from "../editor/docs";
import type { HoverDocs } from "./hover";
import type { PanelLinks } from "./links";
import { duration } from "./timeline";
import { fullText, valueText } from "./values";

export interface RowLinks extends PanelLinks {
  hover: HoverDocs;
  /** The call that is pointed at; null for none. */
  light(index: number | null): void;
}

export function callRow(call: Call, findings: Finding[], slowest: number, links: RowLinks): HTMLElement {
  const row = h("li", { "data-call": call.index, class: findings.length ? "call marked" : "call" });
  const body = h("div", { class: "call-body" });
  const details = h("details", {}, summary(call, findings, slowest, links), body);
  for (const event of ["mouseenter", "focusin"]) row.addEventListener(event, () => links.light(call.index));
  for (const event of ["mouseleave", "focusout"]) row.addEventListener(event, () => links.light(null));
  details.addEventListener("toggle", () => {
    if (details.open && !body.firstChild) body.append(...fullCall(call, findings, links));
  });
  if (call.line > 0) {
    row.addEventListener("mouseenter", () => links.mark(call.line));
    row.addEventListener("mouseleave", () => links.mark(0));
    details.addEventListener("focusin", () => links.mark(call.line));
    details.addEventListener("focusout", () => links.mark(0));
  }
  row.append(details);
  if (call.line > 0) row.append(lineButtons(call, links));
  return row;
}

/** The call's line and, where a helper made it, the lines that the helper was called from: line 22 ← 54. */
function lineButtons(call: Call, links: RowLinks): HTMLElement {
  const button = (line: number, text: string) => h("button", { type: "button", class: "link call-line numbers", "aria-label": t("line", { line }), onclick: () => links.reveal(line) }, text);
  const callers = (call.via ?? []).map((line) => button(line, `← ${line}`));
  return h("div", { class: "call-lines" }, button(call.line, t("line", { line: call.line })), ...callers);
}

/** The arguments as the row shows them, so that what can be read can be looked for. */
export function argumentText(call: Call): string {
  return Object.values(call.args).map(valueText).join(", ");
}

function summary(call: Call, findings: Finding[], slowest: number, links: RowLinks): HTMLElement {
  const name = h("span", { class: "call-name" }, ...breakable(call.name));
  const element = h(
    "summary",
    {},
    h("span", { class: "call-index numbers", "aria-hidden": true }, String(call.index + 1)),
    name,
    h("span", { class: "call-args" }, visible(`(${argumentText(call)})`)),
    statusLabel(call),
    findings.length ? h("span", { class: "call-flag", role: "img", "aria-label": t("marked") }, "⚑") : null,
    timeBar(call.micros, slowest),
    known(call.gpu_us) ? h("span", { class: "call-gpu numbers" }, `${t("gpu_lane")} ${duration(call.gpu_us)}`) : null,
    call.reason ? h("span", { class: "call-reason" }, call.reason) : null,
  );
  links.hover.watch(element, name, call.name);
  return element;
}

/** Results that were stored by an older version lack times of the GPU altogether. */
function known(time: number | null | undefined): time is number {
  return time !== null && time !== undefined;
}

function statusLabel(call: Call): HTMLElement {
  if (call.status === null) return h("span", { class: "label bad" }, t("did_not_return"));
  const name = call.status_name || String(call.status);
  if (call.status === 0) return h("span", { class: "label good" }, short(name));
  return h("span", { class: "label bad" }, short(name));
}

/** CUDNN_STATUS_BAD_PARAM → BAD_PARAM: the prefix says nothing here. */
function short(name: string): string {
  return name.replace(/^CUDNN_STATUS_/, "");
}

/** On a logarithmic scale, so that a 2 µs call and a 20 ms call both show. */
function timeBar(micros: number, slowest: number): HTMLElement {
  const width = (Math.log10(1 + micros) / Math.log10(1 + slowest)) * 40;
  return h("span", { class: "call-time numbers" }, svg("svg", { viewBox: "0 0 40 8", width: 40, height: 8, "aria-hidden": true }, svg("rect", { width: Math.max(1, width).toFixed(1), height: 8, rx: 1 })), duration(micros));
}

function fullCall(call: Call, findings: Finding[], links: PanelLinks): HTMLElement[] {
  const docs = h("div", { class: "call-docs" });
  void apiTable().then((table) => {
    const item = table.get(call.name);
    if (item) docs.append(docBox(item, links.language()));
  });
  const parts: (HTMLElement | null)[] = [
    ...findings.map((finding) => h("p", { class: "call-finding" }, finding.sentence)),
    call.status_url ? h("p", {}, h("a", { href: call.status_url }, t("what_status_means", { status: call.status_name }))) : null,
    valueTable(t("arguments"), call.args),
    valueTable(t("written"), call.outs),
    h("p", { class: "fine numbers" }, when(call)),
    docs,
  ];
  return parts.filter((part) => part !== null);
}

function when(call: Call): string {
  const host = t("call_time", { at: duration(call.at), took: duration(call.micros) });
  return known(call.gpu_us) ? `${host} ${t("call_gpu_time", { took: duration(call.gpu_us) })}` : host;
}

function valueTable(title: string, values: Record<string, unknown>): HTMLElement | null {
  const rows = Object.entries(values).map(([name, value]) => h("tr", {}, h("th", { scope: "row", class: "mono" }, name), h("td", {}, h("pre", {}, visible(fullText(value))))));
  return rows.length ? h("table", { class: "values" }, h("caption", {}, title), h("tbody", {}, ...rows)) : null;
}
