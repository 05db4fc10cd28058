import { cpp } from "@codemirror/lang-cpp";
import { completeWords } from "./assist";
import { createEditor, type Editor, type EditorOptions } from "./setup";

export function open(textarea: HTMLTextAreaElement, options: Omit<EditorOptions, "support" | "words">): Editor {
  return createEditor(textarea, { ...options, support: cpp(), words: completeWords });
}
