/** `<fp-convolution data-size data-kernel data-pad data-stride data-dilation>`: the kernel's way over the padded input. */
import { h, numberData, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { choice, parameter, player, type Parameter } from "./controls";
import { CELL, cell, GAP, grid, hatch, labelled, moved } from "./grid";
import { type Geometry, inputAt, outputSize, reach, sum, taps, unused, type Tap } from "./convolution-math";

class Convolution extends HTMLElement {
  private parameters!: Record<"size" | "kernel" | "pad" | "stride" | "dilation", Parameter>;
  private flip = false;
  private p = 0;
  private q = 0;
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
    const play = player(() => this.advance());
    this.append(
      h("div", { class: "visual-controls" }, ...Object.values(this.parameters).map((each) => each.element)),
      h("div", { class: "visual-actions" }, mode, play.element, h("button", { type: "button", class: "button", onclick: () => void this.advance() }, t("step"))),
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

  /** To the next output element; false after the last, from which the next step begins again. */
  private advance(): boolean {
    const out = outputSize(this.geometry());
    if (out === 0) return false;
    const next = (this.p * out + this.q + 1) % (out * out);
    [this.p, this.q] = [Math.floor(next / out), next % out];
    this.draw();
    return next !== out * out - 1;
  }

  private draw(): void {
    const g = this.geometry();
    const out = outputSize(g);
    const last = Math.max(out - 1, 0);
    [this.p, this.q] = [Math.min(this.p, last), Math.min(this.q, last)];
    const list = out ? taps(g, this.p, this.q, this.flip) : [];
    const focused = this.stage.contains(document.activeElement);
    this.stage.replaceChildren(this.input(g, list), this.output(g, out));
    if (focused) this.stage.querySelector<HTMLElement>(".conv-output")?.focus();
    this.explain(g, out, list);
  }

  private input(g: Geometry, list: Tap[]): HTMLElement {
    const side = g.size + 2 * g.pad;
    const spare = unused(g);
    const picture = grid(side, side, t("conv_input"));
    const numbers: SVGElement[] = []; // drawn last, so that the window does not dim them
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        const inside = row >= g.pad && column >= g.pad && row < g.pad + g.size && column < g.pad + g.size;
        const dropped = row >= side - spare || column >= side - spare;
        const [box, text] = cell(row, column, inside ? "cell-input" : "cell-pad", String(inputAt(g, row, column)));
        picture.append(box);
        numbers.push(text);
        if (dropped) picture.append(svg("path", { class: "cell-unused", d: hatch(row, column) }));
      }
    if (list.length) picture.append(...this.window(g, list));
    picture.append(...numbers);
    return labelled(t("conv_input_title", { n: side, size: g.size }), picture);
  }

  private window(g: Geometry, list: Tap[]): SVGElement[] {
    const size = reach(g) * CELL;
    const frame = svg("rect", { class: "kernel-frame", x: this.q * g.stride * CELL - 1, y: this.p * g.stride * CELL - 1, width: size - GAP + 2, height: size - GAP + 2, rx: 3 });
    const marks = list.flatMap((tap) => [
      svg("rect", { class: "kernel-tap", x: tap.column * CELL, y: tap.row * CELL, width: CELL - GAP, height: CELL - GAP, rx: 2 }),
      svg("text", { class: "kernel-weight", x: tap.column * CELL + CELL - GAP - 2, y: tap.row * CELL + 11 }, String(tap.weight)),
    ]);
    return [...marks, frame];
  }

  private output(g: Geometry, out: number): HTMLElement {
    const picture = grid(Math.max(out, 1), Math.max(out, 1), t("conv_output"));
    for (let row = 0; row < out; row++)
      for (let column = 0; column < out; column++) {
        const here = row === this.p && column === this.q;
        const marks = cell(row, column, here ? "cell-output here" : "cell-output", String(sum(taps(g, row, column, this.flip))));
        for (const mark of marks) mark.addEventListener("pointerenter", () => this.go(row, column));
        picture.append(...marks);
      }
    const frame = labelled(t("conv_output_title", { n: out }), picture);
    frame.classList.add("conv-output");
    frame.tabIndex = 0;
    frame.setAttribute("role", "application");
    frame.setAttribute("aria-label", t("conv_output_help"));
    frame.addEventListener("keydown", (event) => this.key(event, out));
    return frame;
  }

  private go(p: number, q: number): void {
    if (p === this.p && q === this.q) return;
    [this.p, this.q] = [p, q];
    this.draw();
  }

  private key(event: KeyboardEvent, out: number): void {
    const [p, q] = moved(event, this.p, this.q, out);
    this.go(p, q);
  }

  private explain(g: Geometry, out: number, list: Tap[]): void {
    const whole = `(${g.size} + 2·${g.pad} − ${reach(g)}) / ${g.stride}`;
    this.formula.textContent = out ? `1 + ⌊${whole}⌋ = ${out}` : `${g.size} + 2·${g.pad} < ${reach(g)}`;
    if (!out) this.said.textContent = t("conv_does_not_fit");
    else {
      const spare = unused(g);
      const value = t("conv_value", { p: this.p, q: this.q, value: sum(list), n: list.length });
      this.said.textContent = spare ? `${value} ${t("conv_unused", { n: spare })}` : value;
    }
  }
}

customElements.define("fp-convolution", Convolution);
