/** What the rules found in the call trace, in words, each leading to the call and the line. */
import { h } from "../lib/dom";
import { t } from "../lib/strings";
import type { Finding } from "../lib/types";
import type { PanelLinks } from "./links";

const TONE: Record<Finding["severity"], string> = { required: "bad", advised: "hot", info: "cool" };

export function findingList(findings: Finding[], links: PanelLinks, toCall: (index: number) => void): HTMLElement | null {
  if (findings.length === 0) return null;
  return h("section", { class: "findings" }, h("h3", {}, t("findings_title")), h("ul", {}, ...findings.map((finding) => item(finding, links, toCall))));
}

function item(finding: Finding, links: PanelLinks, toCall: (index: number) => void): HTMLElement {
  const { call, line } = finding;
  return h(
    "li",
    {},
    h("span", { class: `label ${TONE[finding.severity]}` }, t(`severity_${finding.severity}`)),
    h("span", {}, finding.sentence),
    h(
      "span",
      { class: "finding-links" },
      call !== null ? h("button", { type: "button", class: "link", onclick: () => toCall(call) }, t("show_call", { n: call + 1 })) : null,
      line > 0 ? h("button", { type: "button", class: "link", onclick: () => links.reveal(line) }, t("line", { line })) : null,
      finding.url ? h("a", { href: finding.url }, t("read_about_it")) : null,
    ),
  );
}
