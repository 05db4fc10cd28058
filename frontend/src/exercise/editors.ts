/** One editor a language, each loaded when it is first shown; the textarea serves until then. */
import { all, need } from "../lib/dom";
import type { Diagnostic, Language } from "../lib/types";
import { openPlain } from "../editor/plain";
import type { Editor } from "../editor/setup";

export interface EditorEvents {
  changed(language: Language, source: string): void;
  submit(): void;
  save(): void;
}

const LOADERS = { cpp: () => import("../editor/cpp"), python: () => import("../editor/python") };

export class Editors {
  private readonly open = new Map<Language, Editor>();

  constructor(
    private readonly bench: HTMLElement,
    public language: Language,
    private readonly events: EditorEvents,
  ) {
    this.show(language);
    for (const tab of all("[data-tab]", bench)) tab.addEventListener("click", () => this.show(tab.dataset["tab"] as Language));
  }

  get current(): Editor {
    const editor = this.open.get(this.language);
    if (!editor) throw new Error(`no editor for ${this.language}`);
    return editor;
  }

  show(language: Language): void {
    this.language = language;
    for (const tab of all("[data-tab]", this.bench)) tab.setAttribute("aria-pressed", String(tab.dataset["tab"] === language));
    for (const box of all("[data-editor]", this.bench)) box.hidden = box.dataset["editor"] !== language;
    for (const box of all("[data-for-language]", this.bench)) box.hidden = box.dataset["forLanguage"] !== language;
    if (!this.open.has(language)) void this.load(language);
  }

  box(language: Language): HTMLElement {
    return need(`[data-editor="${language}"]`, this.bench);
  }

  diagnose(language: Language, diagnostics: Diagnostic[]): void {
    this.open.get(language)?.diagnose(diagnostics);
  }

  private async load(language: Language): Promise<void> {
    const textarea = need<HTMLTextAreaElement>("textarea", this.box(language));
    const { events } = this;
    const handlers = { changed: () => events.changed(language, textarea.value), submit: () => events.submit(), save: () => events.save() };
    const plain = openPlain(textarea, handlers);
    this.open.set(language, plain);
    try {
      const { open } = await LOADERS[language]();
      plain.close();
      const editor = open(textarea, { ...handlers, language, nonce: this.bench.dataset["nonce"] ?? "" });
      this.open.set(language, editor);
      this.box(language).dataset["ready"] = "true";
    } catch (error) {
      console.warn("the editor could not be loaded; the plain text field stays", error);
    }
  }
}
