/** A program in a lesson that really runs: its output streams in below it. */
import { ApiError, call } from "../lib/api";
import { find, h, need } from "../lib/dom";
import { t } from "../lib/strings";
import { visible } from "../lib/visible";
import { openStream } from "../exercise/stream";
import type { Started, VerdictView } from "../lib/types";

export function setUpRun(block: HTMLElement): void {
  const button = need<HTMLButtonElement>("[data-run]", block);
  button.addEventListener("click", () => void run(block, button));
}

async function run(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (button.ariaDisabled === "true") return;
  const output = need(".run-output", block);
  output.hidden = false;
  output.replaceChildren(t("running"));
  button.ariaDisabled = "true"; // `disabled` would take the keyboard's focus away
  try {
    const source = find<HTMLTemplateElement>("template.source", block)?.content.textContent ?? "";
    const started = await call<Started>("POST", "/api/run", { language: block.dataset["language"], source });
    openStream(started.events, {
      message: (message) => {
        if (message.type === "verdict") show(output, message.data as VerdictView, button);
        else output.replaceChildren(message.sentence);
      },
      lost: () => done(output, t("failed"), button),
    });
  } catch (error) {
    done(output, error instanceof ApiError && error.message ? error.message : t("failed"), button);
  }
}

function show(output: HTMLElement, verdict: VerdictView, button: HTMLButtonElement): void {
  const printed = [verdict.stdout, verdict.stderr].filter(Boolean).join("\n");
  const problems = verdict.diagnostics.map((d) => `${d.line}:${d.column}: ${d.message}`).join("\n");
  output.replaceChildren(h("p", {}, verdict.sentence));
  if (printed || problems) output.append(h("pre", { tabindex: 0 }, visible(problems || printed)));
  else output.append(h("p", {}, t("printed_nothing")));
  button.ariaDisabled = null;
  button.textContent = t("run_again");
  output.scrollIntoView({ block: "nearest" }); // below a long program it would be out of sight
}

function done(output: HTMLElement, sentence: string, button: HTMLButtonElement): void {
  output.replaceChildren(sentence);
  button.ariaDisabled = null;
}
