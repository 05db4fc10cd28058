/** On every page: theme, language and search shortcut. The page works without it. */
import { call } from "./lib/api";
import { all, find } from "./lib/dom";

function setTheme(theme: string): void {
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset["theme"] = theme;
  for (const button of all("[data-set-theme]")) button.setAttribute("aria-pressed", String(button.dataset["setTheme"] === theme));
  document.dispatchEvent(new CustomEvent("fp:theme"));
  void call("POST", "/api/preferences", { theme }).catch(() => undefined); // a lost cookie costs one more click next time
}

/** The language switch keeps the place on the page, and the server remembers the choice. */
function keepPlace(link: HTMLAnchorElement): void {
  link.addEventListener("click", () => {
    link.hash = location.hash;
    void call("POST", "/api/preferences", { lang: link.dataset["lang"] }, "leaving").catch(() => undefined);
  });
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

for (const button of all("[data-set-theme]")) button.addEventListener("click", () => setTheme(button.dataset["setTheme"] ?? "system"));
for (const link of all<HTMLAnchorElement>(".language a")) keepPlace(link);

document.addEventListener("keydown", (event) => {
  const menu = find<HTMLDetailsElement>("details.menu[open]");
  if (event.key === "Escape" && menu) {
    menu.open = false;
    find("summary", menu)?.focus();
  }
  if (event.key === "/" && !typing(event.target) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    find<HTMLInputElement>("[data-search-key]")?.focus();
  }
});

document.addEventListener("click", (event) => {
  const menu = find<HTMLDetailsElement>("details.menu[open]");
  if (menu && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});
