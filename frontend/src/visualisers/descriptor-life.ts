/** `<fp-descriptor-life data-story="good|leak|unset|early">`: handle, descriptors and workspace from creation to destruction. */
import { breakable } from "../lib/breaks";
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { onWidth } from "../lib/width";
import { player } from "./controls";
import { bars, LANES, STORIES, stateAt, type State, type Step } from "./life-steps";

const ROW = 26;
const LABEL = 92;

class DescriptorLife extends HTMLElement {
  private story = "good";
  private at = 0;
  private readonly stage = h("div", { class: "life-stage" });
  private readonly call = h("code", { class: "life-call" });
  private readonly said = h("p", { class: "visual-said", role: "status" });
  private readonly slider = h("input", { type: "range", min: 0, "aria-label": t("life_step") });

  connectedCallback(): void {
    if (this.firstChild) return;
    if (this.dataset["story"] && this.dataset["story"] in STORIES) this.story = this.dataset["story"];
    const select = h("select", { "aria-label": t("life_story") }, ...Object.keys(STORIES).map((name) => h("option", { value: name, selected: name === this.story }, t(`life_${name}`))));
    select.addEventListener("change", () => {
      this.story = select.value;
      this.go(0);
    });
    const play = player(() => this.go(this.at + 1));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const button = (key: string, by: number): HTMLElement => h("button", { type: "button", class: "button", onclick: () => void this.go(this.at + by) }, t(key));
    this.append(h("div", { class: "visual-actions" }, select, button("back", -1), button("step", 1), play.element), this.slider, h("p", { class: "life-line" }, this.call), this.stage, legend(), this.said);
    this.go(this.story === "good" ? 0 : this.steps().length - 1);
    onWidth(this.stage, () => this.draw());
  }

  private steps(): Step[] {
    return STORIES[this.story] ?? [];
  }

  /** False where there is no such step. */
  private go(to: number): boolean {
    const last = this.steps().length - 1;
    this.at = Math.min(Math.max(to, 0), last);
    this.slider.max = String(last);
    this.slider.value = String(this.at);
    this.draw();
    return to < last;
  }

  private draw(): void {
    const steps = this.steps();
    const step = steps[this.at];
    if (!step) return;
    const wide = Math.max(300, Math.min(this.stage.clientWidth || 560, 640));
    const picture = svg("svg", { viewBox: `0 0 ${wide} ${LANES.length * ROW + 8}`, role: "img", "aria-label": this.summary() });
    const scale = (wide - LABEL - 10) / steps.length;
    LANES.forEach((_, lane) => picture.append(...this.lane(lane, scale)));
    const x = LABEL + (this.at + 0.5) * scale;
    picture.append(svg("path", { class: "life-now", d: `M${x} 0V${LANES.length * ROW + 8}` }));
    this.stage.replaceChildren(picture);
    this.call.replaceChildren(...breakable(`${this.at + 1}. ${step.call}`));
    this.said.textContent = step.trouble ? t(step.trouble) : this.summary();
    this.said.dataset["tone"] = step.trouble ? "bad" : "";
  }

  private lane(lane: number, scale: number): SVGElement[] {
    const name = LANES[lane] ?? "handle";
    const y = lane * ROW + ROW / 2 + 4;
    const marks: SVGElement[] = [svg("text", { class: "life-label", x: LABEL - 10, y: y + 4 }, t(`life_lane_${name}`))];
    for (const bar of bars(this.steps(), name, this.at))
      marks.push(svg("rect", { class: `life-${bar.state}${bar.seen ? "" : " later"}`, x: LABEL + bar.from * scale, y: y - 6, width: (bar.to - bar.from) * scale, height: 12 }));
    this.steps().forEach((step, i) => {
      const state = stateAt(this.steps(), i, name);
      const seen = i <= this.at;
      const x = LABEL + i * scale;
      if (step.changes?.[name] === "gone") marks.push(svg("path", { class: seen ? "life-end" : "life-end later", d: `M${x + scale / 2 - 4} ${y - 4}l8 8m0-8l-8 8` }));
      if (step.uses?.includes(name)) marks.push(svg("circle", { class: `life-use${seen ? "" : " later"}${step.trouble && state !== "ready" ? " bad" : ""}`, cx: x + scale / 2, cy: y, r: 4 }));
    });
    return marks;
  }

  private summary(): string {
    const names = (state: State): string => LANES.filter((lane) => stateAt(this.steps(), this.at, lane) === state).map((lane) => t(`life_lane_${lane}`)).join(", ") || "–";
    return t("life_said", { ready: names("ready"), made: names("made"), gone: names("gone") });
  }
}

/** What the marks mean, in the order in which they appear in the life of a descriptor. */
function legend(): HTMLElement {
  const marks: [string, SVGElement][] = [
    ["life_mark_made", svg("rect", { class: "life-made", y: 2, width: 18, height: 12 })],
    ["life_mark_ready", svg("rect", { class: "life-ready", y: 2, width: 18, height: 12 })],
    ["life_mark_use", svg("circle", { class: "life-use", cx: 9, cy: 8, r: 4 })],
    ["life_mark_end", svg("path", { class: "life-end", d: "M5 4l8 8m0-8l-8 8" })],
  ];
  return h("ul", { class: "life-legend" }, ...marks.map(([key, mark]) => h("li", {}, svg("svg", { viewBox: "0 0 18 16", width: 18, height: 16, "aria-hidden": true }, mark), t(key))));
}

customElements.define("fp-descriptor-life", DescriptorLife);
