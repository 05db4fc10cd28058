/** Calls `draw` when the width of `element` is another one. A new height does not count: drawing itself changes it. */
export function onWidth(element: HTMLElement, draw: () => void): void {
  let width = element.clientWidth;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    draw();
  }).observe(element);
}
