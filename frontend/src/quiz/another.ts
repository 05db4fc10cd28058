/** Questions with parameters: the drawing shown goes along with the answer, and another one is swapped in without leaving the page. */
import { all, find, need } from "../lib/dom";

/** The drawing that an answer is for; nothing for a question that has no parameters. */
export function variantOf(form: HTMLFormElement): { variant?: string } {
  const field = find<HTMLInputElement>("input[name=variant]", form);
  return field ? { variant: field.value } : {};
}

/**
 * Puts into the form what stands in it on the page that the link leads to, and that page's address into the address bar,
 * so that a reload shows the same numbers. Follows the link where that fails.
 */
export async function swap(form: HTMLFormElement, link: HTMLAnchorElement): Promise<void> {
  const page = await load(link.href);
  const fresh = page && find<HTMLFormElement>(`#${CSS.escape(form.id)}`, page);
  if (!page || !fresh) {
    location.assign(link.href);
    return;
  }
  form.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  form.dataset["answered"] = fresh.dataset["answered"] ?? "";
  history.replaceState(history.state, "", link.href);
  for (const other of all<HTMLFormElement>("form.question")) takeAddresses(other, page);
  need<HTMLInputElement>(".answer-line input", form).focus();
}

async function load(url: string): Promise<Document | null> {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** The other questions' addresses have to keep the new drawing, too. */
function takeAddresses(form: HTMLFormElement, page: Document): void {
  const same = find<HTMLFormElement>(`#${CSS.escape(form.id)}`, page);
  const action = same?.getAttribute("action");
  if (action) form.setAttribute("action", action);
  const link = find<HTMLAnchorElement>("[data-another]", form);
  const href = same && find("[data-another]", same)?.getAttribute("href");
  if (link && href) link.setAttribute("href", href);
}

/** A guest becomes a reader with the first answer, for whom other numbers would be drawn: the address keeps those shown. */
export function keepShown(form: HTMLFormElement): void {
  const { search } = new URL(form.getAttribute("action") ?? "", location.href);
  if (search && !location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
}
