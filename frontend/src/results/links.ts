/** What the result panel asks of the editor. */
import type { Language } from "../lib/types";

export interface PanelLinks {
  /** Selects code in the learner's program. */
  reveal(line: number, column?: number, endColumn?: number): void;
  /** Marks a line while a call is looked at; 0 takes the mark away. */
  mark(line: number): void;
  language(): Language;
}
