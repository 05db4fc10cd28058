/** `<fp-sum-order>`: the same eight numbers, added in different orders, in FP32. */
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { choice } from "./controls";

const NUMBERS = [16777216, 1, -0.5, 3, -16777216, 0.25, 1.5, -2];
const WIDE = 62;
const HIGH = 40;
type Kind = "left" | "pairs" | "arrival";

interface Node {
  value: number;
  x: number;
  level: number;
  parents: Node[];
}

function leaf(value: number, x: number): Node {
  return { value, x, level: 0, parents: [] };
}

function add(a: Node, b: Node): Node {
  return { value: Math.fround(a.value + b.value), x: (a.x + b.x) / 2, level: Math.max(a.level, b.level) + 1, parents: [a, b] };
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
  private readonly seen = new Map<number, number>();
  private readonly stage = h("div", { class: "sum-stage", tabindex: 0, role: "group", "aria-label": t("sum_picture") });
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
  }

  private run(): void {
    this.order = this.kind === "arrival" ? shuffled(NUMBERS) : NUMBERS;
    const leaves = this.order.map((value, i) => leaf(value, (i + 0.5) * WIDE));
    const root = this.kind === "pairs" ? pairs(leaves) : running(leaves);
    this.seen.set(root.value, (this.seen.get(root.value) ?? 0) + 1);
    this.draw(root);
    const exact = NUMBERS.reduce((a, b) => a + b, 0);
    this.results.textContent = [...this.seen].map(([value, times]) => `${value} × ${times}`).join("   ");
    this.said.textContent = t("sum_said", { value: root.value, exact, n: this.seen.size });
  }

  private draw(root: Node): void {
    const levels = root.level + 1;
    const [width, height] = [NUMBERS.length * WIDE, levels * HIGH];
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": t("sum_picture") });
    const lines: SVGElement[] = [];
    const marks: SVGElement[] = [];
    const visit = (node: Node): void => {
      const y = node.level * HIGH + HIGH / 2;
      for (const parent of node.parents) {
        lines.push(svg("path", { class: "sum-line", d: `M${parent.x} ${parent.level * HIGH + HIGH / 2}L${node.x} ${y}` }));
        visit(parent);
      }
      const kind = node === root ? "sum-node root" : node.level ? "sum-node" : "sum-node leaf";
      marks.push(svg("rect", { class: kind, x: node.x - 29, y: y - 11, width: 58, height: 22, rx: 3 }), svg("text", { class: node === root ? "sum-text root" : "sum-text", x: node.x, y: y + 4 }, String(node.value)));
    };
    visit(root);
    picture.append(...lines, ...marks);
    this.stage.replaceChildren(picture);
  }
}

customElements.define("fp-sum-order", SumOrder);
