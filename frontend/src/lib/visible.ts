/** Makes invisible characters of learner output visible, so that text cannot pretend to be other text. */

// C0 and C1 controls except tab and newline, bidirectional controls, zero-width characters, line separators.
const HIDDEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(HIDDEN, (character) => `\u2039U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u203A`);
}
