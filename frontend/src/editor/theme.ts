/** Editor colours come from the page's tokens, so that light and dark are one theme; both pass AA. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "0.9375rem", color: "var(--ink)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", fontVariantLigatures: "none" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.75rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "light-dark(#cfe2f1, #28475f)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", border: "none", borderInlineEnd: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--gardenia) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--gardenia) 14%, transparent)", color: "var(--ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--indigo-wash)", outline: "1px solid var(--line-strong)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--indigo)", color: "var(--on-indigo)" },
  ".cm-completionInfo": { maxWidth: "28rem", padding: "0.6rem 0.8rem" },
  ".cm-completionIcon": { opacity: "0.75" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-panels input, .cm-panels button": { fontSize: "0.8125rem" },
  ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
  ".cm-button": { background: "var(--surface)", border: "1px solid var(--line-strong)" },
  ".cm-searchMatch": { backgroundColor: "var(--gardenia-wash)", outline: "1px solid var(--gardenia)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--gardenia)", color: "#1c1e22" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--madder) 1.5px", textUnderlineOffset: "0.25em" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--gardenia-ink) 1.5px", textUnderlineOffset: "0.25em" },
  ".cm-diagnostic": { fontFamily: "var(--mono)", whiteSpace: "pre-wrap", maxWidth: "40rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--madder)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--gardenia)" },
  ".cm-line.cm-traced": { backgroundColor: "var(--gardenia-wash)", boxShadow: "inset 3px 0 0 var(--gardenia)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.processingInstruction, tags.self], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.character, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.typeName)], color: "var(--code-type)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.function(tags.propertyName)], color: "var(--code-function)" },
  { tag: tags.invalid, color: "var(--madder)" },
]);

export const theme: Extension = [looks, syntaxHighlighting(colours)];
