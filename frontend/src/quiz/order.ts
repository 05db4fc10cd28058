/** Put-in-order lists: arrow buttons for keyboards and screen readers, dragging for pointers. */
import { all, find } from "../lib/dom";
import { t } from "../lib/strings";
import { announce } from "../lib/toast";

export function setUpOrder(list: HTMLElement): void {
  list.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("[data-move]") : null;
    const item = button?.closest("li");
    if (button && item) move(list, item, Number(button.dataset["move"]), button);
  });
  list.addEventListener("pointerdown", (event) => drag(list, event));
  refresh(list);
}

function move(list: HTMLElement, item: HTMLElement, by: number, button: HTMLButtonElement): void {
  const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!other) return;
  if (by < 0) other.before(item);
  else other.after(item);
  refresh(list);
  (button.disabled ? find<HTMLButtonElement>("[data-move]:not([disabled])", item) : button)?.focus();
  const items = all("li", list);
  announce(t("moved", { place: items.indexOf(item) + 1, total: items.length }));
}

function drag(list: HTMLElement, event: PointerEvent): void {
  const grip = event.target instanceof Element ? event.target.closest(".grip") : null;
  const item = grip?.closest("li");
  if (!item) return;
  event.preventDefault();
  item.classList.add("moving");
  item.setPointerCapture(event.pointerId);
  const follow = (e: PointerEvent): void => place(list, item, e.clientY);
  const drop = (): void => {
    item.classList.remove("moving");
    item.removeEventListener("pointermove", follow);
    refresh(list);
  };
  item.addEventListener("pointermove", follow);
  item.addEventListener("pointerup", drop, { once: true });
  item.addEventListener("pointercancel", drop, { once: true });
}

function place(list: HTMLElement, item: HTMLElement, y: number): void {
  const others = all("li", list).filter((other) => other !== item);
  const next = others.find((other) => {
    const box = other.getBoundingClientRect();
    return y < box.top + box.height / 2;
  });
  if (next) {
    if (next !== item.nextElementSibling) next.before(item);
  } else if (list.lastElementChild !== item) list.append(item);
}

function refresh(list: HTMLElement): void {
  const items = all("li", list);
  items.forEach((item, index) => {
    const [up, down] = all<HTMLButtonElement>("[data-move]", item);
    if (up) up.disabled = index === 0;
    if (down) down.disabled = index === items.length - 1;
  });
}
