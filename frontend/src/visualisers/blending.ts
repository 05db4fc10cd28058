/** `<fp-blending data-alpha data-beta>`: y = alpha * result + beta * y, and why beta = 0 is not "times zero". */
import { h, numberData, svg } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import { choice, parameter, type Parameter } from "./controls";
import { CELL, cell, grid } from "./grid";

const RESULT = [4, -2, 6, 1];
const OLD = { numbers: [10, 20, 30, 40], unset: [NaN, NaN, NaN, NaN] };

/** What the call leaves in y: with beta = 0 the old value is not read at all. */
export function blended(alpha: number, beta: number, result: number, old: number): number {
  return beta === 0 ? alpha * result : alpha * result + beta * old;
}

class Blending extends HTMLElement {
  private alpha!: Parameter;
  private beta!: Parameter;
  private old: keyof typeof OLD = "numbers";
  private readonly stage = h("div", { class: "blend-stage" });
  private readonly formula = h("p", { class: "visual-formula mono" });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    this.alpha = parameter("alpha", numberData(this, "alpha", 1), -1, 2, () => this.draw(), 0.5);
    this.beta = parameter("beta", numberData(this, "beta", 1), -1, 2, () => this.draw(), 0.5);
    const old = choice(t("blend_old"), [["numbers", t("blend_numbers")], ["unset", t("blend_unset")]], this.old, (value) => {
      this.old = value as keyof typeof OLD;
      this.draw();
    });
    this.append(h("div", { class: "visual-controls" }, this.alpha.element, this.beta.element), h("div", { class: "visual-actions" }, old), this.stage, this.formula, this.said);
    this.draw();
  }

  private draw(): void {
    const [alpha, beta, old] = [this.alpha.value(), this.beta.value(), OLD[this.old]];
    const after = RESULT.map((result, i) => blended(alpha, beta, result, old[i] ?? 0));
    this.stage.replaceChildren(
      this.row(t("blend_result"), RESULT, "cell-output"),
      this.row(t("blend_before"), old, beta === 0 ? "cell-pad" : "cell-input"),
      this.row(t("blend_after"), after, "cell-output here"),
    );
    const first = shortNumber(after[0] ?? 0);
    this.formula.textContent = beta === 0 ? `${alpha} · 4 = ${first}` : `${alpha} · 4 + ${beta} · ${old[0]} = ${first}`;
    const bad = beta !== 0 && this.old === "unset";
    this.said.textContent = t(bad ? "blend_said_nan" : beta === 0 ? "blend_said_overwrites" : "blend_said_adds", { alpha, beta });
    this.said.dataset["tone"] = bad ? "bad" : "";
  }

  private row(title: string, values: number[], kind: string): HTMLElement {
    const picture = grid(1, values.length, `${title}: ${values.join(", ")}`);
    values.forEach((value, i) => picture.append(...cell(0, i, kind, Number.isNaN(value) ? "NaN" : String(value))));
    if (kind === "cell-pad") picture.append(svg("path", { class: "cell-unused", d: `M0 ${CELL / 2 - 2}H${values.length * CELL}` }));
    return h("div", { class: "conv-side" }, h("p", { class: "visual-title" }, title), picture);
  }
}

customElements.define("fp-blending", Blending);
