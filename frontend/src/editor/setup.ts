/** A CodeMirror editor over a working <textarea>: the textarea stays the form of record. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, type LanguageSupport } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { t } from "../lib/strings";
import type { Diagnostic, Language } from "../lib/types";
import { completeApi, hoverDocs, signatureHelp } from "./assist";
import { theme } from "./theme";

export interface Editor {
  text(): string;
  /** Replaces the whole program; waits for a Hangul syllable that is being composed. */
  replace(text: string): void;
  /** Line and column from 1; selects the code there and takes the focus. */
  reveal(line: number, column?: number, endColumn?: number): void;
  /** Marks one line without moving the focus; 0 takes the mark away. */
  mark(line: number): void;
  diagnose(diagnostics: Diagnostic[]): void;
  focus(): void;
}

export interface EditorOptions {
  language: Language;
  support: LanguageSupport;
  words: CompletionSource;
  nonce: string;
  changed(): void;
  submit(): void;
  save(): void;
}

const traceLine = StateEffect.define<number>();
const traced = Decoration.line({ class: "cm-traced" });

const tracedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(traceLine)) {
        const { doc } = transaction.state;
        next = effect.value > 0 && effect.value <= doc.lines ? Decoration.set([traced.range(doc.line(effect.value).from)]) : Decoration.none;
      }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createEditor(textarea: HTMLTextAreaElement, options: EditorOptions): Editor {
  const view = new EditorView({ state: EditorState.create({ doc: textarea.value, extensions: extensions(textarea, options) }) });
  const focused = document.activeElement === textarea;
  textarea.before(view.dom);
  if (focused) {
    view.dispatch({ selection: { anchor: textarea.selectionStart, head: textarea.selectionEnd } });
    view.focus();
  }
  textarea.hidden = true;
  return wrap(view);
}

function extensions(textarea: HTMLTextAreaElement, options: EditorOptions): Extension[] {
  return [
    EditorView.cspNonce.of(options.nonce),
    keys(options),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    history(),
    indentOnInput(),
    indentUnit.of("    "),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    lintGutter(),
    tracedLine,
    signatureHelp(options.language), // before completion, whose Escape also takes what is not shown yet
    autocompletion({ override: [completeApi(options.language), options.words] }),
    hoverDocs(options.language),
    options.support,
    theme,
    phrases(),
    EditorView.contentAttributes.of({ "aria-label": textarea.getAttribute("aria-label") ?? "", "aria-describedby": "editor-help", spellcheck: "false", tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      textarea.value = update.state.doc.toString();
      options.changed();
    }),
  ];
}

/** Our own keys come first: the browser must not open its save dialog. */
function keys(options: EditorOptions): Extension {
  const own = [
    { key: "Mod-Enter", preventDefault: true, run: () => (options.submit(), true) },
    { key: "Mod-s", preventDefault: true, run: () => (options.save(), true) },
  ];
  return keymap.of([...own, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab, ...defaultKeymap]);
}

function phrases(): Extension {
  const names = ["Find", "Replace", "next", "previous", "all", "match case", "by word", "regexp", "replace", "replace all", "close", "Completions", "Diagnostics"];
  return EditorState.phrases.of(Object.fromEntries(names.map((name) => [name, t(`cm_${name.replaceAll(" ", "_")}`)])));
}

function wrap(view: EditorView): Editor {
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => whenSettled(view, () => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })),
    reveal(line, column = 0, endColumn = 0) {
      const [from, to] = range(view.state.doc, line, column, endColumn);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    mark: (line) => {
      view.dispatch({ effects: traceLine.of(line) });
      if (line > 0 && line <= view.state.doc.lines) bringNear(view, line);
    },
    diagnose: (diagnostics) => view.dispatch(setDiagnostics(view.state, diagnostics.filter((d) => d.line > 0).map((d) => asMark(view.state.doc, d)))),
    focus: () => view.focus(),
  };
}

/** Scrolls the editor alone: scrollIntoView would also slide the panes of a phone. */
function bringNear(view: EditorView, line: number): void {
  const { top, bottom } = view.lineBlockAt(view.state.doc.line(line).from);
  const { scrollTop, clientHeight } = view.scrollDOM;
  if (top < scrollTop || bottom > scrollTop + clientHeight) view.scrollDOM.scrollTop = top - clientHeight / 2;
}

/** Replacing the document during composition breaks Hangul input. */
function whenSettled(view: EditorView, act: () => void): void {
  if (!view.composing) act();
  else setTimeout(() => whenSettled(view, act), 50);
}

function range(doc: Text, line: number, column: number, endColumn: number): [number, number] {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  if (!column) return [at.from, at.to];
  const from = Math.min(at.from + column - 1, at.to);
  return [from, endColumn > column ? Math.min(at.from + endColumn - 1, at.to) : from];
}

function asMark(doc: Text, diagnostic: Diagnostic): Mark {
  let [from, to] = range(doc, diagnostic.line, diagnostic.column, diagnostic.end_column);
  if (from === to) to = from + (/^\w+/.exec(doc.sliceString(from, doc.lineAt(from).to))?.[0].length ?? 1);
  if (to > doc.length) [from, to] = [Math.max(0, doc.length - 1), doc.length];
  return { from, to, severity: diagnostic.severity === "note" ? "info" : diagnostic.severity, message: diagnostic.message };
}
