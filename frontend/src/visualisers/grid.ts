/** Grids of numbers, as the convolution and the pooling picture draw them. */
import { h, svg } from "../lib/dom";

/** Distance of two cells, and the gap between them, in CSS pixels. */
export const CELL = 36;
export const GAP = 3;

export function grid(rows: number, columns: number, label: string): SVGSVGElement {
  const [width, height] = [columns * CELL - GAP + 4, rows * CELL - GAP + 4];
  return svg("svg", { viewBox: `-2 -2 ${width} ${height}`, width, height, role: "img", "aria-label": label });
}

export function cell(row: number, column: number, kind: string, text: string): [SVGElement, SVGElement] {
  const [x, y, side] = [column * CELL, row * CELL, CELL - GAP];
  return [svg("rect", { class: kind, x, y, width: side, height: side, rx: 2 }), svg("text", { class: "cell-text", x: x + side / 2, y: y + side / 2 + 6 }, text)];
}

export function hatch(row: number, column: number): string {
  const [x, y, side] = [column * CELL, row * CELL, CELL - GAP];
  return `M${x} ${y + side}L${x + side} ${y}M${x} ${y + side / 2}L${x + side / 2} ${y}M${x + side / 2} ${y + side}L${x + side} ${y + side / 2}`;
}

export function labelled(title: string, picture: Element): HTMLElement {
  return h("div", { class: "conv-side" }, h("p", { class: "visual-title" }, title), picture);
}

/** Where an arrow key leads from (row, column) in a square of `side`; the same place for other keys and at the edge. */
export function moved(event: KeyboardEvent, row: number, column: number, side: number): [number, number] {
  const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!by || side === 0) return [row, column];
  event.preventDefault();
  const inside = (value: number): number => Math.min(Math.max(value, 0), side - 1);
  return [inside(row + (by[0] ?? 0)), inside(column + (by[1] ?? 0))];
}
