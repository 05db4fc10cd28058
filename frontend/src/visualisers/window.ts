/** A window's way over its input: the place that it has reached, and the grid of outputs that one walks through. */
import { t } from "../lib/strings";
import { cell, grid, labelled, moved } from "./grid";

/** Output element (p, q) of `side` by `side`. `draw` is called whenever it is another one. */
export class Place {
  p = 0;
  q = 0;
  private side = 0;

  constructor(private readonly draw: () => void) {}

  /** For an output of another size: stays where it is, or goes to the nearest element. */
  within(side: number): void {
    this.side = side;
    const last = Math.max(side - 1, 0);
    [this.p, this.q] = [Math.min(this.p, last), Math.min(this.q, last)];
  }

  go(p: number, q: number): void {
    if (p === this.p && q === this.q) return;
    [this.p, this.q] = [p, q];
    this.draw();
  }

  /** To the next element; false after the last, from which the next step begins again. */
  advance(): boolean {
    if (this.side === 0) return false;
    const next = (this.p * this.side + this.q + 1) % (this.side * this.side);
    [this.p, this.q] = [Math.floor(next / this.side), next % this.side];
    this.draw();
    return next !== this.side * this.side - 1;
  }

  /** The outputs, walked through by arrow keys and by pointing at them. help: what that does, for screen readers. */
  outputs(text: (row: number, column: number) => string, help: string): HTMLElement {
    const shown = Math.max(this.side, 1);
    const picture = grid(shown, shown, t("conv_output"));
    for (let row = 0; row < this.side; row++)
      for (let column = 0; column < this.side; column++) {
        const here = row === this.p && column === this.q;
        const marks = cell(row, column, here ? "cell-output here" : "cell-output", text(row, column));
        for (const mark of marks) mark.addEventListener("pointerenter", () => this.go(row, column));
        picture.append(...marks);
      }
    const frame = labelled(t("conv_output_title", { n: this.side }), picture);
    frame.classList.add("conv-output");
    frame.tabIndex = 0;
    frame.setAttribute("role", "application");
    frame.setAttribute("aria-label", help);
    frame.addEventListener("keydown", (event) => this.go(...moved(event, this.p, this.q, this.side)));
    return frame;
  }
}

/** Puts new pictures on the stage; the keyboard stays on the outputs. */
export function restage(stage: HTMLElement, ...pictures: HTMLElement[]): void {
  const focused = stage.contains(document.activeElement);
  stage.replaceChildren(...pictures);
  if (focused) stage.querySelector<HTMLElement>(".conv-output")?.focus();
}
