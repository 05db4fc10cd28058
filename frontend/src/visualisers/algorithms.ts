/** `<fp-algorithms data-layer="0">`: time against workspace of every forward algorithm, measured, under a memory budget. */
import { h, numberData, svg } from "../lib/dom";
import { shortNumber, t } from "../lib/strings";
import { onWidth } from "../lib/width";
import { bytes, fastest, LAYERS, type Run, SOURCE } from "./algorithm-data";
import { type Place, places } from "./labels";

const HIGH = 280;
const LEFT = 54;
const [TOP, BOTTOM] = [18, 44];
/** The budgets of the slider: nothing, then powers of two from 1 KiB to 1 GiB. */
const BUDGETS = [0, ...Array.from({ length: 21 }, (_, i) => 1024 * 2 ** i)];

class Algorithms extends HTMLElement {
  private readonly layer = h("select", { "aria-label": t("algo_layer") }, ...LAYERS.map((layer, i) => h("option", { value: i }, layer.name)));
  private readonly budget = h("input", { type: "range", min: 0, max: BUDGETS.length - 1, value: 15, id: "fp-algorithms-budget" });
  private readonly budgetText = h("output", { class: "mono", for: "fp-algorithms-budget" });
  private readonly stage = h("div", { class: "algo-stage" });
  private readonly table = h("div", { class: "algo-table", tabindex: 0, role: "region", "aria-label": t("algo_picture") });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    this.layer.value = String(numberData(this, "layer", 0));
    for (const input of [this.layer, this.budget]) input.addEventListener("input", () => this.draw());
    const slider = h("div", { class: "algo-budget" }, h("label", { for: "fp-algorithms-budget" }, t("algo_budget")), this.budget, this.budgetText);
    const source = h("p", { class: "visual-title" }, t("algo_source", SOURCE));
    this.append(h("div", { class: "visual-actions" }, this.layer), slider, this.stage, this.said, this.table, source);
    this.draw();
    onWidth(this.stage, () => this.draw());
  }

  private draw(): void {
    const runs = LAYERS[Number(this.layer.value)]?.runs ?? [];
    const budget = BUDGETS[Number(this.budget.value)] ?? 0;
    this.budgetText.textContent = bytes(budget);
    this.budget.setAttribute("aria-valuetext", bytes(budget));
    const best = fastest(runs, budget);
    this.stage.replaceChildren(this.plot(runs, budget, best));
    this.said.textContent = this.sentence(runs, budget, best);
    this.table.replaceChildren(this.list(runs, budget, best));
  }

  private sentence(runs: Run[], budget: number, best: Run | undefined): string {
    const overall = fastest(runs, Infinity);
    if (!best || !overall) return t("algo_none", { budget: bytes(budget) });
    const first = t("algo_best", { budget: bytes(budget), algorithm: best.algorithm, ms: shortNumber(best.ms ?? 0) });
    if (best === overall) return `${first} ${t("algo_best_of_all")}`;
    return `${first} ${t("algo_faster", { algorithm: overall.algorithm, times: shortNumber((best.ms ?? 0) / (overall.ms ?? 1)), workspace: bytes(overall.workspace) })}`;
  }

  private plot(runs: Run[], budget: number, best: Run | undefined): SVGSVGElement {
    const wide = Math.max(300, Math.min(this.stage.clientWidth || 560, 680));
    const picture = svg("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": t("algo_picture") });
    const timed = runs.filter((run) => run.ms !== undefined);
    const times = timed.map((run) => run.ms ?? 1);
    const [low, high] = [Math.floor(Math.log10(Math.min(...times))), Math.ceil(Math.log10(Math.max(...times)))];
    const x = (size: number): number => LEFT + 14 + (size < 1024 ? 0 : (Math.log2(size / 1024) + 1.5) / 22.5) * (wide - LEFT - 40);
    const y = (ms: number): number => TOP + 8 + ((high - Math.log10(ms)) / Math.max(high - low, 1)) * (HIGH - BOTTOM - TOP - 20);
    picture.append(svg("rect", { class: "algo-allowed", x: LEFT, y: TOP, width: x(budget) + 8 - LEFT, height: HIGH - BOTTOM - TOP }));
    picture.append(svg("text", { class: "algo-axis", x: 0, y: 10 }, t("algo_time")), svg("text", { class: "algo-axis end", x: wide - 4, y: HIGH - 4 }, t("algo_workspace")));
    for (let power = low; power <= high; power++) picture.append(...tick(LEFT, y(10 ** power), wide, `${Number((10 ** power).toPrecision(1))} ms`));
    for (const size of [0, 2 ** 15, 2 ** 20, 2 ** 25, 2 ** 30]) picture.append(svg("text", { class: "algo-axis middle", x: x(size), y: HIGH - BOTTOM + 18 }, bytes(size)));
    const first = (run: Run): number => (run === best ? -1 : (run.ms ?? 0)); // the best run's name stands beside its mark
    const drawn = [...timed].sort((a, b) => first(a) - first(b));
    const frame = { left: LEFT, right: wide, top: TOP, bottom: HIGH - BOTTOM };
    const at = places(drawn.map((run) => ({ x: x(run.workspace), y: y(run.ms ?? 1), text: run.algorithm })), frame);
    const kind = (run: Run): string => (run === best ? "best" : run.workspace > budget ? "over" : "");
    picture.append(...drawn.flatMap((run, i) => mark(run, x(run.workspace), y(run.ms ?? 1), at[i] as Place, kind(run))));
    return picture;
  }

  private list(runs: Run[], budget: number, best: Run | undefined): HTMLElement {
    const sorted = [...runs].sort((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity));
    const head = h("tr", {}, ...["algo_name", "algo_workspace", "algo_time", "algo_fits"].map((key) => h("th", { scope: "col" }, t(key))));
    const state = (run: Run): string => t(run.ms === undefined ? "algo_refused" : run === best ? "algo_chosen" : run.workspace > budget ? "algo_too_large" : "algo_slower");
    const rows = sorted.map((run) => h("tr", { class: run === best ? "chosen" : "" }, h("th", { scope: "row", class: "mono" }, ...breakable(run.algorithm)), h("td", {}, run.ms === undefined ? "–" : bytes(run.workspace)), h("td", {}, run.ms === undefined ? "–" : `${shortNumber(run.ms)} ms`), h("td", {}, state(run))));
    return h("table", { class: "rounding-table" }, h("thead", {}, head), h("tbody", {}, ...rows));
  }
}

/** A dot, or a cross where the budget is too small, and the name at its place. */
function mark(run: Run, x: number, y: number, at: Place, kind: string): SVGElement[] {
  const dot = kind === "over" ? svg("path", { class: "algo-dot over", d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` }) : svg("circle", { class: `algo-dot ${kind}`, cx: x, cy: y, r: kind ? 7 : 5 });
  const name = svg("text", { class: `algo-name ${kind}${at.leftward ? " end" : ""}`, x: at.x, y: at.y + 4 }, run.algorithm);
  const line = at.led ? [svg("path", { class: "algo-lead", d: `M${x} ${y}L${at.x + (at.leftward ? 2 : -2)} ${at.y}` })] : [];
  return [...line, dot, name];
}

/** The name, which may go on in another line after an underscore. */
function breakable(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=_)/).flatMap((part) => [part, h("wbr")]);
}

function tick(left: number, y: number, wide: number, text: string): SVGElement[] {
  return [svg("path", { class: "algo-grid", d: `M${left} ${y}H${wide}` }), svg("text", { class: "algo-axis end", x: left - 6, y: y + 4 }, text)];
}

customElements.define("fp-algorithms", Algorithms);
