/** The calls of one case on an axis of time: a lane for each thread, and one for the GPU where its times are known. */
import { h, svg } from "../lib/dom";
import { t } from "../lib/strings";
import type { Call } from "../lib/types";

const LANE = 22;
const AXIS = 20;
const LABELS = 74;
const LEAST = 2;
const NARROW = 480;

export interface Timeline {
  element: HTMLElement;
  /** title: what the calls have in common; empty for nothing. */
  draw(calls: Call[], title: string): void;
  /** Lights up the bar of a call; null puts all out. */
  light(index: number | null): void;
}

/** marked: calls with a remark. choose: a bar was clicked. */
export function timeline(marked: ReadonlySet<number>, choose: (index: number) => void): Timeline {
  return new TimelineView(marked, choose);
}

class TimelineView implements Timeline {
  readonly element = h("figure", { class: "timeline", hidden: true });
  private calls: Call[] = [];
  private title = "";
  private width = 0;
  /** The call that the keyboard is at, as a place in `calls`. */
  private at = 0;
  /** Stays in the page whatever is painted, and so keeps the keyboard's focus. */
  private readonly image = svg("svg", this.slider());
  private readonly caption = h("figcaption", { class: "fine" });
  private readonly now = h("p", { class: "fine timeline-now", hidden: true });

  constructor(
    private readonly marked: ReadonlySet<number>,
    private readonly choose: (index: number) => void,
  ) {
    this.element.append(this.image, this.caption, this.now);
    new ResizeObserver(() => {
      if (Math.abs(this.element.clientWidth - this.width) > 1) this.paint();
    }).observe(this.element);
  }

  draw(calls: Call[], title: string): void {
    const kept = calls.findIndex((call) => call.index === this.calls[this.at]?.index);
    const telling = calls.findIndex((call) => this.marked.has(call.index) || call.status !== 0);
    this.calls = calls;
    this.title = title;
    this.at = kept >= 0 ? kept : Math.max(0, telling);
    this.element.hidden = calls.length === 0;
    this.paint();
  }

  light(index: number | null): void {
    for (const bar of this.element.querySelectorAll("[data-bar]")) bar.classList.toggle("lit", bar.getAttribute("data-bar") === String(index));
  }

  private paint(): void {
    this.width = this.element.clientWidth;
    const first = this.calls[0];
    if (!first || !this.width) return;
    const threads = [...new Set(this.calls.map((call) => call.thread))];
    const gpu = this.calls.some((call) => call.gpu_us);
    const lanes = threads.length + (gpu ? 1 : 0);
    const start = Math.min(...this.calls.map((call) => call.at));
    const end = Math.max(...this.calls.map((call) => call.at + Math.max(call.micros, call.gpu_us ?? 0)));
    const span = Math.max(end - start, 1);
    const left = lanes > 1 ? LABELS : 0;
    const x = (at: number): number => left + ((at - start) / span) * (this.width - left - LEAST);
    const height = lanes * LANE + AXIS;
    const marks: SVGElement[] = [];
    marks.push(...ticks(span, this.width - left).flatMap((at) => tick(x(start + at), at, lanes * LANE, this.width)));
    if (lanes > 1) threads.forEach((thread, lane) => marks.push(label(t("thread_lane", { n: thread }), lane)));
    if (gpu) marks.push(label(t("gpu_lane"), threads.length));
    for (const call of this.calls) {
      marks.push(this.bar(call, x(call.at), x(call.at + call.micros), threads.indexOf(call.thread), call.micros));
      if (call.gpu_us) marks.push(this.bar(call, x(call.at), x(call.at + call.gpu_us), threads.length, call.gpu_us));
    }
    for (const [name, value] of Object.entries({ width: this.width, height, viewBox: `0 0 ${this.width} ${height}`, "aria-valuemax": this.calls.length })) this.image.setAttribute(name, String(value));
    this.image.replaceChildren(...marks);
    this.caption.replaceChildren(...(this.title ? [h("strong", {}, this.title), " · "] : []), this.summary(span), gpu ? ` ${t("gpu_start_unknown")}` : "");
    this.tell(document.activeElement === this.image);
  }

  /** What makes the axis a slider over its calls: one stop of the Tab key, however many calls there are. */
  private slider(): Record<string, string | number | EventListener> {
    return {
      role: "slider",
      tabindex: 0,
      "aria-label": t("timeline_keys"),
      "aria-valuemin": 1,
      onkeydown: (event) => this.key(event as KeyboardEvent),
      onfocus: () => this.tell(this.image.matches(":focus-visible")),
      onblur: () => this.tell(false),
    };
  }

  private key(event: KeyboardEvent): void {
    const last = this.calls.length - 1;
    const to = { ArrowLeft: this.at - 1, ArrowUp: this.at - 1, ArrowRight: this.at + 1, ArrowDown: this.at + 1, Home: 0, End: last }[event.key];
    const call = this.calls[this.at];
    if (to === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (to === undefined) return call && this.choose(call.index);
    this.at = Math.min(Math.max(to, 0), last);
    this.tell(true);
  }

  /** Says which call the keyboard is at; lights it up and writes it below the axis while `shown`. */
  private tell(shown: boolean): void {
    const call = this.calls[this.at];
    if (!call) return;
    this.image.setAttribute("aria-valuenow", String(this.at + 1));
    this.image.setAttribute("aria-valuetext", words(call));
    this.light(shown ? call.index : null);
    this.now.textContent = words(call);
    this.now.hidden = !shown;
  }

  private bar(call: Call, from: number, to: number, lane: number, micros: number): SVGElement {
    const state = call.status !== 0 ? " bad" : this.marked.has(call.index) ? " remark" : "";
    const shape = { x: from.toFixed(1), y: lane * LANE + 4, width: Math.max(to - from, LEAST).toFixed(1), height: LANE - 8 };
    const flag = state ? svg("path", { class: "bar-flag", d: `M${from.toFixed(1)} ${lane * LANE + 4}l-4 -4h8z` }) : null;
    const title = svg("title", {}, words(call, micros));
    return svg("g", { class: `bar${state}`, "data-bar": call.index, onclick: () => this.choose(call.index) }, title, svg("rect", { ...shape, rx: 1 }), flag);
  }

  private summary(span: number): string {
    const longest = this.calls.reduce((a, b) => (b.micros > a.micros ? b : a));
    return t("timeline_label", { n: this.calls.length, time: duration(span), name: longest.name, longest: duration(longest.micros) });
  }
}

/** 3 cudnnSetTensor4dDescriptor: 1.2 µs, CUDNN_STATUS_SUCCESS. */
function words(call: Call, micros = call.micros): string {
  const status = call.status === null ? t("did_not_return") : call.status_name;
  return `${call.index + 1} ${call.name}: ${duration(micros)}, ${status}`;
}

/** 12.3 µs, 4.56 ms, 1.2 s. */
export function duration(micros: number): string {
  if (micros >= 1e6) return `${trim(micros / 1e6)} s`;
  return micros >= 1e3 ? `${trim(micros / 1e3)} ms` : `${trim(micros)} µs`;
}

function trim(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Round times from 0, about five on a wide axis, at 1, 2 or 5 times a power of ten. */
function ticks(span: number, width: number): number[] {
  const rough = span / (width < NARROW ? 3 : 6);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step);
}

function tick(x: number, at: number, bottom: number, width: number): SVGElement[] {
  const anchor = x < 20 ? "start" : x > width - 30 ? "end" : "middle";
  return [svg("line", { x1: x, x2: x, y1: 0, y2: bottom + 4 }), svg("text", { class: "tick", x, y: bottom + 16, "text-anchor": anchor }, duration(at))];
}

function label(text: string, lane: number): SVGElement {
  return svg("text", { class: "lane", x: 0, y: lane * LANE + LANE / 2 + 4 }, text);
}
