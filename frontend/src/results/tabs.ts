/** Tabs by the ARIA pattern: arrow keys move, the chosen tab alone is in the tab order. */
import { h } from "../lib/dom";

export interface Tab {
  id: string;
  title: string;
  content: HTMLElement;
}

export interface Tabs {
  element: HTMLElement;
  select(id: string): void;
}

export function tabs(list: Tab[]): Tabs {
  const element = h("div", { class: "result-tabs" });
  if (list.length === 0) return { element, select: () => undefined };
  const bar = h("div", { class: "tab-bar", role: "tablist" });
  const buttons = list.map((tab) => h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}` }, tab.title));
  const panels = list.map((tab) => h("div", { role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}` }, tab.content));

  const select = (index: number, focus = false): void => {
    buttons.forEach((button, i) => {
      button.ariaSelected = String(i === index);
      button.tabIndex = i === index ? 0 : -1;
    });
    panels.forEach((panel, i) => (panel.hidden = i !== index));
    if (focus) buttons[index]?.focus();
  };
  buttons.forEach((button, i) => button.addEventListener("click", () => select(i)));
  bar.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((button) => button.ariaSelected === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select((to + list.length) % list.length, true);
  });
  bar.append(...buttons);
  element.append(bar, ...panels);
  select(0);
  return { element, select: (id) => select(Math.max(0, list.findIndex((tab) => tab.id === id))) };
}
