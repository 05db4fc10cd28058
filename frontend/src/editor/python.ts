import { localCompletionSource, python } from "@codemirror/lang-python";
import { createEditor, type Editor, type EditorOptions } from "./setup";

export function open(textarea: HTMLTextAreaElement, options: Omit<EditorOptions, "support" | "words">): Editor {
  return createEditor(textarea, { ...options, support: python(), words: localCompletionSource });
}
