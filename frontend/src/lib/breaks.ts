/** Where a long identifier may go on in another line, as `app/breaks.py` has it for what the server writes. */
import { h } from "./dom";

const PLACES = /(?<=[A-Za-z0-9]_)(?=[A-Za-z0-9]{2})|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** The text with `<wbr>` in it, which is no character: copies and searches stay the same. */
export function breakable(text: string): (string | HTMLElement)[] {
  return text.split(PLACES).flatMap((part, place) => (place > 0 ? [h("wbr"), part] : [part]));
}
