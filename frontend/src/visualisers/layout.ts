/** `<fp-layout data-n data-c data-h data-w data-format>`: where an element of a tensor lies in memory, by its strides. */
import { h, numberData, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { onWidth } from "../lib/width";
import { choice, parameter, type Parameter } from "./controls";

type Dims = [number, number, number, number];
type Format = "NCHW" | "NHWC";

const CELL = 26;
const NAMES = ["n", "c", "h", "w"] as const;

/** Strides in elements of a packed tensor, in the order n, c, h, w whatever the format. */
export function strides([, c, height, w]: Dims, format: Format): Dims {
  return format === "NCHW" ? [c * height * w, height * w, w, 1] : [height * w * c, 1, w * c, c];
}

function offset(index: Dims, by: Dims): number {
  return index.reduce((sum, at, i) => sum + at * (by[i] ?? 0), 0);
}

class Layout extends HTMLElement {
  private parameters!: Parameter[];
  private format: Format = "NCHW";
  private index: Dims = [0, 0, 0, 0];
  private readonly stage = h("div", { class: "layout-stage" });
  private readonly formula = h("p", { class: "visual-formula mono" });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    if (this.dataset["format"]?.toUpperCase() === "NHWC") this.format = "NHWC";
    const make = (name: (typeof NAMES)[number], value: number, max: number): Parameter => parameter(name.toUpperCase(), numberData(this, name, value), 1, max, () => this.draw());
    this.parameters = [make("n", 2, 2), make("c", 3, 4), make("h", 2, 3), make("w", 3, 4)];
    const formats = choice(t("layout_format"), [["NCHW", "NCHW"], ["NHWC", "NHWC"]], this.format, (value) => {
      this.format = value as Format;
      this.draw();
    });
    this.append(h("div", { class: "visual-controls" }, ...this.parameters.map((each) => each.element)), h("div", { class: "visual-actions" }, formats), this.stage, this.formula, this.said);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.stage.setAttribute("aria-label", t("layout_help"));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.draw();
    onWidth(this, () => this.draw());
  }

  private dims(): Dims {
    return this.parameters.map((each) => each.value()) as Dims;
  }

  private draw(): void {
    const dims = this.dims();
    this.index = this.index.map((at, i) => Math.min(at, (dims[i] ?? 1) - 1)) as Dims;
    const by = strides(dims, this.format);
    this.stage.replaceChildren(this.planes(dims), this.memory(dims, by));
    const at = offset(this.index, by);
    this.formula.textContent = `${this.index.map((value, i) => `${value}·${by[i]}`).join(" + ")} = ${at}`;
    this.said.textContent = t("layout_said", { index: this.index.join(", "), strides: by.join(", "), offset: at });
  }

  /** The tensor as one looks at it: a plane a channel, a row of planes an image. */
  private planes([n, c, height, w]: Dims): HTMLElement {
    const box = h("div", { class: "layout-planes" });
    for (let image = 0; image < n; image++) {
      const row = h("div", { class: "layout-image" }, h("span", { class: "visual-title" }, `n = ${image}`));
      for (let channel = 0; channel < c; channel++) row.append(this.plane(image, channel, height, w));
      box.append(row);
    }
    return box;
  }

  private plane(n: number, c: number, height: number, w: number): SVGSVGElement {
    const picture = svg("svg", { viewBox: `-1 -1 ${w * CELL + 2} ${height * CELL + 2}`, width: w * CELL + 2, height: height * CELL + 2, "aria-hidden": true });
    for (let y = 0; y < height; y++) for (let x = 0; x < w; x++) picture.append(...this.cell([n, c, y, x], x * CELL, y * CELL));
    return picture;
  }

  /** The same elements as they lie in memory, as many a line as fit, at most sixteen. */
  private memory(dims: Dims, by: Dims): HTMLElement {
    const total = dims.reduce((a, b) => a * b, 1);
    const room = Math.floor(((this.clientWidth || 600) - 4) / CELL);
    const perLine = Math.min(total, 16, room);
    const lines = Math.ceil(total / perLine);
    const high = CELL + 15;
    const picture = svg("svg", { viewBox: `-1 -1 ${perLine * CELL + 2} ${lines * high + 2}`, width: perLine * CELL + 2, height: lines * high + 2, "aria-hidden": true });
    for (const index of indices(dims)) {
      const at = offset(index, by);
      const [x, y] = [(at % perLine) * CELL, Math.floor(at / perLine) * high];
      picture.append(...this.cell(index, x, y));
      picture.append(svg("text", { class: "memory-offset", x: x + CELL / 2 - 1, y: y + CELL + 9 }, String(at)));
    }
    return h("div", { class: "layout-memory" }, h("p", { class: "visual-title" }, t("layout_memory")), picture);
  }

  private cell(index: Dims, x: number, y: number): SVGElement[] {
    const here = index.join() === this.index.join();
    const kind = `channel-${index[1]}${index[0] ? " second" : ""}${here ? " here" : ""}`;
    const marks = [
      svg("rect", { class: `layout-cell ${kind}`, x, y, width: CELL - 2, height: CELL - 2, rx: 2 }),
      svg("text", { class: `layout-text${here ? " here" : ""}`, x: x + CELL / 2 - 1, y: y + CELL / 2 + 3 }, `${"abcd"[index[1]]}${index[2] * (this.dims()[3] ?? 1) + index[3]}`),
    ];
    for (const mark of marks) mark.addEventListener("pointerenter", () => this.go(index));
    return marks;
  }

  private go(index: Dims): void {
    if (index.join() === this.index.join()) return;
    this.index = index;
    this.draw();
  }

  /** Arrows move in h and w, Page Up and Down through channels, Home and End through images. */
  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: [3, -1], ArrowRight: [3, 1], ArrowUp: [2, -1], ArrowDown: [2, 1], PageUp: [1, -1], PageDown: [1, 1], Home: [0, -1], End: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const [axis = 0, step = 0] = by;
    const limit = (this.dims()[axis] ?? 1) - 1;
    this.go(this.index.with(axis, Math.min(Math.max((this.index[axis] ?? 0) + step, 0), limit)) as Dims);
  }
}

function* indices([n, c, height, w]: Dims): Generator<Dims> {
  for (let i = 0; i < n; i++) for (let j = 0; j < c; j++) for (let k = 0; k < height; k++) for (let l = 0; l < w; l++) yield [i, j, k, l];
}

customElements.define("fp-layout", Layout);
