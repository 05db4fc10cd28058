/** The taught API as the editor needs it: loaded once, in the reader's language. */
import { call } from "../lib/api";
import { lang } from "../lib/strings";
import type { Completion, Language } from "../lib/types";

let loading: Promise<Map<string, Completion>> | undefined;

/** By name. Empty where the list cannot be loaded: the editor works without it. */
export function apiTable(): Promise<Map<string, Completion>> {
  loading ??= call<{ items: Completion[] }>("GET", `/api/completions/${lang}.json`)
    .then(({ items }) => new Map(items.map((item) => [item.name, item])))
    .catch(() => new Map<string, Completion>());
  return loading;
}

/** What is written to call it in `language`. */
export function declaration(item: Completion, language: Language): string {
  return language === "cpp" ? item.cpp : item.python;
}
