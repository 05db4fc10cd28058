/** The hint ladder, giving up, and the solution. */
import { ApiError, call } from "../lib/api";
import { all, find, h, need, setTrustedHtml } from "../lib/dom";
import { lang, t } from "../lib/strings";
import { toast } from "../lib/toast";
import type { Language } from "../lib/types";

export function setUpHelp(bench: HTMLElement, slug: string, language: () => Language): void {
  const path = `/api/exercises/${slug}`;
  const solution = need("[data-solution]", bench);
  const guard = (act: () => Promise<void>) => () => void act().catch((error) => toast(error instanceof ApiError && error.message ? error.message : t("offline")));

  find("[data-hint]", bench)?.addEventListener("click", guard(async () => showHints(bench, await call("POST", `${path}/hints`))));
  solution.addEventListener("click", guard(() => showSolution(path, language())));
  need("[data-give-up]", bench).addEventListener("click", () => {
    const dialog = need<HTMLDialogElement>("#give-up-dialog");
    dialog.returnValue = "no";
    dialog.showModal();
    dialog.addEventListener(
      "close",
      guard(async () => {
        if (dialog.returnValue !== "yes") return;
        await call("POST", `${path}/give-up`);
        openSolution(bench);
        await showSolution(path, language());
      }),
      { once: true },
    );
  });
}

function showHints(bench: HTMLElement, result: { hints: string[]; total: number }): void {
  const list = need(".hint-list", bench);
  const known = all("details", list).length;
  result.hints.slice(known).forEach((html, index) => {
    const text = h("div", { class: "prose" });
    setTrustedHtml(text, html);
    list.append(h("details", { class: "hint-rung", open: true }, h("summary", {}, t("hint", { n: known + index + 1 })), text));
  });
  const button = need("[data-hint]", bench);
  button.textContent = t("show_hint", { n: result.hints.length + 1, total: result.total });
  if (result.hints.length < result.total) return;
  all("summary", list).at(-1)?.focus({ preventScroll: true });
  button.hidden = true;
}

async function showSolution(path: string, language: Language): Promise<void> {
  const { html, explanation } = await call<Solution>("GET", `${path}/solution?language=${language}&lang=${lang}`);
  explain(explanation);
  setTrustedHtml(need("[data-solution-code]"), html);
  need<HTMLDialogElement>("#solution-dialog").showModal();
}

interface Solution {
  html: string;
  /** Of a clinic case: what was wrong; empty otherwise. */
  explanation: string;
}

function explain(html: string): void {
  const part = find("[data-explanation]");
  if (!part || !html) return;
  setTrustedHtml(need("[data-explanation-text]", part), html);
  part.hidden = false;
}

/** Once a clinic case is solved, says what it was. */
export async function showExplanation(slug: string, language: Language): Promise<void> {
  if (!find("[data-explanation]")) return;
  const { explanation } = await call<Solution>("GET", `/api/exercises/${slug}/solution?language=${language}&lang=${lang}`);
  explain(explanation);
}

export function openSolution(bench: HTMLElement): void {
  const [solution, giveUp] = [need("[data-solution]", bench), need("[data-give-up]", bench)];
  solution.hidden = false;
  if (document.activeElement === giveUp) solution.focus();
  giveUp.hidden = true;
}

/** After three wrong submissions help is offered without being asked. */
export function offerHelp(bench: HTMLElement, wrong: number): void {
  if (wrong < 3 || !need("[data-solution]", bench).hidden) return;
  need("[data-give-up]", bench).hidden = false;
}
