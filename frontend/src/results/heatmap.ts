/** Where the errors are: error ÷ tolerance of every element, a plane at a time, told by form as well as by colour. */
import { h, svg } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import type { Comparison } from "../lib/types";
import { CELL, indexOf, levelPaths, sliceAt, wrongSlices } from "./heatgrid";

const AXES: Record<number, string[]> = { 3: ["C"], 4: ["N", "C"], 5: ["N", "C", "D"] };

export function heatMap(output: Comparison): HTMLElement {
  return new HeatMap(output).element;
}

class HeatMap {
  readonly element: HTMLElement;
  private lead: number[];
  private row = 0;
  private column = 0;
  private readonly frame: HTMLElement;
  private readonly said: HTMLElement;
  private readonly pickers: HTMLInputElement[];
  private cursor: SVGRectElement | undefined;

  constructor(private readonly output: Comparison) {
    const wrong = wrongSlices(output.heat, output.shape);
    this.lead = output.worst_index.length > 2 ? output.worst_index.slice(0, -2) : (wrong[0] ?? output.shape.slice(0, -2).map(() => 0));
    [this.row, this.column] = this.start();
    this.said = h("p", { class: "heat-said", role: "status" });
    this.frame = h("div", { class: "heat-frame", tabindex: 0, role: "application", "aria-label": t("heat_label", { name: output.name }) });
    this.pickers = this.lead.map((_, axis) => this.picker(axis));
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("pointerdown", (event) => this.point(event));
    this.element = h("div", { class: "heat" }, this.bar(wrong), this.frame, this.said, legend());
    this.draw();
  }

  private start(): [number, number] {
    const worst = this.output.worst_index;
    return worst.length >= 2 ? [worst.at(-2) ?? 0, worst.at(-1) ?? 0] : [Math.floor((worst[0] ?? 0) / 32), (worst[0] ?? 0) % 32];
  }

  private bar(wrong: number[][]): HTMLElement | null {
    if (this.pickers.length === 0) return null;
    const names = AXES[this.output.shape.length] ?? this.lead.map((_, axis) => `d${axis}`);
    const fields = this.pickers.map((input, axis) => h("label", {}, `${names[axis]} `, input, h("span", { class: "fine" }, ` / ${(this.output.shape[axis] ?? 1) - 1}`)));
    const next = wrong.length > 1 ? h("button", { type: "button", class: "button quiet", onclick: () => this.next(wrong) }, t("next_wrong_plane", { n: wrong.length })) : null;
    return h("div", { class: "heat-bar" }, ...fields, next);
  }

  private picker(axis: number): HTMLInputElement {
    const input = h("input", { type: "number", min: 0, max: (this.output.shape[axis] ?? 1) - 1, value: this.lead[axis] ?? 0 });
    input.addEventListener("input", () => {
      const value = Math.min(Math.max(Number.parseInt(input.value, 10) || 0, 0), Number(input.max));
      this.lead = this.lead.with(axis, value);
      this.draw();
    });
    return input;
  }

  private next(wrong: number[][]): void {
    const at = wrong.findIndex((lead) => lead.join() === this.lead.join());
    this.lead = [...(wrong[(at + 1) % wrong.length] ?? this.lead)];
    this.pickers.forEach((input, axis) => (input.value = String(this.lead[axis] ?? 0)));
    this.draw();
  }

  private draw(): void {
    const slice = sliceAt(this.output.shape, this.lead);
    const [width, height] = [slice.columns * CELL, slice.rows * CELL];
    const scale = Math.max(1, Math.min(2, 320 / width));
    this.cursor = svg("rect", { class: "heat-cursor", width: CELL, height: CELL });
    const paths = levelPaths(this.output.heat, slice).map((d, level) => (d ? svg("path", { class: `level-${level}`, d }) : null));
    const picture = svg("svg", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width * scale, height: height * scale, "aria-hidden": true }, ...paths, this.cursor);
    this.frame.replaceChildren(picture);
    this.move(this.row, this.column);
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e6], End: [0, 1e6] }[event.key];
    if (!by) return;
    event.preventDefault();
    this.move(this.row + (by[0] ?? 0), this.column + (by[1] ?? 0));
  }

  private point(event: PointerEvent): void {
    const picture = this.frame.firstElementChild;
    if (!picture) return;
    const box = picture.getBoundingClientRect();
    const slice = sliceAt(this.output.shape, this.lead);
    this.move(Math.floor(((event.clientY - box.top) / box.height) * slice.rows), Math.floor(((event.clientX - box.left) / box.width) * slice.columns));
  }

  private move(row: number, column: number): void {
    const slice = sliceAt(this.output.shape, this.lead);
    this.row = Math.min(Math.max(row, 0), slice.rows - 1);
    this.column = Math.min(Math.max(column, 0), slice.columns - 1);
    this.cursor?.setAttribute("x", String(this.column * CELL));
    this.cursor?.setAttribute("y", String(this.row * CELL));
    this.said.textContent = this.describe(slice.offset + this.row * slice.columns + this.column);
  }

  private describe(position: number): string {
    const index = indexOf(this.output.shape, this.lead, this.row, this.column);
    const level = this.output.heat[position];
    if (level === undefined) return "";
    const at = `[${index.join(", ")}]`;
    const row = this.output.rows.find((bad) => bad.index.join() === index.join());
    if (row && !this.output.atol && !this.output.rtol) return t("heat_cell_exact", { at, expected: row.expected, yours: row.yours });
    if (row) return t("heat_cell_values", { at, expected: row.expected, yours: row.yours, ratio: row.ratio >= 1e9 ? "∞" : shortNumber(row.ratio) });
    return `${at} ${t(Number(level) < 2 ? "heat_right" : level === "9" ? "heat_extreme" : "heat_wrong")}`;
  }
}

function legend(): HTMLElement {
  const sample = (level: number, key: string): HTMLElement => {
    const d = levelPaths(String(level), { rows: 1, columns: 1, offset: 0 })[level] ?? "";
    return h("span", {}, svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, width: 14, height: 14, "aria-hidden": true }, svg("path", { class: `level-${level}`, d })), ` ${t(key)}`);
  };
  return h("p", { class: "heat-legend" }, sample(0, "legend_right"), sample(3, "legend_wrong"), sample(7, "legend_far"), sample(9, "legend_extreme"));
}
