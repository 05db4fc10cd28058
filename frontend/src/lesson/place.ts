/** Marks the heading being read in the contents, and tells the server, so that the course page can resume there. */
import { call } from "../lib/api";
import { all } from "../lib/dom";

/** A heading that stays so long is where the reader is. */
const SETTLED_MS = 400;

export function trackPlace(lesson: HTMLElement, slug: string): void {
  const headings = all(".prose :is(h2, h3)[id]", lesson);
  let current = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = (when?: "leaving"): void => {
    clearTimeout(timer);
    timer = undefined;
    void call("PUT", `/api/lessons/${slug}/place`, { heading: current }, when).catch(() => undefined);
  };
  const update = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const heading = passed.at(-1)?.id ?? "";
    if (heading === current) return;
    current = heading;
    mark(heading);
    clearTimeout(timer);
    timer = setTimeout(save, SETTLED_MS);
  };
  addEventListener("scroll", update, { passive: true });
  addEventListener("pagehide", () => timer && save("leaving")); // who leaves soon has been here too
  update();
}

function mark(heading: string): void {
  for (const link of all<HTMLAnchorElement>(".toc a")) {
    if (decodeURIComponent(link.hash.slice(1)) === heading) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
