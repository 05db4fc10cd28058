/** Completion, hover and signature help from the one table of the API. */
import { type Completion as Option, type CompletionContext, type CompletionResult, type CompletionSource, completeAnyWord } from "@codemirror/autocomplete";
import { StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { hoverTooltip, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";
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

/** While the cursor is between the parentheses of a known call, its declaration with the current parameter marked. */
export function signatureHelp(language: Language): Extension {
  const field = StateField.define<{ table: Map<string, Completion>; tip: Tooltip | null }>({
    create: () => ({ table: new Map(), tip: null }),
    update(value, transaction) {
      let table = value.table;
      for (const effect of transaction.effects) if (effect.is(tableReady)) table = effect.value;
      if (!transaction.docChanged && !transaction.selection && table === value.table) return value;
      return { table, tip: tipAt(transaction.state, table, language) };
    },
    provide: (self) => showTooltip.from(self, (value) => value.tip),
  });
  return [field, loader()];
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
