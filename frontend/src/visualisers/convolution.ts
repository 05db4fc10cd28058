/** `<fp-convolution data-size data-kernel data-pad data-stride data-dilation>`: the kernel's way over the padded input. */
import { h, numberData, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { choice, parameter, player, type Parameter } from "./controls";
import { type Geometry, inputAt, isInput, outputSize, reach, sum, taps, unused, type Tap } from "./convolution-math";
import { CELL, cell, GAP, grid, hatch, labelled } from "./grid";
import { Place, restage } from "./window";

class Convolution extends HTMLElement {
  private parameters!: Record<"size" | "kernel" | "pad" | "stride" | "dilation", Parameter>;
  private flip = false;
  private readonly place = new Place(() => this.draw());
  private readonly stage = h("div", { class: "conv-stage" });
  private readonly said = h("p", { class: "visual-said", role: "status" });
  private readonly formula = h("p", { class: "visual-formula mono" });

  connectedCallback(): void {
    if (this.firstChild) return;
    const make = (key: string, value: number, min: number, max: number): Parameter => parameter(t(`conv_${key}`), numberData(this, key, value), min, max, () => this.draw());
    this.parameters = { size: make("size", 5, 1, 9), kernel: make("kernel", 3, 1, 5), pad: make("pad", 1, 0, 3), stride: make("stride", 2, 1, 4), dilation: make("dilation", 1, 1, 3) };
    const mode = choice(t("conv_mode"), [["cross", t("conv_cross")], ["flip", t("conv_flip")]], "cross", (value) => {
      this.flip = value === "flip";
      this.draw();
    });
    const play = player(() => this.place.advance());
    this.append(
      h("div", { class: "visual-controls" }, ...Object.values(this.parameters).map((each) => each.element)),
      h("div", { class: "visual-actions" }, mode, play.element, h("button", { type: "button", class: "button", onclick: () => void this.place.advance() }, t("step"))),
      this.stage,
      this.formula,
      this.said,
    );
    this.draw();
  }

  private geometry(): Geometry {
    const value = (key: keyof typeof this.parameters): number => this.parameters[key].value();
    return { size: value("size"), kernel: value("kernel"), pad: value("pad"), stride: value("stride"), dilation: value("dilation") };
  }

  private draw(): void {
    const g = this.geometry();
    const out = outputSize(g);
    this.place.within(out);
    const list = out ? taps(g, this.place.p, this.place.q, this.flip) : [];
    const outputs = this.place.outputs((row, column) => String(sum(taps(g, row, column, this.flip))), t("conv_output_help"));
    restage(this.stage, this.input(g, list), outputs);
    this.explain(g, out, list);
  }

  private input(g: Geometry, list: Tap[]): HTMLElement {
    const side = g.size + 2 * g.pad;
    const spare = unused(g);
    const picture = grid(side, side, t("conv_input"));
    const numbers: SVGElement[] = []; // drawn last, so that the window does not dim them
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        const dropped = row >= side - spare || column >= side - spare;
        const [box, text] = cell(row, column, isInput(g, row, column) ? "cell-input" : "cell-pad", String(inputAt(g, row, column)));
        picture.append(box);
        numbers.push(text);
        if (dropped) picture.append(svg("path", { class: "cell-unused", d: hatch(row, column) }));
      }
    if (list.length) picture.append(...this.window(g, list));
    picture.append(...numbers);
    return labelled(t(g.pad ? "conv_input_title" : "conv_input_plain", { n: side, size: g.size }), picture);
  }

  private window(g: Geometry, list: Tap[]): SVGElement[] {
    const size = reach(g) * CELL;
    const frame = svg("rect", { class: "kernel-frame", x: this.place.q * g.stride * CELL - 1, y: this.place.p * g.stride * CELL - 1, width: size - GAP + 2, height: size - GAP + 2, rx: 3 });
    const marks = list.flatMap((tap) => [
      svg("rect", { class: "kernel-tap", x: tap.column * CELL, y: tap.row * CELL, width: CELL - GAP, height: CELL - GAP, rx: 2 }),
      svg("text", { class: "kernel-weight", x: tap.column * CELL + CELL - GAP - 2, y: tap.row * CELL + 10 }, `×${tap.weight}`),
    ]);
    return [...marks, frame];
  }

  private explain(g: Geometry, out: number, list: Tap[]): void {
    const whole = `(${g.size} + 2·${g.pad} − ${reach(g)}) / ${g.stride}`;
    this.formula.textContent = out ? `1 + ⌊${whole}⌋ = ${out}` : `${g.size} + 2·${g.pad} < ${reach(g)}`;
    if (!out) this.said.textContent = t("conv_does_not_fit");
    else {
      const spare = unused(g);
      const value = t("conv_value", { p: this.place.p, q: this.place.q, value: sum(list), n: list.length });
      this.said.textContent = spare ? `${value} ${t("conv_unused", { n: spare })}` : value;
    }
  }
}

customElements.define("fp-convolution", Convolution);
