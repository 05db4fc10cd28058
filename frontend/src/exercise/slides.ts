/** Under 800 px the three panes lie side by side and slide; the URL's fragment records which one is seen. */
import { all, find, need } from "../lib/dom";

export const narrow = matchMedia("(max-width: 50rem)");

export function setUpSlides(): void {
  const links = all<HTMLAnchorElement>(".slides a");
  for (const link of links)
    link.addEventListener("click", (event) => {
      event.preventDefault();
      slideTo(link.hash.slice(1));
      need(link.hash).focus({ preventScroll: true });
    });
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting && narrow.matches) record(links, entry.target.id);
    },
    { root: find(".panes"), threshold: 0.6 },
  );
  for (const link of links) watcher.observe(need(link.hash));
  if (narrow.matches && location.hash) slideTo(location.hash.slice(1), true);
}

export function slideTo(id: string, atOnce = false): void {
  const pane = document.getElementById(id);
  const frame = find(".panes");
  if (!narrow.matches || !pane || !frame || !links().includes(id)) return;
  const smooth = !atOnce && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  frame.scrollTo({ left: links().indexOf(id) * frame.clientWidth, behavior: smooth ? "smooth" : "instant" });
}

function links(): string[] {
  return all<HTMLAnchorElement>(".slides a").map((link) => link.hash.slice(1));
}

function record(links: HTMLAnchorElement[], id: string): void {
  for (const link of links) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (location.hash !== `#${id}`) history.replaceState(history.state, "", `#${id}`);
  const dot = find("[data-results-dot]");
  if (dot && id === "results") dot.hidden = true;
}
