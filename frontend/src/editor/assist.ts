/** Completion, hover and signature help from the one table of the API. */
import { type Completion as Option, type CompletionContext, type CompletionResult, type CompletionSource, completeAnyWord, completionStatus } from "@codemirror/autocomplete";
import { Prec, StateEffect, StateField, type EditorState, type Extension, type Transaction } from "@codemirror/state";
import { closeHoverTooltips, type EditorView, hasHoverTooltips, hoverTooltip, keymap, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { h } from "../lib/dom";
import type { Completion, Language } from "../lib/types";
import { apiTable, declaration } from "./api";
import { docBox } from "./docs";
import { type CallAt, enclosingCall, splitParameters } from "./signature";

const TYPES: Record<Completion["kind"], string> = { function: "function", enum: "enum", value: "constant", struct: "class" };

export function completeApi(language: Language): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/\w+/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const table = await apiTable();
    const options = [...table.values()].map((item) => option(item, language));
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

function option(item: Completion, language: Language): Option {
  return { label: item.name, type: TYPES[item.kind], boost: item.deprecated ? -10 : 1, info: () => docBox(item, language) };
}

/** Other words of the program, without those that the table already offers. */
export const completeWords: CompletionSource = async (context) => {
  const result = await completeAnyWord(context);
  const table = await apiTable();
  return result && { ...result, options: result.options.filter((word) => !table.has(word.label)) };
};

export function hoverDocs(language: Language): Extension {
  return hoverTooltip(async (view, pos): Promise<Tooltip | null> => {
    const word = view.state.wordAt(pos);
    const item = word && (await apiTable()).get(view.state.sliceDoc(word.from, word.to));
    if (!word || !item) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: docBox(item, language) }) };
  });
}

const tableReady = StateEffect.define<Map<string, Completion>>();

/** Input that asks for the declaration: the beginning of a call, or of its next argument. */
const ASKS = /[(,]/;
const askTip = StateEffect.define<boolean>();

interface Signature {
  /** Empty until it is loaded. */
  table: Map<string, Completion>;
  /** Asked for; shown as soon as the table is there. */
  open: boolean;
  tip: Tooltip | null;
}

/**
 * The declaration of the call that is being typed, the current parameter marked. It opens with "(" or "," or by its key, stays while
 * the cursor moves by keyboard within the call, and goes with Escape or a click: it must not lie over a program that is only read.
 */
export function signatureHelp(language: Language): Extension {
  const field = StateField.define<Signature>({
    create: () => ({ table: new Map(), open: false, tip: null }),
    update(value, transaction) {
      let table = value.table;
      for (const effect of transaction.effects) if (effect.is(tableReady)) table = effect.value;
      const open = wanted(transaction, value.open);
      const moved = transaction.docChanged || transaction.selection || open !== value.open || table !== value.table;
      const tip = !moved ? value.tip : open ? tipAt(transaction.state, table, language) : null;
      return { table, tip, open: open && (tip !== null || table.size === 0) };
    },
    provide: (self) => showTooltip.from(self, (value) => value.tip),
  });
  return [field, loader(), Prec.highest(keymap.of([{ key: "Mod-Shift-Space", run: ask }, { key: "Escape", run: (view) => close(view, field) }]))];
}

function wanted(transaction: Transaction, open: boolean): boolean {
  for (const effect of transaction.effects) if (effect.is(askTip)) return effect.value;
  if (transaction.isUserEvent("input.type")) return open || inserted(transaction).some((text) => ASKS.test(text));
  return open && !transaction.isUserEvent("select.pointer");
}

function inserted(transaction: Transaction): string[] {
  const texts: string[] = [];
  transaction.changes.iterChanges((_from, _to, _fromB, _toB, text) => texts.push(text.toString()));
  return texts;
}

function ask(view: EditorView): boolean {
  view.dispatch({ effects: askTip.of(true) });
  return true;
}

/** Whether there was a declaration or documentation to close; otherwise, and while completions are listed, Escape is for others. */
function close(view: EditorView, field: StateField<Signature>): boolean {
  const shown = view.state.field(field).tip !== null;
  if (completionStatus(view.state) === "active" || (!shown && !hasHoverTooltips(view.state))) return false;
  view.dispatch({ effects: [askTip.of(false), closeHoverTooltips] });
  return true;
}

function loader(): Extension {
  return ViewPlugin.define((view) => {
    let loaded = false;
    return {
      update(update: ViewUpdate): void {
        if (loaded || !update.focusChanged) return;
        loaded = true;
        void apiTable().then((table) => view.dispatch({ effects: tableReady.of(table) }));
      },
    };
  });
}

function tipAt(state: EditorState, table: Map<string, Completion>, language: Language): Tooltip | null {
  const at = enclosingCall(state.sliceDoc(Math.max(0, state.selection.main.head - 2000), state.selection.main.head));
  const item = at && table.get(at.name);
  if (!at || !item || item.kind !== "function") return null;
  return { pos: state.selection.main.head, above: true, create: () => ({ dom: signatureBox(declaration(item, language), at) }) };
}

function signatureBox(text: string, at: CallAt): HTMLElement {
  const { before, parameters, after } = splitParameters(text);
  const box = h("div", { class: "signature-box" }, before);
  parameters.forEach((parameter, index) => {
    if (index > 0) box.append(", ");
    box.append(index === at.argument ? h("strong", {}, parameter) : parameter);
  });
  box.append(after);
  return box;
}
