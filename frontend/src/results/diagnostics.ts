/** Compiler messages; each location is a button that selects the code. */
import { h } from "../lib/dom";
import { t } from "../lib/strings";
import type { Diagnostic } from "../lib/types";
import { visible } from "../lib/visible";
import type { PanelLinks } from "./links";

export function diagnosticList(diagnostics: Diagnostic[], links: PanelLinks): HTMLElement | null {
  if (diagnostics.length === 0) return null;
  const items = diagnostics.map((d) =>
    h(
      "li",
      { class: d.severity },
      d.line > 0 ? h("button", { type: "button", class: "link mono", onclick: () => links.reveal(d.line, d.column, d.end_column) }, d.column ? t("line_column", { line: d.line, column: d.column }) : t("line", { line: d.line })) : null,
      h("span", { class: `label ${d.severity === "error" ? "bad" : d.severity === "warning" ? "hot" : ""}` }, t(`severity_${d.severity}`)),
      h("code", { lang: "en" }, visible(d.message)),
    ),
  );
  return h("section", { class: "diagnostics" }, h("h3", {}, t("compiler_says")), h("ol", {}, ...items));
}
