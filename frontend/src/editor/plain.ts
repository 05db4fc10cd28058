/** The bare <textarea> behind the same interface, until the editor is loaded and where it cannot be. */
import type { Editor, EditorOptions } from "./setup";

export function openPlain(textarea: HTMLTextAreaElement, options: Pick<EditorOptions, "changed" | "submit" | "save">): Editor & { close(): void } {
  const stop = new AbortController();
  textarea.addEventListener("input", options.changed, { signal: stop.signal });
  textarea.addEventListener(
    "keydown",
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || (event.key !== "Enter" && event.key !== "s")) return;
      event.preventDefault();
      (event.key === "Enter" ? options.submit : options.save)();
    },
    { signal: stop.signal },
  );
  return {
    text: () => textarea.value,
    replace(text) {
      textarea.value = text;
      options.changed();
    },
    reveal(line) {
      const lines = textarea.value.split("\n");
      const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      textarea.focus();
      textarea.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    },
    mark: () => undefined,
    diagnose: () => undefined,
    focus: () => textarea.focus(),
    close: () => stop.abort(),
  };
}
