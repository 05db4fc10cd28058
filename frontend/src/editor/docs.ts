/** Documentation of one name, as a small box for hover, completion and the call list. */
import { h } from "../lib/dom";
import { t } from "../lib/strings";
import type { Completion, Language } from "../lib/types";
import { declaration } from "./api";

export function docBox(item: Completion, language: Language): HTMLElement {
  return h(
    "div",
    { class: "doc-box" },
    h("pre", {}, declaration(item, language)),
    item.deprecated ? h("p", { class: "deprecated" }, item.deprecated) : null,
    item.doc ? h("p", {}, item.doc) : null,
    item.url ? h("p", {}, h("a", { href: item.url, target: "_blank", rel: "noopener" }, t("open_reference"))) : null,
  );
}
