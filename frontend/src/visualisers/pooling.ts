/** `<fp-pooling data-size data-window data-pad data-stride data-mode="max|include|exclude">`: pooling's window over its input. */
import { h, numberData, svg } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import { choice, parameter, player, type Parameter } from "./controls";
import { type Geometry, inputAt, isInput, outputSize, unused } from "./convolution-math";
import { CELL, cell, GAP, grid, hatch, labelled } from "./grid";
import { Place, restage } from "./window";

const MODES = ["max", "include", "exclude"] as const;
export type Mode = (typeof MODES)[number];

/** The input values that window (p, q) covers; the padding holds none. */
export function covered(g: Geometry, p: number, q: number): number[] {
  const values: number[] = [];
  for (let r = p * g.stride; r < p * g.stride + g.kernel; r++)
    for (let s = q * g.stride; s < q * g.stride + g.kernel; s++) if (isInput(g, r, s)) values.push(inputAt(g, r, s));
  return values;
}

export function pooled(g: Geometry, p: number, q: number, mode: Mode): number {
  const values = covered(g, p, q);
  if (mode === "max") return Math.max(...values);
  return values.reduce((a, b) => a + b, 0) / (mode === "include" ? g.kernel * g.kernel : values.length);
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

class Pooling extends HTMLElement {
  private parameters!: Record<"size" | "window" | "pad" | "stride", Parameter>;
  private mode: Mode = "max";
  private readonly place = new Place(() => this.draw());
  private readonly stage = h("div", { class: "conv-stage" });
  private readonly formula = h("p", { class: "visual-formula mono" });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    this.mode = MODES.find((mode) => mode === this.dataset["mode"]) ?? "max";
    const make = (key: string, label: string, value: number, min: number, max: number): Parameter => parameter(t(label), numberData(this, key, value), min, max, () => this.draw());
    this.parameters = { size: make("size", "conv_size", 7, 2, 9), window: make("window", "pool_window", 2, 1, 4), pad: make("pad", "conv_pad", 0, 0, 3), stride: make("stride", "conv_stride", 2, 1, 4) };
    const modes = choice(t("conv_mode"), MODES.map((mode) => [mode, t(`pool_${mode}`)]), this.mode, (value) => {
      this.mode = value as Mode;
      this.draw();
    });
    const play = player(() => this.place.advance());
    const step = h("button", { type: "button", class: "button", onclick: () => void this.place.advance() }, t("step"));
    this.append(h("div", { class: "visual-controls" }, ...Object.values(this.parameters).map((each) => each.element)), h("div", { class: "visual-actions" }, modes, play.element, step), this.stage, this.formula, this.said);
    this.draw();
  }

  private geometry(): Geometry {
    const kernel = this.parameters.window.value();
    this.parameters.pad.limit(0, kernel - 1); // a window that lies in the padding alone would have no value
    return { size: this.parameters.size.value(), kernel, pad: this.parameters.pad.value(), stride: this.parameters.stride.value(), dilation: 1 };
  }

  private draw(): void {
    const g = this.geometry();
    const out = outputSize(g);
    this.place.within(out);
    const outputs = this.place.outputs((row, column) => short(pooled(g, row, column, this.mode)), t("pool_output_help"));
    restage(this.stage, this.input(g, out), outputs);
    const whole = `(${g.size} + 2·${g.pad} − ${g.kernel}) / ${g.stride}`;
    this.formula.textContent = out ? `1 + ⌊${whole}⌋ = ${out}` : `${g.size} + 2·${g.pad} < ${g.kernel}`;
    this.said.textContent = out ? this.sentence(g) : t("pool_does_not_fit");
  }

  private sentence(g: Geometry): string {
    const values = covered(g, this.place.p, this.place.q);
    const said = t(`pool_said_${this.mode}`, { p: this.place.p, q: this.place.q, value: shortNumber(pooled(g, this.place.p, this.place.q, this.mode)), values: values.join(", "), n: this.mode === "include" ? g.kernel * g.kernel : values.length });
    return unused(g) ? `${said} ${t("pool_unused", { n: unused(g) })}` : said;
  }

  private input(g: Geometry, out: number): HTMLElement {
    const side = g.size + 2 * g.pad;
    const picture = grid(side, side, t("conv_input"));
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        const real = isInput(g, row, column);
        picture.append(...cell(row, column, real ? "cell-input" : "cell-pad", real ? String(inputAt(g, row, column)) : ""));
        if (out && (row >= side - unused(g) || column >= side - unused(g))) picture.append(svg("path", { class: "cell-unused", d: hatch(row, column) }));
      }
    const [x, y, size] = [this.place.q * g.stride * CELL - 1, this.place.p * g.stride * CELL - 1, g.kernel * CELL - GAP + 2];
    if (out) picture.append(svg("rect", { class: "kernel-frame", x, y, width: size, height: size, rx: 3 }));
    return labelled(t(g.pad ? "conv_input_title" : "conv_input_plain", { n: side, size: g.size }), picture);
  }

}

customElements.define("fp-pooling", Pooling);
