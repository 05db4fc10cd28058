/** Reads what the reader has answered, by kind of question, in the form the server takes. */
import { all, find } from "../lib/dom";

export type Answer = string | string[] | number[] | null;

/** Null where nothing has been answered yet. */
export function readAnswer(form: HTMLFormElement): Answer {
  const kind = form.dataset["kind"];
  if (kind === "order") return all("[data-order] > li", form).map((item) => item.dataset["id"] ?? "");
  if (kind === "several") return checked(form);
  if (kind === "single" || kind === "status") return checked(form)[0] ?? null;
  if (kind === "shape") return readShape(form);
  return find<HTMLInputElement>(".answer-line input", form)?.value.trim() || null;
}

function checked(form: HTMLFormElement): string[] {
  return all<HTMLInputElement>("input:checked", form).map((input) => input.value);
}

function readShape(form: HTMLFormElement): number[] | null {
  const values = all<HTMLInputElement>("[data-shape] input", form).map((input) => Number.parseInt(input.value, 10));
  return values.some(Number.isNaN) ? null : values;
}

/** The right answer in the reader's words: the text of choices and items, a shape in parentheses. */
export function answerText(form: HTMLFormElement, answer: string | string[] | number | number[]): string {
  const kind = form.dataset["kind"];
  if (kind === "shape" && Array.isArray(answer)) return `(${answer.join(", ")})`;
  const ids = Array.isArray(answer) ? answer.map(String) : [String(answer)];
  const words = ids.map((id) => label(form, kind ?? "", id));
  return kind === "blank" ? (words[0] ?? "") : words.join(kind === "order" ? " → " : ", ");
}

function label(form: HTMLFormElement, kind: string, id: string): string {
  const name = CSS.escape(id);
  if (kind === "order") return find(`li[data-id="${name}"] .grip`, form)?.textContent?.trim() ?? id;
  const input = find<HTMLInputElement>(`input[value="${name}"]:is([type=radio], [type=checkbox])`, form);
  return input?.labels?.[0]?.textContent?.trim() ?? id;
}
