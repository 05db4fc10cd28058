/** A quiz: each question is a form of its own, judged by the server; answers are never in the page beforehand. */
import { ApiError, call } from "../lib/api";
import { all, find, h, need, setTrustedHtml } from "../lib/dom";
import { t } from "../lib/strings";
import type { QuizAnswer } from "../lib/types";
import { answerText, readAnswer } from "./answer";
import { keepShown, swap, variantOf } from "./another";
import { setUpOrder } from "./order";

export function setUpQuiz(section: HTMLElement): void {
  const forms = all<HTMLFormElement>("form.question", section);
  for (const form of forms) {
    for (const list of all("[data-order]", form)) setUpOrder(list);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void check(form).then(() => score(section, forms));
    });
    form.addEventListener("reset", () => setTimeout(() => clear(form)));
    form.addEventListener("click", (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("[data-another]");
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void swap(form, link).then(() => score(section, forms));
    });
    if (form.dataset["answered"] === "wrong") need("[data-retry]", form).hidden = false;
  }
  find("[data-retry-wrong]", section)?.addEventListener("click", () => retryWrong(forms));
  score(section, forms);
}

async function check(form: HTMLFormElement): Promise<void> {
  const button = need("[type=submit]", form);
  if (button.ariaDisabled === "true") return;
  const answer = readAnswer(form);
  const feedback = need(".feedback", form);
  if (answer === null || (Array.isArray(answer) && answer.length === 0)) {
    delete feedback.dataset["mark"];
    feedback.replaceChildren(t("answer_first"));
    return;
  }
  button.ariaDisabled = "true"; // `disabled` would take the keyboard's focus away
  try {
    show(form, await call<QuizAnswer>("POST", form.dataset["url"] ?? "", { answer, ...variantOf(form) }));
    keepShown(form);
  } catch (error) {
    feedback.replaceChildren(error instanceof ApiError && error.message ? error.message : t("failed"));
  } finally {
    button.ariaDisabled = null;
  }
}

function show(form: HTMLFormElement, result: QuizAnswer): void {
  const mark = result.correct ? "right" : "wrong";
  form.dataset["answered"] = mark;
  const feedback = need(".feedback", form);
  feedback.dataset["mark"] = mark;
  const words = h("div");
  setTrustedHtml(words, result.feedback);
  const said = result.correct && result.feedback !== ""; // what is said to a right answer begins with "Right"
  feedback.replaceChildren(...(said ? [] : [h("p", { class: "head" }, t(mark))]), words);
  if (!result.correct && result.correct_answer !== undefined)
    feedback.append(h("p", {}, t("correct_answer", { answer: answerText(form, result.correct_answer) })));
  markChoices(form, result, mark);
  need("[data-retry]", form).hidden = result.correct;
}

function markChoices(form: HTMLFormElement, result: QuizAnswer, mark: string): void {
  for (const box of all(".choice", form)) {
    const input = need<HTMLInputElement>("input", box);
    const why = need(".why", box);
    const words = input.checked ? result.choices[input.value] : undefined;
    why.hidden = !words;
    if (words) setTrustedHtml(why, words);
    // With several answers the sum is judged, so no single one of them is marked.
    if (input.checked && input.type === "radio") box.dataset["mark"] = mark;
    else delete box.dataset["mark"];
  }
}

function clear(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>("input:not([type=hidden])", form)) {
    if (input.type === "radio" || input.type === "checkbox") input.checked = false;
    else input.value = "";
  }
  for (const box of all(".choice", form)) delete box.dataset["mark"];
  for (const why of all(".why", form)) why.hidden = true;
  const feedback = need(".feedback", form);
  feedback.replaceChildren();
  delete feedback.dataset["mark"];
  form.dataset["answered"] = "";
  need("[data-retry]", form).hidden = true;
  find("input, [data-move]:not([disabled])", form)?.focus();
}

function retryWrong(forms: HTMLFormElement[]): void {
  const wrong = forms.filter((form) => form.dataset["answered"] === "wrong");
  wrong.reverse().forEach(clear); // the first one is cleared last, and so has the focus
}

function score(section: HTMLElement, forms: HTMLFormElement[]): void {
  const count = (mark: string): number => forms.filter((form) => form.dataset["answered"] === mark).length;
  const line = find("[data-score]", section);
  if (line) line.textContent = count("right") + count("wrong") ? t("score", { right: count("right"), total: forms.length }) : "";
  const retry = find("[data-retry-wrong]", section);
  if (retry) retry.hidden = count("wrong") < 2;
}
