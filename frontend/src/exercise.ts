/** The exercise page. The textarea, the prompt and the history work without it; running needs it. */
import { all, find } from "./lib/dom";
import type { Language } from "./lib/types";
import { Bench } from "./exercise/bench";
import { setUpPanes } from "./exercise/split";
import { setUpSlides } from "./exercise/slides";

const root = find(".workbench");
if (root) {
  setUpPanes(root);
  setUpSlides();
  const bench = new Bench(root, (root.dataset["language"] ?? "cpp") as Language);
  void bench.start();
  // A page from the back-forward cache has lost its stream.
  addEventListener("pageshow", (event) => event.persisted && void bench.start());
  if (/Mac|iPhone|iPad/.test(navigator.userAgent)) for (const keys of all("[data-shortcut]", root)) keys.textContent = `⌘ ${keys.dataset["shortcut"]}`;
}
