/** Builds elements without ever parsing HTML: learner output is hostile, and text stays text. */

type Value = string | number | boolean | null | undefined | EventListener;
type Child = Node | string | number | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Record<string, Value> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props: Record<string, Value> = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill<E extends Element>(element: E, props: Record<string, Value>, children: Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

export function find<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null {
  return root.querySelector<E>(selector);
}

/** Like `find`, for an element that the template promises. */
export function need<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E {
  const element = root.querySelector<E>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

export function all<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] {
  return [...root.querySelectorAll<E>(selector)];
}

/** Shows HTML that the server sanitised (quiz feedback, hints, documentation). Never call it with learner text. */
export function setTrustedHtml(element: Element, html: string): void {
  element.innerHTML = html;
}

/** Reads an enumeration-like data attribute as a number, `fallback` where absent or not a number. */
export function numberData(element: HTMLElement, name: string, fallback: number): number {
  const value = Number.parseFloat(element.dataset[name] ?? "");
  return Number.isFinite(value) ? value : fallback;
}
