/** Marks the heading being read in the contents, and tells the server, so that the course page can resume there. */
import { call } from "../lib/api";
import { all } from "../lib/dom";

export function trackPlace(lesson: HTMLElement, slug: string): void {
  const headings = all(".prose :is(h2, h3)[id]", lesson);
  let current = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const heading = passed.at(-1)?.id ?? "";
    if (heading === current) return;
    current = heading;
    mark(heading);
    clearTimeout(timer);
    timer = setTimeout(() => void call("PUT", `/api/lessons/${slug}/place`, { heading }).catch(() => undefined), 1500);
  };
  addEventListener("scroll", update, { passive: true });
  update();
}

function mark(heading: string): void {
  for (const link of all<HTMLAnchorElement>(".toc a")) {
    if (decodeURIComponent(link.hash.slice(1)) === heading) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
