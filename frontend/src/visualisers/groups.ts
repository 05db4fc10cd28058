/** `<fp-groups data-c data-k data-g>`: which input channels each filter of a grouped convolution reads. */
import { h, numberData, svg } from "../lib/dom";
import { t } from "../lib/strings";
import { parameter, type Parameter } from "./controls";

const MOST = 8;
const [ROW, BOX, WIDTH] = [30, 44, 300];
/** Height of the headings. */
const HEAD = 22;

/** Channels (or filters) of one group, counted from 0; undefined where `all` cannot be shared out evenly. */
export function share(all: number, groups: number): number | undefined {
  return all % groups === 0 ? all / groups : undefined;
}

class Groups extends HTMLElement {
  private c!: Parameter;
  private k!: Parameter;
  private g!: Parameter;
  private readonly stage = h("div", { class: "groups-stage" });
  private readonly formula = h("p", { class: "visual-formula mono" });
  private readonly said = h("p", { class: "visual-said", role: "status" });

  connectedCallback(): void {
    if (this.firstChild) return;
    const make = (key: string, value: number): Parameter => parameter(t(`groups_${key}`), numberData(this, key, value), 1, MOST, () => this.draw());
    [this.c, this.k, this.g] = [make("c", 4), make("k", 4), make("g", 2)];
    this.append(h("div", { class: "visual-controls" }, this.c.element, this.k.element, this.g.element), this.stage, this.formula, this.said);
    this.draw();
  }

  private draw(): void {
    const [c, k, g] = [this.c.value(), this.k.value(), this.g.value()];
    const [channels, filters] = [share(c, g), share(k, g)];
    this.stage.replaceChildren(this.picture(c, k, channels, filters));
    this.formula.textContent = channels === undefined ? `${c} / ${g} = ${Number((c / g).toFixed(2))}` : `w: [${k}, ${c} / ${g} = ${channels}, R, S]`;
    const key = channels === undefined ? "groups_said_c" : filters === undefined ? "groups_said_k" : channels === 1 && c > 1 ? "groups_said_depthwise" : "groups_said";
    this.said.textContent = t(key, { c, k, g, n: channels ?? 0 });
    this.said.dataset["tone"] = channels === undefined || filters === undefined ? "bad" : "";
  }

  private picture(c: number, k: number, channels: number | undefined, filters: number | undefined): SVGSVGElement {
    const height = HEAD + Math.max(c, k) * ROW;
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: "img", "aria-label": t("groups_picture") });
    const at = (i: number, all: number): number => HEAD + (height - HEAD - all * ROW) / 2 + i * ROW + ROW / 2;
    const group = (i: number, each: number | undefined): number => (each ? Math.floor(i / each) : 0);
    picture.append(svg("text", { class: "groups-title", x: 0, y: 12 }, t("groups_channels")), svg("text", { class: "groups-title end", x: WIDTH, y: 12 }, t("groups_filters")));
    if (channels && filters)
      for (let i = 0; i < c; i++)
        for (let j = 0; j < k; j++)
          if (group(i, channels) === group(j, filters)) picture.append(svg("path", { class: "sum-line", d: `M${BOX} ${at(i, c)}L${WIDTH - BOX} ${at(j, k)}` }));
    for (let i = 0; i < c; i++) picture.append(...this.box(0, at(i, c), `c${i}`, group(i, channels)));
    for (let j = 0; j < k; j++) picture.append(...this.box(WIDTH - BOX, at(j, k), `k${j}`, group(j, filters)));
    return picture;
  }

  private box(x: number, y: number, name: string, group: number): SVGElement[] {
    const kind = `layout-cell channel-${group % 4}${group > 3 ? " second" : ""}`;
    return [svg("rect", { class: kind, x: x + 1, y: y - 11, width: BOX - 2, height: 22, rx: 3 }), svg("text", { class: "layout-text", x: x + BOX / 2, y: y + 4 }, name)];
  }
}

customElements.define("fp-groups", Groups);
