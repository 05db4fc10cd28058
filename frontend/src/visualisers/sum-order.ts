/** `<fp-sum-order>`: the same eight numbers, added in different orders, in FP32. */
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { onWidth } from "../lib/width";
import { choice } from "./controls";

const NUMBERS = [16777216, 1, -0.5, 3, -16777216, 0.25, 1.5, -2];
const [WIDE, HIGH] = [68, 22];
/** Distance of two rows. */
const ROW = 32;
type Kind = "left" | "pairs" | "arrival";

interface Node {
  value: number;
  /** In rows; the numbers lie in rows 0, 1, 2, … */
  row: number;
  level: number;
  parents: Node[];
}

function leaf(value: number, row: number): Node {
  return { value, row, level: 0, parents: [] };
}

function add(a: Node, b: Node): Node {
  return { value: Math.fround(a.value + b.value), row: (a.row + b.row) / 2, level: Math.max(a.level, b.level) + 1, parents: [a, b] };
}

/** Left to right: one running sum. */
export function running(nodes: Node[]): Node {
  return nodes.slice(1).reduce(add, nodes[0] as Node);
}

/** Neighbours first, then pairs of pairs: how a block of threads reduces. */
export function pairs(nodes: Node[]): Node {
  if (nodes.length === 1) return nodes[0] as Node;
  return pairs(nodes.flatMap((node, i) => (i % 2 ? [] : nodes[i + 1] ? [add(node, nodes[i + 1] as Node)] : [node])));
}

function shuffled<T>(list: T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

class SumOrder extends HTMLElement {
  private kind: Kind = "left";
  private order = NUMBERS;
  private root?: Node;
  private readonly seen = new Map<number, number>();
  private readonly stage = h("div", { class: "sum-stage" });
  private readonly said = h("p", { class: "visual-said", role: "status" });
  private readonly results = h("p", { class: "visual-formula mono" });

  connectedCallback(): void {
    if (this.firstChild) return;
    const kinds = choice(t("sum_order"), [["left", t("sum_left")], ["pairs", t("sum_pairs")], ["arrival", t("sum_arrival")]], this.kind, (value) => {
      this.kind = value as Kind;
      this.run();
    });
    const again = h("button", { type: "button", class: "button", onclick: () => this.run() }, t("sum_again"));
    this.append(h("div", { class: "visual-actions" }, kinds, again), this.stage, this.results, this.said);
    this.run();
    onWidth(this.stage, () => this.draw());
  }

  private run(): void {
    this.order = this.kind === "arrival" ? shuffled(NUMBERS) : NUMBERS;
    const leaves = this.order.map((value, i) => leaf(value, i));
    const root = this.kind === "pairs" ? pairs(leaves) : running(leaves);
    this.seen.set(root.value, (this.seen.get(root.value) ?? 0) + 1);
    this.root = root;
    this.draw();
    const exact = NUMBERS.reduce((a, b) => a + b, 0);
    this.results.textContent = [...this.seen].map(([value, times]) => `${value} × ${times}`).join("   ");
    this.said.textContent = t("sum_said", { value: root.value, exact, n: this.seen.size });
  }

  /** The numbers one below the other, in the order of their sum, and each sum a step to the right of its parts. */
  private draw(): void {
    const root = this.root;
    if (!root) return;
    const [width, height] = [Math.max(300, Math.min(this.stage.clientWidth || 560, 560)), NUMBERS.length * ROW];
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": t("sum_picture") });
    const step = (width - 2 - 2.25 * WIDE) / Math.max(root.level - 1, 1);
    const x = (node: Node): number => 1 + WIDE / 2 + (node.level ? 1.25 * WIDE + (node.level - 1) * step : 0);
    const y = (node: Node): number => (node.row + 0.5) * ROW;
    const nodes = everyNode(root);
    picture.append(...nodes.flatMap((node) => node.parents.map((parent) => svg("path", { class: "sum-line", d: `M${x(parent)} ${y(parent)}L${x(node)} ${y(node)}` }))));
    picture.append(...nodes.flatMap((node) => box(node, x(node), y(node), node === root)));
    this.stage.replaceChildren(picture);
  }
}

function everyNode(root: Node): Node[] {
  return [...root.parents.flatMap(everyNode), root];
}

function box(node: Node, x: number, y: number, last: boolean): SVGElement[] {
  const kind = last ? " root" : node.level ? "" : " leaf";
  return [
    svg("rect", { class: `sum-node${kind}`, x: x - WIDE / 2, y: y - HIGH / 2, width: WIDE, height: HIGH, rx: 3 }),
    svg("text", { class: `sum-text${kind}`, x, y: y + 4 }, String(node.value)),
  ];
}

customElements.define("fp-sum-order", SumOrder);
