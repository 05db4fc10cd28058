/** `<fp-rounding data-value>`: one number as FP32, TF32, FP16, BF16 and INT8 keep it, bit by bit. */
import { h, numberData } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import { bits, FORMATS, quantised, rounded } from "./rounding-math";

const EXAMPLES = ["0.1", "3.14159", "1.0009765625", "2049", "65504", "70000", "0.00000006"];
const SCALES = ["0.01", "0.1", "1"];

class Rounding extends HTMLElement {
  private readonly box = h("input", { type: "text", inputmode: "decimal", class: "rounding-value", "aria-label": t("round_value") });
  private readonly scale = h("select", { "aria-label": t("round_scale") }, ...SCALES.map((scale) => h("option", { value: scale, selected: scale === "0.1" }, scale)));
  private readonly stage = h("div", { class: "rounding-stage", tabindex: 0, role: "region", "aria-label": t("round_kept") });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    this.box.value = String(numberData(this, "value", 0.1));
    for (const input of [this.box, this.scale]) input.addEventListener("input", () => this.draw());
    const examples = EXAMPLES.map((value) => h("button", { type: "button", class: "button", onclick: () => this.take(value) }, value));
    this.append(h("div", { class: "visual-actions" }, h("label", {}, `${t("round_value")} `, this.box), h("label", {}, `${t("round_scale")} `, this.scale)), h("div", { class: "visual-actions", role: "group", "aria-label": t("round_examples") }, ...examples), this.stage, this.said);
    this.draw();
  }

  private take(value: string): void {
    this.box.value = value;
    this.draw();
  }

  private draw(): void {
    const value = Number(this.box.value.trim().replace(",", "."));
    const bad = this.box.value.trim() === "" || !Number.isFinite(value);
    this.box.setAttribute("aria-invalid", String(bad));
    this.said.dataset["tone"] = bad ? "bad" : "";
    if (bad) this.said.textContent = t("round_not_a_number");
    else this.show(value);
  }

  private show(value: number): void {
    const rows = FORMATS.map((format) => {
      const kept = rounded(value, format);
      const parts = bits(kept, format).map((part, i) => h("span", { class: `bits-${["sign", "exponent", "mantissa"][i]}` }, part));
      return this.row(format.name, h("span", { class: "bits" }, ...parts), kept, value);
    });
    const int8 = quantised(value, Number(this.scale.value));
    rows.push(this.row("INT8", h("span", { class: "bits" }, `${int8.stored} × ${this.scale.value}`), int8.value, value));
    const head = h("tr", {}, ...["round_type", "round_bits", "round_kept", "round_error"].map((key) => h("th", { scope: "col" }, t(key))));
    this.stage.replaceChildren(h("table", { class: "rounding-table" }, h("thead", {}, head), h("tbody", {}, ...rows)));
    const lost = FORMATS.filter((format) => !Number.isFinite(rounded(value, format)));
    const gone = FORMATS.filter((format) => value !== 0 && rounded(value, format) === 0);
    const names = (list: typeof FORMATS): string => list.map((format) => format.name).join(", ");
    this.said.textContent = lost.length ? t("round_said_overflow", { names: names(lost) }) : gone.length ? t("round_said_underflow", { names: names(gone) }) : t("round_said");
  }

  private row(name: string, picture: Element, kept: number, value: number): HTMLElement {
    const error = value === 0 ? 0 : Math.abs(kept - value) / Math.abs(value);
    const tone = error > 0.1 ? "bad" : "";
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, picture), h("td", { class: "mono" }, Number.isFinite(kept) ? String(Number(kept.toPrecision(9))) : kept > 0 ? "+∞" : "−∞"), h("td", { class: "mono", "data-tone": tone }, Number.isFinite(kept) ? shortNumber(error) : "∞"));
  }
}

customElements.define("fp-rounding", Rounding);
