/** `<fp-softmax data-mode="instance|channel">`: which elements a softmax divides by, and what large inputs do to FAST. */
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { choice, parameter, type Parameter } from "./controls";

type Mode = "instance" | "channel";
type Algorithm = "fast" | "accurate" | "log";
/** One image of 3 channels and 2 × 2 pixels: VALUES[channel][pixel]. */
const VALUES = [
  [1, 0, 2, -1],
  [0, 1, 2, 0],
  [2, -1, 0, 1],
];
const WIDE = 66;
const HIGH = 40;

/** Softmax of one group in FP32. FAST takes exp(x) as it is, ACCURATE subtracts the largest first, LOG gives its logarithm. */
export function softmax(values: number[], algorithm: Algorithm): number[] {
  const largest = algorithm === "fast" ? 0 : Math.max(...values);
  const powers = values.map((value) => Math.fround(Math.exp(value - largest)));
  const total = Math.fround(powers.reduce((a, b) => a + b, 0));
  return algorithm === "log" ? values.map((value) => value - largest - Math.log(total)) : powers.map((power) => power / total);
}

class Softmax extends HTMLElement {
  private mode: Mode = "channel";
  private algorithm: Algorithm = "accurate";
  private offset!: Parameter;
  private pixel = 0;
  private readonly stage = h("div", { class: "conv-stage" });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    if (this.dataset["mode"] === "instance") this.mode = "instance";
    this.offset = parameter(t("softmax_offset"), 0, 0, 100, () => this.draw(), 10);
    const modes = choice(t("conv_mode"), [["instance", "MODE_INSTANCE"], ["channel", "MODE_CHANNEL"]], this.mode, (value) => {
      this.mode = value as Mode;
      this.draw();
    });
    const algorithms = choice(t("softmax_algorithm"), [["fast", "FAST"], ["accurate", "ACCURATE"], ["log", "LOG"]], this.algorithm, (value) => {
      this.algorithm = value as Algorithm;
      this.draw();
    });
    this.append(h("div", { class: "visual-actions" }, modes, algorithms), h("div", { class: "visual-controls" }, this.offset.element), this.stage, this.said);
    this.stage.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.go(Math.min(Math.max(this.pixel + by, 0), 3));
    });
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.stage.setAttribute("aria-label", t("softmax_help"));
    this.draw();
  }

  private go(pixel: number): void {
    if (pixel === this.pixel) return;
    this.pixel = pixel;
    this.draw();
  }

  private inputs(): number[][] {
    return VALUES.map((row) => row.map((value) => value + this.offset.value()));
  }

  private outputs(): number[][] {
    const x = this.inputs();
    if (this.mode === "instance") {
      const flat = softmax(x.flat(), this.algorithm);
      return x.map((row, c) => flat.slice(c * row.length, (c + 1) * row.length));
    }
    const columns = [0, 1, 2, 3].map((pixel) => softmax(x.map((row) => row[pixel] ?? 0), this.algorithm));
    return x.map((row, c) => row.map((_, pixel) => columns[pixel]?.[c] ?? 0));
  }

  private draw(): void {
    const y = this.outputs();
    this.stage.replaceChildren(this.plane(t("softmax_input"), "cell-input", this.inputs(), (value) => String(value)), this.plane(t("softmax_output"), "cell-output", y, (value) => (Number.isFinite(value) ? value.toFixed(3) : String(value))));
    const group = this.mode === "instance" ? y.flat() : y.map((row) => row[this.pixel] ?? 0);
    const total = group.reduce((sum, value) => sum + (this.algorithm === "log" ? Math.exp(value) : value), 0);
    const bad = group.some((value) => !Number.isFinite(value));
    this.said.textContent = bad ? t("softmax_said_overflow") : t(this.mode === "instance" ? "softmax_said_instance" : "softmax_said_channel", { n: group.length, pixel: this.pixel, total: total.toFixed(3) });
    this.said.dataset["tone"] = bad ? "bad" : "";
  }

  private plane(title: string, kind: string, values: number[][], write: (value: number) => string): HTMLElement {
    const [width, height] = [4 * WIDE + 4, 3 * HIGH + 4];
    const words = values.map((row, c) => `c${c}: ${row.map(write).join(", ")}`).join("; ");
    const picture = svg("svg", { viewBox: `-2 -2 ${width} ${height}`, width, height, role: "img", "aria-label": `${title}. ${words}` });
    values.forEach((row, c) =>
      row.forEach((value, pixel) => {
        const chosen = this.mode === "instance" || pixel === this.pixel;
        const box = svg("rect", { class: chosen ? `${kind} group` : kind, x: pixel * WIDE, y: c * HIGH, width: WIDE - 3, height: HIGH - 3, rx: 2 });
        box.addEventListener("pointerenter", () => this.go(pixel));
        picture.append(box, svg("text", { class: "cell-text", x: pixel * WIDE + WIDE / 2 - 1, y: c * HIGH + HIGH / 2 + 4 }, write(value)));
      }),
    );
    return h("div", { class: "conv-side" }, h("p", { class: "visual-title" }, title), picture);
  }
}

customElements.define("fp-softmax", Softmax);
