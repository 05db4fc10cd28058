/** Back to the starter, with a warning, and back again: the program from before the reset is kept once. */
import { ApiError } from "../lib/api";
import { need } from "../lib/dom";
import { t } from "../lib/strings";
import { toast } from "../lib/toast";
import type { Language } from "../lib/types";
import type { Drafts } from "./drafts";
import type { Editors } from "./editors";

export function setUpReset(bench: HTMLElement, editors: Editors, drafts: Drafts): void {
  const dialog = need<HTMLDialogElement>("#reset-dialog");
  const restore = need("[data-restore]", bench);
  const offer = (): void => {
    restore.hidden = editors.box(editors.language).dataset["hasPrevious"] !== "true";
  };
  need("[data-reset]", bench).addEventListener("click", () => {
    dialog.returnValue = "no";
    dialog.showModal();
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "yes") void swap(editors, drafts, (language) => drafts.reset(language), "was_reset").then(offer);
  });
  restore.addEventListener("click", () => void swap(editors, drafts, (language) => drafts.restore(language), "was_restored").then(offer));
  for (const tab of bench.querySelectorAll("[data-tab]")) tab.addEventListener("click", offer);
  offer();
  bringBackLocal(bench, editors, drafts);
}

async function swap(editors: Editors, drafts: Drafts, act: (language: Language) => Promise<string>, done: string): Promise<void> {
  const { language } = editors;
  try {
    editors.current.replace(await act(language));
    drafts.settled(language); // the replacement is what the server has, not a new draft
    editors.box(language).dataset["hasPrevious"] = "true";
    toast(t(done));
  } catch (error) {
    toast(error instanceof ApiError && error.message ? error.message : t("offline"));
  }
}

/** A program typed while the server was away comes back, and is saved now. */
function bringBackLocal(bench: HTMLElement, editors: Editors, drafts: Drafts): void {
  for (const box of bench.querySelectorAll<HTMLElement>("[data-editor]")) {
    const language = box.dataset["editor"] as Language;
    const source = drafts.local(language, box.dataset["savedAt"] ?? "");
    const textarea = need<HTMLTextAreaElement>("textarea", box);
    if (source === null || source === textarea.value) continue;
    textarea.value = source;
    if (language === editors.language) editors.current.replace(source);
    drafts.changed(language, source);
    toast(t("local_draft"));
  }
}
