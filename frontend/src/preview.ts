/** For authors: when content was saved, shows the page anew at the first section that changed. Only `authoring` pages load it. */
import { all, find } from "./lib/dom";

const ASK_EVERY_MS = 1000;
const KEPT = "fp:preview";
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

/** What a page leaves to itself loaded anew: the heading to be shown ("" for the top), where it stood itself. */
interface Kept {
  path: string;
  heading: string;
  top: number;
}

/** One part of a page: what stands between two headings. id: the heading's, "" before the first. */
interface Part {
  id: string;
  html: string;
}

/** The parts of a page as the server sent it; scripts have changed the one on the screen. */
function parts(page: Document): Part[] {
  const found: Part[] = [{ id: "", html: "" }];
  const blocks = all("main .lesson-body > .body > *, main .lesson-body > :not(.body)", page.body);
  for (const block of blocks.length ? blocks : all("main > *", page.body)) {
    if (/^H[23]$/.test(block.tagName)) found.push({ id: block.id, html: "" });
    found.at(-1)!.html += block.outerHTML;
  }
  found[0]!.html += find(".lesson-head", page.body)?.outerHTML ?? "";
  return found;
}

async function load(): Promise<Part[]> {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
  return parts(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

async function version(): Promise<string> {
  const answer = await fetch("/api/preview");
  return answer.ok ? ((await answer.json()) as { version: string }).version : "";
}

/** Heading of the first part that differs; undefined where nothing does. A part taken away counts as its predecessor. */
function changed(before: Part[], after: Part[]): string | undefined {
  const at = before.findIndex((part, i) => part.id !== after[i]?.id || part.html !== after[i]?.html);
  if (at >= 0) return (after[at] ?? after.at(-1))?.id;
  return after.length > before.length ? after[before.length]?.id : undefined;
}

function reload(kept: Kept | null): void {
  if (kept) sessionStorage.setItem(KEPT, JSON.stringify(kept));
  history.scrollRestoration = "manual";
  location.reload();
}

/** Asks what is saved. before: what this page was loaded for, lost if it is loaded again at once. */
async function watch(before: Kept | null): Promise<void> {
  let known = find("script[data-content]")?.dataset["content"] ?? "";
  let shown = await load();
  const first = await version();
  if (known && first && first !== known) return reload(before); // saved while the page was on its way
  known = first;
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const now = await version();
      if (!now || now === known) return;
      known = now;
      const saved = await load();
      const heading = changed(shown, saved);
      shown = saved;
      if (heading === undefined) return;
      reload({ path: location.pathname, heading, top: scrollY });
    } catch {
      // the server restarts: asked again in a moment
    }
  }, ASK_EVERY_MS);
}

/** Shows an element at the top and keeps it there while what stands above it grows (fonts, pictures, editors), until the
 * author moves the page. */
function hold(element: HTMLElement): void {
  const growth = new ResizeObserver(() => element.scrollIntoView({ behavior: "instant" }));
  growth.observe(document.body); // reports once at the start
  for (const move of MOVES) addEventListener(move, () => growth.disconnect(), { once: true, passive: true });
}

function goBack(): Kept | null {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
  sessionStorage.removeItem(KEPT);
  if (kept?.path !== location.pathname) return null;
  const heading = kept.heading ? document.getElementById(kept.heading) : null;
  if (heading) hold(heading);
  else scrollTo(0, kept.heading ? kept.top : 0);
  return kept;
}

const kept = goBack();
if (!find(".workbench")) void watch(kept); // an editor keeps its page: only the author decides when it is loaded anew
