/** One output against the reference: the largest and mean difference, wrong elements, and where they are. */
import { h } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import type { Comparison } from "../lib/types";
import { heatMap } from "./heatmap";

export function comparisonView(output: Comparison): HTMLElement {
  const title = h("h3", { class: "output-name" }, h("code", {}, output.name), ` ${output.dtype} (${output.shape.join(", ")})`);
  if (output.problem) return h("section", { class: "comparison bad" }, title, h("p", {}, output.sentence));
  if (output.bad === 0) return h("section", { class: "comparison" }, title, h("p", { class: "fine numbers" }, t("output_right", { max: shortNumber(output.max_abs_err), tolerance: toleranceText(output) })));
  return h(
    "section",
    { class: "comparison bad" },
    title,
    output.sentence ? h("p", { class: "pattern" }, output.sentence) : null,
    measures(output),
    output.heat ? heatMap(output) : null,
    output.rows.length ? elementTable(output) : null,
  );
}

function toleranceText(output: Comparison): string {
  if (!output.atol && !output.rtol) return t("exactly");
  return `${shortNumber(output.atol)} + ${shortNumber(output.rtol)} × |y|`;
}

function measures(output: Comparison): HTMLElement {
  const comparable = output.count > output.nan_count + output.inf_count; // a difference to NaN or infinity is no number
  const difference = (value: number): string => (comparable ? shortNumber(value) : "–");
  const items: [string, string][] = [
    [t("wrong_elements"), `${output.bad} / ${output.count}`],
    [t("largest_difference"), difference(output.max_abs_err)],
    [t("mean_difference"), difference(output.mean_abs_err)],
    [t("tolerance"), toleranceText(output)],
  ];
  if (output.nan_count) items.push(["NaN", String(output.nan_count)]);
  if (output.inf_count) items.push(["±inf", String(output.inf_count)]);
  return h("dl", { class: "measures numbers" }, ...items.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function elementTable(output: Comparison): HTMLElement {
  const head = [t("index"), t("expected"), t("yours"), t("difference"), t("times_tolerance")];
  const rows = output.rows.map((row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "mono" }, `[${row.index.join(", ")}]`),
      h("td", { class: "number mono" }, row.expected),
      h("td", { class: "number mono yours" }, row.yours),
      h("td", { class: "number mono" }, row.difference),
      h("td", { class: "number mono" }, row.ratio >= 1e9 ? "–" : `${shortNumber(row.ratio)}×`),
    ),
  );
  const label = t("wrong_table", { name: output.name, shown: output.rows.length, bad: output.bad });
  return h(
    "div",
    { class: "table elements", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, h("caption", {}, label), h("thead", {}, h("tr", {}, ...head.map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))), h("tbody", {}, ...rows)),
  );
}
